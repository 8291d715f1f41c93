"""A websocket's handshake, read in one go where it is plainly right.

Twisted, daphne and autobahn would read it one after the other, which is a third of what a phone
costs that comes back; after a restart all phones come at once. What browsers send, whole and in
one piece, is read here. Whatever one of the three might have something to say about goes to them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

LONGEST = 4096
"""Bytes of a handshake that is read here; a browser's has some 600."""
HEAD = re.compile(
    rb"GET ((?:/[A-Za-z0-9_-]+)+/?)(?:\?([A-Za-z0-9_:%&=.~+-]*))? HTTP/1\.1\r\n"
    rb"((?:[A-Za-z0-9-]+:[\t -~]*\r\n)+)\r\n"
).fullmatch
USUAL = {
    name.encode(): re.compile(value).fullmatch
    for name, value in {
        "host": rb"[A-Za-z0-9.-]+(?::[0-9]{1,5})?|\[[0-9a-fA-F:.]+\](?::[0-9]{1,5})?",
        "upgrade": rb"(?i:websocket)",
        "connection": rb"(?i:(?:keep-alive, ?)?upgrade)",
        "sec-websocket-version": rb"13",
        "sec-websocket-key": rb"[A-Za-z0-9+/]{22}==",
    }.items()
}
"""The headers that a handshake must have, with their usual values."""
OFFERED = {
    b"origin": re.compile(rb"https?://[A-Za-z0-9.-]+(?::[0-9]{1,5})?").fullmatch,
    b"sec-websocket-extensions": re.compile(
        rb"permessage-deflate(?:; client_max_window_bits)?"
    ).fullmatch,
    b"cookie": re.compile(rb"[^\\]*").fullmatch,
}
"""The headers that it may have, with the values that are usual then."""
OTHERS = frozenset(
    b"accept accept-encoding accept-language authorization cache-control dnt forwarded pragma "
    b"priority referer sec-fetch-dest sec-fetch-mode sec-fetch-site sec-fetch-storage-access "
    b"sec-fetch-user sec-gpc te user-agent via x-forwarded-for x-forwarded-host x-forwarded-port "
    b"x-forwarded-proto x-forwarded-server x-real-ip".split()
)
"""The headers that it may have with any value."""


class Handshake:
    """What a handshake says. headers: by their names in lower case, each of them once.

    Twisted's, daphne's and autobahn's code can read it as what each of them would have made of it.
    """

    __slots__ = ("_raw", "headers", "path", "query")

    def __init__(self, path: bytes, query: bytes, headers: dict[bytes, bytes]) -> None:
        self.path = path.decode()
        self.query = query
        self.headers = {name.decode(): value.decode() for name, value in headers.items()}
        self._raw = headers

    @property
    def key(self) -> str:
        """The nonce that the answer must prove to have read (RFC 6455, 4.2.2)."""
        return self.headers["sec-websocket-key"]

    def getRawHeaders(self, name: bytes, default: Sequence[bytes] = ()) -> Sequence[bytes]:
        """The values of a header."""
        return [self._raw[name]] if name in self._raw else default


def handshake(data: bytes) -> Handshake | None:
    """The handshake that *data* is; None if it is anything else, or not plainly right."""
    if len(data) > LONGEST or not (head := HEAD(data)):
        return None
    path, query, lines = head.groups()
    headers: dict[bytes, bytes] = {}
    for line in lines.split(b"\r\n")[:-1]:
        name, _colon, value = line.partition(b":")
        name, value = name.lower(), value.strip(b" \t")
        usual = USUAL.get(name) or OFFERED.get(name)
        if name in headers or not (usual(value) if usual else name in OTHERS):
            return None
        headers[name] = value
    return Handshake(path, query or b"", headers) if USUAL.keys() <= headers.keys() else None
