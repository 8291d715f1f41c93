"""Django's pages, each computed by one thread from its first middleware to its last.

Django's own handler begins in the event loop and changes between it and a thread some twenty times
a page, and it computes as many pages at once as are asked for: taps felt every one. Here pages wait
in fair queues for few threads, and those about a long log, or a file, for a helper process.
"""

from __future__ import annotations

import asyncio
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing
from functools import cache, partial
from io import BytesIO
from typing import Any, cast

from asgiref.sync import sync_to_async
from django.conf import settings
from django.core.handlers.asgi import ASGIRequest, get_script_prefix
from django.core.handlers.base import BaseHandler
from django.core.signals import request_started
from django.db import Error
from django.http import HttpRequest, HttpResponseBadRequest, parse_cookie
from django.urls import Resolver404, resolve, set_script_prefix

from games.live.fair_queue import FairQueue, Place
from games.live.helper import Helper, files, logs
from games.live.measured import PAGES, statuses
from games.live.programs import token_in
from games.live.summaries import SHORT
from games.live.table_registry import registry
from games.models import Game
from games.models.tokens import hashed
from games.seats import renewal
from games.seats.rate_limit import network
from games.store import threads

AT_ONCE = 3
"""Pages that are computed at once, and as many that may also wait for the database to write."""
READS = frozenset(("GET", "HEAD", "OPTIONS"))
HEAVY = frozenset(
    "log latest mine markdown scenario summary shared-summary replay film moment run"
    " shared-replay shared-film shared-moment shared-run".split()
)
"""The names of the addresses that read any part of a log."""
FILES = frozenset(("from-file", "slot-handouts"))
"""Those that read a file."""
SENT = frozenset(
    "type http_version method scheme path raw_path query_string root_path headers client"
    " server".split()
)
"""The parts of an ASGI scope that make a request."""
MOST_KNOWN = 8192
"""Phones at tables, and programs, that are remembered; the ones that came first are forgotten."""
API, PUBLIC = "/api/", "/api/v1/openapi.json"

Answer = tuple[int, list[tuple[bytes, bytes]], bytes]
"""A status, headers, and a body."""


@cache
def handler() -> BaseHandler:
    """The site's middleware and views, without a loop."""
    made = BaseHandler()
    made.load_middleware()
    return made


def answered(scope: dict[str, Any], body: bytes) -> Answer:
    """This site's answer to a request. Blocks: call it in a thread, never in a loop."""
    set_script_prefix(get_script_prefix(scope))
    request_started.send(sender=BaseHandler, scope=scope)
    request = HttpRequest()
    try:
        request = ASGIRequest(scope, BytesIO(body))
        response = handler().get_response(request)
    except UnicodeDecodeError:
        response = HttpResponseBadRequest()
    headers = [(name.encode("ascii"), value.encode("latin1")) for name, value in response.items()]
    headers += [
        (b"Set-Cookie", cookie.output(header="").strip().encode("ascii"))
        for cookie in response.cookies.values()
    ]
    with closing(response):
        answer = response.status_code, headers, b"".join(cast(Any, response))
    # Its user, its messages and more lead back to it: else only the collector would free them.
    vars(request).clear()
    return answer


