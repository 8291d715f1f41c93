"""Daphne's request and connection, with limits, by what daphne and twisted let subclasses do."""

from __future__ import annotations

import re
from functools import partial
from typing import Any

from daphne.http_protocol import HTTPFactory, WebRequest
from twisted.web import http

from games.seats.rate_limit import network

from . import limits
from .limits import Limits, Waiting

ROOT_PATH = b"daphne-root-path"
"""A header that daphne trusts, and a client must not set: the site's path."""
BRINGS_FILE = re.compile(rb"POST (/new/file|/g/[^/? ]+/(?:slots/import|handouts))[? ]").match
BRINGS_RULES = re.compile(
    rb"POST (/new|/new/write|/game(/file|/share)?|/g/[^/? ]+/change)[? ]"
).match
IN_PARTS = re.compile(rb"multipart/form-data\b", re.IGNORECASE).match
TOO_LONG = (
    b"HTTP/1.1 413 Content Too Large\r\nConnection: close\r\nContent-Length: 39\r\n"
    b"Content-Type: text/plain; charset=utf-8\r\n\r\nThat is too long. Nothing was changed.\n"
)
TwistedChannel: Any = http.HTTPChannel
"""Untyped: its own annotations contradict each other."""


class Request(WebRequest):
    """A request whose body is limited as it is read."""

    def __init__(self, *arguments: Any) -> None:
        # Django reads forms, and not in the loop.
        super().__init__(*arguments, parsePOSTFormSubmission=False)

    def handleContentChunk(self, data: bytes) -> None:
        if self.channel.takes(len(data)):
            super().handleContentChunk(data)

    def process(self) -> Any:
        headers = self.requestHeaders
        headers.removeHeader(ROOT_PATH)
        headers.removeHeader(b"upgrade")  # to a websocket: that is for first requests
        if sum(value.count(b"\\") for value in headers.getRawHeaders(b"cookie", ())) > (
            limits.MOST_BACKSLASHES
        ):
            headers.removeHeader(b"cookie")
        return super().process()


class Channel(TwistedChannel):
    """An HTTP connection with deadlines, read at a slower rate when pieces are small."""

    def __init__(self, counted: Limits) -> None:
        super().__init__()
        self._limits = counted
        self._place = Waiting("", self.abort)
        self._asked, self._refused, self._deadline = b"", False, None
        self._body = self._pieces = self._discarded = 0

    def connectionMade(self) -> None:
        super().connectionMade()
        self._place.address = network(str(self.getPeer().host))
        self._begin()

    def connectionLost(self, reason: Any) -> None:
        self._expect(None)
        self._limits.leave(self._place)
        super().connectionLost(reason)

    def abort(self) -> None:
        """Close at once, whatever is under way."""
        if self.transport is not None:
            self.transport.abortConnection()

    def _begin(self) -> None:
        self._asked, self._body, self._pieces = b"", 0, 0
        self._expect(limits.HEAD_SECONDS)
        self._limits.enter(self._place)

    def _expect(self, seconds: float | None) -> None:
        """Close unless called again within *seconds*; None lifts the deadline."""
        if self._deadline is not None and self._deadline.active():
            self._deadline.cancel()
        self._deadline = None if seconds is None else self.callLater(seconds, self.abort)

    def dataReceived(self, data: bytes) -> None:
        if self._refused:
            self._discarded += len(data)
            if self._discarded > limits.MOST_DISCARDED:
                self.abort()
            return
        if self._deadline is None and not self._place.busy:
            self._begin()  # the next request
        super().dataReceived(data)
        if (
            self._deadline
            and not self._refused
            and (len(data) < limits.SMALL or self.length is None)
        ):
            if self._pieces:
                self.transport.pauseProducing()
                self.callLater(limits.rest(self._pieces), self.transport.resumeProducing)
            self._pieces += 1

    def lineReceived(self, line: bytes) -> None:
        self._asked = self._asked or line
        super().lineReceived(line)

    def checkPersistence(self, request: Any, version: bytes) -> bool:
        if not self._limits.by_address:  # a proxy's: the next request may be a handshake
            request.requestHeaders.setRawHeaders(b"connection", [b"close"])
        return bool(super().checkPersistence(request, version))

    def allHeadersReceived(self) -> None:
        self._expect(limits.BODY_SECONDS)
        super().allHeadersReceived()
        self._limit(self.length or 0)

    def takes(self, size: int) -> bool:
        """True if *size* more bytes of a body are taken."""
        self._body += size
        self._limit(self._body)
        return not self._refused

    def _limit(self, size: int) -> None:
        """Refuse a body of *size* bytes if that is too long."""
        kind = self.requests[-1].requestHeaders.getRawHeaders(b"content-type", [b""])[0]
        brings_file = BRINGS_FILE(self._asked) and IN_PARTS(kind)
        most = limits.MOST_RULES if BRINGS_RULES(self._asked) else limits.MOST_BODY
        most = limits.MOST_FILE if brings_file else most
        if size > most and not self._refused:
            self._refused = True
            self.transport.write(TOO_LONG)
            self._expect(limits.GOING)

    def allContentReceived(self) -> None:
        if not self._refused:
            self._expect(None)
            self._place.busy = True
            super().allContentReceived()

    def requestDone(self, request: Any) -> None:
        self._place.busy = False
        super().requestDone(request)


class Factory(HTTPFactory):
    """Makes a limited connection for daphne's *server*."""

    def __init__(self, server: Any, counted: Limits) -> None:
        super().__init__(server)
        self.protocol = partial(Channel, counted)

    def buildProtocol(self, address: Any) -> Any:
        channel = super().buildProtocol(address)
        channel.requestFactory = Request
        return channel


for ours in (Request, Channel):
    for name in vars(ours):
        if (name == "process" or name != name.lower()) and not hasattr(ours.__base__, name):
            raise RuntimeError(f"Not served without limits: {ours.__base__} has no {name}.")
