"""An open line to one screen: what a table needs of a connection, whatever carries it.

A table hands each line whole frames and never waits for one. A line whose phone does not read
keeps at most one bounded backlog; it then asks for the board once the phone has caught up, so that
a slow phone neither slows its table nor grows memory.
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Any

from games.screens.fragments import Audience

MOST_WAITING = 64 * 1024
"""Bytes that may wait for a phone to read them."""
EXTENSION = "games.live.connection"
"""Where a server that can write frames itself leaves its `Connection` in an ASGI scope."""

Send = Callable[[dict[str, Any]], Awaitable[None]]


class Frame:
    """One text message for many screens: encoded once, whatever the number of seats."""

    __slots__ = ("_wire", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self._wire: bytes | None = None

    @property
    def wire(self) -> bytes:
        """The message as an unfragmented, unmasked websocket text frame (RFC 6455, 5.2)."""
        if self._wire is None:
            payload = self.text.encode()
            size = len(payload)
            if size < 126:
                head = bytes((0x81, size))
            elif size < 65536:
                head = b"\x81\x7e" + size.to_bytes(2, "big")
            else:
                head = b"\x81\x7f" + size.to_bytes(8, "big")
            self._wire = head + payload
        return self._wire


class Connection(ABC):
    """A connection as its table sees it.

    seat: the seat it speaks for; None for a watcher. device: the hash of its phone's token.
    audience: with whom it shares every frame.
    behind: it missed frames and gets a board as soon as its phone has read what waits.
    received: what to call with a message, where the server does not go through ASGI's `receive`.
    caught_up: what to call when a line that was behind may have its board.
    """

    __slots__ = ("audience", "behind", "caught_up", "device", "received", "seat")

    def __init__(self) -> None:
        self.seat: str | None = None
        self.device: str | None = None
        self.audience = Audience()
        self.behind = False
        self.received: Callable[[str], None] | None = None
        self.caught_up: Callable[[], None] | None = None

    @abstractmethod
    def send(self, frame: Frame) -> None:
        """Put *frame* on its way; drop it if the line is behind."""

    @abstractmethod
    def close(self, code: int, reason: str) -> None:
        """Say why, and close. What is sent afterwards is dropped."""

    def keep(self, gone: Callable[[], None]) -> bool:
        """Whether the line lives on without its ASGI application, and calls *gone* at its end.

        An application that waits costs some kilobytes for each phone.
        """
        return False

    def hung_up(self) -> None:
        """The phone is gone: let go of all."""
        self.received = self.caught_up = None


class AsgiConnection(Connection):
    """A line over plain ASGI `send`: any server, and the tests."""

    __slots__ = ("_closed", "_send", "_size", "_waiting", "_writer")

    def __init__(self, send: Send) -> None:
        super().__init__()
        self._send = send
        self._waiting: deque[dict[str, Any]] = deque()
        self._size = 0
        self._closed = False
        self._writer: asyncio.Task[None] | None = None

    def send(self, frame: Frame) -> None:
        if self._closed or self.behind:
            return
        if self._waiting and self._size + len(frame.text) > MOST_WAITING:
            self._waiting.clear()
            self._size = 0
            self.behind = True
            return
        self._put({"type": "websocket.send", "text": frame.text})

    def close(self, code: int, reason: str) -> None:
        if not self._closed:
            self._waiting.clear()
            self._put({"type": "websocket.close", "code": code, "reason": reason})
            self._closed = True

    def hung_up(self) -> None:
        super().hung_up()
        self._closed = True
        self._waiting.clear()

    def _put(self, message: dict[str, Any]) -> None:
        self._waiting.append(message)
        self._size += len(message.get("text", ""))
        if self._writer is None:
            self._writer = asyncio.ensure_future(self._write())

    async def _write(self) -> None:
        try:
            while True:
                while self._waiting:
                    message = self._waiting.popleft()
                    self._size -= len(message.get("text", ""))
                    await self._send(message)
                if not self.behind or self._closed:
                    return
                self.behind = False
                if self.caught_up:
                    self.caught_up()
        except OSError:
            self.hung_up()
        finally:
            self._writer = None