class Pages:
    """The ASGI application of all pages."""

    def __init__(self) -> None:
        handler()  # a fault in the settings shows at the start
        self._threads = threads.pool(2 * AT_ONCE, "page")
        self._reading, self._writing = FairQueue(AT_ONCE), FairQueue(AT_ONCE)
        self._apart = {logs: FairQueue(1), files: FairQueue(1)}
        self._known: dict[tuple[str, str], None] = {}

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        body = await _read(receive)
        if body is None:
            return
        with PAGES.timed():
            await self._answer(scope, body, receive, send)

    async def _answer(self, scope: dict[str, Any], body: bytes, receive: Any, send: Any) -> None:
        helper = await _helper(scope)
        reads = self._reading if scope["method"] in READS else self._writing
        queue = self._apart[helper] if helper else reads
        place = queue.ask(*self._names(scope))
        if not await _given(receive, queue, place):
            return
        # It leaves its place when it is computed, even if the phone goes meanwhile.
        computed = asyncio.ensure_future(self._computed(helper, scope, body))
        computed.add_done_callback(lambda _done: queue.leave(place))
        status, headers, content = await asyncio.shield(computed)
        self._note(scope, status)
        statuses[status // 100] += 1
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": content})

    async def _computed(self, helper: Helper | None, scope: dict[str, Any], body: bytes) -> Answer:
        if helper:
            sent = {name: part for name, part in scope.items() if name in SENT}
            try:
                return await asyncio.wrap_future(helper.submit(answered, sent, body))
            except BrokenProcessPool:
                if helper is files:  # what it died of is not tried here; a page says so
                    scope = {**scope, "method": "GET", "query_string": b"unfinished"}
        # With `sync_to_async`, what the page asks of the loop runs in this one.
        run = sync_to_async(answered, thread_sensitive=False, executor=self._threads)
        return await run(scope, body)

    def _names(self, scope: dict[str, Any]) -> tuple[str, str, str]:
        """The fair queue's key of a request: address, table, and a phone or program admitted there.

        Requests without an admission count as one phone of their address, whatever their cookie.
        """
        table, who = _claimed(scope)
        return (
            network(str((scope.get("client") or ("",))[0])),
            table if (table, who) in self._known else "",
            who if ("", who) in self._known else "",
        )

    def _note(self, scope: dict[str, Any], status: int) -> None:
        """Remember the client if a table admitted it."""
        table, who = _claimed(scope)
        let_in = 200 <= status < 300 and scope["method"] != "OPTIONS" and scope["path"] != PUBLIC
        if let_in and table and who:
            for name in ((table, who), ("", who)):
                self._known.pop(name, None)
                self._known[name] = None
            while len(self._known) > MOST_KNOWN:
                del self._known[next(iter(self._known))]


def _claimed(scope: dict[str, Any]) -> tuple[str, str]:
    """The table that a request is about, and the token that it is entered with; "" if none.

    All programs count as one table.
    """
    path, headers = scope["path"], scope["headers"]
    if path.startswith(API):
        return API, token_in(dict(headers), ())
    cookies = "; ".join(value.decode("latin1") for name, value in headers if name == b"cookie")
    who = parse_cookie(cookies).get(settings.DEVICE_COOKIE_NAME, "")
    return path.split("/")[2] if path.startswith("/g/") else "", who or ""


async def _helper(scope: dict[str, Any]) -> Helper | None:
    """The helper that had better answer; it has no sockets, so this process ends old tokens."""
    try:
        found = resolve(scope["path"])
        if found.url_name in FILES and scope["method"] == "POST":
            helper = files
        elif found.url_name == "from-file":
            _warm(scope)
            return None
        elif found.url_name in HEAVY and scope["method"] == "GET":
            helper = logs
        else:
            return None
        if not helper.allowed or (helper is logs and await _length(found.kwargs["slug"]) <= SHORT):
            return None
        _table, token = _claimed(scope)
        used = await registry.read(partial(renewal.use, hashed(token))) if token else None
        if used:
            await registry.renewed(*used)
        return helper
    except (Resolver404, Error):  # whose page says so
        return None


def _warm(scope: dict[str, Any]) -> None:
    """Have the helper make this page too: a file is about to come, and a cold one takes seconds."""
    headers = [(name, value) for name, value in scope["headers"] if name != b"cookie"]
    sent = {name: part for name, part in scope.items() if name in SENT}
    files.warm(answered, {**sent, "headers": headers}, b"")


async def _length(slug: str) -> int:
    if table := registry.tables.get(slug):
        return table.number
    lengths = Game.objects.filter(slug=slug).values_list("last_entry__number", flat=True)
    return await registry.read(lengths.first) or 0


async def _read(receive: Any) -> bytes | None:
    """The body of a request; None if the client disconnects first."""
    body: list[bytes] = []
    while (message := await receive())["type"] != "http.disconnect":
        body.append(message.get("body", b""))
        if not message.get("more_body"):
            return b"".join(body)
    return None


async def _given(receive: Any, queue: FairQueue, place: Place) -> bool:
    """Wait for *place*; False, and it is left, if the client disconnects first."""
    gone = asyncio.ensure_future(receive())
    try:
        await asyncio.wait((place.given, gone), return_when=asyncio.FIRST_COMPLETED)
    except asyncio.CancelledError:
        queue.leave(place)
        raise
    finally:
        gone.cancel()
    if not place.given.done():
        queue.leave(place)
        return False
    return True
