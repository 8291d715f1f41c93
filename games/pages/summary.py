"""The summary of a game, for its players and by a link for anyone."""

from __future__ import annotations

import json
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.safestring import mark_safe
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from games.live.summaries import summary_of
from games.models import Game
from games.models.tokens import hashed
from games.pages.access import afterwards, game_of_summary, require_guest
from games.pages.exports import has_scores
from games.pages.parts import unless_known
from games.pages.sharing import address
from games.rules.state import Refused
from games.screens.cards.score_sheet import scores, sheet_of
from games.screens.drawing import Drawing
from games.screens.fragments import audience
from games.screens.match import match_of
from games.screens.words import words_at
from games.seats import hosts
from games.seats.guests import Guest
from games.store import disk, rows

FORM = 2
"""The form of the page; a browser's copy of another form is not used."""


@require_GET
@require_guest
def summary(request: HttpRequest, guest: Guest) -> HttpResponse:
    """The summary of the game so far, as far as this seat may know.

    `?newer` only says whether it is another than the one with that tag: 304 if not, else 204.
    """
    game = guest.game
    path = reverse("shared-summary", args=[game.slug, game.summary_token])
    own = {
        "link": f"{address(request)}{path}",
        "may_end": hosts.leads(guest),
        "table_file": has_scores(game.rules),
        "board_url": reverse("board", args=[game.slug]),
        "current_url": reverse("board", args=[game.newest.slug]) if game.followed_by_id else "",
    }
    return _page(request, game, guest.key, own)


@require_POST
@require_guest
@afterwards
def new_link(request: HttpRequest, guest: Guest) -> HttpResponse:
    """End the summary's link and make a new one. Only those who lead the table may."""
    if not hosts.leads(guest):
        raise Refused("forbidden", _("Only the host can replace the summary’s link."))
    guest.game.end_summary_link()
    return redirect("summary", slug=guest.game.slug)


@require_GET
def shared(request: HttpRequest, slug: str, token: str) -> HttpResponse:
    """The summary for anyone with its link: what everyone at the table may know."""
    game = game_of_summary(request, slug, token)
    request.its = words_at(game)  # type: ignore[attr-defined]
    return _page(request, game, None, {})


def _page(request: HttpRequest, game: Game, seat: str | None, own: dict[str, Any]) -> HttpResponse:
    """The page, or 304 if the browser has this one. own: what only those at the table get."""
    match = match_of(game)
    tag = _tag(game, seat, own, str(match or ""))

    def made() -> HttpResponse:
        if "newer" in request.GET:
            return HttpResponse(status=204)
        summary = summary_of(game, seat, _tag(game, seat, {}, ""))
        known = {"match": match, "tag": f'"{tag}"', "scores": _scores(game)}
        return render(request, "pages/summary.html", {"game": game, **known, **summary, **own})

    return unless_known(request, tag, made)


def _scores(game: Game) -> str:
    """The score sheet of a game that is counted in rounds, as everyone may see it."""
    drawing, eyes = (
        Drawing(game.rules, game.places),
        audience(game.rules, None, get_language() or ""),
    )
    if drawing.presentation.board.kind != "cards":
        return ""
    state = rows.state(game)
    sheet = sheet_of(drawing, state)
    if sheet is None or not sheet.lines:
        return ""
    with drawing.reading(eyes):
        return mark_safe(scores(drawing, state).draw())


def _tag(game: Game, seat: str | None, own: dict[str, Any], match: str) -> str:
    """Changes whenever the page does: with an entry that the reader heard of, a name, a rematch,
    or a disk that is full."""
    number = rows.number_for(game, seat)
    about = [FORM, seat, get_language(), game.title, game.names, game.looks, own, match]
    return f"{number}-{hashed(json.dumps([*about, disk.full()]))[:16]}"
