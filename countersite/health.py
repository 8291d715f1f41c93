"""Health checks: is the process alive, and can it serve a game?"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from concurrent.futures import Future, wait
from functools import cache
from typing import Any

from django.conf import settings
from django.db import DatabaseError, connection
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils.translation import override
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from countersite import __version__
from countersite.security import CONTENT_SECURITY_POLICY
from games.live.table_registry import registry
from games.models import Game
from games.screens.languages import language_from_headers
from games.store import disk, threads

DEADLINE = 0.8
"""Seconds for the database's answer: a check is to be answered within one."""
_asking = threads.pool(1, "health")
_asked: Future[str] | None = None

App = Callable[[dict[str, Any], Any, Any], Awaitable[None]]


@require_safe
@never_cache
def live(request: HttpRequest) -> HttpResponse:
    """The process answers."""
    return HttpResponse("alive\n", content_type="text/plain")


@require_safe
@never_cache
def ready(request: HttpRequest) -> HttpResponse:
    """The database answers and has the tables of this version, its disk has room, and Redis, where
    several processes share the games, brings back what is sent. Answers within a second.
    """
    if reason := registry.trouble or _database():
        return HttpResponse(f"{reason}\n", status=503, content_type="text/plain")
    return HttpResponse("ready\n", content_type="text/plain")


def _database() -> str:
    """The reason why the database cannot serve; "" if it can."""
    global _asked
    if _asked is None or _asked.done():  # else the last check still waits, and one is enough
        _asked = _asking.submit(database)
    wait([_asked], DEADLINE)
    return _asked.result() if _asked.done() else "the database does not answer in time"


def database() -> str:
    """The reason why the database cannot serve, checked in this thread; "" if it can."""
    try:
        connection.ensure_connection()
        Game.objects.order_by().first()
    except DatabaseError as error:
        return f"the database does not answer: {type(error).__name__}"
    finally:
        connection.close()
    return "the disk is full" if disk.full() else ""


def room(request: HttpRequest) -> dict[str, bool | str]:
    """Context for every template: whether the disk is full, the release, whether it has terms."""
    return {"disk_full": disk.full(), "release": __version__, "terms": bool(settings.TERMS)}


def available(pages: App) -> App:
    """*pages*, but 503 at once while another process can serve and this one cannot.

    A proxy then asks the next; where there is no other, a person gets a page that tries again. The
    health checks always answer.
    """

    async def app(scope: dict[str, Any], receive: Any, send: Any) -> None:
        if registry.turns_away and scope["path"] not in ("/livez", "/readyz"):
            headers, body = _away(scope)
            await send({"type": "http.response.start", "status": 503, "headers": headers})
            await send({"type": "http.response.body", "body": body})
        else:
            await pages(scope, receive, send)

    return app


def _away(scope: dict[str, Any]) -> tuple[list[tuple[bytes, bytes]], bytes]:
    """Headers and body of a 503: a page for a browser that opens one, else a line."""
    headers, later = dict(scope["headers"]), (b"retry-after", b"1")
    if scope["method"] != "GET" or b"text/html" not in headers.get(b"accept", b""):
        return [later, (b"content-type", b"text/plain")], AWAY
    guarded = (b"content-security-policy", CONTENT_SECURITY_POLICY.encode())
    html = (b"content-type", b"text/html; charset=utf-8")
    return [later, html, guarded], away_page(language_from_headers(headers))


@cache
def away_page(language: str) -> bytes:
    """The page of a process that cannot serve; no middleware and no database have a part in it."""
    with override(language):
        return render_to_string("503.html").encode()


AWAY = b"This server cannot reach its database or the other servers. Try again in a moment.\n"
