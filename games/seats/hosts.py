"""What a host may do (lock the table, free seats, change the link), and who is host next.

The host is a seat, so that it can be handed on. The host's own link is above it: whoever holds it
can be the host again at any time. What the GM sees belongs to the GM's seat and is never handed on
with the host's rights.
"""

from __future__ import annotations

from collections.abc import Collection

from django.db import transaction
from django.utils import timezone

from games.models import Game, Seat, Visitor
from games.seats.guests import Guest
from games.store import rows


def guarded(game: Game, seat: str | None) -> bool:
    """Whether *seat* can see secrets, so that the table cannot give it to another phone."""
    if seat is None or game.rules.view is None:
        return False
    return game.rules.knows_secrets(rows.state(game), seat)


def sees_everything(guest: Guest) -> bool:
    """Whether *guest* can see everything in the game."""
    mine = guest.key
    return guest.game.rules.view is None or guarded(guest.game, mine)


def under_way(game: Game) -> bool:
    """Whether *game* goes on: it has no result yet, and no rematch has begun."""
    return game.result is None and not game.followed_by_id


def may_answer(guest: Guest, seat: Seat) -> bool:
    """Whether *guest* may decide who gets *seat*: anyone at the table, and its host.

    A seat with secrets is given by another seat that knows them, or by the host's own link.
    """
    if guest.visitor.role == Visitor.Role.HOST:
        return True
    mine = guest.key
    if guarded(guest.game, seat.key):
        return guarded(guest.game, mine)
    return mine is not None


def make_host(game: Game, seat: Seat, *, tell: bool = False) -> bool:
    """Make *seat* the only host's seat. False if it was already.

    tell: the device that was host is told so when it looks next.
    """
    with transaction.atomic():
        others = game.seats.filter(host=True).exclude(pk=seat.pk)
        before = [each.device_hash for each in others if each.device_hash]
        others.update(host=False)
        if not game.seats.filter(pk=seat.pk, host=False).update(host=True):
            return False
        Game.objects.filter(pk=game.pk).update(host_since=timezone.now())
        if tell:
            gone = game.visitors.filter(device_hash__in=before)
            gone.update(news=Visitor.News.HOST, about=seat.key)
    return True


def succeed(game_id: int, present: Collection[str], watching: Collection[str]) -> bool:
    """The host is away: make the next seat that is here the host. False if there is none.

    watching: the devices that look on without a seat; if one has the host's link, the host is here.
    """
    with transaction.atomic():
        game = Game.objects.select_for_update().get(pk=game_id)
        seats = list(game.seats.all())
        place = next((n for n, seat in enumerate(seats) if seat.host), -1)
        if place >= 0 and seats[place].key in present:
            return False
        if game.visitors.filter(device_hash__in=watching, role=Visitor.Role.HOST).exists():
            return False
        after = [*seats[place + 1 :], *seats[: max(place, 0)]]
        here = [seat for seat in after if seat.taken and seat.key in present]
        return bool(here) and make_host(game, here[0], tell=True)
