"""A proxy for a game that another process owns: commands go there, frames come back."""

from __future__ import annotations

import itertools
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


class RemoteTable(RunningGame):
    """A game that another process plays, as callers in this one see it.

    owner: the process that plays it. opened: whether it has answered. session: its name between the
    two. say: sends a message to the owner. lost: called when it is not followed any more; then it
    may be played here.
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
        self.session = secrets.token_hex(8)
        self.used = self.begun = time.monotonic()
        self._present: set[str] = set()
        self._numbers: dict[str | None, int] = {}
        self._seats = seats
        self._say_to = say
        self._lost = lost
        self._connections: dict[Connection, int] = {}
        self._by_line: dict[int, Connection] = {}
        self._ids = itertools.count(1)
        self._replies: dict[int, Reply] = {}

    def has_seat(self, seat: str) -> bool:
        return seat in self._seats

    @property
    def present(self) -> set[str]:
        return self._present

    def number_for(self, seat: str | None) -> int:
        """As of the last time that a command of that seat was known already."""
        return self._numbers.get(seat, 0)

    @property
    def idle(self) -> bool:
        return not (self._connections or self._replies)

    def connections(self) -> list[Connection]:
        return list(self._connections)

    def take(self, raw: Mapping[str, Any], seat: str, reply: Reply) -> None:
        ref = next(self._ids)
        self._replies[ref] = reply
        self._say(Take(self.session, ref, json.encode(raw), seat))

    def join(self, connection: Connection, since: int | None) -> None:
        if connection not in self._connections:
            self._connections[connection] = next(self._ids)
            self._by_line[self._connections[connection]] = connection
            connection.caught_up = lambda: self.join(connection, None)
        self._say(
            Join(
                self.session,
                self._connections[connection],
                since,
                connection.seat,
                connection.device,
                connection.program,
                connection.docked,
                tuple(connection.audience),
            )
        )

    def leave(self, connection: Connection) -> None:
        line = self._connections.pop(connection, None)
        if line is not None:
            del self._by_line[line]
            self._say(Leave(self.session, line))

    def received(self, message: Frames | Known | Refusal | Close | Present | Gone) -> None:
        """Handle a message from the owner."""
        if isinstance(message, Present):
            self._present, self.opened = set(message.seats), True
        elif isinstance(message, Gone) or not self.opened:  # its first message was lost
            self.give_up()
        elif isinstance(message, Frames):
            for text, lines in message.frames:
                self._show(Frame(text), lines)
            for ref, number in message.accepted:
                entry = Entry(number, "", None, {}, ())
                self._reply(ref, Applied(entry, NOWHERE, NOWHERE))
        elif isinstance(message, Known):
            self._numbers[message.seat] = message.number
            self._reply(message.ref, Applied(None, NOWHERE, NOWHERE))
        elif isinstance(message, Refusal):
            self._reply(message.ref, Refused(message.code, unpacked(message.phrase), message.rule))
        elif connection := self._by_line.pop(message.line, None):
            self._connections.pop(connection)
            connection.close(message.code, message.reason)

    def _show(self, frame: Frame, lines: list[int]) -> None:
        for each in lines:
            if connection := self._by_line.get(each):
                connection.send(frame)

    def _reply(self, ref: int, outcome: Outcome) -> None:
        if reply := self._replies.pop(ref, None):
            reply(outcome)

    def hand_over(self) -> None:
        """Make all phones reconnect to another process: this one stops."""
        for connection in list(self._connections):
            self.leave(connection)
            connection.close(RESTART, "restart")

    def give_up(self) -> None:
        """Make all phones reconnect: the owner is gone, or a message was lost."""
        self._lost(self)
        for connection in list(self._connections):
            connection.close(RESTART, "restart")
        self._connections.clear()
        self._by_line.clear()
        replies, self._replies = self._replies, {}
        for reply in replies.values():
            reply(not_saved())

    def _say(self, message: Said) -> None:
        self._say_to(self.owner, message)
