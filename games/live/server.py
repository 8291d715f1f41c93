"""The shipped web server: daphne with a longer backlog and direct connections to the screens.

How it differs from daphne's command line, and why (the figures are in bench/RESULTS.md):

- The listen backlog is larger: with 50, phones that all reconnect at once lose a second.
- A frame goes to the kernel at once, as bytes built once per audience. Autobahn would build it for
  each seat, and twisted would wait for another turn of the loop before writing.
- A handshake that a browser sends is read once (`handshake`), not by three libraries in turn.
- A short text message is read where it arrives. Autobahn gets everything else (fragments, control
  frames, long or malformed frames), from the first byte that is not plainly a short text message.
- Permessage-deflate stays off, which is autobahn's default: fragments are small.
- Strangers cost little: `door` limits bodies, waiting and the number of connections.
"""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import socket
import time
from collections.abc import Callable, Coroutine
from functools import partial
from types import SimpleNamespace
from typing import Any

from autobahn.websocket.types import ConnectionDeny
from daphne.server import Server as DaphneServer
from daphne.ws_protocol import WebSocketProtocol
from django.conf import settings
from twisted.internet import abstract, reactor, tcp
from twisted.internet.defer import Deferred
from twisted.internet.interfaces import IPushProducer
from twisted.web import http
from zope.interface import implementer

from games.store import limits

from . import at_rest, door, switching
from .apart import apart
from .connection import CUT, EXTENSION, MOST_WAITING, Connection, Frame
from .dialling import OF_CUT_OFF
from .handshake import Handshake
from .imports import importing
from .outage import until
from .reader import READER
from .table_registry import registry

logger = logging.getLogger(__name__)

MOST_ACCEPTED = 8
"""Connections accepted in one turn; twisted would take ever more."""
BACKLOG = 2048
"""Connections the kernel may hold for us; it caps this at net.core.somaxconn."""
MOST_READ = 64 * 1024
"""Autobahn drops a connection with a longer message; `socket` refuses shorter ones politely."""
BEATS, BEATS_A_SECOND = 10, 1
"""Pings and pongs that a phone may send at once, and in a second; browsers only answer ours."""

DRAIN, CLOSING = 3.0, 0.5
"""Seconds at the end for requests that are being answered, and for phones to hear of it."""
ALIVE_EVERY = 1.0
"""Seconds between two signs of life on each socket behind a proxy, which could not tell a process
that hangs from a quiet game otherwise. deploy/nginx.conf waits for four."""


class Pong(Frame):
    """An empty pong that nobody asked for, a sign of life without an answer (RFC 6455, 5.5.3)."""

    __slots__ = ()
    wire = b"\x8a\x00"


ALIVE = Pong("")


@implementer(IPushProducer)
class DirectConnection(Connection):
    """A connection that writes its frames straight to daphne's transport.

    As the transport's producer it learns when more than 64 KiB wait, and when none do.
    """

    __slots__ = ("_full", "_protocol", "_send", "_transport", "gone")

    def __init__(self, protocol: SocketProtocol) -> None:
        super().__init__()
        self._protocol = protocol
        self._transport = protocol.transport
        self._send: Any = None
        self._full = False
        self.gone: Callable[[], None] | None = None

    def keep(self, gone: Callable[[], None]) -> bool:
        if self._protocol.state != WebSocketProtocol.STATE_OPEN:
            return False  # closed during the handshake; daphne sees to it
        self.gone = gone
        del self._protocol.application_queue
        return True

    def fault(self, count: int = 1) -> None:
        self._protocol.door.dialling.fault(door.asking(self._transport.getPeer()), count)

    def disconnected(self) -> None:
        super().disconnected()
        self.gone = None

    def opened(self) -> None:
        """Take over the transport: after the handshake the HTTP channel is no longer needed."""
        transport = self._transport
        transport.unregisterProducer()
        transport.bufferSize = MOST_WAITING
        transport.registerProducer(self, True)
        if type(transport) is tcp.Server:  # not TLS, which must see every byte
            # Otherwise the kernel buffers megabytes of old frames for a phone that does not read.
            transport.socket.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, MOST_WAITING)
            self._send = transport.socket.send
            READER.add(self._protocol, transport)

    def send(self, frame: Frame) -> None:
        if self._full or self._protocol.state != WebSocketProtocol.STATE_OPEN:
            self.behind = self._full
            return
        transport, wire = self._transport, frame.wire
        if self._send is None or transport._tempDataBuffer or transport.dataBuffer:
            transport.write(wire)
            return
        try:
            sent = self._send(wire)
        except BlockingIOError:
            sent = 0
        except OSError:
            return  # the reading side notices and closes
        if sent < len(wire):
            transport.write(wire[sent:])

    def close(self, code: int, reason: str) -> None:
        self.received = None
        self._protocol.sendClose(code, reason)

    def pauseProducing(self) -> None:
        self._full = True

    def resumeProducing(self) -> None:
        self._full = False
        if self.behind:
            self.behind = False
            if self.caught_up:
                self.caught_up()

    def stopProducing(self) -> None:
        """Stop reading: the connection is lost. Daphne tells the application."""
        READER.remove(self._transport)


