"""Bytes on a connection, from the request line to frames of a websocket."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from functools import cache
from random import Random
from types import SimpleNamespace
from typing import Any

from tests.live.wire import frame, tap

from .mutating import Mutate
from .targets import LONGEST, Broken, Target, caught

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
def _server() -> Any:
    """The shipped server's protocols, with an application that only notes what it is asked."""
    from twisted.internet import asyncioreactor

    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    asyncioreactor.install(loop)
    from daphne.http_protocol import HTTPFactory
    from daphne.server import WebSocketFactory

    from games.live import server

    class Deaf(server.Server):
        def create_application(self, protocol: Any, scope: dict[str, Any]) -> Any:
            scope["path"].encode(errors="surrogatepass")
            if isinstance(protocol, server.SocketProtocol):
                protocol.connection = server.DirectConnection(protocol)
                protocol.connection.received = lambda text: None
            return asyncio.Queue()

    made = Deaf(application=None, endpoints=["never opened"], verbosity=0)
    made.connections, made.listeners = {}, []
    made.http_factory = HTTPFactory(made)
    made.ws_factory = WebSocketFactory(made, server="Daphne")
    made.ws_factory.setProtocolOptions(
        autoPingTimeout=0, allowNullOrigin=True, openHandshakeTimeout=0
    )
    made._use_our_sockets()
    return made


class Wires(Target):
    """What arrives on a connection, in parts with a line "~~" between them."""

    words = KINDS

    def __init__(self) -> None:
        from twisted.internet.testing import StringTransport

        class Transport(StringTransport):
            """Like one of TCP, which does not mind being resumed after its end."""

            bufferSize = 0
            _tempDataBuffer: tuple[bytes, ...] = ()
            dataBuffer = b""

            def _checkState(self) -> None:
                pass

            def abortConnection(self) -> None:
                self.loseConnection()

        _server()
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
        made = _server()
        address = SimpleNamespace(host="127.0.0.1", port=1)
        transport = self.transport(peerAddress=address, hostAddress=address)
        protocol = made.http_factory.buildProtocol(address)
        protocol.makeConnection(transport)
        transport.protocol = protocol
        for part in data.split(PART):
            if not transport.disconnecting:
                transport.protocol.dataReceived(part)
                if getattr(transport.protocol, "handshake_deferred", None) is not None:
                    transport.protocol.serverAccept()
        said = transport.value()
        protocol.connectionLost(SimpleNamespace(value=None, check=lambda *kinds: None))
        if transport.protocol is not protocol:
            transport.protocol.connectionLost(SimpleNamespace(value=None, check=lambda *k: None))
        made.connections.clear()
        caught().check()
        if b"HTTP/1.1 5" in said:
            raise Broken(said[:200].decode("latin1"))
