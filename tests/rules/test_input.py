"""JSON that someone sent is read as far as people nest it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.rules import command_ids
from games.rules.command_ids import AcceptedIds
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


SENT = st.lists(
    st.tuples(
        st.integers(0, 60),
        st.sampled_from(["{}", "{}@{at}", "{}@99999", "{}@x"]),
        st.integers(0, 9),
    ),
    max_size=120,
)


@given(sent=SENT, reopened=st.sets(st.integers(0, 120)))
def test_an_id_is_known_from_its_acceptance_on(sent: Any, reopened: Any) -> None:
    """Ids as phones make them (with what they had heard of) and any others, resent at any time."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(command_ids, "RECENT", 4)
        log: list[tuple[str, int]] = []
        made: dict[tuple[int, str], str] = {}

        def fetch(after: Any, last: Any) -> Any:
            return log[after:last]

        ids = AcceptedIds(fetch)
        for turn, (which, form, away) in enumerate(sent):
            if turn in reopened:
                ids = AcceptedIds(fetch, len(log))
            at = max(0, len(log) - away)
            command_id = made.setdefault((which, form), form.format(which, at=at))
            known = command_id in dict(log)

            assert known == ids.known(command_id, len(log))
            assert ids.at_hand(command_id, len(log))
            if not known:
                log.append((command_id, len(log) + 1))
                ids.add(command_id, len(log))
            ids.saved()


def test_ids_of_phones_are_not_kept_and_not_looked_up() -> None:
    fetched = []
    ids = AcceptedIds(lambda after, last: fetched.append((after, last)) or [], 50_000)
    for number in range(50_000, 60_000):
        assert ids.at_hand(f"tap-{number}@{number}", number)
        ids.add(f"tap-{number}@{number}", number + 1)
        ids.saved()

    assert len(ids._numbers) <= 2 * command_ids.RECENT
    assert [] == fetched