class SocketProtocol(WebSocketProtocol):
    """Daphne's websocket, but short text messages bypass autobahn."""

    connection: DirectConnection | None = None
    door: door.Door
    beats: tuple[float, float] = (float(BEATS), 0.0)
    """How many pings and pongs it may still send, and since when."""

    def connectionMade(self) -> None:
        self.door.sockets.add(self)
        super().connectionMade()

    def meet(self, asked: Handshake) -> None:
        """Answer a handshake that is plainly right, as autobahn would after reading it."""
        self._raw_query_string = asked.query
        self._wskey = asked.key
        self.websocket_version = 13
        self.websocket_protocols: list[str] = []
        self.websocket_extensions: list[Any] = []  # offered ones are not taken up
        self.onConnect(asked).addCallbacks(self.succeedHandshake, self._denied)

    def _denied(self, failure: Any) -> None:
        failure.trap(ConnectionDeny)
        self.failHandshake(failure.value.reason, failure.value.code)

    def connectionLost(self, reason: Any) -> None:
        self.door.sockets.discard(self)
        if self.failedByMe and self.connection:  # what it sent is not what sockets speak
            self.connection.fault(OF_CUT_OFF)
        super().connectionLost(reason)
        self.connection = self.is_closed = None  # else only the collector would free them

    def onOpen(self) -> None:
        super().onOpen()
        if self.connection:
            self.connection.opened()
            at_rest.settle(self)

    def onClose(self, wasClean: bool, code: int | None, reason: str | None) -> None:
        if hasattr(self, "server"):  # else its handshake was no handshake, and daphne has no record
            super().onClose(wasClean, code, reason)
        if self.connection and self.connection.gone:
            self.connection.gone()

    def dataReceived(self, data: bytes) -> None:
        connection = self.connection
        if (
            connection is None
            or connection.received is None
            or self.data
            or self.current_frame is not None
            or self.inside_message
            or self.state != WebSocketProtocol.STATE_OPEN
        ):
            super().dataReceived(data)
            return
        start, end = 0, len(data)
        while start < end:
            # FIN and text, masked, one length byte, complete; anything else goes to autobahn.
            if end - start < 6 or data[start] != 0x81 or not 0x80 <= data[start + 1] <= 0xFD:
                break
            size = data[start + 1] & 0x7F
            body = start + 6
            after = body + size
            if after > end:
                break
            try:
                text = unmasked(data[body:after], data[start + 2 : body]).decode()
            except UnicodeDecodeError:
                break
            if connection.received is None or self.state != WebSocketProtocol.STATE_OPEN:
                return  # closed by an earlier message in these bytes
            start = after
            connection.received(text)
        if start < end:
            super().dataReceived(data[start:] if start else data)

    def onPing(self, payload: bytes) -> None:
        if self._may_beat():
            super().onPing(payload)

    def onPong(self, payload: bytes) -> None:
        if self._may_beat():
            super().onPong(payload)

    def _may_beat(self) -> bool:
        """Whether it sent few signs of life; else it is cut off, with what it sent behind this."""
        now = time.monotonic()
        left, since = self.beats
        left = min(left + (now - since) * BEATS_A_SECOND, BEATS) - 1
        self.beats = left, now
        if left < 0:
            if self.connection:
                self.connection.fault(OF_CUT_OFF)
            self.dropConnection(abort=True)
        return left >= 0

    def onMessage(self, payload: bytes, isBinary: bool) -> None:
        if self.connection and self.connection.received:
            self.connection.received("" if isBinary else payload.decode())


