"""Requests for a seat: a phone asks for one, and the table says yes or no.

A player whose phone is lost opens the invitation on another and asks for the same seat; anyone at
the table can answer. Phones get into a locked table, or back to a table that sent them away, in
the same way. A device asks for one seat at a time, and for a limited time. Each request is answered
once: the answer and the end of the request are one statement.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _
from msgspec import Struct

from games.models import Game, Seat, Visitor, hold
from games.rules.state import Refused
from games.seats import hosts
from games.seats.guests import Guest
from games.store.sql import found, select

from .buckets import Buckets

PATIENCE = timedelta(minutes=2)
"""Time that a request waits for an answer."""
MOST_WAITING = 8
"""The most requests that can wait at one table: everyone, after the server has moved."""
MOST_OF_ONE = 6
"""The most requests by one device at one table at once, and within `OFTEN` seconds."""
OFTEN = 300
ASKED = Buckets(MOST_OF_ONE, MOST_OF_ONE / OFTEN)
"""By visitor. Each process counts for itself."""

News = Visitor.News
ASKING = select(Visitor, "id", "game_id news")


class LetIn(Struct, frozen=True):
    """A seat was given to the device that asked.

    last: the device that had it before and lost it, if any.
    """

    seat: Seat
    device: str
    last: str | None


def waiting(game: Game) -> QuerySet[Visitor]:
    """The visitors whose request is waiting, the oldest first."""
    since = timezone.now() - PATIENCE
    return game.visitors.filter(news=News.ASKING, asked__gt=since).order_by("asked", "pk")


def waiting_now(game: Game) -> list[Visitor]:
    """Those visitors, read; most of the time there are none, and that is quickly known."""
    return list(waiting(game)) if found(ASKING, game.pk, News.ASKING) else []


def ask(guest: Guest, seat: Seat) -> None:
    """Ask the table for *seat*. Raises Refused if there are too many requests already."""
    visitor = guest.visitor
    with transaction.atomic():
        hold(guest.game.pk)  # of many who ask at once, none is one too many
        others = waiting(guest.game).exclude(pk=visitor.pk)
        if others.count() >= MOST_WAITING:
            raise Refused("busy", _("Too many people are asking right now. Try again in a minute."))
        if not ASKED.of(visitor.pk).take():
            raise Refused(
                "busy", _("You have asked too often. Talk to the table, then try again later.")
            )
        visitor.news, visitor.about, visitor.asked = News.ASKING, seat.key, timezone.now()
        visitor.save(update_fields=["news", "about", "asked"])


def let_in(game: Game, pk: int) -> LetIn | None:
    """Give visitor *pk* the seat it asks for; None if it is no longer asking.

    At a seat that knows secrets it plays beside the devices that are there; any other seat is
    handed over to it.
    """
    with transaction.atomic():
        hold(game.pk)
        asking = waiting(game).select_for_update().filter(pk=pk).first()
        if asking is None:
            return None
        seat = game.seats.filter(key=asking.about).first()
        still = waiting(game).filter(pk=pk, about=asking.about)
        role = Visitor.Role.HOST if asking.role == Visitor.Role.HOST else Visitor.Role.GUEST
        if seat is None or plays_elsewhere(game, asking.device_hash, seat):
            return None
        if not still.update(news="", about="", sent_away=False, role=role):
            return None
        if hosts.guarded(game, seat.key):
            seat.join(asking.device_hash)
            return LetIn(seat, asking.device_hash, None)
        last = seat.device_hash
        seat.hand_to(asking.device_hash)
        if last == asking.device_hash:
            last = None
        had = game.visitors.filter(device_hash=last)
        had.update(news=News.HANDED, about=seat.key, role=Visitor.Role.WATCHER)
    return LetIn(seat, asking.device_hash, last)


def plays_elsewhere(game: Game, device_hash: str, seat: Seat) -> bool:
    """True if a device is a named player's, so that it cannot come to *seat*, which knows secrets.

    A device that an invitation has just put on a free seat is nobody's yet.
    """
    now = game.seat_of(device_hash)
    if now is None or now.key == seat.key or not now.given_name:
        return False
    know = hosts.knowing(game)
    return seat.key in know and now.key not in know


def refuse(game: Game, pk: int) -> str | None:
    """Tell visitor *pk* no. Returns its device; None if it is no longer asking."""
    if not waiting(game).filter(pk=pk).update(news=News.REFUSED):
        return None
    return game.visitors.get(pk=pk).device_hash


def refuse_all(guest: Guest) -> list[str]:
    """Tell no to all whom *guest* may answer, who cannot ask again for a while.

    Returns their devices.
    """
    places, refused = guest.game.places, []
    for visitor in waiting(guest.game).exclude(pk=guest.visitor.pk):
        place = places.get(visitor.about)
        if place is None or hosts.may_answer(guest, place):
            ASKED.of(visitor.pk).spend(MOST_OF_ONE)
            if device := refuse(guest.game, visitor.pk):
                refused.append(device)
    return refused


def late(game: Game) -> list[str]:
    """End the requests that were not answered in time. Returns the devices that made them."""
    over = game.visitors.filter(news=News.ASKING, asked__lte=timezone.now() - PATIENCE)
    devices = list(over.values_list("device_hash", flat=True))
    over.update(news=News.LATE)
    return devices


def forget(visitor: Visitor) -> None:
    """Withdraw the request of *visitor* and clear its news."""
    visitor.news = visitor.about = ""
    visitor.save(update_fields=["news", "about"])


def must_ask(guest: Guest, seat: Seat) -> bool:
    """True if *guest* has to ask for *seat* even if it is free."""
    if guest.owner:
        return False
    closed = guest.visitor.sent_away or (guest.game.locked and not guest.host)
    return closed or hosts.guarded(guest.game, seat.key)


def arrival(guest: Guest) -> dict[str, Any]:
    """The context of "board/_arrival.html", above a phone's board."""
    visitor, news = guest.visitor, guest.visitor.news
    if news == News.ASKING and not waiting(guest.game).filter(pk=visitor.pk).exists():
        news = News.LATE
    about = guest.game.seats.filter(key=visitor.about).first() if news else None
    return {
        "news": news if about else "",
        "about": about,
        "guarded": about is not None and hosts.guarded(guest.game, about.key),
        "answers_secrets": guest.owner or hosts.guarded(guest.game, guest.key),
        "free": hosts.open_seats(guest.game),
        "chair": hosts.may_bring_chair(guest),
        "full": hosts.full(guest.game),
    }
