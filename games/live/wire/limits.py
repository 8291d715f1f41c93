"""Limits for connections that are not authenticated yet.

Of too many connections, the one that has been idle longest is closed: the newest, such as a phone
that reconnects, always gets in. A handshake costs as much as many taps (a look into the database, a
whole board), so a client that connects without a pause is not answered.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from games.seats.buckets import Buckets

HEAD_SECONDS, BODY_SECONDS = 15.0, 60.0
"""For the head of a request, and from there for its body."""
MOST_HEAD, MOST_BODY, MOST_FILE = 16 * 1024, 32 * 1024, 3 * 1024 * 1024
"""Bytes of a head, of a body, and of a body that brings a file in parts, as our pages send it: to
decode two megabytes in percent signs, Python lets no other thread run for 60 milliseconds."""
MOST_RULES = 256 * 1024
"""Bytes of a body with a game's rules: 64 KiB at most, and each may be three as sent."""
MOST_DISCARDED = 1024 * 1024
"""Bytes read after a refusal, so that a browser can read it before the connection is closed."""
SMALL = 1024
"""Bytes of a piece of a body; fewer at a time, or in chunks, are read with a `rest` between."""
MOST_BACKSLASHES = 1000
"""In cookies: Python before 3.11.10, 3.12.6 and 3.13 reads them in the square of their number."""
MOST_MESSAGE = 64 * 1024
"""Bytes of a message on a websocket; a table refuses shorter ones politely."""
BEATS = 10
"""Burst of pings and pongs of a phone, then one a second; browsers only answer ours."""
SILENT, GONE, GOING = 20, 50, 2
"""Seconds without a byte after which a phone is pinged, after which it counts as gone, and in which
it may answer the frame that closes."""
MOST_OF_ADDRESS = 256
"""Connections without an open websocket from one address: forty phones behind a router."""
STRANGE, STRANGE_A_SECOND, REFUSED = 256, 20, 4
"""Faults of an address, as a burst and per second: a connection beyond those
counts once, a refused handshake so often, a websocket that is cut off three times as often. After
that it is closed unread."""
HANDSHAKES, HANDSHAKES_A_SECOND = 40, 4
"""Handshakes of one device, ticket or program at once and in a second: all tabs of a phone
reconnect after a restart, and again."""
MOST_HANDLES, SPARE_HANDLES = 65_536, 96
"""File handles of this process, and those of them for the database, files and threads."""
OF_MACOS, OF_WINDOWS = 10_240, 512
"""The handles that macOS grants for sure, and the sockets that Windows can watch."""


def rest(pieces: int) -> float:
    """Seconds until the next piece is read of a head or body that came in so many *pieces*."""
    return min(0.01 * pieces, 2.0)


@dataclass(eq=False, slots=True)
class Waiting:
    """A connection without a websocket. busy: a whole request is being answered."""

    address: str
    abort: Callable[[], object]
    busy: bool = False


class Limits:
    """Admission control: counts connections and faults of each address.

    by_address: not behind a proxy, whose connections all have one address. most: connections in
    all. sockets: the websockets among them.
    """

    def __init__(self, by_address: bool, most: int) -> None:
        self.by_address, self._most = by_address, most
        self.sockets: set[Any] = set()
        self._waiting: dict[str, dict[Waiting, None]] = {}
        self._strange = Buckets(STRANGE, STRANGE_A_SECOND)
        self._handshakes = Buckets(HANDSHAKES, HANDSHAKES_A_SECOND)

    @property
    def waiting(self) -> list[Waiting]:
        """The connections without a websocket."""
        return [each for beside in self._waiting.values() for each in beside]

    def admits(self, address: str) -> bool:
        """True if a new connection is read at all."""
        if not self.by_address:
            return True
        full = len(self._waiting.get(address, ())) >= MOST_OF_ADDRESS
        bucket = self._strange.of(address)
        return bucket.take() if full else bucket.has()

    def answers(self, address: str, entered_with: str) -> bool:
        """True if a handshake is answered. entered_with: what lets it in; "" if nothing does."""
        if not entered_with or self._handshakes.of(entered_with).spend():
            return True
        self.fault(address)
        return False

    def fault(self, address: str, count: int = 1) -> None:
        """Count a fault of an address."""
        if self.by_address:
            self._strange.of(address).spend(count * REFUSED)

    def enter(self, connection: Waiting) -> None:
        """Count *connection*, or begin a new wait of it; close another if there are too many."""
        beside = self._waiting.setdefault(connection.address, {})
        beside.pop(connection, None)
        beside[connection] = None
        if self.by_address and len(beside) > MOST_OF_ADDRESS:
            self._close_one_of(beside)
        elif len(self.sockets) + sum(map(len, self._waiting.values())) > self._most:
            self._close_one_of(max(self._waiting.values(), key=len))

    def leave(self, connection: Waiting) -> None:
        """Forget *connection*: it is closed, or a websocket now."""
        beside = self._waiting.get(connection.address, {})
        beside.pop(connection, None)
        if not beside:
            self._waiting.pop(connection.address, None)

    def _close_one_of(self, beside: dict[Waiting, None]) -> None:
        idle = (each for each in beside if not each.busy)
        connection = next(idle, None) or next(reversed(beside))
        self.leave(connection)
        connection.abort()


def most_connections() -> int:
    """Raise the limit of open files; return how many connections that allows."""
    try:
        import resource
    except ImportError:
        return OF_WINDOWS - SPARE_HANDLES
    _soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST_HANDLES if hard == resource.RLIM_INFINITY else min(hard, MOST_HANDLES)
    for handles in (wanted, OF_MACOS):
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (handles, hard))
            return max(handles - SPARE_HANDLES, 32)
    return 128
