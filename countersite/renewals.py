"""A phone's first request with its new token ends the last one: see `games.seats.renewal`."""

from __future__ import annotations

from collections.abc import Callable

from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse

from games.live.table_registry import registry
from games.models.tokens import hashed
from games.seats import renewal
from games.seats.guests import COOKIE
from games.store import threads

from .unreadable import unanswered


def renewals(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Let a new token take the place of the last one before any view asks whose it is."""

    def respond(request: HttpRequest) -> HttpResponse:
        if token := request.COOKIES.get(COOKIE):
            try:
                used = renewal.use(hashed(token))
            except (InterfaceError, OperationalError) as error:
                return unanswered(request, error)
            if used:
                threads.ask(registry.renewed)(*used)
        return get_response(request)

    return respond
