"""A phone's websocket: its handshake, the frames it sends, and what a table sends it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Any, Literal
from urllib.parse import unquote

from django.http import parse_cookie
from websockets.frames import Frame as Rare
from websockets.frames import Opcode
from websockets.http11 import Request, Response
from websockets.protocol import SERVER, Protocol
from websockets.server import ServerProtocol

from games.seats.guests import COOKIE

from ..connection import EXTENSION, OF_CUT_OFF, Connection, Frame
from ..measured import closes
from ..programs import token_in
from ..socket import query_in
from .limits import BEATS, GOING, GONE, MOST_BACKSLASHES, MOST_MESSAGE, SILENT, Limits

logger = logging.getLogger(__name__)

ONCE = ("Host", "Origin", "Cookie", "Authorization")
"""Headers that may not repeat: a proxy might read another one than we do."""
ROOM = memoryview(bytearray(4096))
"""The read buffer that all websockets share: some forty taps in a turn of the loop."""
PING, PONG, EMPTY_PONG = b"\x89\x00", b"\x8a\x00", b"\x8a\x80"
"""Ours, and how a browser's answer begins, which has four more bytes: its mask."""
REFUSED = b"HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
NOT_TEXT, NOT_UTF_8 = 1003, 1007


def handshake(head: bytes) -> tuple[Response, dict[str, Any]]:
    """The answer to a handshake, with status 101 if it is a right one, and then ASGI's scope.

    head: from the request line to the empty line.
    """
    protocol = ServerProtocol(logger=logger)
    protocol.receive_data(head)
    asked = next(iter(protocol.events_received()), None)
    if not isinstance(asked, Request) or not asked.path.startswith("/"):
        return protocol.reject(400, ""), {}
    if any(len(asked.headers.get_all(name)) > 1 for name in ONCE):
        return protocol.reject(400, ""), {}
    answer = protocol.accept(asked)
    if answer.status_code != 101:
        return answer, {}
    path, _mark, query = asked.path.partition("?")
    headers = [
        (name.lower().encode(), value.encode("latin1"))
        for name, value in asked.headers.raw_items()
        if "_" not in name and value.count("\\") <= MOST_BACKSLASHES
    ]
    offered = ",".join(asked.headers.get_all("Sec-WebSocket-Protocol")).split(",")
    return answer, {
        "type": "websocket", "asgi": {"version": "3.0"}, "http_version": "1.1", "scheme": "ws",
        "path": unquote(path), "raw_path": path.encode(), "root_path": "",
        "query_string": query.encode(), "headers": headers,
        "subprotocols": [each.strip() for each in offered],
    }  # fmt: skip


def entered_with(scope: dict[str, Any]) -> str:
    """The credential of a handshake: a program's token, a ticket, or a phone's cookie; "" for
    none.
    """
    headers = dict(scope["headers"])
    if scope["path"].startswith("/api/"):
        return token_in(headers, scope["subprotocols"])
    if ticket := query_in(scope).get("ticket"):
        return ticket[0]
    return parse_cookie(headers.get(b"cookie", b"").decode("latin1")).get(COOKIE, "")


