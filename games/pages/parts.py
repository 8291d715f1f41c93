"""Addresses that answer htmx with a part, and everyone else with the page around it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.utils.http import content_disposition_header
from django_htmx.http import trigger_client_event
from django_htmx.middleware import HtmxDetails

from games.models import Game
from games.screens.words import PLAIN, Words

VARIES = "HX-Request"
"""The header that makes the answer another one: for `Vary`, so that a cache keeps them apart."""


class HtmxRequest(HttpRequest):
    """A request with what django-htmx's middleware adds to it."""

    htmx: HtmxDetails


def its(request: HttpRequest) -> dict[str, Words]:
    """Context for every template: the words of the game whose page it is."""
    return {"its": getattr(request, "its", PLAIN)}


def by_htmx(request: HttpRequest) -> bool:
    """True if htmx asked, or one of our scripts in its way."""
    return bool(cast(HtmxRequest, request).htmx)


def part_or_page(
    request: HttpRequest, part: str, page: str, context: dict[str, Any], status: int = 200
) -> HttpResponse:
    """The template *part* for htmx, else *page*, with `Vary`."""
    template = part if by_htmx(request) else page
    answer = render(request, template, context, status=status)
    patch_vary_headers(answer, [VARIES])
    return answer


def unless_known(
    request: HttpRequest,
    tag: str,
    make: Callable[[], HttpResponse],
    cached: str = "private, no-cache",
) -> HttpResponse:
    """What *make* makes, for this phone's browser to keep; 304 if it has what has that *tag*.

    cached: its Cache-Control.
    """
    answer = get_conditional_response(request, etag=f'"{tag}"') or make()
    answer["ETag"], answer["Cache-Control"] = f'"{tag}"', cached
    return answer


def download(content: bytes | str, name: str, sort: str) -> HttpResponse:
    """A download of that *name* and content type."""
    kept = content_disposition_header(True, name)
    return HttpResponse(content, content_type=sort, headers={"Content-Disposition": kept})


def done(
    request: HttpRequest, game: Game, page: str = "board", then: str = "", **more: Any
) -> HttpResponse:
    """The answer to a form that was carried out: for htmx an event, else that *page* of the game.

    then: the rest of its address. more: the details of another event, "form:done", for a form that
    is finished with it.
    """
    if not by_htmx(request):
        return redirect(reverse(page, args=[game.slug]) + then)
    answer = trigger_client_event(HttpResponse(status=204), "table:changed")
    return trigger_client_event(answer, "form:done", more) if more else answer
