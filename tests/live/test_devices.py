"""A laptop and a tablet at the GM's seat: both are live, and one can be taken off."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from http.client import HTTPConnection
from http.cookies import SimpleCookie
from typing import Any
from urllib.parse import urlencode

import pytest
from asgiref.sync import sync_to_async
from django.test import Client

from games.live.closing import RESTART
from games.live.table_registry import registry
from games.models import Game, Visitor
from games.models.tokens import hashed, new_device
from games.seats import devices, hosts
from games.store import rows
from tests.types import Connect, Make

from .conftest import check
from .wire import Server, Wire, frame

pytestmark = pytest.mark.django_db(transaction=True)

TOKEN = "a" * 32
FILL = {"do": "fill", "on": "c1", "slots": 1}
LOOKS_AWAY = "import countersite.asgi; from games.live import watch; watch.LOOK = 3600.0; "
"""A server that does not notice that the host is back, however long a test takes."""


@pytest.fixture
def session(make_game: Any) -> Game:
    counters = {"c1": {"name": "CANARY", "type": "danger", "slots": 9, "visibility": "hidden"}}
    seats: dict[str, Any] = {"gm": {}, "ben": {}}
    game: Game = make_game("stars-and-signs", seats=seats, slot_counters=counters)
    return game


@pytest.fixture
def two(session: Game, sit: Any) -> list[Any]:
    """The browsers of the laptop and the tablet."""
    laptop, tablet = sit(session, "gm"), sit(session, "ben")
    session.seats.get(key="gm").join(hashed(tablet.cookies["device"].value))
    return [laptop, tablet]


async def test_both_get_every_frame_and_give_commands(
    connect: Connect, session: Game, two: tuple[Any, Any]
) -> None:
    laptop, tablet = [await connect(session, each, query="from=0&seat=gm") for each in two]
    for phone in (laptop, tablet):
        await phone.frame()
    await laptop.say(**FILL, id="from-the-laptop")
    assert all(["CANARY" in await phone.until(1) for phone in (laptop, tablet)])
    await tablet.say(**FILL, id="from-the-tablet")
    for phone in (laptop, tablet):
        await phone.until(2)
    # The same id counts once, whichever of them sends it again.
    await tablet.say(**FILL, id="from-the-laptop")
    await tablet.frame()
    await check(session)

    assert ["gm", "gm"] == [each.by for each in await sync_to_async(rows.entries)(session)]


async def test_the_one_taken_off_is_closed_and_cannot_come_back(
    connect: Connect, session: Game, two: tuple[Any, Any]
) -> None:
    laptop, tablet = [await connect(session, each, query="from=0&seat=gm") for each in two]
    gone = await session.visitors.aget(device_hash=hashed(two[1].cookies["device"].value))
    path = f"/g/{session.slug}/seats/gm/devices/{gone.pk}"
    assert 302 == (await sync_to_async(two[0].post)(path)).status_code

    assert 4409 == await tablet.closed()
    again = await connect(session, two[1], query="from=0&seat=gm")
    assert 4410 == await again.closed()
    watching = await connect(session, two[1], query="from=0&seat=")
    await laptop.say(**FILL)
    await laptop.until(1)
    await watching.say(**FILL)
    seen = await watching.text()
    while "refused" not in seen:
        seen += await watching.text()
    assert "CANARY" not in seen


def test_a_killed_server_keeps_devices_and_who_stands_in(
    transactional_db: None, session: Game
) -> None:
    server = Server(LOOKS_AWAY)
    phones: list[str] = []
    opened: list[Wire] = []

    def connect(phone: str) -> Wire:
        opened.append(Wire(server, session, "gm", 0, 0, phone))
        return opened[-1]

    try:
        for _n in range(3):
            status, token = ask(server, f"/h/{session.host_token}", "")
            phones.append(token)
            assert 302 == status
        gone = session.visitors.get(device_hash=hashed(phones[2])).pk
        path = f"/g/{session.slug}/seats/gm/devices/{gone}"
        assert 302 == ask(server, path, phones[0], csrfmiddlewaretoken=TOKEN)[0]
        session.seats.filter(key="ben").update(device_hash=hashed("ben"))
        hosts.succeed(session.pk, {"ben"}, set())
        lines = [connect(each) for each in phones[:2]]
        lines[1].send(frame(json.dumps({**FILL, "id": "x"}).encode()))
        lines[0].until(1)
        server.kill()

        server.start()
        lines = [connect(each) for each in phones]
        lines[1].send(frame(json.dumps({**FILL, "id": "x"}).encode()))
        lines[1].send(frame(json.dumps({**FILL, "id": "y"}).encode()))
        assert all(b"CANARY" in each.until(1) + each.until(2) for each in lines[:2])
        assert 8 == lines[2].receive()[0]
    finally:
        server.kill()
        for wire in opened:
            wire.close()
    session.refresh_from_db()
    rows.check(session)
    assert (2, ["ben"]) == (
        session.number,
        [each.key for each in session.seats.exclude(stands_in=None)],
    )


def ask(server: Server, path: str, device: str, **fields: str) -> tuple[int, str]:
    """The answer to a GET by that device, or to a POST if there are fields: status, new token."""
    connection = HTTPConnection("127.0.0.1", server.port)
    headers = {
        "Cookie": f"device={device}; csrftoken={TOKEN}",
        "User-Agent": "Mozilla/5.0",
        "Content-Type": "application/x-www-form-urlencoded",
    }
    connection.request("POST" if fields else "GET", path, urlencode(fields), headers)
    answer = connection.getresponse()
    cookies = SimpleCookie("; ".join(answer.headers.get_all("Set-Cookie", [])))
    connection.close()
    return answer.status, cookies["device"].value if "device" in cookies else device


def copied(phone: Any) -> Any:
    copy = Client()
    copy.cookies["device"] = phone.cookies["device"].value
    return copy


@pytest.fixture
def watcher(game: Game) -> Any:
    phone = Client()
    phone.cookies["device"] = new_device()
    game.admit(hashed(phone.cookies["device"].value), Visitor.Role.WATCHER)
    return phone


async def claim(game: Game, phone: Any, key: str) -> None:
    path = f"/g/{game.slug}/seats/{key}/claim"
    assert 302 == (await sync_to_async(phone.post)(path)).status_code


async def test_a_copys_socket_is_closed_at_the_first_use_of_the_new_token(
    connect: Connect, game: Game, watcher: Client
) -> None:
    thief = copied(watcher)
    await claim(game, watcher, "ben")
    listening = await connect(game, thief, query="from=0&seat=ben")
    await listening.frame()

    phone = await connect(game, watcher, query="from=0&seat=ben")
    await phone.frame()

    assert RESTART == await listening.closed()
    assert 4401 == await (await connect(game, thief, query="from=0&seat=ben")).closed()
    await phone.place()
    await phone.until(1)


async def test_a_page_closes_the_sockets_of_the_last_token_in_every_game(
    connect: Connect, game: Game, make_game: Make, watcher: Client
) -> None:
    other = await sync_to_async(make_game)()
    await sync_to_async(other.admit)(hashed(watcher.cookies["device"].value), Visitor.Role.GUEST)
    listening = await connect(other, watcher, query="from=0&watch")
    await claim(game, watcher, "ben")

    await sync_to_async(watcher.get)("/")

    assert RESTART == await listening.closed()
    again = await connect(other, watcher, query="from=0&watch")
    await again.frame()


async def test_a_visitor_removed_while_connecting_does_not_get_in(
    connect: Connect, game: Game, ben: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_table = registry.table

    async def slow(slug: str) -> Any:
        table = await open_table(slug)
        device = hashed(ben.cookies["device"].value)
        gone = await game.visitors.aget(device_hash=device)
        await sync_to_async(devices.bar)(game, gone)
        await registry.disconnect(slug, 4410, "reload", device)
        return table

    monkeypatch.setattr(registry, "table", slow)
    phone = await connect(game, ben, query="from=0&seat=ben")
    monkeypatch.undo()

    assert 4410 == await phone.closed()
    assert 4401 == await (await connect(game, ben, query="from=0&seat=ben")).closed()


def test_sockets_know_the_cookie_that_pages_set_on_https() -> None:
    says = (
        "import django; django.setup(); from django.conf import settings; "
        "from games.live import socket; from games.seats import guests; "
        "print(socket.COOKIE == guests.COOKIE == settings.DEVICE_COOKIE_NAME == '__Host-device')"
    )
    environment = {
        **os.environ,
        "COUNTERSITE_HTTPS": "on",
        "DJANGO_SETTINGS_MODULE": "countersite.settings",
    }

    said = subprocess.run(
        [sys.executable, "-c", says], env=environment, capture_output=True, text=True, check=True
    )

    assert "True\n" == said.stdout
