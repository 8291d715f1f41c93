"""`manage.py rulecheck`: a failure reads like a report; a malformed file does not crash."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

SCENARIO = {
    "id": "any-01",
    "title": "Three points and two are five.",
    "system": "any-game",
    "edition": "1",
    "given": {"seats": {"ana": {"counters": {"points": 3}}, "ben": {}}},
    "when": [{"do": "place", "on": "ana", "counter": "points", "amount": 2}],
    "then": {"seats": {"ana": {"counters": {"points": 5}}}},
}

REPORT = """\
FAILED any-01 in own-game 1
  Three points and two are five.
  seats.ana.counters.points
    expected: 6
    got:      5

0 passed, 1 failed
"""


@pytest.fixture
def rulecheck(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Any:
    """Run scenarios (or any text); return the exit status and the output."""

    def run(*scenarios: object) -> tuple[int, str]:
        file = tmp_path / "cases.json"
        text = scenarios[0] if isinstance(scenarios[0], str) else json.dumps(list(scenarios))
        file.write_text(text)
        try:
            call_command("rulecheck", str(file))
        except SystemExit as stop:
            return int(stop.code or 0), capsys.readouterr().out
        return 0, capsys.readouterr().out

    return run


def test_a_scenario_that_holds_is_counted(rulecheck: Any) -> None:
    assert (0, "1 passed, 0 failed\n") == rulecheck(SCENARIO)


def test_each_edition_counts(rulecheck: Any) -> None:
    assert (0, "2 passed, 0 failed\n") == rulecheck(SCENARIO, {**SCENARIO, "edition": ["1"]})


def test_a_failure_tells_the_sentence_where_expected_and_got(
    rulecheck: Any,
) -> None:
    status, printed = rulecheck(
        {**SCENARIO, "then": {"seats": {"ana": {"counters": {"points": 6}}}}}
    )

    assert 1 == status
    assert REPORT == printed


def test_an_unexpected_refusal_shows_the_command_and_the_reason(
    rulecheck: Any,
) -> None:
    spend = {"do": "spend", "on": "ana", "counter": "points", "amount": 9}

    status, printed = rulecheck({**SCENARIO, "when": [*SCENARIO["when"], spend]})

    assert 1 == status
    assert f"  step 1: {json.dumps(spend)}\n    expected: accepted\n" in printed
    assert "got:      not-enough: There are only 5 points" in printed


def test_an_unknown_verb_is_refused_without_a_crash(
    rulecheck: Any,
) -> None:
    status, printed = rulecheck({**SCENARIO, "when": [{"do": "fly"}]})

    assert 1 == status
    assert "invalid: Any game knows no command “fly”." in printed


MALFORMED = [
    ("not JSON", "{"),
    ("a scenario must be a JSON object", [3]),
    ("“title” is missing", [{**SCENARIO, "title": None}]),
    ("there is no system “chess” (there are: ", [{**SCENARIO, "system": "chess"}]),
    ("own-game has no edition 1999", [{**SCENARIO, "edition": "1999"}]),
    ("“edition” must be an edition or a list", [{**SCENARIO, "edition": 3}]),
    ("“given” has no seats", [{**SCENARIO, "given": {}}]),
    ("“given” has a “hat”", [{**SCENARIO, "given": {"seats": {"ana": {"hat": 3}}}}]),
    ("“given” does not make an opening", [{**SCENARIO, "given": {"seats": {"ana": 3}}}]),
    ("“settings” must be a JSON object", [{**SCENARIO, "settings": 3}]),
    ("own-game has no setting “speed”", [{**SCENARIO, "settings": {"speed": 3}}]),
    ("“then” has no part “mood”", [{**SCENARIO, "then": {"mood": "good"}}]),
    ("“events” in “then” has the wrong type", [{**SCENARIO, "then": {"events": []}}]),
    ("“refused” names step “7”", [{**SCENARIO, "then": {"refused": {"7": "invalid"}}}]),
    ("“views” names “dan”, which is not a seat", [{**SCENARIO, "then": {"views": {"dan": {}}}}]),
]


@pytest.mark.parametrize(("reason", "content"), MALFORMED, ids=[row[0] for row in MALFORMED])
def test_a_file_that_makes_no_sense_says_why_and_where(
    rulecheck: Any, reason: str, content: Any
) -> None:
    text = content if isinstance(content, str) else json.dumps(content)

    with pytest.raises(CommandError, match=r"cases\.json") as error:
        rulecheck(text)

    assert reason in str(error.value)
    assert 2 == error.value.returncode


def test_a_missing_file_is_named(rulecheck: Any) -> None:
    with pytest.raises(CommandError, match="/no/such/file: No such file"):
        call_command("rulecheck", "/no/such/file")
