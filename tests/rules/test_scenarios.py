"""Every scenario holds in each edition that it names."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest

from games.rules import scenario
from games.rules.system import System
from games.store import demos
from games.systems import find
from tests import laws
from tests.laws import SCENARIOS

SYSTEMS = laws.all_systems()


@pytest.mark.parametrize("system", SYSTEMS, ids=[f"{s.name}-{s.edition}" for s in SYSTEMS])
def test_every_scenario_holds(system: System) -> None:
    edition = (system.name, system.edition)
    cases = [case for case, its in laws.all_scenarios() if edition == (its.name, its.edition)]
    checked = {case["id"]: scenario.check(case, system.of_table(case)) for case in cases}

    assert checked
    assert {} == {each: differences for each, differences in checked.items() if differences}


@pytest.mark.parametrize("name", demos.ready_games("own-game"))
def test_the_demo_of_a_ready_game_ends_as_it_says(name: str) -> None:
    if shown := demos.ready_demo("own-game", name):
        assert shown["when"]
        assert [] == [*scenario.check(shown, find("own-game").of_table(shown))]


READING = "Our reading"
JUDGES = sorted(SCENARIOS.glob("judges-*.json"))


def cases(path: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf8"))
    return found


def test_at_least_120_situations_are_judged_from_outside_in_five_systems() -> None:
    judged = Counter(case["system"] for path in JUDGES for case in cases(path))

    assert 120 <= sum(judged.values())
    assert {"magic", "grand-archive", "yu-gi-oh", "stars-and-signs", "pokemon"} == {*judged}


@pytest.mark.parametrize("path", JUDGES, ids=lambda path: path.stem)
def test_a_judge_is_never_a_text_of_ours(path: Any) -> None:
    ours = ("reading", "docs/commands", "house rule")

    assert [] == [
        case["id"]
        for case in cases(path)
        if len(case["source"]) < 10 or any(word in case["source"].lower() for word in ours)
    ]


def test_a_reading_names_what_it_follows_or_says_that_it_is_ours() -> None:
    named = ("Rules", "rules", "rulings", "Oracle", "blog", "FAQ", "Rulebook", "text", READING)
    readings = cases(SCENARIOS / "readings-evening.json")
    silent = [case["id"] for case in readings if case["source"].startswith(READING)]

    assert [] == [c["id"] for c in readings if not any(word in c["source"] for word in named)]
    assert len(silent) <= 6, silent
