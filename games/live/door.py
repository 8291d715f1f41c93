"""The server's door: what a connection costs before anyone knows who it is.

Twisted reads a body of any length, waits for it as long as bytes drip in, and takes connections
until the process has no file handles left. Here a body is refused by its declared and by its read
size, the head and the body of a request each have a deadline, and of too many connections the one
that has been idle longest is closed: whoever comes last, such as a phone that dials again, gets in.
"""

from __future__ import annotations

import re
import resource
from collections.abc import Callable
from typing import Any

from twisted.internet import tcp
from twisted.web import http

from games.seats.rate_limit import network

from .dialling import Dialling, Tokens
from .handshake import Handshake, handshake

HEAD_SECONDS, BODY_SECONDS = 15.0, 60.0
"""From the first byte of a request, or the connection itself, to the end of its head; from there to
the end of its body."""
MOST_BODY, MOST_FILE = 32 * 1024, 3 * 1024 * 1024
"""Bytes of a body, and of one that brings a file in parts, as our pages send it: to decode two
megabytes in percent signs, Python lets no other thread run for 60 milliseconds."""
FILES = re.compile(rb"/new/file|/g/[^/?]+/slots/import").fullmatch
"""The addresses to which files are sent."""
IN_PARTS = re.compile(rb"multipart/form-data\b", re.IGNORECASE).match
BETWEEN_CHUNKS = 0.05
"""Seconds between two reads of a body in chunks, however small those are: what comes meanwhile is
read in one go."""
SMALL, FIRST_REST, LONGEST_REST = 1024, 0.01, 2.0
"""Of a request that comes in more pieces than one of fewer bytes than this, each is read later:
seconds after the second of them, twice as long after the next, and so on up to the longest."""
MOST_DISCARDED = 1024 * 1024
"""Bytes read after a refusal, so that a browser can read it before the connection is closed."""
MOST_OF_ADDRESS = 256
"""Connections without an open socket from one address (`network`): forty phones behind a router."""
NEWCOMERS, NEWCOMERS_A_SECOND = 256, 20
"""Connections that may take the places of others of their address at once, and in a second: each
costs much more than one that is closed unread."""
MOST_HANDLES = 65_536
SPARE_HANDLES = 96
"""Handles for everything else: the database, files, the tables' threads."""
TwistedChannel: Any = http.HTTPChannel
"""Untyped: its own annotations contradict each other."""
ROOT_PATH, SUBPROTOCOLS = b"daphne-root-path", b"sec-websocket-protocol"
"""Headers that daphne believes, or may stumble over (500): where the site lies is no stranger's to
say, and subprotocols are read where they are plain words, as programs in a browser offer them."""
PLAIN_WORDS = re.compile(rb"[A-Za-z0-9._-]+(?:, ?[A-Za-z0-9._-]+)*").fullmatch
TOO_LONG = b"That is too long. Nothing was changed.\n"


