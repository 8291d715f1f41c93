"""Retention of an evening, and its deletion for good."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from games.live.removal import close, forget
from games.live.table_registry import registry
from games.models import Game, Setup
from games.pages.access import afterwards, require_guest
from games.pages.parts import done
from games.rules.state import Refused
from games.seats import guests, hosts
from games.seats.guests import Guest
from games.store import retention, threads


@require_http_methods(["GET", "POST"])
@require_guest
@afterwards
def delete(request: HttpRequest, guest: Guest) -> HttpResponse:
    """Ask once, then delete all games of the evening, and say what was deleted.

    Only the leader of the evening's last game may, as `hosts.may_delete` says.
    """
    if not may_delete(guest):
        raise Refused(
            "forbidden", _("Only the host can delete an evening. If there’s a GM, only the GM can.")
        )
    game = guest.game.newest
    evening = game.evening
    context = {
        "game": game,
        "games": len(evening),
        "lines": sum(each.number for each in evening),
        "setups": Setup.objects.filter(game__in=evening).count(),
    }
    if request.method == "GET":
        return render(request, "pages/delete.html", context)
    threads.ask(close)(registry, evening)
    retention.delete(evening)
    threads.ask(forget)(registry, evening)
    return render(request, "pages/delete.html", {**context, "deleted": True})


@require_POST
@require_guest
@afterwards
def keep_days(request: HttpRequest, guest: Guest) -> HttpResponse:
    """Choose how many days after its last tap the evening is deleted; "" for no such day."""
    if not may_delete(guest):
        raise Refused(
            "forbidden",
            _("Only the host can say how long it is kept. If there’s a GM, only the GM can."),
        )
    chosen = {"": None, **{str(days): days for days in retention.choices()}}
    asked = request.POST.get("days", "")
    if asked not in chosen:
        raise Refused("invalid", _("Choose one of the times on the page."))
    evening = [each.pk for each in guest.game.evening]
    Game.objects.filter(pk__in=evening).update(keep_days=chosen[asked])
    return done(request, guest.game, "keep")


def may_delete(guest: Guest) -> bool:
    """True if *guest* may delete the evening, as someone at its last game."""
    now = guests.at(guest.game.newest, guest.visitor.device_hash)
    return now is not None and hosts.may_delete(now)
