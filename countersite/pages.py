"""Django's pages, each computed by one thread from its first middleware to its last.

Django's own handler begins in the event loop. Of middlewares that know both ways and those that
know one it makes a chain that changes between the loop and a thread some twenty times for each
page, and it computes as many pages at once as are asked for: the taps felt every one of them.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Awaitable, Callable, Generator
from contextlib import closing, suppress
from functools import cache, partial
from typing import IO, Any, cast

from asgiref.sync import sync_to_async
from django.conf import settings
from django.core.handlers.asgi import ASGIRequest, get_script_prefix
from django.core.handlers.base import BaseHandler
from django.core.signals import request_started
from django.db import Error, connection
from django.http import HttpRequest, HttpResponseBadRequest, HttpResponseBase
from django.urls import set_script_prefix

from games.live.switching import threads
from games.live.table_registry import registry
from games.models.tokens import hashed
from games.seats import arrivals
from games.store.turns import Lane, Turn

from .pace import CHECKS, Pace, address

READING = 1 if connection.vendor == "sqlite" else 4
"""How many pages that only show something are computed at once: of a file they are read at once,
while an answer from PostgreSQL is waited for."""
WRITING, CHECKING = 2, 1
"""The same for those that may also wait for the database to write; health checks, which wait for no
page."""
THREADS = 64
"""Pages at once, almost all of which wait for something else than the processor."""
READS = frozenset(("GET", "HEAD", "OPTIONS"))

App = Callable[[dict[str, Any], Any, Any], Awaitable[None]]
Headers = list[tuple[bytes, bytes]]
Answer = tuple[int, Headers, bytes]
"""A status, headers, and a body."""
InParts = tuple[int, Headers, Generator[bytes, None, None]]
"""The same with a body in parts, some of which are made when they are asked for."""


@cache
def handler() -> BaseHandler:
    """The site's middleware and views, without a loop."""
    made = BaseHandler()
    made.load_middleware()
    return made


def answered(scope: dict[str, Any], body: IO[bytes]) -> Answer:
    """This site's answer to a request. Blocks: call it in a thread, never in a loop."""
    status, headers, parts = in_parts(scope, body)
    return status, headers, b"".join(parts)


def in_parts(scope: dict[str, Any], body: IO[bytes]) -> InParts:
    """The same, its body in parts, which must be read to the end, or closed."""
    set_script_prefix(get_script_prefix(scope))
    request_started.send(sender=BaseHandler, scope=scope)
    request = HttpRequest()
    try:
        request = ASGIRequest(scope, body)
        response = handler().get_response(request)
    except UnicodeDecodeError:
        response = HttpResponseBadRequest()
    headers = [(name.encode("ascii"), value.encode("latin1")) for name, value in response.items()]
    headers += [
        (b"Set-Cookie", cookie.output(header="").strip().encode("ascii"))
        for cookie in response.cookies.values()
    ]
    return response.status_code, headers, _parts(response, request)


def _parts(response: HttpResponseBase, request: HttpRequest) -> Generator[bytes, None, None]:
    with closing(response):
        yield from cast(Any, response)
    # Its user, its messages and more lead back to it: else only the collector would free them.
    vars(request).clear()


class Pages:
    """The ASGI application of all pages."""

    def __init__(self) -> None:
        handler()  # a fault in the settings shows at the start
        self._threads = threads(THREADS, "page")
        self._computing: dict[str, Lane] = {}
        self._pace = Pace()
        self._loop: asyncio.AbstractEventLoop | None = None

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        # Closed once it has been read, by the thread that reads it.
        body = tempfile.SpooledTemporaryFile(settings.FILE_UPLOAD_MAX_MEMORY_SIZE)  # noqa: SIM115
        turn = None
        try:
            if await _read(receive, body):
                turn = await self._turn(receive, scope)
        finally:
            if turn is None:
                body.close()
        if turn is None:
            return
        # It ends its turn, and lets go of its connection, even if the phone goes meanwhile.
        computed = asyncio.ensure_future(self._in_thread(_computed, turn, scope, body))
        status, headers, content = await asyncio.shield(computed)
        self._pace.note(scope, status)
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": content})

    async def _turn(self, receive: Any, scope: dict[str, Any]) -> Turn | None:
        """Leave to compute a page; None if the phone goes before there is some."""
        self._begin()
        if token := self._pace.claims(scope):
            # It may have a seat since before this server began.
            if await _unless_gone(receive, self._pace.asking, address(scope)) is None:
                return None
            with suppress(Error):  # the page says so
                if await registry.read(partial(arrivals.knows, hashed(token))):
                    self._pace.know(token.encode("latin1"))
        turn = None
        for lane in self._lanes(scope):
            turn = await _unless_gone(receive, lane, self._pace.name(scope))
            if turn is None:
                break
        return turn

    async def _in_thread(self, function: Callable[..., Any], *arguments: Any) -> Any:
        run = sync_to_async(function, thread_sensitive=False, executor=self._threads)
        return await run(*arguments)

    def _lanes(self, scope: dict[str, Any]) -> tuple[Lane, Lane]:
        """What a page waits for: until its like may begin, and until it may be computed."""
        if scope["path"] in CHECKS:
            kind = "check"
        else:
            kind = "read" if scope["method"] in READS else "write"
        return self._pace.lane(scope), self._computing[kind]

    def _begin(self) -> None:
        loop = asyncio.get_running_loop()
        if loop is not self._loop:
            self._loop, self._pace = loop, Pace()
            self._computing = {
                "read": Lane(READING), "write": Lane(WRITING), "check": Lane(CHECKING)
            }  # fmt: skip


def _computed(turn: Turn, scope: dict[str, Any], body: IO[bytes]) -> Answer:
    turn.begin()
    try:
        with body:
            return answered(scope, body)
    finally:
        turn.end()


async def _read(receive: Any, body: IO[bytes]) -> bool:
    """Read the body of a request into *body*; False if the phone has gone."""
    while (message := await receive())["type"] != "http.disconnect":
        body.write(message.get("body", b""))
        if not message.get("more_body"):
            body.seek(0)
            return True
    return False


async def _unless_gone(receive: Any, lane: Lane, name: str) -> Turn | None:
    """A turn of *name* in *lane*; None if the phone goes before there is one."""
    asked = lane.ask(name)
    if asked.done():
        return asked.result()
    gone = asyncio.ensure_future(receive())
    try:
        await asyncio.wait((asked, gone), return_when=asyncio.FIRST_COMPLETED)
    except asyncio.CancelledError:
        lane.withdraw(asked)
        raise
    finally:
        gone.cancel()
    if asked.done():
        return asked.result()
    lane.withdraw(asked)
    return None
