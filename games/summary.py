"""After the game: how it went, to look at and to show around."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET

from games.doors import Guest, guests_only
from games.models import Game
from games.plots import plot, table
from games.seating import reachable
from games.story import LIFE, SLOTS, Story, story
from games.words import spoken


@require_GET
@guests_only
def summary(request: HttpRequest, guest: Guest) -> HttpResponse:
    """The game so far as this seat may know it."""
    told = story(guest.game, guest.seat.key if guest.seat else None)
    path = reverse("shared-summary", args=[guest.game.slug, guest.game.summary_token])
    link = f"{reachable(request) or request.build_absolute_uri('/')[:-1]}{path}"
    context = {
        **_context(guest.game, told),
        "link": link,
        "base": reverse("board", args=[guest.game.slug]),
    }
    return render(request, "games/summary.html", context)


@require_GET
def shared(request: HttpRequest, slug: str, token: str) -> HttpResponse:
    """The same for whoever has its link: what everybody at the table may know."""
    game = Game.objects.filter(slug=slug).first()
    if game is None or not constant_time_compare(token, game.summary_token):
        raise Http404
    return render(request, "games/summary.html", _context(game, story(game, None)))


def _context(game: Game, told: Story) -> dict[str, Any]:
    seats = {key: place for place, key in enumerate(game.names, start=1)}
    by_seat = [
        {
            "name": name,
            "place": seats[key],
            "took": lasted(told.by_seat[key]) if key in told.by_seat else "",
            "turns": sum(key in turn.seats for turn in told.turns),
            "acts": told.acts.get(key, 0),
        }
        for key, name in game.names.items()
    ]
    plots = [
        {
            "title": _title(kind),
            "svg": plot(curves, told.last, _alternative(kind, curves)),
            "curves": curves,
            "rows": table(curves, told.last),
        }
        for kind, curves in told.plots.items()
    ]
    return {
        "game": game,
        "story": told,
        "plots": plots,
        "by_seat": by_seat,
        "took": lasted(told.took),
        "turns": len(told.turns),
    }


def _title(kind: str) -> str:
    return {LIFE: _("Life"), SLOTS: _("Counters")}.get(kind, spoken(kind))


def _alternative(kind: str, curves: Any) -> str:
    """What a plot shows, for who does not see it."""
    said = [
        _("%(name)s from %(first)s to %(last)s")
        % {"name": curve.name, "first": curve.points[0][1], "last": curve.points[-1][1]}
        for curve in curves
    ]
    return f"{_title(kind)}: {'; '.join(said)}"


def lasted(time: timedelta) -> str:
    """A time as people say it: "1 h 20 min", "3 min", "20 s"."""
    seconds = int(time.total_seconds())
    if seconds < 60:
        return _("%(n)s s") % {"n": seconds}
    hours, minutes = divmod(seconds // 60, 60)
    if not hours:
        return ngettext("%(n)s min", "%(n)s min", minutes) % {"n": minutes}
    return _("%(h)s h %(n)s min") % {"h": hours, "n": minutes}
