"""Sockets under a token that has been replaced, or of a device that is removed meanwhile."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.test import Client

from games.live.closing import RESTART
from games.live.table_registry import registry
from games.models import Game, Visitor
from games.models.tokens import hashed, new_device
from games.seats import devices
from tests.types import Connect, Make

pytestmark = pytest.mark.django_db(transaction=True)


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
