"""The table view: a big read-only screen for the room, or an overlay for a stream.

It takes no seat and shows no secrets, whoever opened it: a GM's laptop shows what a watcher's
would. It gets the same frames as any watcher, and fetches the end of the log and the QR.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.safestring import mark_safe
from django.views.decorators.http import require_GET

from games.models import Game
from games.pages import rematch
from games.pages.access import require_guest
from games.pages.board_html import drawn_for
from games.pages.sharing import invitation, qr
from games.screens.boards import log_of
from games.screens.match import match_text
from games.screens.race import Race, race
from games.screens.secrets import seen_state
from games.seats import hosts
from games.seats.guests import Guest
from games.systems import presentation_of
from games.systems.log_words import Story

LINES, FEW = 5, 3
"""Lines of the log to show, and beside a race."""


@require_GET
@require_guest
def tv(request: HttpRequest, guest: Guest) -> HttpResponse:
    """The whole table as a watcher sees it, without controls."""
    game = guest.game
    if game.followed_by:
        query = request.META.get("QUERY_STRING", "")
        return redirect(reverse("tv", args=[game.newest.slug]) + (f"?{query}" if query else ""))
    drawn = drawn_for(game, None)
    overlay = "overlay" in request.GET
    context = {
        "game": game,
        "number": drawn.number,
        "kind": presentation_of(game.rules).board.kind,
        "seats": drawn.seats,
        "turn": mark_safe(drawn.turn),
        "starts": rematch.starts(game),
        "board": mark_safe(drawn.board),
        "sidebar": mark_safe(drawn.sidebar),
        "overlay": overlay,
        "lines": not overlay or "log" in request.GET,
        "invites": not overlay or "qr" in request.GET,
    }
    return render(request, "tv/tv.html", {**context, **_side(request, guest, context)})


@require_GET
@require_guest
def side(request: HttpRequest, guest: Guest) -> HttpResponse:
    """The last lines of the log, and the QR while seats are free."""
    shown = {"lines": "log" in request.GET, "invites": "qr" in request.GET}
    if not any(shown.values()):
        raise Http404
    return render(request, "tv/_side.html", _side(request, guest, shown))


def _side(request: HttpRequest, guest: Guest, shown: Mapping[str, Any]) -> dict[str, Any]:
    game = guest.game
    way = invitation(request, guest)
    free = hosts.open_seats(game) and not game.locked
    invites = hosts.may_invite(guest) and free
    asked = shown["invites"] and way.reachable and (invites or guest.looks_on)
    run = _race(game) if shown["lines"] else None
    return {
        "race": run,
        "latest": log_of(game, None).newest(FEW if run else LINES) if shown["lines"] else [],
        "match": match_text(game) if shown["lines"] and not game.result else "",
        "invitation": way,
        "qr": qr(way.link) if asked else "",
        "game": game,
    }


def _race(game: Game) -> Race | None:
    """The race of a game whose score sheet takes the tiles' place."""
    story = presentation_of(game.rules).story
    if type(story).scores is Story.scores:
        return None
    sheet = story.scores(game.rules, seen_state(game, None))
    return race(sheet, game.places, game.names) if sheet and sheet.whole else None
