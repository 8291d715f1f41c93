"""Health checks: is the process alive, and can it serve a game?"""

from __future__ import annotations

from django.db import DatabaseError, connection
from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games.models import Game
from games.store import disk


@require_safe
@never_cache
def live(request: HttpRequest) -> HttpResponse:
    """The process answers."""
    return HttpResponse("alive\n", content_type="text/plain")


@require_safe
@never_cache
def ready(request: HttpRequest) -> HttpResponse:
    """The database answers, has the tables of this version, and its disk has room."""
    try:
        connection.ensure_connection()
        Game.objects.order_by().first()
    except DatabaseError as error:
        reason = f"the database does not answer: {type(error).__name__}\n"
        return HttpResponse(reason, status=503, content_type="text/plain")
    if disk.full():
        return HttpResponse("the disk is full\n", status=503, content_type="text/plain")
    return HttpResponse("ready\n", content_type="text/plain")
