"""Who may open a page: the doors of all pages of a game."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from games.live.table import OVER
from games.screens.words import speaking
from games.seats.guests import COOKIE, guest


def afterwards(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Let *view* take something in from a game that was played again, too."""
    view.afterwards = True  # type: ignore[attr-defined]
    return view


def require_guest(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Call *view* with the guest in place of the slug; strangers learn how to be let in (403).

    A game that was played again is only read: what would change it is refused (409).
    """

    open_still = getattr(view, "afterwards", False)

    @wraps(view)
    def ask(request: HttpRequest, slug: str, **kwargs: Any) -> HttpResponse:
        asking = guest(request, slug)
        if asking is None:
            # Let in just now, and unknown again: the browser has not kept its cookie.
            cookieless = "welcome" in request.GET and COOKIE not in request.COOKIES
            return render(request, "pages/stranger.html", {"cookieless": cookieless}, status=403)
        if request.method == "POST" and asking.game.followed_by_id and not open_still:
            template = (
                "board/_refusal.html" if "HX-Request" in request.headers else "pages/refused.html"
            )
            return render(request, template, {"refused": OVER}, status=409)
        with speaking(asking.game.rules):
            return view(request, asking, **kwargs)

    return ask