def raise_handles() -> int:
    """Let this process open as many files as it may; return how many connections that allows."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST_HANDLES if hard == resource.RLIM_INFINITY else min(hard, MOST_HANDLES)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    return max(wanted - SPARE_HANDLES, 32)


class Door:
    """The connections that are not sockets yet, by address; the one idle longest is first.

    most_of_address: None behind a proxy, whose connections all have one address. most: connections
    in all, open sockets among them.
    """

    def __init__(self, most_of_address: int | None, most: int) -> None:
        self._most_of_address = most_of_address
        self._most = most
        self._open: dict[str, dict[Channel, None]] = {}
        self._count = 0
        self._newcomers = Tokens(NEWCOMERS, NEWCOMERS_A_SECOND)
        self.dialling = Dialling(by_address=most_of_address is not None)
        self.sockets: set[Any] = set()
        """The protocols of the open sockets."""

    @property
    def busy(self) -> bool:
        """Whether any request is being answered."""
        return any(channel.busy for beside in self._open.values() for channel in beside)

    def admits(self, address: str) -> bool:
        """Whether a new connection from *address* is let in; if not, it costs next to nothing.

        Where there is no place, one takes another's; who dials again and again has to wait.
        """
        if self._most_of_address is None:
            return True
        if not self.dialling.reads(address):
            return False
        if len(self._open.get(address, ())) < self._most_of_address:
            return True
        return self._newcomers.take(address)

    def enter(self, channel: Channel) -> None:
        """Let *channel* in, or begin a new wait of it; close another if there are too many."""
        beside = self._open.setdefault(channel.address, {})
        self._count += channel not in beside
        beside.pop(channel, None)
        beside[channel] = None
        if self._most_of_address is not None and len(beside) > self._most_of_address:
            self._close_one_of(beside)
        elif self._count + len(self.sockets) > self._most:
            self._close_one_of(max(self._open.values(), key=len))

    def leave(self, channel: Channel) -> None:
        """Forget *channel*: it is closed, or a socket now."""
        beside = self._open.get(channel.address, {})
        if channel in beside:
            del beside[channel]
            self._count -= 1
            if not beside:
                del self._open[channel.address]

    def _close_one_of(self, channels: dict[Channel, None]) -> None:
        idle = (each for each in channels if not each.busy)
        channel = next(idle, None) or next(reversed(channels))
        self.leave(channel)
        channel.abort()


class Channel(TwistedChannel):
    """An HTTP connection with deadlines and a limit to its bodies."""

    def __init__(self, door: Door) -> None:
        super().__init__()
        self.address = ""
        self._door = door
        self._deadline: Any = None
        self._read = 0
        self._pieces = 0
        self._refused = False
        self._fresh = True

    @property
    def busy(self) -> bool:
        """Whether a whole request is being answered."""
        return bool(self._handlingRequest)

    def abort(self) -> None:
        """Close at once, whatever is under way."""
        if self.transport is not None:
            self.transport.abortConnection()

    def connectionMade(self) -> None:
        super().connectionMade()
        self.address = asking(self.transport.getPeer())
        self._expect(HEAD_SECONDS)
        self._door.enter(self)

    def connectionLost(self, reason: Any) -> None:
        self._expect(None)
        self._door.leave(self)
        super().connectionLost(reason)

    def dataReceived(self, data: bytes) -> None:
        if self._refused:
            self._read += len(data)
            if self._read > MOST_DISCARDED:
                self.abort()
            return
        if self._fresh:
            self._fresh = False
            if type(self.transport) is tcp.Server and (asked := handshake(data)):
                self._become_socket(asked)
                return
        if self._deadline is None and not self.busy:
            self._expect(HEAD_SECONDS)  # the next request on this connection
            self._door.enter(self)
            self._pieces = 0
        super().dataReceived(data)
        if self._deadline is not None and not self._refused:
            self._rest(len(data))

    def _rest(self, size: int) -> None:
        """Read no more for a while if a request comes in chunks, or in piece after small piece."""
        seconds = BETWEEN_CHUNKS if self.length is None and self._read else 0.0
        if size < SMALL:
            self._pieces += 1
            if self._pieces > 1:
                seconds = max(seconds, min(FIRST_REST * 2 ** (self._pieces - 2), LONGEST_REST))
        if seconds:
            self.transport.pauseProducing()
            self.callLater(seconds, self.transport.resumeProducing)

    def _become_socket(self, asked: Handshake) -> None:
        """Hand the connection to a socket, as daphne does after a request to upgrade it."""
        self._expect(None)
        if not self._door.dialling.answers(self.address, asked):
            self.abort()
            return
        self.setTimeout(None)
        self._door.leave(self)
        sockets = self.factory.server.ws_factory
        protocol = self.transport.protocol = sockets.buildProtocol(self.transport.getPeer())
        protocol.makeConnection(self.transport)
        protocol.meet(asked)

    def allHeadersReceived(self) -> None:
        self._expect(BODY_SECONDS)
        self._read = 0
        asked = self.requests[-1].requestHeaders
        asked.removeHeader(ROOT_PATH)
        if not all(PLAIN_WORDS(value) for value in asked.getRawHeaders(SUBPROTOCOLS, ())):
            asked.removeHeader(SUBPROTOCOLS)
        if any(b"\\" in value for value in asked.getRawHeaders(b"cookie", ())):
            without_backslashes(asked)
        if asked.hasHeader(b"upgrade") and not self._door.dialling.answers(self.address, asked):
            self._refused = True
            self.abort()
        elif self.length is not None and self.length > self._most:
            self._refuse()
        else:
            super().allHeadersReceived()

    def rawDataReceived(self, data: bytes) -> None:
        if self._refused:
            return
        if not self.busy and self.length is None:  # in chunks, without a declared length
            self._read += len(data)
            if self._read > self._most:
                self._refuse()
                return
        super().rawDataReceived(data)

    def allContentReceived(self) -> None:
        self._expect(None)
        if self._refused:
            return
        request = self.requests[-1]
        request._parsePOSTFormSubmission = False  # Django reads forms, and not in the loop
        super().allContentReceived()
        if request.transport is None:  # it has become a socket
            self._door.leave(self)

    @property
    def _most(self) -> int:
        kind = self.requests[-1].requestHeaders.getRawHeaders(b"content-type", [b""])[0]
        brings_file = FILES(self._path.partition(b"?")[0]) and IN_PARTS(kind)
        return MOST_FILE if brings_file else MOST_BODY

    def _refuse(self) -> None:
        """Say that the body is too long, and read no more of it than a browser needs for that."""
        self._refused = True
        self.transport.write(
            b"HTTP/1.1 413 Content Too Large\r\nConnection: close\r\n"
            b"Content-Type: text/plain; charset=utf-8\r\nContent-Length: %d\r\n\r\n%s"
            % (len(TOO_LONG), TOO_LONG)
        )
        self._expect(2.0)

    def _expect(self, seconds: float | None) -> None:
        """Close unless called again within *seconds*; None lifts the deadline."""
        if self._deadline is not None:
            self._deadline.cancel()
        self._deadline = None
        if seconds is not None:
            self._deadline = self.callLater(seconds, self._late)

    def _late(self) -> None:
        self._deadline = None
        self.abort()


def without_backslashes(headers: Any) -> None:
    """Take cookies with a backslash, which are not ours, out of twisted's *headers*.

    To read them, Python (before 3.13) needs the square of their length: half a second for 15 KB.
    """
    kept = [
        b";".join([part for part in value.split(b";") if b"\\" not in part])
        for value in headers.getRawHeaders(b"cookie", ())
    ]
    headers.setRawHeaders(b"cookie", [value for value in kept if value.strip()])


def let_in(door: Door, build: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """*build*, which twisted calls with the address of each new connection, for those let in."""
    return lambda address: build(address) if door.admits(asking(address)) else None


def asking(address: Any) -> str:
    """What counts as one asker: the `network` of twisted's *address*."""
    return network(str(getattr(address, "host", "")))


def channels(door: Door) -> Any:
    """What twisted calls for each new connection."""
    return lambda: http._GenericHTTPChannelProtocol(Channel(door))
