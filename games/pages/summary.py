"""The summary of a game, for its players and by a link for anyone."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from functools import cache
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.crypto import constant_time_compare
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET, require_POST

from games.models import Game
from games.pages.access import afterwards, refused_page, require_guest
from games.pages.seats import reachable
from games.rules.state import Refused
from games.screens import words
from games.screens.log.charts import chart, legend, strip, table
from games.screens.log.statistics import SLOTS, GameStatistics, statistics_of
from games.screens.looks import seated
from games.seats.guests import Guest
from games.store import rows


@require_GET
@require_guest
def summary(request: HttpRequest, guest: Guest) -> HttpResponse:
    """The summary of the game so far, as far as this seat may know."""
    stats = statistics_of(guest.game, guest.key)
    path = reverse("shared-summary", args=[guest.game.slug, guest.game.summary_token])
    link = f"{reachable(request) or request.build_absolute_uri('/')[:-1]}{path}"
    context = {
        **_context(guest.game, stats),
        "link": link,
        "may_end": guest.host,
        "board_url": reverse("board", args=[guest.game.slug]),
    }
    return render(request, "pages/summary.html", context)


@require_POST
@require_guest
@afterwards
def new_link(request: HttpRequest, guest: Guest) -> HttpResponse:
    """End the summary's link and make a new one. Only the host may."""
    if not guest.host:
        refused = Refused("forbidden", _("Only the host can replace the summary’s link."))
        return refused_page(request, refused, 403)
    guest.game.end_summary_link()
    return redirect("summary", slug=guest.game.slug)


@require_GET
def shared(request: HttpRequest, slug: str, token: str) -> HttpResponse:
    """The summary for anyone with its link: what everyone at the table may know."""
    game = Game.objects.filter(slug=slug).first()
    if game is None or not constant_time_compare(token, game.summary_token):
        raise Http404
    with words.speaking(game.rules), seated(cache(lambda: game.places)):
        context = _context(game, statistics_of(game, None))
        return render(request, "pages/summary.html", context)


def _context(game: Game, stats: GameStatistics) -> dict[str, Any]:
    seats = {key: place for place, key in enumerate(game.names, start=1)}
    by_seat = [
        {
            "name": name,
            "place": seats[key],
            "won": name in stats.winners,
            "took": lasted(stats.by_seat[key]) if key in stats.by_seat else "",
            "turns": sum(key in turn.seats for turn in stats.turns),
            "acts": stats.acts.get(key, 0),
        }
        for key, name in game.names.items()
    ]
    charts = [
        {
            "title": _title(kind),
            "svg": chart(curves, stats.last, _title(kind), _alternative(curves)),
            "legend": legend(curves),
            "curves": curves,
            "rows": table(curves, stats.last),
        }
        for kind, curves in stats.charts.items()
    ]
    longest = max(stats.turns, key=lambda turn: turn.took, default=None)
    return {
        "game": game,
        "statistics": stats,
        "swing": stats.swing,
        "charts": charts,
        "by_seat": by_seat,
        "dealt": _dealt(game, stats, seats),
        "took": lasted(stats.took),
        "turns": len(stats.turns),
        "strip": strip(stats.turns, seats, _("The turns: the wider, the longer it lasted")),
        "longest": {"name": longest.name, "took": lasted(longest.took)} if longest else None,
        "headline": _headline(stats),
    }


def _headline(stats: GameStatistics) -> str:
    """How the game ended, in a few words; "" while it goes on."""
    if stats.result == "draw":
        return _("It’s a draw: no one is left.")
    if stats.winners:
        return _("%(who)s wins.") % {"who": ", ".join(stats.winners)}
    return stats.result or ""


def _dealt(game: Game, stats: GameStatistics, seats: Mapping[str, int]) -> dict[str, Any] | None:
    """Who took how much life from whom, as a table; None if no command says so."""
    if not stats.dealt:
        return None
    teams = {f"team:{team.id}": team for team in rows.state(game).teams.values()}
    order = [*game.names, *teams]
    holders = sorted({holder for _dealer, holder in stats.dealt}, key=order.index)

    def named(key: str) -> dict[str, Any]:
        if key in teams:
            names = [game.names.get(seat, seat) for seat in teams[key].seats]
            return {"name": " + ".join(names), "place": 0}
        return {"name": game.names.get(key, key), "place": seats.get(key, 0)}

    lines = []
    for dealer in [*game.names, ""]:
        amounts = [stats.dealt.get((dealer, holder), 0) for holder in holders]
        if any(amounts):
            lines.append({**named(dealer), "amounts": amounts, "total": sum(amounts)})
    return {"to": [named(holder) for holder in holders], "lines": lines}


def _title(kind: str) -> str:
    return _("Counters") if kind == SLOTS else capfirst(words.kind(kind))


def _alternative(curves: Any) -> str:
    """A chart in words, for people who cannot see it."""
    texts = [
        _("%(name)s from %(first)s to %(last)s")
        % {"name": curve.name, "first": curve.points[0][1], "last": curve.points[-1][1]}
        for curve in curves
    ]
    return "; ".join(texts)


def lasted(time: timedelta) -> str:
    """A duration as people say it: "1 h 20 min", "3 min", "20 s"."""
    seconds = int(time.total_seconds())
    if seconds < 60:
        return _("%(n)s s") % {"n": seconds}
    hours, minutes = divmod(seconds // 60, 60)
    if not hours:
        return ngettext("%(n)s min", "%(n)s min", minutes) % {"n": minutes}
    return _("%(h)s h %(n)s min") % {"h": hours, "n": minutes}
