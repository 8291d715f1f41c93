"""Play again: a new game at the same table, with its seats, its watchers and its links."""

from __future__ import annotations

from asgiref.sync import async_to_sync
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from games import hosts, rows
from games.doors import Guest, guests_only
from games.live.owner import LOOK_AGAIN, owner
from games.models import Game, Visitor
from games.rules.state import Refused


@require_POST
@guests_only
def again(request: HttpRequest, guest: Guest) -> HttpResponse:
    """Begin the game anew and take everybody there; of two who tap at once, both come along.

    Any seat may, as any seat may take back what it likes; where somebody has secrets, who knows
    them. The game that was stays as it is, to be read.
    """
    game = guest.game
    if not (guest.host or (guest.seat and hosts.sees_everything(guest))):
        refused = Refused("forbidden", _("Take a seat to play again; a GM’s game is the GM’s."))
        return render(request, "games/refused.html", {"refused": refused}, status=403)
    anew = begin(game)
    async_to_sync(owner.hang_up)(game.slug, LOOK_AGAIN, "played again")
    return redirect("board", slug=anew.slug)


def begin(game: Game) -> Game:
    """The rematch of *game*: its opening once more, for the same seats and devices."""
    with transaction.atomic():
        game = Game.objects.select_for_update().get(pk=game.pk)
        if game.followed_by:
            return game.newest
        anew = rows.create(game.rules, rows.opening(game), title=game.title, names=game.names)
        for seat in game.seats.all():
            place = anew.seats.filter(key=seat.key)
            place.update(device_hash=seat.device_hash, host=seat.host, seen=seat.seen)
        Visitor.objects.bulk_create(
            Visitor(
                game=anew,
                device_hash=each.device_hash,
                role=each.role,
                sent_away=each.sent_away,
            )
            for each in game.visitors.all()
        )
        anew.locked = game.locked
        anew.save(update_fields=["locked"])
        game.followed_by = anew
        game.save(update_fields=["followed_by"])
    return anew
