"""Reconnecting after the server's address has changed: see `games.seats.reconnect`."""

from __future__ import annotations

import re

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods

from games.live import table_registry as tables
from games.live.closing import TAKEN_OVER
from games.models import Game
from games.models.tokens import hashed
from games.pages.access import require_guest
from games.pages.joining import stranger
from games.seats import guests
from games.seats import reconnect as ways
from games.seats.guests import Guest
from games.seats.places import elsewhere

SCREEN = re.compile(r"(?:tv|flat)(?:\?[\w&=]*)?|share")
"""A page of a table that nobody sits at, which goes on as what it was."""


@require_GET
@never_cache
@require_guest
def way_back(request: HttpRequest, guest: Guest) -> HttpResponse:
    """A page's way back, and other addresses, for the case that this address stops working.

    There is none (204) where the address has a public name, or where there is nowhere to look.
    """
    places = elsewhere(request)
    if not places:
        return HttpResponse(status=204)
    token = ways.token(guest.game.slug, guest.visitor.device_hash)
    question = ways.asked(token)
    context = {
        "token": token,
        "asked": question,
        "proof": ways.proof(question, request.get_host()),
        "places": places,
        "proofs": [ways.proof(question, place.removeprefix("http://")) for place in places],
    }
    return render(request, "board/_way_back.html", context)


@require_GET
@never_cache
def here(request: HttpRequest, asked: str) -> HttpResponse:
    """Show a page of an earlier address that this is the same server, and has the address asked."""
    answer = HttpResponse(ways.proof(asked, request.get_host()), content_type="text/plain")
    answer.headers["Access-Control-Allow-Origin"] = "*"
    answer.headers["Cross-Origin-Resource-Policy"] = "cross-origin"
    return answer


@require_http_methods(["GET", "POST"])
def back(request: HttpRequest, token: str) -> HttpResponse:
    """Let a phone that had a seat at an earlier address go on here; by GET, ask whether to.

    A page goes on by itself unless this phone has another seat in the game by now; so does a second
    page of the same phone, with the taps that it kept. "at" says which page of the table it was, if
    not the board.
    """
    way = ways.read(token)
    if way is None or (game := Game.objects.filter(slug=way.slug).first()) is None:
        return stranger(request)
    device = guests.device(request)
    known = hashed(device)
    if game.barred(known):
        return stranger(request)
    used = way.device == known or game.admitted(way.device) is None
    if used and not game.admitted(known):
        return stranger(request)
    if request.method == "POST" and used:
        return redirect(_page(request, game))
    if request.method == "POST":
        for each in ways.go(way, known):
            tables.disconnect(each.slug, TAKEN_OVER, "elsewhere", way.device)
            tables.refresh(each.slug)
        return guests.renew(request, redirect(_page(request, game)), device)
    now = game.seat_of(known)
    seat = now if used else game.seat_of(way.device)
    context = {"game": game, "seat": seat, "now": now if now != seat else None}
    return render(request, "pages/back.html", context)


def _page(request: HttpRequest, game: Game) -> str:
    at = request.GET.get("at", "")
    return reverse("board", args=[game.slug]) + (at if SCREEN.fullmatch(at) else "")
