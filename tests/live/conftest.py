"""Phones that connect to running tables over plain ASGI."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import pytest
from channels.testing import WebsocketCommunicator
from django.test import Client

from countersite.asgi import application
from games.live.table_registry import registry
from games.models import Game
from games.store import rows

from .wire import PATIENCE, Server

SEQUENCE = re.compile(r'<data id="seq" data-seq="(\d+)"(?: data-acks="([^"]*)")?')
NUMBER = re.compile(r'<b id="([^"]+)"[^>]*>(\d+)</b>')


class Phone:
    """One screen of a game."""

    def __init__(self, communicator: WebsocketCommunicator) -> None:
        self.communicator = communicator

    async def text(self) -> str:
        return str(await self.communicator.receive_from(timeout=PATIENCE))

    async def frame(self) -> tuple[int, list[str], str]:
        """The next frame: its number, the command ids it acknowledges, and its text."""
        text = await self.text()
        found = SEQUENCE.search(text)
        assert found, text
        return int(found[1]), (found[2] or "").split(), text

    async def until(self, number: int) -> str:
        """The frame that leads to entry *number*."""
        while True:
            reached, _ids, text = await self.frame()
            assert reached <= number, f"{reached} is beyond {number}"
            if reached == number:
                return text

    async def refused(self) -> dict[str, Any]:
        refusal: dict[str, Any] = json.loads(await self.text())["refused"]
        return refusal

    async def say(self, **command: Any) -> None:
        await self.communicator.send_to(text_data=json.dumps(command))

    async def place(self, amount: int = 1, on: str = "rocket", **more: Any) -> None:
        await self.say(do="place", on=on, counter="fuel", amount=amount, **more)

    async def closed(self) -> int:
        """The code with which the table closes the connection."""
        while True:
            message = await self.communicator.receive_output(timeout=PATIENCE)
            if message["type"] == "websocket.close":
                return int(message["code"])

    async def disconnect(self) -> None:
        await self.communicator.disconnect()


Stepper = Callable[..., Any]


@pytest.fixture
async def connect() -> AsyncIterator[Stepper]:
    """Connect to a game with a browser's cookies: `await connect(game, ben, since=3)`."""
    opened: list[Phone] = []

    async def call(
        game: Game | str,
        browser: Client | None = None,
        *,
        since: int | None = None,
        query: str = "",
        origin: str | None = "http://testserver",
        host: str = "testserver",
        language: str = "",
    ) -> Phone:
        slug = game if isinstance(game, str) else game.slug
        headers = [(b"host", host.encode())]
        if origin is not None:
            headers.append((b"origin", origin.encode()))
        if language:
            headers.append((b"accept-language", language.encode()))
        if browser is not None:
            device = browser.cookies["device"].value
            headers.append((b"cookie", f"other=1; device={device}".encode()))
        asked = f"from={since}" if since is not None else query
        communicator = WebsocketCommunicator(application, f"/g/{slug}/ws?{asked}", headers=headers)
        accepted, _protocol = await communicator.connect(timeout=PATIENCE)
        assert accepted, "a rejected handshake is accepted, then closed with a code"
        phone = Phone(communicator)
        opened.append(phone)
        return phone

    yield call
    for phone in opened:
        await phone.disconnect()


@pytest.fixture
async def hers(connect: Stepper, game: Game, ana: Client) -> Phone:
    """Ana's phone at the game's table, which has its first board."""
    phone: Phone = await connect(game, ana, since=0)
    await phone.frame()
    return phone


@pytest.fixture
async def his(connect: Stepper, game: Game, ben: Client) -> Phone:
    """Ben's."""
    phone: Phone = await connect(game, ben, since=0)
    await phone.frame()
    return phone


@pytest.fixture(scope="module")
def server(request: pytest.FixtureRequest, django_db_setup: None) -> Iterator[Server]:
    """A server that the tests of a file share; its `SERVER` says in what it is unlike others."""
    running = Server(**getattr(request.module, "SERVER", {}))
    yield running
    running.kill()


@pytest.fixture(autouse=True)
def tables(db: None) -> Any:
    """Forget all running tables after each test."""
    yield registry
    registry.close()


async def check(game: Game) -> None:
    """Check that the rows of *game* match its log."""
    await registry.read(lambda: rows.check(Game.objects.get(pk=game.pk)))


def amounts(text: str) -> dict[str, int]:
    """The numbers in a frame, by the ids of their fragments."""
    return {found[1]: int(found[2]) for found in NUMBER.finditer(text)}
