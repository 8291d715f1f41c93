"""Who stands before a page: the phone's own token, and what it may open.

A phone is known by one HttpOnly cookie with a random token, of which only the hash is stored. There
are no accounts: who holds the token holds the seat.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render

from games.live.table import OVER
from games.models import Game, Seat, Visitor
from games.tokens import hashed, new_device

COOKIE = "device"
COOKIE_SECONDS = 400 * 24 * 3600
"""The longest that browsers keep one; each visit begins it anew."""


@dataclass(frozen=True, slots=True)
class Guest:
    """A phone that may open a game. seat: what it has taken; None while it watches."""

    game: Game
    visitor: Visitor
    seat: Seat | None

    @property
    def host(self) -> bool:
        """Whether it may lock the game, send phones away and change the link.

        Who came by the host's own link may do so without a seat, too.
        """
        if self.seat is not None:
            return self.seat.host
        return self.visitor.role == Visitor.Role.HOST


def device(request: HttpRequest) -> str:
    """The token of this phone; a new one if it has none yet (see `remember`)."""
    token = request.COOKIES.get(COOKIE, "")
    return token if 16 <= len(token) <= 64 else new_device()


def remember(response: HttpResponse, token: str) -> HttpResponse:
    """Let the phone keep its token."""
    response.set_cookie(
        COOKIE,
        token,
        max_age=COOKIE_SECONDS,
        httponly=True,
        samesite="Lax",
        secure=settings.SESSION_COOKIE_SECURE,
    )
    return response


def guest(request: HttpRequest, slug: str) -> Guest | None:
    """Who asks, if that phone has been let in. Raises Http404 if there is no such game."""
    game = get_object_or_404(Game, slug=slug)
    known = hashed(request.COOKIES.get(COOKIE, ""))
    visitor = game.admitted(known)
    return Guest(game, visitor, game.seat_of(known)) if visitor else None


def afterwards(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Let *view* take something in from a game that was played again, too."""
    view.afterwards = True  # type: ignore[attr-defined]
    return view


def guests_only(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
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
            return render(request, "games/stranger.html", {"cookieless": cookieless}, status=403)
        if request.method == "POST" and asking.game.followed_by_id and not open_still:
            part = "_refusal" if "HX-Request" in request.headers else "refused"
            return render(request, f"games/{part}.html", {"refused": OVER}, status=409)
        return view(request, asking, **kwargs)

    return ask