at_rest.prepare(SocketProtocol)


def unmasked(payload: bytes, mask: bytes) -> bytes:
    """*payload* without its mask (RFC 6455, 5.3)."""
    size = len(payload)
    whole = (mask * (size // 4 + 1))[:size]
    return (int.from_bytes(payload, "big") ^ int.from_bytes(whole, "big")).to_bytes(size, "big")


def _run(beside: Work) -> None:
    task = asyncio.ensure_future(beside())

    def stop() -> Deferred[Any]:
        task.cancel()
        return Deferred.fromFuture(asyncio.ensure_future(asyncio.wait([task])))

    reactor.addSystemEventTrigger("before", "shutdown", stop)  # type: ignore[arg-type]


FEW = property(lambda _port: MOST_ACCEPTED, lambda _port, _twisteds: None)


class Server(DaphneServer):
    """Daphne with direct connections and a clean shutdown."""

    behind_proxy = False
    second: socket.socket | None = None

    def run(self) -> None:
        self._ports: list[Any] = []
        reactor.callWhenRunning(self._use_our_sockets)
        reactor.callWhenRunning(self._listen_on_the_second)
        # Once the loop runs, which is later than "when running".
        reactor.callLater(0, self._begin)  # type: ignore[arg-type]
        super().run()

    def _begin(self) -> None:
        if settings.SHARED:
            registry.begin()
        if settings.SHARED or self.behind_proxy:
            self._keep_open()

    def _use_our_sockets(self) -> None:
        # Autobahn copies these to each connection, and formats them for a log that no one reads.
        options = {
            name: staticmethod(value) if callable(value) else value
            for name in SocketProtocol.CONFIG_ATTRS
            for value in [getattr(self.ws_factory, name)]
        }
        most = None if self.behind_proxy else door.MOST_OF_ADDRESS
        self.entrance = entrance = door.Door(most, door.raise_handles())
        options |= {"CONFIG_ATTRS": (), "door": entrance}
        self.ws_factory.protocol = type("OurSocket", (SocketProtocol,), options)
        self.http_factory.protocol = door.channels(entrance)
        self.http_factory.buildProtocol = door.let_in(entrance, self.http_factory.buildProtocol)

    def _listen_on_the_second(self) -> None:
        if self.second is None:
            return
        self.second.setblocking(False)
        self.second.listen(BACKLOG)
        number, family = self.second.fileno(), self.second.family
        self.listen_success(reactor.adoptStreamPort(number, family, self.http_factory))
        self.second.close()  # the reactor has a handle of its own

    def _keep_open(self) -> None:
        """Tell the proxy on every open socket that this process lives."""
        for protocol in list(self.entrance.sockets):
            if protocol.connection is not None and protocol.state == protocol.STATE_OPEN:
                protocol.connection.send(ALIVE)
        asyncio.get_running_loop().call_later(ALIVE_EVERY, self._keep_open)

    def listen_success(self, port: Any) -> None:
        super().listen_success(port)
        port.__class__ = type("OurPort", (type(port),), {"numberAccepts": FEW})
        self._ports.append(port)

    def kill_all_applications(self) -> Any:
        """Before the end: answer what was asked, give the tables to others, then stop the rest."""
        leaving = Deferred.fromFuture(asyncio.ensure_future(self._leave()))
        return leaving.addBoth(lambda _left: self._kill())

    async def _leave(self) -> None:
        for port in self._ports:
            port.stopListening()
        await until(lambda: not self.entrance.busy, DRAIN)
        try:
            await registry.hand_over()
        except Exception:
            logger.exception("The games could not be handed over.")
        await until(lambda: not self.entrance.sockets, CLOSING)

    def _kill(self) -> Any:
        for details in self.connections.values():
            details.setdefault("application_instance", SimpleNamespace(done=lambda: True))
        return super().kill_all_applications()

    def create_application(self, protocol: Any, scope: dict[str, Any]) -> asyncio.Queue[Any] | None:
        if isinstance(protocol, SocketProtocol):
            protocol.connection = DirectConnection(protocol)
            scope["extensions"] = {EXTENSION: protocol.connection}
        else:
            scope["extensions"] = {CUT: partial(_cut, protocol)}
        return super().create_application(protocol, scope)  # type: ignore[no-any-return]


def _cut(request: Any) -> None:
    """End the connection of *request*, whose answer cannot be finished."""
    if request.channel is not None:
        request.channel.abort()


PRIVATE: tuple[tuple[Any, str], ...] = (
    (abstract.FileDescriptor, "dataBuffer"),
    (abstract.FileDescriptor, "stopReading"),
    (reactor, "_disconnectSelectable"),
    (http, "_GenericHTTPChannelProtocol"),
    (http.HTTPChannel, "allHeadersReceived"),
    (http.HTTPChannel, "rawDataReceived"),
    (WebSocketProtocol, "CONFIG_ATTRS"),
    (WebSocketProtocol, "succeedHandshake"),
    (WebSocketProtocol, "sendClose"),
    (DaphneServer, "create_application"),
    (DaphneServer, "kill_all_applications"),
    (DaphneServer, "listen_success"),
)
"""What the direct connections and the door use of others that those do not promise to keep."""


def fastest() -> type[DaphneServer]:
    """Our server; daphne as it is, slower and without a door, if a name is gone that ours needs."""
    gone = [f"{owner}.{name}" for owner, name in PRIVATE if not hasattr(owner, name)]
    if gone:
        logger.warning("Serving without direct connections and limits: there is no %s.", gone[0])
    return DaphneServer if gone else Server


Work = Callable[[], Coroutine[Any, Any, None]]


def serve(
    application: Any,
    host: str,
    port: int,
    behind_proxy: bool = False,
    beside: Work | None = None,
    second: socket.socket | None = None,
    **options: Any,
) -> None:
    """Answer on *host* and *port* until SIGINT or SIGTERM.

    second: another socket to answer on, bound and not yet listening.
    behind_proxy: all connections come from few addresses, so that these say nothing of who asks.
    beside: runs in the server's loop meanwhile, and is cancelled before it stops.
    """
    limits.limit()
    if beside:
        reactor.callWhenRunning(_run, beside)
    # What is loaded by now stays loaded; collecting through it again would stall the loop and taps.
    # To look for garbage in it first would free 740 values, and take a twelfth of the start.
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)
    switching.first()
    interface = host.replace(":", r"\:")
    server = fastest()(
        application,
        endpoints=[f"tcp:port={port}:interface={interface}:backlog={BACKLOG}"],
        websocket_timeout=-1,
        websocket_max_message_size=MOST_READ,
        websocket_max_frame_size=MOST_READ,
        **{"verbosity": 0, **options},
    )
    server.behind_proxy = behind_proxy
    server.second = second
    for helper in (apart, importing):
        helper.allow()
    server.run()
    for helper in (apart, importing):
        helper.close()
    if registry.busy:
        # Nothing of it was accepted yet, and an undo of a long log would hold up the end.
        logging.shutdown()
        os._exit(0)
