"""A running game as pages and sockets see it, whichever process plays it."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any

from games.rules.history import Applied
from games.rules.state import Refused
from games.rules.system import System

from .connection import Connection
from .outcome import Outcome, Reply


class RunningGame(ABC):
    """The interface of a running game, whether this process owns it or another."""

    slug: str
    system: System
    """The rule system in this game's edition."""
    used: float
    """The time of its last use (time.monotonic)."""

    @property
    @abstractmethod
    def present(self) -> set[str]:
        """The seats with a screen open."""

    @abstractmethod
    def has_seat(self, seat: str) -> bool:
        """True if the game has that seat."""

    @abstractmethod
    def number_for(self, seat: str | None) -> int:
        """The number of the last entry that may be shown, as *seat* (None: a watcher) counts."""

    @abstractmethod
    def take(
        self, raw: Mapping[str, Any], seat: str, reply: Reply, sender: Connection | None = None
    ) -> None:
        """Take a command from *seat*; call *reply* once its outcome is on disk.

        Every command comes in here, by socket or by HTTP. It names entries, and its outcome is
        numbered, as the seat counts. sender: the socket that it came by, if it came by one; what
        waits is dropped if that has gone.
        """

    async def give(self, raw: Mapping[str, Any], seat: str) -> Applied:
        """Give a command; return what it did once that is on disk.

        Raises Refused: from the rules, or "not-saved" if the disk failed.
        """
        answer: asyncio.Future[Applied] = asyncio.get_running_loop().create_future()

        def reply(outcome: Outcome) -> None:
            if answer.cancelled():
                return
            if isinstance(outcome, Refused):
                answer.set_exception(outcome)
            else:
                answer.set_result(outcome)

        self.take(raw, seat, reply)
        return await answer

    @abstractmethod
    def join(self, connection: Connection, since: int | None) -> None:
        """Bring *connection* up to date from number *since*, and keep it so.

        since: None for a screen that has nothing yet.
        """

    @abstractmethod
    def leave(self, connection: Connection) -> None:
        """Forget *connection*."""

    @abstractmethod
    def connections(self) -> list[Connection]:
        """The open connections of this process."""

    def disconnect(self, code: int, reason: str, device: str | None = None) -> None:
        """Close the connections of a device or of a program (its hash), or all of them."""
        for connection in self.connections():
            if device is None or device in (connection.device, connection.program):
                self.leave(connection)
                connection.close(code, reason)
