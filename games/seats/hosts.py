"""Hosts: who leads a table, does the host's chores, and stands in for a host who is away.

The host is a seat, so that it can be handed on. The host's own link is above it: its holder can be
the host again at any time. Being the GM is never handed on with the host's chores: where seats know
secrets, only they decide about the game, and another host lets people in and locks the table.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from games.models import Game, Seat, Visitor, hold
from games.rules import secrecy
from games.rules.state import GameState
from games.seats.guests import Guest
from games.store import rows

REST = timedelta(minutes=10)
"""Time from an evening's last tap until its games count as over."""


def knowing(game: Game) -> frozenset[str]:
    """The seats that know the game's secrets (the GM's, the co-GMs'); empty in most games."""
    if not secrecy.private_log(game.rules):
        return frozenset()
    state = GameState(seats=rows.seats(game))
    return frozenset(seat for seat in state.seats if secrecy.knows(game.rules, state, seat))


def guarded(game: Game, seat: str | None) -> bool:
    """True if *seat* can see secrets, so that the table cannot give it to another phone."""
    return seat is not None and seat in knowing(game)


def open_seats(game: Game) -> bool:
    """True if a seat is free that anyone may take."""
    know = knowing(game)
    return any(not seat.taken and seat.key not in know for seat in game.places.values())


def names_wait(game: Game) -> bool:
    """True if a newcomer has to say who they are: a seat was named for someone yet to come.

    Names alone, without a party, may be those of a file: there the next seat is as good as any.
    """
    know = knowing(game)
    untaken = [each for each in game.places.values() if not each.taken and each.key not in know]
    named = [each for each in untaken if each.given_name]
    return bool(named) and (game.has_party or named != untaken)


def sees_everything(guest: Guest) -> bool:
    """True if *guest* can see everything in the game."""
    mine = guest.key
    return not secrecy.private_log(guest.game.rules) or guarded(guest.game, mine)


def leads(guest: Guest) -> bool:
    """True if *guest* decides about the table: frees and renames seats, replaces its links.

    Where seats know secrets, only they do, and a phone that came by the host's own link; at any
    other table it is the host, or who stands in for the host.
    """
    know = knowing(guest.game)
    return guest.owner or guest.key in know if know else guest.host


def may_lock(guest: Guest) -> bool:
    """True if *guest* may lock the table: its leaders, and a host who does only the chores."""
    return guest.host or leads(guest)


def may_bar(guest: Guest, gone: Visitor) -> bool:
    """True if *guest* may put a device out: not its own, nor one that has the host's link."""
    if not leads(guest) or gone == guest.visitor or gone.role == Visitor.Role.HOST:
        return False
    seat = guest.game.seat_of(gone.device_hash)
    return seat is None or may_answer(guest, seat)


def may_invite(guest: Guest) -> bool:
    """True if *guest* may see the invitation: not if the table freed its seat."""
    return guest.owner or guest.seat is not None or not guest.visitor.sent_away


def may_restart(guest: Guest) -> bool:
    """True if *guest* may play the game again: any seat, or only those who know its secrets."""
    return leads(guest) or (guest.seat is not None and not knowing(guest.game))


def may_delete(guest: Guest) -> bool:
    """True if *guest* may delete the table's games: its host, not who stands in for the host.

    Where seats know secrets, only the one that acts by default (the GM): another one's host may not
    even see what would be lost.
    """
    know = knowing(guest.game)
    if know:
        seats = GameState(seats=rows.seats(guest.game))
        return guest.key == guest.game.rules.seating.default_by(seats)
    return guest.owner or (guest.seat is not None and guest.seat.host)


def under_way(game: Game) -> bool:
    """True if *game* goes on: it has no result yet, and no rematch has begun."""
    return game.result is None and not game.followed_by_id


def may_answer(guest: Guest, seat: Seat) -> bool:
    """True if *guest* may decide who gets *seat*: anyone at the table, and its host.

    A seat with secrets is given by another seat that knows them, or by the host's own link.
    """
    if guest.owner:
        return True
    mine = guest.key
    if guarded(guest.game, seat.key):
        return guarded(guest.game, mine)
    return mine is not None


def may_bring_chair(guest: Guest) -> bool:
    """True if *guest* may sit down on a seat of its own: all are taken, and there is room for more.

    A table that is locked, or that sent this phone away, lets nobody in without asking.
    """
    game = guest.game
    closed = guest.looks_on or guest.visitor.sent_away or (game.locked and not guest.owner)
    return not closed and guest.seat is None and has_room(game) and not open_seats(game)


def may_say_who(guest: Guest) -> bool:
    """True if *guest*, without a seat, is to say whether one of the named seats is theirs.

    Also once all of a party sit: next week one of them may have another phone.
    """
    game = guest.game
    closed = guest.looks_on or guest.visitor.sent_away or (game.locked and not guest.owner)
    party_sits = game.has_party and not open_seats(game)
    return not closed and guest.seat is None and (names_wait(game) or party_sits)


def has_room(game: Game) -> bool:
    """True if another seat can be put at the table."""
    return under_way(game) and "add-seat" in game.rules.verbs and not full(game)


def full(game: Game) -> bool:
    """True if the game is for no more players than sit there."""
    return len(game.places) >= game.rules.seating.most_seats


def rested(game: Game) -> bool:
    """True if *game* is over, and nobody has tapped in its evening since `REST`.

    Until then, an end by mistake or by a trick can be taken back: points that are lost and given
    back, a rematch after which the game before goes on.
    """
    last = max(each.changed for each in game.evening)
    return not under_way(game) and timezone.now() - last > REST


def make_host(game: Game, seat: Seat) -> bool:
    """Make *seat* the only host's seat. False if it was already."""
    with transaction.atomic():
        hold(game.pk)
        game.seats.update(stands_in=None)
        game.seats.filter(host=True).exclude(pk=seat.pk).update(host=False)
        if not game.seats.filter(pk=seat.pk, host=False).update(host=True):
            return False
        Game.objects.filter(pk=game.pk).update(host_since=timezone.now())
    return True


def succeed(game_id: int, present: Collection[str], watching: Collection[str]) -> bool:
    """Let the next seat that is here stand in for an absent host; a host who is here needs nobody.

    Returns whether that changed anything. A seat that knows secrets comes before one that does not.
    watching: the devices that look on without a seat; if one has the host's link, the host is here.
    """
    with transaction.atomic():
        game = Game.objects.select_for_update().get(pk=game_id)
        seats = list(game.seats.all())
        place = next((n for n, seat in enumerate(seats) if seat.host), -1)
        links = game.visitors.filter(device_hash__in=watching, role=Visitor.Role.HOST)
        if (place >= 0 and seats[place].key in present) or links.exists():
            return _nobody_stands_in(game)
        after = [*seats[place + 1 :], *seats[: max(place, 0)]]
        here = [seat for seat in after if seat.taken and seat.key in present]
        if not here or any(seat.stands_in for seat in here):
            return False
        know = knowing(game)
        here.sort(key=lambda seat: seat.key not in know)
        _nobody_stands_in(game)
        return bool(game.seats.filter(pk=here[0].pk).update(stands_in=timezone.now()))


def _nobody_stands_in(game: Game) -> bool:
    """The host is host again. False if nobody stood in."""
    if not game.seats.exclude(stands_in=None).update(stands_in=None):
        return False
    Game.objects.filter(pk=game.pk).update(host_since=timezone.now())
    return True