class Socket(Connection, asyncio.BufferedProtocol):
    """A websocket. Masked text messages that come whole, in one piece, are read here.

    From the first byte of anything else (parts of frames, fragments, pings, what is malformed),
    the library `websockets` reads whatever comes.
    """

    __slots__ = (
        "_address", "_beats", "_full", "_gone", "_limits", "_parser", "_parts", "_silent",
        "_state", "_transport",
    )  # fmt: skip

    def __init__(self, limits: Limits, address: str) -> None:
        super().__init__()
        self._limits, self._address = limits, address
        self._state: Literal["opening", "open", "closing", "gone"] = "opening"
        self._transport: Any = None
        self._gone: Callable[[], None] | None = None
        self._parts = b""
        self._parser: Protocol | None = None
        self._full, self._silent, self._beats = False, 0, 0

    async def run(self, application: Any, scope: dict[str, Any], answer: Response) -> None:
        """Open it with *answer* if *application* says so, which may return then.

        Messages reach it by `Connection.received`, not by ASGI's `receive`.
        """
        happens = iter(("websocket.connect",))

        async def receive() -> dict[str, Any]:
            return {"type": next(happens, "websocket.disconnect")}

        async def send(message: dict[str, Any]) -> None:
            if message["type"] == "websocket.close":
                self.close(message.get("code", 1000), message.get("reason") or "")
            elif self._state == "opening":
                if spoken := message.get("subprotocol"):
                    answer.headers["Sec-WebSocket-Protocol"] = spoken
                self._transport.write(answer.serialize())
                self._state = "open"
                self._transport.resume_reading()

        try:
            await application({**scope, "extensions": {EXTENSION: self}}, receive, send)
        except asyncio.CancelledError:  # the server ends
            self._transport.abort()
        except Exception:
            logger.exception("A websocket broke.")
            self._transport.abort()

    # What a table asks of a connection

    def send(self, frame: Frame) -> None:
        if self._full:
            self.behind = True
        elif self._state == "open":
            wire = frame.wire
            self._transport.write(wire)
            self.sent += len(wire)

    def close(self, code: int, reason: str) -> None:
        if self._state == "open":
            closes[code] += 1
            payload = code.to_bytes(2, "big") + reason.encode()
            self._end(bytes((0x88, len(payload))) + payload)
        elif self._state == "opening":
            self._state = "closing"
            self._transport.write(REFUSED)
            self._transport.close()

    def keep(self, gone: Callable[[], None]) -> bool:
        self._gone = gone
        return self._state != "gone"

    def fault(self, count: int = 1) -> None:
        self._limits.fault(self._address, count)

    # What the transport tells

    def connection_made(self, transport: Any) -> None:
        self._transport = transport
        self._limits.sockets.add(self)
        transport.pause_reading()  # until it is open

    def connection_lost(self, _error: Exception | None) -> None:
        self._limits.sockets.discard(self)
        self._state, self._parser = "gone", None
        if self._gone:
            self._gone()
            self._gone = None

    def pause_writing(self) -> None:
        self._full = True

    def resume_writing(self) -> None:
        self._full = False
        if self.behind:
            self.behind = False
            if self.caught_up:
                self.caught_up()

    def get_buffer(self, _sizehint: int) -> memoryview:
        return ROOM

    def buffer_updated(self, size: int) -> None:
        self._feed(bytes(ROOM[:size]))

    def tick(self, alive: bool) -> None:
        """A second has passed. alive: show a proxy that this process lives.

        A pong that nobody asked for is a sign of life without an answer (RFC 6455, 5.5.3).
        """
        self._silent += 1
        self._beats = max(self._beats - 1, 0)
        if self._silent >= GONE:
            self._transport.abort()
        elif self._state == "open" and not self._full:
            if self._silent == SILENT:
                self._transport.write(PING)
            elif alive:
                self._transport.write(PONG)

    # Frames

    def _feed(self, data: bytes) -> None:
        start = 0
        self._silent = 0 if self._state == "open" else self._silent
        while start < len(data) and self._state == "open" and self._parser is None:
            if data.startswith(EMPTY_PONG, start) and len(data) >= start + 6:
                start += 6
                self._beat()
            elif body := plain(data, start):
                start = body.stop
                self._message(unmasked(data[body], data[body.start - 4 : body.start]))
            else:
                self._parser = Protocol(SERVER, max_size=MOST_MESSAGE, logger=logger)
        if self._parser and self._state == "open":
            self._parse(self._parser, data[start:])

    def _parse(self, parser: Protocol, data: bytes) -> None:
        parser.receive_data(data)
        for frame in parser.events_received():
            if isinstance(frame, Rare) and self._state == "open":
                self._rare(frame)
        if self._state != "open":
            return
        if parser.close_expected():
            if parser.parser_exc:
                self.fault(OF_CUT_OFF)
            self._end(b"".join(parser.data_to_send()))
        else:
            self._transport.write(b"".join(parser.data_to_send()))

    def _rare(self, frame: Rare) -> None:
        if frame.opcode in (Opcode.PING, Opcode.PONG):
            self._beat()
        elif frame.opcode is Opcode.BINARY:
            self._wrong(NOT_TEXT, "not text")
        elif frame.opcode is not Opcode.CLOSE:
            self._parts += frame.data
            if frame.fin:
                whole, self._parts = self._parts, b""
                self._message(whole)

    def _message(self, payload: bytes) -> None:
        try:
            text = payload.decode()
        except UnicodeDecodeError:
            self._wrong(NOT_UTF_8, "not UTF-8")
            return
        if self.received:
            self.received(text)

    def _beat(self) -> None:
        """Count a ping or pong; disconnect a client that floods."""
        self._beats += 1
        if self._beats > BEATS:
            self._cut_off()

    def _wrong(self, code: int, reason: str) -> None:
        self.fault(OF_CUT_OFF)
        self.close(code, reason)

    def _cut_off(self) -> None:
        self.fault(OF_CUT_OFF)
        self._state = "closing"
        self._transport.abort()

    def _end(self, last: bytes) -> None:
        """Write no more than *last*, and read on a little: else the phone might not get it."""
        self.received = None
        self._state, self._silent = "closing", GONE - GOING
        self._transport.write(last)
        try:
            self._transport.write_eof()
        except OSError:  # it has just gone, which nobody has read yet
            self._transport.abort()


def plain(data: bytes, start: int) -> slice | None:
    """The place of the payload in a plain frame: whole, masked text (RFC 6455, 5.2); else None."""
    if data[start] != 0x81 or len(data) < start + 6:
        return None
    size = data[start + 1] - 0x80
    if 0 <= size < 126:
        body = slice(start + 6, start + 6 + size)
    elif size == 126 and (size := int.from_bytes(data[start + 2 : start + 4], "big")) >= 126:
        body = slice(start + 8, start + 8 + size)
    else:
        return None
    return body if body.stop <= len(data) else None


def unmasked(payload: bytes, mask: bytes) -> bytes:
    """*payload* without its mask (RFC 6455, 5.3)."""
    size = len(payload)
    whole = (mask * (size // 4 + 1))[:size]
    return (int.from_bytes(payload, "big") ^ int.from_bytes(whole, "big")).to_bytes(size, "big")
