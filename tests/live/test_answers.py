"""Questions put to a seat without a phone: any seat may give the answer, which is that seat's."""

from __future__ import annotations

import json
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.test import Client

from games.live import table_registry
from games.models import Game, Visitor
from games.models.tokens import hashed, new_device
from games.seats import guests
from tests.types import Connect

pytestmark = pytest.mark.django_db(transaction=True)

ANSWER = {"do": "answer", "prompt": "rad:ben", "milled": 1, "nonland": 1}
ASKED: list[dict[str, Any]] = [
    {"do": "begin-turn", "active": ["ben"]},
    {"do": "place", "on": "ben", "counter": "rad", "amount": 1},
    {"do": "begin-phase", "phase": "precombat-main"},
]


@pytest.fixture
def game(make_game: Any) -> Game:
    """A game of Magic in which Ben's rad counters are about to ask him something."""
    made: Game = make_game("magic")
    return made


def ask(game: Game) -> None:
    for command in ASKED:
        table_registry.give(game.slug, command, "ana")


def watcher(game: Game) -> Client:
    client = Client()
    client.cookies[guests.COOKIE] = token = new_device()
    game.admit(hashed(token), Visitor.Role.WATCHER)
    return client


def post(client: Client, game: Game, command: dict[str, Any] = ANSWER) -> int:
    path, body = f"/g/{game.slug}/command", json.dumps(command)
    return client.post(path, body, content_type="application/json").status_code


def answered_by(game: Game) -> list[str]:
    return [entry.seat for entry in game.entries.all() if entry.command["do"] == "answer"]


def test_any_seat_at_the_table_answers_for_a_seat_without_a_phone(
    game: Game, ana: Client, cleo: Client
) -> None:
    ask(game)
    looks_on = post(watcher(game), game)
    cleos = post(cleo, game)

    assert (403, 204, ["ben"]) == (looks_on, cleos, answered_by(game))


def test_a_phone_that_comes_or_goes_decides_who_answers(game: Game, ana: Client) -> None:
    seat, ben = f"/g/{game.slug}/seats/ben", watcher(game)
    ask(game)
    ben.post(f"{seat}/claim")
    held = post(ana, game)
    ben.post(f"{seat}/leave")
    freed = post(ana, game)

    assert (422, 204, ["ben"]) == (held, freed, answered_by(game))


async def test_at_the_socket_the_answer_is_acknowledged_to_the_phone_that_gave_it(
    connect: Connect, game: Game, ana: Client
) -> None:
    await sync_to_async(ask)(game)
    phone, looks_on = await connect(game, ana), await connect(game, ana, query="watch")
    await phone.frame(), await looks_on.frame()
    await looks_on.say(**ANSWER, id="looks on")
    refused = await looks_on.refused()
    await phone.say(**ANSWER, id="for-ben")
    number, acknowledged, _text = await phone.frame()

    assert ("forbidden", 4, ["for-ben"]) == (refused["code"], number, acknowledged)
    assert ["ben"] == await sync_to_async(answered_by)(game)


@pytest.mark.parametrize("query", ["from=-1&seat=ana&flat", "from=-1&seat=ana"])
async def test_only_in_the_hand_the_own_numbers_are_docked(
    connect: Connect, game: Game, ana: Client, query: str
) -> None:
    phone = await connect(game, ana, query=query)
    _number, _ids, text = await phone.frame()

    assert ("flat" in query) == (text.index('id="ana.panel"') < text.index('id="cockpit"'))


def test_where_someone_has_secrets_nobody_answers_for_another(make_game: Any, sit: Any) -> None:
    """A GM whose phone is not there yet is still the only one who decides."""
    seats: dict[str, Any] = {"gm": {}, "ana": {}, "ben": {}}
    game = make_game("stars-and-signs", seats=seats, slot_counters={"foe": {}})
    ana = sit(game, "ana")
    wish = {"do": "fill", "on": "foe", "slots": 1}
    table_registry.give(game.slug, {"do": "propose", "command": wish}, "ben")

    assert 422 == post(ana, game, {"do": "answer", "prompt": "proposal:ben", "accept": True})
