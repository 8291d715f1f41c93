"""Access to a game's pages, and the page that refuses it."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext as _
from django_htmx.http import retarget

from games.live.table import OVER
from games.models import Game
from games.models.tokens import hashed
from games.pages.parts import by_htmx, part_or_page
from games.rules.state import Refused
from games.screens.words import words_at
from games.seats.guests import COOKIE, Guest, barred, guest
from games.seats.rate_limit import KEEPING, MAKING
from games.store import disk

BUSY_SECONDS = "10"
"""For Retry-After of a rate limit."""
STATUS = {"forbidden": 403, "taken": 409, "over": 409, "busy": 429, "full": 503, "not-saved": 503}
"""The status of a refusal, by its code; that of all others is 422."""


def afterwards(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Let *view* answer a POST even after the game's rematch has begun."""
    view.afterwards = True  # type: ignore[attr-defined]
    return view


def require_guest(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Call *view* with the guest in place of the slug; tell strangers how to get in (403).

    Once its rematch has begun, a game can only be read: anything that would change it is refused.
    """

    still_open = getattr(view, "afterwards", False)

    @wraps(view)
    def ask(request: HttpRequest, slug: str, **kwargs: Any) -> HttpResponse:
        asking = guest(request, slug)
        if asking is None:
            return stranger_page(request, slug)
        if request.method == "POST" and asking.game.followed_by_id and not still_open:
            return refused_page(request, OVER)
        request.its = words_at(asking.game)  # type: ignore[attr-defined]
        return _led_on(request, view(request, asking, **kwargs))

    return ask


def _led_on(request: HttpRequest, answer: HttpResponse) -> HttpResponse:
    """*answer*, whose redirect htmx takes the page to instead of following it into the form."""
    if request.method == "POST" and by_htmx(request) and "Location" in answer.headers:
        answer.status_code = 204
        answer.headers["HX-Redirect"] = answer.headers["Location"]
        del answer.headers["Location"]
    return answer


def game_of_summary(request: HttpRequest, slug: str, token: str) -> Game:
    """The game whose summary link has *token*, for anyone except a phone that was barred from it.

    Raises Http404.
    """
    game = Game.objects.filter(slug=slug).first()
    if game is None or not constant_time_compare(token, game.summary_token):
        raise Http404
    if game.barred(hashed(request.COOKIES.get(COOKIE, ""))):
        raise Http404
    return game


def stranger_page(request: HttpRequest, slug: str) -> HttpResponse:
    """The page for visitors without an invitation: how to get in (403)."""
    # Let in a moment ago and already unknown: the browser did not keep its cookie.
    known = request.COOKIES.get(COOKIE)
    says = {
        "cookieless": "welcome" in request.GET and known is None,
        "barred": known is not None and barred(slug, known),
    }
    return render(request, "pages/stranger.html", says, status=403)


def require_seat(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Call *view* like `require_guest`, for guests who have a seat; refuse the others (403)."""

    @wraps(view)
    def ask(request: HttpRequest, asking: Guest, **kwargs: Any) -> HttpResponse:
        if asking.seat is None:
            raise Refused("forbidden", _("Take a seat to play."))
        return view(request, asking, **kwargs)

    return require_guest(ask)


class TooBusy(Refused):
    """A rate limit: what was only opened, its page asks for again by itself."""

    def __init__(self) -> None:
        why = _("Too much came from your network at once. Wait a minute, then try again.")
        super().__init__("busy", why)


def refuse_new(request: HttpRequest, tokens: float = 1.0) -> None:
    """Refuse a new game, file or picture if the disk is nearly full, or too much came.

    tokens: what it takes of its network's allowance. Those games that are here have the last room
    on the disk.
    """
    if disk.low():
        why = _("This server is nearly full: it takes no new games, files and pictures now.")
        raise Refused("full", why)
    if not all(limit.take(request, tokens) for limit in (MAKING, KEEPING)):
        raise TooBusy


def refused_page(request: HttpRequest, refused: Refused) -> HttpResponse:
    """The answer wherever a view refuses: a page, or for htmx a part, which a form has a place for.

    The middleware `countersite.unreadable` calls it.
    """
    context, status = {"refused": refused}, STATUS.get(refused.code, 422)
    busy = isinstance(refused, TooBusy)
    page = "pages/busy.html" if busy else "pages/refused.html"
    answer = part_or_page(request, "board/_refusal.html", page, context, status)
    if busy:
        answer["Retry-After"] = BUSY_SECONDS
    return retarget(answer, "find .refusal") if request.method == "POST" else answer
