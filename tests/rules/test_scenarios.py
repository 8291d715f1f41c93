"""Every scenario holds in each edition that it names."""

from __future__ import annotations

import pytest

from games.rules import scenario
from games.rules.system import System
from games.store import demos
from games.systems import find
from tests import laws

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
