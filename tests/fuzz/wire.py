"""Bytes on a connection, from the request line to frames of a websocket."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from functools import cache
from random import Random
from types import SimpleNamespace
from typing import Any

from games.live.connection import EXTENSION
from games.live.wire.limits import Limits
from games.live.wire.sockets import ROOM, Socket, entered_with, handshake
from tests.live.wire import frame, tap

from .mutating import Mutate
from .targets import LONGEST, Broken, Target, caught

END = b"\r\n\r\n"
HANDSHAKE = re.compile(rb"GET .*\r\nupgrade:[ \t]*websocket", re.I | re.S).match
"""The server's reading of one."""
PART = b"\n~~\n"
"""Between two parts of an input that arrive one after the other."""
UPGRADE = (
    b"GET /g/magic/ws?from=0 HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\n"
    b"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
    b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
)
KINDS = (
    b"Host: localhost", b"Content-Length: 3", b"Transfer-Encoding: chunked", b"Cookie: device=x",
    b"Daphne-Root-Path: /x", b"Sec-WebSocket-Protocol: a, b", b"Expect: 100-continue",
    b"Upgrade: h2c", b"Content-Type: multipart/form-data; boundary=x", b"X-Forwarded-For: ::1",
    b"Connection: close",
)  # fmt: skip


@cache
def _pages() -> Any:
    """The shipped factory of connections, with an application that answers nothing."""
    from twisted.internet import asyncioreactor

    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    asyncioreactor.install(loop)
    from daphne.server import Server

    from games.live.wire.http import Factory

    class Deaf(Server):
        def create_application(self, protocol: Any, scope: dict[str, Any]) -> Any:
            scope["path"].encode(errors="surrogatepass")
            return asyncio.Queue()

    server = Deaf(application=None, endpoints=["never opened"], verbosity=0)
    server.connections = {}
    return Factory(server, Limits(by_address=True, most=1000))


class Ear:
    """The transport of a websocket: what is written to it."""

    def __init__(self) -> None:
        self.said, self.ended = b"", False

    def write(self, data: bytes) -> None:
        assert not self.ended
        self.said += data

    def write_eof(self) -> None:
        self.ended = True

    abort = write_eof

    def pause_reading(self) -> None:
        pass

    resume_reading = pause_reading


async def _opens(scope: dict[str, Any], receive: Any, send: Any) -> None:
    scope["path"].encode(errors="surrogatepass")
    await receive()
    scope["extensions"][EXTENSION].received = lambda text: None
    await send({"type": "websocket.accept", "subprotocol": None})


class Wires(Target):
    """The bytes on a connection, in parts with a line "~~" between them."""

    words = KINDS

    def __init__(self) -> None:
        from twisted.internet.testing import StringTransport

        class Transport(StringTransport):
            """Like one of TCP, which may be resumed after its end."""

            def pauseProducing(self) -> None:
                pass

            resumeProducing = pauseProducing

            def abortConnection(self) -> None:
                self.loseConnection()

        _pages()
        self.transport = Transport

    def seeds(self) -> Iterator[bytes]:
        yield b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"
        yield b"POST /new HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\n\r\na=b"
        yield (b"POST /code HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\na=b\r\n0\r\n\r\n")
        yield UPGRADE + PART + frame(tap())
        yield UPGRADE + PART + frame(tap(), first=0x01) + frame(b"", first=0x80)
        yield UPGRADE + PART + frame(b"?", first=0x89) + PART + frame(b"\x03\xe8", first=0x88)
        for kind in KINDS:
            yield b"GET /?a=b HTTP/1.1\r\nHost: x\r\n" + kind + b"\r\n\r\n"
            yield UPGRADE[:-2] + kind + b"\r\n\r\n"

    def mutated(self, data: bytes, random: Random, raw: Mutate) -> bytes:
        how = random.random()
        if how < 0.15 and b"\r\n" in data:
            head, end, rest = data.partition(b"\r\n")
            return head + end + random.choice(KINDS) + end + rest
        if how < 0.25:
            at = random.randrange(len(data) + 1)
            return data[:at] + PART + data[at:]
        if how < 0.4:
            payload = random.choice([b"{}", b"\xff", b"x" * 126, b"x" * 70_000, tap()])
            return data + frame(payload, first=random.randrange(256))
        return raw(data, LONGEST)

    def __call__(self, data: bytes) -> None:
        head, end, _rest = data.replace(PART, b"").partition(END)
        if HANDSHAKE(head + end):
            said = self._socket(head + end, data.partition(END)[2].split(PART))
        else:
            said = self._request(data.split(PART))
        caught().check()
        if b"HTTP/1.1 5" in said:
            raise Broken(said[:200].decode("latin1"))

    def _socket(self, head: bytes, parts: list[bytes]) -> bytes:
        answer, scope = handshake(head)
        if answer.status_code != 101:
            return b""
        entered_with(scope)
        made, ear = Socket(Limits(by_address=True, most=1000), "127.0.0.1"), Ear()
        made.connection_made(ear)
        asyncio.run(made.run(_opens, scope, answer))
        for part in parts:
            for at in range(0, len(part), len(ROOM)):
                piece = part[at : at + len(ROOM)]
                ROOM[: len(piece)] = piece
                if not ear.ended:
                    made.buffer_updated(len(piece))
        made.connection_lost(None)
        return ear.said

    def _request(self, parts: list[bytes]) -> bytes:
        pages = _pages()
        address = SimpleNamespace(host="127.0.0.1", port=1)
        transport = self.transport(peerAddress=address, hostAddress=address)
        channel = pages.buildProtocol(address)
        channel.makeConnection(transport)
        for part in parts:
            if not transport.disconnecting:
                channel.dataReceived(part)
        channel.connectionLost(SimpleNamespace(value=None, check=lambda *kinds: None))
        pages.server.connections.clear()
        return bytes(transport.value())
