"""The websocket: who may connect, and what they may send."""

from __future__ import annotations

from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.test import Client

from games.live import socket
from games.live.closing import RELOAD
from games.live.socket import ticket
from games.live.table_registry import registry
from games.models import Game
from games.models.tokens import hashed
from tests.types import Connect, Make

from .conftest import Phone

pytestmark = pytest.mark.django_db(transaction=True)

ORIGINS = [
    ("http://testserver", "testserver", None),
    ("https://testserver", "testserver", 4403),
    ("http://testserver:8000", "testserver", 4403),
    ("http://testserver.example", "testserver", 4403),
    ("http://evil.example", "testserver", 4403),
    ("http://evil.example", "evil.example", 4403),
    ("null", "testserver", 4403),
    (None, "testserver", 4403),
]


@pytest.mark.parametrize(("origin", "host", "code"), ORIGINS)
async def test_only_pages_of_this_site_may_connect(
    connect: Connect, game: Game, ana: Client, origin: Any, host: Any, code: str
) -> None:
    phone = await connect(game, ana, since=0, origin=origin, host=host)

    if code is None:
        assert (await phone.frame())[0] == 0
    else:
        assert code == await phone.closed()


async def test_a_stranger_is_told_that_there_is_no_seat(
    connect: Connect, game: Game, dan: Client
) -> None:
    dan.cookies["device"] = "something else"
    phone = await connect(game, dan)

    assert 4401 == await phone.closed()


async def test_a_phone_that_is_sent_away_for_good_is_cut_off(
    connect: Connect, game: Game, ana: Client, ben: Client, his: Phone
) -> None:
    pk = (await game.visitors.aget(device_hash=hashed(ben.cookies["device"].value))).pk

    await sync_to_async(ana.post)(f"/g/{game.slug}/visitors/{pk}/bar")

    assert RELOAD == await his.closed()
    assert 4401 == await (await connect(game, ben, since=0)).closed()


async def test_a_phone_without_a_cookie_is_told_the_same(connect: Connect, game: Game) -> None:
    phone = await connect(game)

    assert 4401 == await phone.closed()


async def test_a_game_that_is_not_there_is_told_apart(
    connect: Connect, game: Game, ana: Client
) -> None:
    phone = await connect("nosuchgame00", ana)

    assert 4404 == await phone.closed()


@pytest.fixture
def other_game(make_game: Make) -> Any:
    return make_game()


async def test_a_seat_of_one_game_opens_no_other(
    connect: Connect, other_game: Game, ana: Client
) -> None:
    phone = await connect(other_game, ana)

    assert 4401 == await phone.closed()


async def test_a_ticket_stands_for_a_seat_without_a_page(connect: Connect, game: Game) -> None:
    phone = await connect(game, query=f"ticket={ticket(game.slug, 'ben')}&from=0", origin=None)
    await phone.frame()
    await phone.place(id="tap")

    assert (1, ["tap"]) == (await phone.frame())[:2]


BAD_TICKETS = ["", "ben", "WyJhIiwiYmVuIl0:1:x"]


@pytest.mark.parametrize("paper", BAD_TICKETS)
async def test_a_ticket_that_is_not_ours_opens_nothing(
    connect: Connect, game: Game, paper: Any
) -> None:
    phone = await connect(game, query=f"ticket={paper}x")

    assert 4401 == await phone.closed()


async def test_a_ticket_is_for_one_game_and_for_a_seat_that_is_there(
    connect: Connect, game: Game
) -> None:
    other = await connect(game, query=f"ticket={ticket('anothergame0', 'ben')}")
    nobody = await connect(game, query=f"ticket={ticket(game.slug, 'dan')}")

    assert (4401, 4401) == (await other.closed(), await nobody.closed())


async def test_a_page_of_another_site_may_not_use_a_ticket(connect: Connect, game: Game) -> None:
    paper = ticket(game.slug, "ben")
    phone = await connect(game, query=f"ticket={paper}", origin="http://evil.example")

    assert 4403 == await phone.closed()


@pytest.fixture
def watching(game: Game, dan: Client) -> Any:
    dan.cookies["device"] = "a phone on the sofa"
    game.admit(hashed("a phone on the sofa"), "watcher")
    return dan


