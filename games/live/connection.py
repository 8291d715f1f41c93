"""A connection to one screen, as a table uses it, whatever the transport.

A table hands each connection whole frames and never waits. When a phone does not read, its
connection keeps one bounded backlog, drops the rest, and asks for the whole board once the phone
has caught up. So a slow phone neither slows its table nor uses more memory.
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Any

from games.screens.fragments import Audience

MOST_WAITING = 64 * 1024
"""Most unsent bytes for one phone."""
EXTENSION = "games.live.connection"
"""The ASGI extension in which a server that writes frames itself passes its `Connection`."""
OF_CUT_OFF = 3
"""Faults (`Connection.fault`) of a connection that is cut off."""

Send = Callable[[dict[str, Any]], Awaitable[None]]


class Frame:
    """One text message for many screens, encoded once."""

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
    program: the hash of a program's token; None for a screen. address: its network; "" if unknown.
    read_only: it may give no commands.
    docked: its board has its seat's own numbers in the cockpit; not on a phone flat on the table.
    audience: who gets the same frames.
    behind: it missed frames and gets a board once its phone has read what waits.
    sent: the bytes of all frames that it was sent, or letters, if its server encodes them.
    received: called with each message, where the server does not use ASGI's `receive`.
    caught_up: called when a connection that was behind can take its board.
    gone: its phone is.
    """

    __slots__ = (
        "address", "audience", "behind", "caught_up", "device", "docked", "gone", "program",
        "read_only", "received", "seat", "sent",
    )  # fmt: skip

    def __init__(self) -> None:
        self.seat: str | None = None
        self.device: str | None = None
        self.program: str | None = None
        self.address = ""
        self.gone = False
        self.read_only = False
        self.docked = True
        self.audience = Audience()
        self.behind = False
        self.sent = 0
        self.received: Callable[[str], None] | None = None
        self.caught_up: Callable[[], None] | None = None

    @abstractmethod
    def send(self, frame: Frame) -> None:
        """Send *frame*; drop it if the connection is behind."""

    @abstractmethod
    def close(self, code: int, reason: str) -> None:
        """Close with a code and a reason. Anything sent afterwards is dropped."""

    def keep(self, gone: Callable[[], None]) -> bool:
        """True if the connection outlives its ASGI application; if so, it calls *gone* at its end.

        A waiting application costs a few kilobytes per phone.
        """
        return False

    def fault(self, count: int = 1) -> None:  # noqa: B027 most servers need not know
        """Count a fault: behaviour that no phone has."""

    def disconnected(self) -> None:
        """Drop the callbacks: the phone is gone."""
        self.gone = True
        self.received = self.caught_up = None


class AsgiConnection(Connection):
    """A connection over plain ASGI `send`, for any server and the tests."""

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

    def disconnected(self) -> None:
        super().disconnected()
        self._closed = True
        self._waiting.clear()

    def _put(self, message: dict[str, Any]) -> None:
        self._waiting.append(message)
        size = len(message.get("text", ""))
        self._size += size
        self.sent += size
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
            self.disconnected()
        finally:
            self._writer = None
