"""JSON that someone sent is read as far as people nest it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from games.rules.input import MOST_NESTED, read_json
from tests.laws import SCENARIOS


def nested(times: int) -> str:
    return "[" * times + "]" * times


def depth(value: Any) -> int:
    inside = value.values() if isinstance(value, dict) else value
    return 1 + max(map(depth, inside), default=0) if isinstance(value, (dict, list)) else 0


def test_input_nested_deeper_than_any_command_is_not_read() -> None:
    assert MOST_NESTED == depth(read_json(nested(MOST_NESTED)))
    assert MOST_NESTED + 1 == depth(read_json(f'{{"a": {nested(MOST_NESTED)}}}'))

    for deep in (
        nested(MOST_NESTED + 1),
        f'{{"a": 1, "b": {nested(MOST_NESTED + 1)}}}',
        nested(999),
    ):
        with pytest.raises(ValueError, match="nested"):
            read_json(deep)


def test_every_scenario_is_less_deep_by_far() -> None:
    """The deepest have a game that a table has written itself, with rules within rules."""
    files = [path.read_text(encoding="utf-8") for path in SCENARIOS.glob("*.json")]

    assert max(depth(json.loads(text)) for text in files) <= MOST_NESTED - 8