async def test_a_watcher_sees_every_tap_and_cannot_tap(
    connect: Connect, game: Game, ana: Client, watching: Any
) -> None:
    watcher, seat = await connect(game, watching, since=0), await connect(game, ana, since=0)
    await watcher.frame(), await seat.frame()
    await watcher.place(id="mine")
    refused = await watcher.refused()
    await seat.place(id="hers")

    assert ("mine", "forbidden") == (refused["id"], refused["code"])
    assert 1 == (await watcher.frame())[0]


async def test_the_seat_and_not_the_phone_says_who_gave_a_command(game: Game, his: Phone) -> None:
    await his.place(by="ana", id="as-ana")
    await his.frame()

    entry = await registry.read(lambda: game.entries.get(number=1))
    assert ("ben", "ben") == (entry.seat, entry.command["by"])


async def test_a_form_is_sent_as_it_is_and_counts_once(game: Game, hers: Phone) -> None:
    form = "do=create&name=Lander&copies%3Acopies=2"
    for _ in range(2):  # again after a lost connection
        await hers.say(form=form, id="made")

    assert (1, ["made"]) == (await hers.frame())[:2]
    assert (1, ["made"]) == (await hers.frame())[:2]
    made = await registry.read(lambda: game.entries.get().command["steps"])
    assert ["Lander", "Lander"] == [each["name"] for each in made]


async def test_a_form_that_cannot_be_read_is_refused_by_its_id(hers: Phone) -> None:
    await hers.say(form=["do", "create"], id="made")

    refused = await hers.refused()
    assert ("made", "invalid") == (refused["id"], refused["code"])


async def test_a_form_gives_nothing_that_only_the_server_gives(hers: Phone) -> None:
    await hers.say(form="do=throw&dice=2d6&result%3Ajson=[6,6]", id="loaded")

    assert "forbidden" == (await hers.refused())["code"]


MALFORMED = [" ", "{", "[]", "3", '"place"', "null", "[" * 9000, '{"do": "nonsense"}', "{}"]
HALVES = [
    r'{"do": "place", "on": "rocket", "counter": "fuel", "note": "\ud800"}',
    r'{"do": "place", "on": "rocket", "counter": "fuel", "id": "\udfff"}',
    r'{"do": "place", "on": "rocket", "counter": "fuel", "\ud800": 1}',
    r'{"do": "\ud83d"}',
]


@pytest.mark.parametrize("text", [*MALFORMED, *HALVES])
async def test_a_malformed_command_is_refused_and_the_connection_stays(
    text: str, hers: Phone
) -> None:
    await hers.communicator.send_to(text_data=text)
    refused = await hers.refused()
    await hers.place(id="tap")

    assert "invalid" == refused["code"]
    assert (1, ["tap"]) == (await hers.frame())[:2]


async def test_a_message_beyond_16_kib_closes_the_connection(hers: Phone) -> None:
    await hers.place(note="é" * 9000)

    assert 4413 == await hers.closed()


async def test_a_phone_that_sends_too_fast_is_cut_off(
    connect: Connect, game: Game, ana: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(socket, "BURST", 3.0)
    monkeypatch.setattr(socket, "RATE", 0.0)
    phone = await connect(game, ana, since=0)
    for _tap in range(4):
        await phone.place()

    assert 4429 == await phone.closed()


async def test_a_command_as_long_as_many_taps_counts_as_many(
    connect: Connect, game: Game, ana: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(socket, "BURST", 3.0)
    monkeypatch.setattr(socket, "RATE", 0.0)
    phone = await connect(game, ana, since=0)
    await phone.place()
    await phone.place(note="x" * 4 * socket.BYTES_OF_TAP)

    assert 4429 == await phone.closed()


async def test_a_device_has_so_many_screens_and_another_one_gets_in(
    connect: Connect, game: Game, ana: Client, ben: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(socket, "MOST_OF_DEVICE", 2)
    for _tab in range(2):
        await (await connect(game, ana, since=0)).frame()

    assert 4429 == await (await connect(game, ana, since=0)).closed()
    await (await connect(game, ben, since=0)).frame()


async def test_watchers_never_take_the_place_of_a_seats_phone(
    connect: Connect, game: Game, ana: Client, ben: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(socket, "MOST_WATCHERS", 1)
    await (await connect(game, ben, query="watch")).frame()

    assert 4429 == await (await connect(game, ben, query="watch")).closed()
    await (await connect(game, ana, since=0)).frame()
