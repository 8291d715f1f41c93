"""Random games in which the rules of several scenarios meet: laws, rows and frames of each."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from django.db import connections
from django.utils import timezone

from games.rules.history import History
from games.rules.state import Refused
from games.rules.system import System
from games.store import rows
from tests import laws, meeting

from .test_updates import follow

GAMES = 12
"""Games of each edition; `python -m tests.meeting` plays thousands."""
SEEDS = [pytest.param(range(GAMES), id="few")]
SEEDS += [pytest.param(range(GAMES, 60), id="many", marks=pytest.mark.sweep)]


@pytest.mark.parametrize("seeds", SEEDS)
@pytest.mark.parametrize("system", laws.editions())
def test_a_game_in_which_rules_meet_keeps_the_laws(system: System, seeds: range) -> None:
    games = [meeting.played(system, seed, 20) for seed in seeds]

    assert any(each.history.number > 5 for each in games)


@pytest.mark.parametrize("system", laws.editions())
def test_its_rows_are_its_log(db: None, system: System) -> None:
    for seed in range(2):
        game = meeting.Game(system, seed)
        game.play(12)
        stored = rows.create(game.system, game.history.opening)
        history = rows.history(stored)
        for raw in game.given:
            try:
                given = history.give(raw)
            except Refused:
                continue
            rows.write(connections["default"], {stored.pk: [given]}, timezone.now())
        stored.refresh_from_db()

        rows.check(stored)
        assert game.history.state == rows.history(stored).state


@pytest.mark.parametrize("system", laws.editions())
def test_its_frames_lead_to_the_page_of_a_newcomer(system: System) -> None:
    games = [meeting.Game(system, seed) for seed in range(4)]
    for game in games:
        game.play(10)

    assert all(follow(History(each.system, each.history.opening), each.given) for each in games)


@pytest.mark.parametrize("system", laws.editions())
def test_its_taps_turn_the_numbers_of_its_board(system: System) -> None:
    taken = 0
    for seed in range(12):
        chance = Random(seed)
        history = meeting.opening(system, chance)
        tap = meeting.a_tap(history.system, history.state, chance)
        taken += bool(tap) and meeting.code(history, tap) is None

    assert taken


def test_two_scenarios_meet_at_one_table() -> None:
    bear: dict[str, Any] = {"owner": "ana", "types": ["creature"]}
    down = {"on": "bear", "counter": "time", "begins": "upkeep", "change": -1}
    two = {"seats": {"ana": {}, "ben": {}}, "objects": {"bear": bear}, "ticks": {"down": down}}
    one = {"seats": {"cleo": {}}, "objects": {"bear": {**bear, "owner": "cleo"}}}

    given = meeting.both({"id": "one", "given": one}, {"id": "two", "given": two})["given"]

    assert {"bear": {**bear, "owner": "cleo"}, "bear-2": {**bear, "owner": "cleo"}} == (
        given["objects"]
    )
    assert {"down": {**down, "on": "bear-2"}} == given["ticks"]
