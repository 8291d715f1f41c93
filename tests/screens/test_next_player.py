"""The seat whose turn the board offers next."""

from __future__ import annotations

import json
import re

import pytest

from games.live.table_registry import registry
from games.models import Game
from games.rules import scenario
from games.rules.engine import settle
from games.rules.events import Lost, TurnBegan
from games.rules.system import System
from games.screens.drawing import Drawing
from games.screens.turn import turn
from games.store import rows
from games.systems import SYSTEMS
from tests.types import Make, Sit

SEATS = ("ana", "ben", "cleo", "dan", "eve", "finn")
WITH_TURNS = [editions[0] for editions in SYSTEMS.values() if editions[0].phases]


def offered(board: str) -> str:
    """The seat whose turn the button of *board* begins."""
    found = re.search(r'name=begin-turn\s+value="?(\w+)', board)
    assert found, board
    return found[1]


@pytest.mark.parametrize("system", WITH_TURNS, ids=lambda system: system.name)
@pytest.mark.parametrize("seats", range(3, 7))
def test_the_turn_of_a_player_who_is_out_is_followed_by_the_next_seat(
    system: System, seats: int
) -> None:
    order = SEATS[:seats]
    given = {"seats": {seat: {} for seat in order}}
    opening = settle(system, scenario.opening(system, {"given": given, "settings": {}}), [])
    screens = Drawing(system)
    for place, seat in enumerate(order):
        state = TurnBegan((seat,), system.phases[0]).evolve(opening)
        alive = offered(turn(screens, state).draw())
        assert alive == offered(turn(screens, Lost(seat).evolve(state)).draw())
        assert alive == order[(place + 1) % seats]


def test_a_seat_that_is_out_is_passed_over() -> None:
    (system,) = (each for each in WITH_TURNS if each.name == "magic")
    given = {"seats": {seat: {} for seat in SEATS}, "turn": {"active": ["ben"]}}
    state = scenario.opening(system, {"given": given, "settings": {}})
    for seat in ("ben", "cleo"):
        state = Lost(seat).evolve(state)

    assert "dan" == offered(turn(Drawing(system), state).draw())


@pytest.mark.django_db(transaction=True)
def test_the_button_gives_the_turn_to_the_seat_after_the_one_who_died(
    make_game: Make, sit: Sit
) -> None:
    seats = {seat: {"life": 40, "starting_life": 40} for seat in SEATS[:4]}
    game = make_game("magic", seats=seats)
    cleo = sit(game, "cleo")
    command, board = f"/g/{game.slug}/command", f"/g/{game.slug}/"
    dies = {"do": "lose-life", "seat": "cleo", "amount": 40}

    cleo.post(command, {"begin-turn": "cleo"})
    cleo.post(command, json.dumps(dies), content_type="application/json")
    cleo.post(command, {"begin-turn": offered(cleo.get(board).content.decode())})

    turn = rows.state(Game.objects.get()).turn
    registry.close()
    assert turn
    assert ("dan",) == turn.active
