"""After the game: how it went, to look at and to show around."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
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
from games.pages.access import afterwards, require_guest
from games.pages.seats import reachable
from games.rules.state import Refused
from games.screens import words
from games.screens.log.charts import chart, legend, strip, table
from games.screens.log.statistics import SLOTS, GameStatistics, statistics
from games.seats.guests import Guest
from games.store import rows


@require_GET
@require_guest
def summary(request: HttpRequest, guest: Guest) -> HttpResponse:
    """The game so far as this seat may know it."""
    told = statistics(guest.game, guest.key)
    path = reverse("shared-summary", args=[guest.game.slug, guest.game.summary_token])
    link = f"{reachable(request) or request.build_absolute_uri('/')[:-1]}{path}"
    context = {
        **_context(guest.game, told),
        "link": link,
        "may_end": guest.host,
        "board_url": reverse("board", args=[guest.game.slug]),
    }
    return render(request, "pages/summary.html", context)


@require_POST
@require_guest
@afterwards
def new_link(request: HttpRequest, guest: Guest) -> HttpResponse:
    """End the summary's link and make a new one; the host's to do."""
    if not guest.host:
        refused = Refused("forbidden", _("Only the host can replace the summary’s link."))
        return render(request, "pages/refused.html", {"refused": refused}, status=403)
    guest.game.end_summary_link()
    return redirect("summary", slug=guest.game.slug)


@require_GET
def shared(request: HttpRequest, slug: str, token: str) -> HttpResponse:
    """The same for whoever has its link: what everybody at the table may know."""
    game = Game.objects.filter(slug=slug).first()
    if game is None or not constant_time_compare(token, game.summary_token):
        raise Http404
    with words.speaking(game.rules):
        context = _context(game, statistics(game, None))
        return render(request, "pages/summary.html", context)


def _context(game: Game, told: GameStatistics) -> dict[str, Any]:
    seats = {key: place for place, key in enumerate(game.names, start=1)}
    by_seat = [
        {
            "name": name,
            "place": seats[key],
            "won": name in told.winners,
            "took": lasted(told.by_seat[key]) if key in told.by_seat else "",
            "turns": sum(key in turn.seats for turn in told.turns),
            "acts": told.acts.get(key, 0),
        }
        for key, name in game.names.items()
    ]
    charts = [
        {
            "title": _title(kind),
            "svg": chart(curves, told.last, _title(kind), _alternative(curves)),
            "legend": legend(curves),
            "curves": curves,
            "rows": table(curves, told.last),
        }
        for kind, curves in told.charts.items()
    ]
    longest = max(told.turns, key=lambda turn: turn.took, default=None)
    return {
        "game": game,
        "statistics": told,
        "charts": charts,
        "by_seat": by_seat,
        "dealt": _dealt(game, told, seats),
        "took": lasted(told.took),
        "turns": len(told.turns),
        "strip": strip(told.turns, seats, _("The turns, each as wide as it lasted")),
        "longest": {"name": longest.name, "took": lasted(longest.took)} if longest else None,
        "headline": _headline(told),
    }


def _headline(told: GameStatistics) -> str:
    """How it ended, in a few words; nothing while it goes on."""
    if told.result == "draw":
        return _("It’s a draw: nobody is left.")
    if told.winners:
        return _("%(who)s wins.") % {"who": ", ".join(told.winners)}
    return told.result or ""


def _dealt(game: Game, told: GameStatistics, seats: Mapping[str, int]) -> dict[str, Any] | None:
    """Who took how much life from whom, as a table; None where no tap has said it."""
    if not told.dealt:
        return None
    teams = {f"team:{team.id}": team for team in rows.state(game).teams.values()}
    order = [*game.names, *teams]
    holders = sorted({holder for _dealer, holder in told.dealt}, key=order.index)

    def named(key: str) -> dict[str, Any]:
        if key in teams:
            names = [game.names.get(seat, seat) for seat in teams[key].seats]
            return {"name": " + ".join(names), "place": 0}
        return {"name": game.names.get(key, key), "place": seats.get(key, 0)}

    lines = []
    for dealer in [*game.names, ""]:
        amounts = [told.dealt.get((dealer, holder), 0) for holder in holders]
        if any(amounts):
            lines.append({**named(dealer), "amounts": amounts, "total": sum(amounts)})
    return {"to": [named(holder) for holder in holders], "lines": lines}


def _title(kind: str) -> str:
    return _("Counters") if kind == SLOTS else capfirst(words.kind(kind))


def _alternative(curves: Any) -> str:
    """What a plot shows, for who does not see it."""
    said = [
        _("%(name)s from %(first)s to %(last)s")
        % {"name": curve.name, "first": curve.points[0][1], "last": curve.points[-1][1]}
        for curve in curves
    ]
    return "; ".join(said)


def lasted(time: timedelta) -> str:
    """A time as people say it: "1 h 20 min", "3 min", "20 s"."""
    seconds = int(time.total_seconds())
    if seconds < 60:
        return _("%(n)s s") % {"n": seconds}
    hours, minutes = divmod(seconds // 60, 60)
    if not hours:
        return ngettext("%(n)s min", "%(n)s min", minutes) % {"n": minutes}
    return _("%(h)s h %(n)s min") % {"h": hours, "n": minutes}
