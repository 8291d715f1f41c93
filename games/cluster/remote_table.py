"""A proxy for a game that another process owns: commands go there, frames come back.

When the owner is gone or lets the game go, its screens stay connected. What they tap waits; once
the game is found again, here or elsewhere, they join it with the number they have, and what has had
no answer is given again. An id counts once, so nothing happens twice.
"""

from __future__ import annotations

import itertools
import re
import secrets
import time
from collections.abc import Callable, Mapping
from typing import Any

from msgspec import json

from games.live.closing import RESTART
from games.live.connection import Connection, Frame
from games.live.outcome import Outcome, Reply, not_saved
from games.live.running_game import RunningGame
from games.rules.entry import Entry
from games.rules.history import Applied
from games.rules.state import GameState, Refused
from games.rules.system import System

from .messages import Close, Frames, Gone, Join, Known, Leave, Present, Refusal, Said, Take
from .phrases import unpacked

NOWHERE = GameState(seats={})
SEQUENCE = re.compile(r'<data id="seq" data-seq="(\d+)"')
"""The element that ends a frame with the number it leads to (`fragments.sequence`)."""


class RemoteTable(RunningGame):
    """A game that another process plays, as callers in this one see it.

    owner: the process that plays it. opened: whether it has answered. session: its name between the
    two. say: sends a message to the owner. lost: called when the owner is to be followed no more.
    searching: nobody knows yet who plays it now.
    """

    def __init__(
        self,
        slug: str,
        system: System,
        seats: frozenset[str],
        owner: str,
        say: Callable[[str, Said], None],
        lost: Callable[[RemoteTable], None],
    ) -> None:
        self.slug = slug
        self.system = system
        self.owner = owner
        self.opened = False
        self.searching = False
        self.session = secrets.token_hex(8)
        self.used = self.begun = time.monotonic()
        self._present: set[str] = set()
        self._numbers: dict[str | None, int] = {}
        self._seats = seats
        self._say_to = say
        self._lost = lost
        self._connections: dict[Connection, int] = {}
        self._by_line: dict[int, Connection] = {}
        self._since: dict[Connection, int | None] = {}
        self._ids = itertools.count(1)
        self._pending: dict[int, tuple[Mapping[str, Any], str, Reply, Connection | None]] = {}
        self._now: RunningGame | None = None

    def has_seat(self, seat: str) -> bool:
        return self._now.has_seat(seat) if self._now else seat in self._seats

    @property
    def present(self) -> set[str]:
        return self._now.present if self._now else self._present

    def number_for(self, seat: str | None) -> int:
        """As of the last time that a command of that seat was known already."""
        return self._now.number_for(seat) if self._now else self._numbers.get(seat, 0)

    @property
    def idle(self) -> bool:
        return not (self._connections or self._pending)

    def connections(self) -> list[Connection]:
        return self._now.connections() if self._now else list(self._connections)

    def take(
        self, raw: Mapping[str, Any], seat: str, reply: Reply, sender: Connection | None = None
    ) -> None:
        if self._now:
            self._now.take(raw, seat, reply, sender)
            return
        ref = next(self._ids)
        self._pending[ref] = raw, seat, reply, sender
        line = self._connections.get(sender, 0) if sender else 0
        self._ask(Take(self.session, ref, json.encode(raw), seat, line))

    def join(self, connection: Connection, since: int | None) -> None:
        if self._now:
            self._now.join(connection, since)
            return
        if connection not in self._connections:
            self._connections[connection] = next(self._ids)
            self._by_line[self._connections[connection]] = connection
            connection.caught_up = lambda: self.join(connection, None)
        self._since[connection] = since
        self._ask(
            Join(
                self.session,
                self._connections[connection],
                since,
                connection.seat,
                connection.device,
                connection.program,
                connection.docked,
                tuple(connection.audience),
                connection.address,
            )
        )

    def leave(self, connection: Connection) -> None:
        if self._now:
            self._now.leave(connection)
        elif (line := self._forget(connection)) is not None and not self.searching:
            self._say_to(self.owner, Leave(self.session, line))

    def _forget(self, connection: Connection) -> int | None:
        line = self._connections.pop(connection, None)
        self._since.pop(connection, None)
        if line is not None:
            del self._by_line[line]
        return line

    def received(self, message: Frames | Known | Refusal | Close | Present | Gone) -> None:
        """Handle a message from the owner."""
        first = isinstance(message, Present) and message.first
        if isinstance(message, Gone) or not (self.opened or first):  # the first one was lost
            self.give_up()
        elif isinstance(message, Present):
            self._present, self.opened = set(message.seats), True
        elif isinstance(message, Frames):
            for text, lines in message.frames:
                self._show(text, lines)
            for ref, number in message.accepted:
                entry = Entry(number, "", None, {}, ())
                self._reply(ref, Applied(entry, NOWHERE, NOWHERE))
        elif isinstance(message, Known):
            self._numbers[message.seat] = message.number
            self._reply(message.ref, Applied(None, NOWHERE, NOWHERE))
        elif isinstance(message, Refusal):
            self._reply(message.ref, Refused(message.code, unpacked(message.phrase), message.rule))
        elif connection := self._by_line.get(message.line):
            self._forget(connection)
            connection.close(message.code, message.reason)

    def _show(self, text: str, lines: list[int]) -> None:
        frame, found = Frame(text), SEQUENCE.search(text, max(0, text.rfind("<data id")))
        for each in lines:
            if connection := self._by_line.get(each):
                connection.send(frame)
                if found:
                    self._since[connection] = int(found[1])

    def _reply(self, ref: int, outcome: Outcome) -> None:
        if pending := self._pending.pop(ref, None):
            pending[2](outcome)

    def give_up(self) -> None:
        """Follow the owner no more: it is gone, has let the game go, or a message was lost."""
        self.opened, self.searching = False, True
        self._lost(self)

    def go_on(self, game: RunningGame) -> None:
        """Pass everything on to *game*, which is where it is played now."""
        self._now, self.searching = game, False
        since, self._since = self._since, {}
        for connection, number in since.items():
            game.join(connection, None if connection.behind else number)
        self._connections.clear()
        self._by_line.clear()
        pending, self._pending = self._pending, {}
        for given in pending.values():
            game.take(*given)

    def close(self) -> None:
        """Make all phones reconnect: the game is not found, or this process stops."""
        for connection in list(self._connections):
            self.leave(connection)
            connection.close(RESTART, "restart")
        pending, self._pending = self._pending, {}
        for _raw, _seat, reply, _sender in pending.values():
            reply(not_saved())

    def _ask(self, message: Join | Take) -> None:
        """Send a message; if the owner was lost, search: nobody did while nobody was here."""
        if self.searching:
            self._lost(self)
        else:
            self._say_to(self.owner, message)
