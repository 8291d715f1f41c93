"""Pages about the whole log of a long game, answered by the helper process.

Whatever a thread of this process computes, taps wait for it again and again, because Python runs
one thread at a time. So the pages that may cost more than a board are answered elsewhere, request
by request, by the same views behind the same middleware. Nothing here needs the running tables.
"""

from __future__ import annotations

import asyncio
import io
import logging
import time
from collections.abc import Callable, Generator
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from itertools import count
from typing import Any

from django.core.handlers.asgi import ASGIRequest
from django.db import Error, connections
from django.urls import Resolver404, resolve

from games.live.apart import apart
from games.live.connection import CUT
from games.live.summaries import SHORT
from games.live.table_registry import registry
from games.models import Game
from games.models.tokens import hashed
from games.seats import renewal
from games.seats.guests import COOKIE

from . import pages

logger = logging.getLogger(__name__)

HEAVY = frozenset(
    "log latest mine markdown scenario summary shared-summary replay film moment run"
    " shared-replay shared-film shared-moment shared-run".split()
)
"""The names of the addresses that read any part of a log."""
PASSED_ON = frozenset(
    "type http_version method scheme path raw_path query_string root_path headers client"
    " server".split()
)
"""The parts of an ASGI scope that make a request."""

LONG, LARGE = 0.05, 64 * 1024
"""Seconds that the helper makes one part of a body, if there are more, and bytes that it has. Then
it sees to the other pages that wait."""
MOST_PARTED = 32
"""Bodies of which parts are still to be made; the one that was asked for longest ago ends early."""

Part = tuple[bytes, bool]
"""A part of a body, and whether there are more."""
Answer = tuple[int, pages.Headers, Part]
"""A status, headers and the first part of a body."""


_keys = count(1)
"""Of bodies. The server gives them, and never one twice: the helper that takes the place of another
must not answer with somebody else's body."""


def apart_from_tables(rest: pages.App) -> pages.App:
    """*rest*, but the heavy ones of a long game are answered by the helper process."""

    async def app(scope: dict[str, Any], receive: Any, send: Any) -> None:
        answer = await _elsewhere(scope) if apart.allowed and scope["method"] == "GET" else None
        if answer is None:
            await rest(scope, receive, send)
            return
        key, (status, headers, (part, more)) = answer
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": part, "more_body": more})
        if more:
            cut = scope.get("extensions", {}).get(CUT, _nothing)
            await _send_rest(key, receive, send, cut)

    return app


async def _send_rest(key: int, receive: Any, send: Any, cut: Callable[[], None]) -> None:
    """Send the rest of a body, part by part, until there is no more or the phone has gone.

    cut: ends the connection at once, so that nobody takes half a body for the whole.
    """
    gone, more = asyncio.ensure_future(_gone(receive)), True
    try:
        while more and not gone.done():
            part, more = await asyncio.wrap_future(apart.submit(next_part, key))
            await send({"type": "http.response.body", "body": part, "more_body": more})
        if more:
            apart.submit(drop, key)
    except Exception:
        # Not raised: of an answer that has begun, daphne would try to make another.
        logger.exception("An answer could not be finished.")
        cut()
    finally:
        gone.cancel()


async def _gone(receive: Any) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


def _nothing() -> None:
    pass


async def _elsewhere(scope: dict[str, Any]) -> tuple[int, Answer] | None:
    """The helper's answer, with the key of its body; None if this process had better answer."""
    slug = _heavy(scope["path"])
    if not slug:
        return None
    try:
        table = registry.tables.get(slug)
        number = table.number if table else await registry.read(partial(_length, slug))
        if number <= SHORT:
            return None
        used = await registry.read(partial(_renewed, scope))
    except Error:
        return None  # whose page says so
    if used:
        await registry.renewed(*used)  # the helper has no sockets to close
    passed = {name: part for name, part in scope.items() if name in PASSED_ON}
    key = next(_keys)
    try:
        return key, await asyncio.wrap_future(apart.submit(answered, passed, key))
    except BrokenProcessPool:
        apart.close()
        return None


def _heavy(path: str) -> str:
    """The slug of the game that a heavy page at *path* is about; "" if it is another page."""
    if not path.startswith(("/g/", "/r/")):
        return ""
    try:
        found = resolve(path)
    except Resolver404:
        return ""
    return str(found.kwargs["slug"]) if found.url_name in HEAVY else ""


def _length(slug: str) -> int:
    return Game.objects.filter(slug=slug).values_list("last_entry__number", flat=True).first() or 0


def _renewed(scope: dict[str, Any]) -> tuple[str, list[Game]] | None:
    """Let a new token of the phone that asks take the place of its last one."""
    token = ASGIRequest(scope, io.BytesIO()).COOKIES.get(COOKIE)
    return renewal.use(hashed(token)) if token else None


# In the helper process

_parted: dict[int, Generator[bytes, None, None]] = {}
"""The bodies of which parts are still to be made, by the keys that the server gave them."""


def answered(scope: dict[str, Any], key: int) -> Answer:
    """The answer of this site to a request without a body, whose own body gets that *key*."""
    try:
        status, headers, _parted[key] = pages.in_parts(scope, io.BytesIO())
        while len(_parted) > MOST_PARTED:
            drop(next(iter(_parted)))
        return status, headers, next_part(key)
    finally:
        connections.close_all()


def next_part(key: int) -> Part:
    """The next part of the body of that *key*."""
    parts, made, size = _parted.pop(key), [], 0
    until = time.perf_counter() + LONG
    try:
        for part in parts:
            made.append(part)
            size += len(part)
            if size >= LARGE or time.perf_counter() > until:
                _parted[key] = parts
                return b"".join(made), True
        return b"".join(made), False
    finally:
        connections.close_all()


def drop(key: int) -> None:
    """Make no more of the body of that *key*."""
    _parted.pop(key).close()
