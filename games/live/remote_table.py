"""A game that another process plays, as this one sees it: commands go there, frames come back."""

from __future__ import annotations

import itertools
import secrets
import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from games.rules.history import Applied
from games.rules.state import GameState, Refused
from games.rules.system import Entry, System

from .closing import RESTART
from .connection import Connection, Frame
from .phrases import unpacked
from .running_game import RunningGame
from .table import not_saved

if TYPE_CHECKING:
    from .journal import Reply
    from .relay import Message, Relay

SILENT = 2.5
"""Seconds without an answer after which the owner counts as gone; or Redis, to this process."""
NOWHERE = GameState(seats={})


class RemoteTable(RunningGame):
    """A game that another process plays, as callers in this one see it.

    owner: the process that plays it; "" until it has said so. lost: called when its owner is gone;
    then it may be played here.
    """

    def __init__(
        self,
        relay: Relay,
        slug: str,
        system: System,
        seats: frozenset[str],
        lost: Callable[[RemoteTable], None],
    ) -> None:
        self.slug = slug
        self.system = system
        self.used = time.monotonic()
        self.session = secrets.token_hex(8)
        self._numbers: dict[str | None, int] = {}
        self.present: set[str] = set()
        self.owner = ""
        self._seats = seats
        self._relay = relay
        self._lost = lost
        self._connections: dict[Connection, int] = {}
        self._by_id: dict[int, Connection] = {}
        self._ids = itertools.count(1)
        self._replies: dict[int, Reply] = {}
        self._sent = 0
        self._got = 0
        self._heard = time.monotonic()

    def has_seat(self, seat: str) -> bool:
        return seat in self._seats

    def number_for(self, seat: str | None) -> int:
        """As of the last answer to that seat."""
        return self._numbers.get(seat, 0)

    @property
    def idle(self) -> bool:
        return not (self._connections or self._replies)

    def connections(self) -> list[Connection]:
        return list(self._connections)

    def take(self, raw: Mapping[str, Any], seat: str, reply: Reply) -> None:
        ref = next(self._ids)
        self._replies[ref] = reply
        self._say({"kind": "take", "ref": ref, "raw": dict(raw), "seat": seat})

    def join(self, connection: Connection, since: int | None) -> None:
        if connection not in self._connections:
            self._connections[connection] = next(self._ids)
            self._by_id[self._connections[connection]] = connection
            connection.caught_up = lambda: self.join(connection, None)
        message: Message = {"kind": "join", "line": self._connections[connection], "since": since}
        message |= {
            "seat": connection.seat,
            "device": connection.device,
            "program": connection.program,
            "docked": connection.docked,
            "audience": list(connection.audience),
        }
        self._say(message)

    def leave(self, connection: Connection) -> None:
        known = self._connections.pop(connection, None)
        if known is not None:
            del self._by_id[known]
            self._say({"kind": "leave", "line": known})

    def ping(self) -> None:
        """Ask whether the owner lives and has received everything."""
        ping = {"kind": "ping", "sent": self._sent, "session": self.session}
        self._relay.send_to_owner(self.slug, ping)

    @property
    def silent(self) -> bool:
        """Whether nothing has been heard of the owner for too long."""
        return time.monotonic() - self._heard > SILENT

    def received(self, message: Message) -> None:
        self._heard = time.monotonic()
        kind = message["kind"]
        if kind == "gone" or (kind == "pong" and message["sent"] != self._got):
            self.give_up()
        elif kind == "pong":
            self.present, self.owner = set(message["seats"]), message["process"]
        else:
            self._got += 1
            if kind == "frames":
                for text, connections in message["frames"]:
                    self._show(Frame(text), connections)
            elif kind == "answer":
                self._answer(message)
            elif connection := self._by_id.get(message["line"]):
                self._connections.pop(connection)
                del self._by_id[message["line"]]
                connection.close(message["code"], message["reason"])

    def _show(self, frame: Frame, connections: list[int]) -> None:
        for each in connections:
            if connection := self._by_id.get(each):
                connection.send(frame)

    def _answer(self, message: Message) -> None:
        self._numbers[message["seat"]] = message["number"]
        reply = self._replies.pop(message["ref"], None)
        if reply is None:
            return
        if "refused" in message:
            code, rule, *phrase = message["refused"]
            reply(Refused(code, unpacked(phrase), rule))
            return
        number = message["entry"]
        entry = None if number is None else Entry(number, "", None, {}, ())
        reply(Applied(entry, NOWHERE, NOWHERE))

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
        self._by_id.clear()
        replies, self._replies = self._replies, {}
        for reply in replies.values():
            reply(not_saved())

    def _say(self, message: Message) -> None:
        self._sent += 1
        self._relay.send_to_owner(self.slug, {**message, "session": self.session})
