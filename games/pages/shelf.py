"""Delete an evening from the server, for good."""

from __future__ import annotations

from asgiref.sync import async_to_sync
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from games.live.summaries import summaries
from games.live.table_registry import registry
from games.models import Game, Setup
from games.pages.access import afterwards, refused_page, require_guest
from games.rules.state import Refused
from games.seats import hosts
from games.seats.guests import Guest


@require_http_methods(["GET", "POST"])
@require_guest
@afterwards
def delete(request: HttpRequest, guest: Guest) -> HttpResponse:
    """Ask once, then delete all games of the evening, and say what was deleted.

    Only who leads the evening's last game may, as `hosts.may_delete` says.
    """
    game = guest.game.newest
    visitor = game.admitted(guest.visitor.device_hash)
    now = Guest(game, visitor, game.seat_of(visitor.device_hash)) if visitor else None
    if now is None or not hosts.may_delete(now):
        refused = Refused(
            "forbidden", _("Only the host can delete an evening. If there’s a GM, only the GM can.")
        )
        return refused_page(request, refused, 403)
    evening = game.evening
    context = {
        "game": game,
        "games": len(evening),
        "lines": sum(each.number for each in evening),
        "setups": Setup.objects.filter(game__in=evening).count(),
    }
    if request.method == "GET":
        return render(request, "pages/delete.html", context)
    for each in evening:
        async_to_sync(registry.end)(each.slug)
        summaries.forget(each)
    Game.objects.filter(pk__in=[each.pk for each in evening]).delete()
    return render(request, "pages/delete.html", {**context, "deleted": True})
