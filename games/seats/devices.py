"""The devices of a seat: one by one they can be taken off it, and do not come back by themselves.
Any device can be barred from the game.

A seat that knows secrets may have several (a laptop and a tablet), opened with the host's own link
or let in from a device that is there. Any other seat has one.
"""

from __future__ import annotations

from django.db import transaction

from games.models import Game, Seat, Visitor, hold
from games.seats import hosts


def of_seat(seat: Seat) -> list[Visitor]:
    """The devices at *seat* where it may have several; empty where it has one."""
    return seat.devices if hosts.guarded(seat.game, seat.key) else []


@transaction.atomic
def leave(seat: Seat, device: Visitor) -> None:
    """Let a device leave *seat* by its own choice, and look on."""
    hold(device.game_id)
    seat.remove(_held(device))
    watch(device)


@transaction.atomic
def watch(device: Visitor) -> None:
    """Let a device look on by its own choice, unless it has a seat."""
    hold(device.game_id)
    if device.game.seat_of(_held(device)) is None:
        guests = Visitor.objects.filter(pk=device.pk, role=Visitor.Role.GUEST)
        guests.update(role=Visitor.Role.WATCHER)


@transaction.atomic
def remove(seat: Seat, gone: Visitor, by: Visitor) -> None:
    """Take a device off *seat*, in the games before this one too, where it could read secrets.

    A device that came by the host's own link still has that link, so it gets a new one.
    by: the device that does it; it becomes a host's device if no other is left.
    """
    evening = _held_evening(seat.game)
    known = _held(gone)
    for game in evening:
        for each in game.seats.filter(key=seat.key):
            each.remove(known)
        _notify(game, known, Visitor.News.REMOVED, seat.key)
    if gone.role == Visitor.Role.HOST:
        seat.game.newest.rotate_host_link()
        if not seat.game.visitors.filter(role=Visitor.Role.HOST).exists():
            Visitor.objects.filter(pk=by.pk).update(role=Visitor.Role.HOST)


@transaction.atomic
def send_away(seat: Seat) -> list[str]:
    """Free *seat* and tell its devices, which must ask to sit down again. Returns them."""
    evening = _held_evening(seat.game)
    seat.refresh_from_db()
    gone = [_held(each) for each in seat.devices]
    games = evening if hosts.guarded(seat.game, seat.key) else [seat.game]
    for game in games:
        for each in game.seats.filter(key=seat.key):
            for known in gone:
                each.remove(known)
        for known in gone:
            _notify(game, known, Visitor.News.FREED, seat.key)
    seat.refresh_from_db()
    return gone


@transaction.atomic
def bar(game: Game, gone: Visitor) -> Seat | None:
    """Put a device out of *game* and the games of its evening: it reads nothing there any more.

    Invitation, code and summary links change too, so that it does not come back as another device.
    Returns its seat, now free.
    """
    evening = _held_evening(game)
    known = _held(gone)
    seat = game.seat_of(known)
    for each in evening:
        if (place := each.seat_of(known)) is not None:
            place.remove(known)
        put_out = {"role": Visitor.Role.BARRED, "news": "", "about": "", "beside": ""}
        each.visitors.filter(device_hash=known).update(**put_out)
        each.end_summary_link()
    evening[-1].rotate_invitation()
    return seat


def _held_evening(game: Game) -> list[Game]:
    """The games of an evening, of which none changes, and to which none is added, until the
    transaction ends."""
    held: list[int] = []
    while True:
        evening = Game.objects.get(pk=game.pk).evening
        if held == (ids := [each.pk for each in evening]):
            return evening
        hold(*ids)  # a rematch may have begun meanwhile
        held = ids


def _held(device: Visitor) -> str:
    """The hash of a device's token, which stays what it is until the transaction ends."""
    held = Visitor.objects.select_for_update().filter(pk=device.pk)
    device.device_hash = next(iter(held.values_list("device_hash", flat=True)), device.device_hash)
    return device.device_hash


def _notify(game: Game, known: str, news: str, key: str) -> None:
    """Tell a device what happened to its seat; it may look on from now on."""
    away = {"news": news, "about": key, "sent_away": True}
    if news == Visitor.News.REMOVED:
        away["role"] = Visitor.Role.WATCHER
    game.visitors.filter(device_hash=known).update(**away)
