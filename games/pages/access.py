"""Who may open a game's pages, and the page that says no."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, wraps
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from games.live.table import OVER
from games.rules.state import Refused
from games.screens.looks import seated
from games.screens.words import speaking
from games.seats.guests import COOKIE, guest


def afterwards(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Let *view* answer a POST even after the game's rematch has begun."""
    view.afterwards = True  # type: ignore[attr-defined]
    return view


def require_guest(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Call *view* with the guest in place of the slug; tell strangers how to get in (403).

    Once its rematch has begun, a game can only be read: anything that would change it is refused
    (409).
    """

    still_open = getattr(view, "afterwards", False)

    @wraps(view)
    def ask(request: HttpRequest, slug: str, **kwargs: Any) -> HttpResponse:
        asking = guest(request, slug)
        if asking is None:
            # Let in a moment ago and already unknown: the browser did not keep its cookie.
            cookieless = "welcome" in request.GET and COOKIE not in request.COOKIES
            return render(request, "pages/stranger.html", {"cookieless": cookieless}, status=403)
        if request.method == "POST" and asking.game.followed_by_id and not still_open:
            return refused_page(request, OVER, 409)
        with speaking(asking.game.rules), seated(cache(lambda: asking.game.places)):
            return view(request, asking, **kwargs)

    return ask


def refused_page(request: HttpRequest, refused: Refused, status: int = 422) -> HttpResponse:
    """The refusal as a page, or as a part of one for a script."""
    template = "board/_refusal.html" if "HX-Request" in request.headers else "pages/refused.html"
    return render(request, template, {"refused": refused}, status=status)
