"""Pages about the whole log of a long game, answered by the helper process.

Whatever a thread of this process computes, taps wait for it again and again, because Python runs
one thread at a time. So the pages that may cost more than a board are answered elsewhere, request
by request, by the same views behind the same middleware. Nothing here needs the running tables.
"""

from __future__ import annotations

import asyncio
import io
from collections.abc import AsyncIterator
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from typing import Any

from asgiref.sync import async_to_sync
from django.core.handlers.asgi import ASGIRequest
from django.db import Error, connections
from django.urls import Resolver404, resolve

from games.live.apart import apart
from games.live.summaries import SHORT
from games.live.table_registry import registry
from games.models import Game
from games.models.tokens import hashed
from games.seats import renewal
from games.seats.guests import COOKIE

from . import pages

HEAVY = frozenset(
    "log latest mine scenario summary shared-summary replay film moment run shared-replay"
    " shared-film shared-moment shared-run".split()
)
"""The names of the addresses that read any part of a log."""
PASSED_ON = frozenset(
    "type http_version method scheme path raw_path query_string root_path headers client"
    " server".split()
)
"""The parts of an ASGI scope that make a request."""

Answer = tuple[int, pages.Headers, bytes]
"""A status, headers and a body."""


def apart_from_tables(rest: pages.App) -> pages.App:
    """*rest*, but the heavy ones of a long game are answered by the helper process."""

    async def app(scope: dict[str, Any], receive: Any, send: Any) -> None:
        answer = await _elsewhere(scope) if apart.allowed and scope["method"] == "GET" else None
        if answer is None:
            await rest(scope, receive, send)
        else:
            status, headers, body = answer
            await send({"type": "http.response.start", "status": status, "headers": headers})
            await send({"type": "http.response.body", "body": body})

    return app


async def _elsewhere(scope: dict[str, Any]) -> Answer | None:
    """The helper's answer; None if this process had better answer."""
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
    try:
        return await asyncio.wrap_future(apart.submit(answered, passed))
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


def answered(scope: dict[str, Any]) -> Answer:
    """The answer of this site to a request without a body. Runs in the helper process."""
    try:
        status, headers, body, close = pages.answered(scope, io.BytesIO())
        if not isinstance(body, bytes):
            try:
                body = async_to_sync(_whole)(body)
            finally:
                close()
        return status, headers, body
    finally:
        connections.close_all()


async def _whole(parts: AsyncIterator[bytes]) -> bytes:
    return b"".join([part async for part in parts])
