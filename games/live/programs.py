"""Other programs at a running table: their socket, and what a repeated command had become.

A program shows its token in the handshake's `Authorization` header. A script in a browser cannot
set that, and names it among its subprotocols. No cookie counts here, so any page may connect.
"""

from __future__ import annotations

import asyncio
import json
import time
from typing import Any

from django.utils import translation

from games.models import Entry, Game
from games.rules.entry import view_in, views_from_json
from games.rules.state import Refused
from games.screens.fragments import audience
from games.screens.languages import language_from_headers
from games.screens.words import words_of
from games.seats import hosts, programs
from games.seats.programs import Caller

from .closing import NO_GAME, NO_SEAT, RELOAD, TOO_FAST, WRONG_ORIGIN
from .connection import Connection, Frame, Send
from .outcome import Outcome
from .running_game import RunningGame
from .socket import Closed, Session, crowded, our_host, serve
from .table_registry import NoSuchGame, registry

SUBPROTOCOL = "countersite.v1"
BEARER = "bearer "


async def follow(scope: dict[str, Any], receive: Any, send: Send) -> None:
    """One program's websocket: the document, then its changes; commands in, answers out."""
    spoken = SUBPROTOCOL if SUBPROTOCOL in scope.get("subprotocols", ()) else None
    await serve(scope, receive, send, enter, still, ProgramSession, spoken)


async def enter(scope: dict[str, Any], connection: Connection) -> RunningGame:
    """The table of the token in a handshake; note its program on *connection*. Raises Closed."""
    headers = dict(scope["headers"])
    if not our_host(headers):
        raise Closed(WRONG_ORIGIN, "host")
    token, since = token_in(headers, scope.get("subprotocols", ())), time.monotonic()
    caller = await registry.read(lambda: programs.caller(token))
    if caller is None:
        raise Closed(NO_SEAT, "no such token")
    try:
        table = await registry.table(caller.guest.game.slug)
    except NoSuchGame:
        raise Closed(NO_GAME, "no such game") from None
    note(caller, connection)
    slug = table.slug
    if any(
        registry.closed_since(slug, each, since) for each in (connection.device, connection.program)
    ):
        raise Closed(RELOAD, "reload")  # perhaps removed while it was coming in
    if crowded(table, connection):
        raise Closed(TOO_FAST, "too many connections")
    language = language_from_headers(headers)
    connection.audience = audience(table.system, connection.seat, language, program=True)
    return table


async def still(scope: dict[str, Any], connection: Connection) -> bool:
    """True if its token is still valid, for the same seat."""
    token = token_in(dict(scope["headers"]), scope.get("subprotocols", ()))
    caller = await registry.read(lambda: programs.caller(token))
    return caller is not None and caller.guest.key == connection.seat


def token_in(headers: dict[bytes, bytes], subprotocols: Any) -> str:
    """The token that a handshake shows; "" if none."""
    shown = headers.get(b"authorization", b"").decode("latin1")
    if shown.lower().startswith(BEARER):
        return shown[len(BEARER) :].strip()
    return next((each for each in subprotocols if each.startswith(programs.TOKEN)), "")


def note(caller: Caller, connection: Connection) -> None:
    """Set the seat, program and audience of *connection*."""
    connection.seat = caller.guest.key
    connection.device = caller.guest.visitor.device_hash
    connection.program = caller.program.token_hash
    connection.read_only = caller.program.read_only


class ProgramSession(Session):
    """A program's commands: each one is answered."""

    __slots__ = ("_tasks",)
    reads_forms = False

    def __init__(self, table: RunningGame, connection: Connection) -> None:
        super().__init__(table, connection)
        self._tasks: set[asyncio.Task[None]] = set()

    def _answer(self, command_id: object, outcome: Outcome) -> None:
        if isinstance(outcome, Refused):
            language = self._connection.audience.language
            with translation.override(language):
                facts = words_of(self._table.system).refusal_facts(outcome)
            self._say(type="refused", id=command_id, refused=facts)
        elif outcome.entry is not None:
            self._say(type="accepted", id=command_id, entry=outcome.entry.number)
        else:
            task = asyncio.ensure_future(self._repeat(str(command_id)))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _repeat(self, command_id: str) -> None:
        """Answer as the first time."""
        slug, seat = self._table.slug, self._connection.seat
        entry = await registry.read(lambda: accepted_as(slug, command_id, seat or ""))
        self._say(type="accepted", id=command_id, entry=entry)

    def _say(self, **fields: Any) -> None:
        self._connection.send(Frame(json.dumps(fields, ensure_ascii=False)))


def accepted_as(slug: str, command_id: str, seat: str) -> int | None:
    """The number, as *seat* counts, of the entry that its command with that id became.

    None if another seat gave it: whether this one may know of it is not asked.
    """
    game = Game.objects.get(slug=slug)
    entry = Entry.objects.filter(game=game, command_id=command_id, seat=seat).first()
    if entry is None:
        return None
    view = view_in(views_from_json(entry.heard), seat)
    if view is None or hosts.guarded(game, seat):
        return entry.number
    return view.line
