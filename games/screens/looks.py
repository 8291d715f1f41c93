"""Colours and emblems of seats: the attributes from which style sheets draw them.

Every element that belongs to a seat has them; `static/css/base/tokens.css` makes `--seat` (the
colour) and `--emblem` (the shape, for `clip-path`) of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar

from django.utils.html import conditional_escape
from django.utils.safestring import SafeString
from django.utils.translation import gettext_noop as _

from games.models import LOOKS, Seat

COLOURS = (
    _("amber"),
    _("blue"),
    _("green"),
    _("pink"),
    _("violet"),
    _("orange"),
    _("teal"),
    _("grey"),
)
EMBLEMS = (
    _("circle"),
    _("square"),
    _("triangle"),
    _("diamond"),
    _("hexagon"),
    _("arch"),
    _("pennant"),
    _("leaf"),
)
"""The names of the looks for screen readers, from 1 to LOOKS."""

Seats = Mapping[str, Seat]
"""Seats by id, in table order."""

SEATED: ContextVar[Callable[[], Seats] | None] = ContextVar("seated", default=None)


@contextmanager
def seated(seats: Callable[[], Seats]) -> Iterator[None]:
    """Draw these seats meanwhile. They are only read when a template asks for one."""
    before = SEATED.set(seats)
    try:
        yield
    finally:
        SEATED.reset(before)


def named(seats: Mapping[str, Seat | str]) -> dict[str, Seat]:
    """*seats* by id; one that is only a name has the looks of its place."""
    return {
        key: seat if isinstance(seat, Seat) else Seat(key=key, given_name=seat, order=order)
        for order, (key, seat) in enumerate(seats.items())
    }


def seat_at(which: Seat | str | int) -> Seat | None:
    """The seat with that id, or at that place (from 1), of the game that is being drawn."""
    if isinstance(which, Seat):
        return which
    read = SEATED.get()
    seats = read() if read else {}
    if isinstance(which, int):
        return list(seats.values())[which - 1] if 0 < which <= len(seats) else None
    return seats.get(which)


def letter(which: Seat | str | int, name: str) -> str:
    """The sign in the mark of a seat, given as in `seat_at`; else the initial of *name*."""
    seat = seat_at(which)
    return seat.letter if seat else name[:1].upper()


def mark(which: Seat | str | int, name: str = "", *, alone: bool = False) -> SafeString:
    """The mark of a seat, given as in `seat_at`, with its sign or the initial of *name*.

    alone: nothing around it has the seat's looks.
    """
    worn = f" {looks(which)}" if alone else ""
    sign = conditional_escape(letter(which, name))
    return SafeString(f'<b class="seat-mark"{worn} aria-hidden="true">{sign}</b>')


def looks(which: Seat | str | int) -> SafeString:
    """The attributes of what belongs to a seat, given as in `seat_at`; place 0 has no colour.

    data-place is its place in table order, data-colour and data-emblem are 1 to 8, and data-free
    says that nobody plays there.
    """
    if seat := seat_at(which):
        place, colour, emblem = seat.place, seat.colour, seat.emblem
        free = " data-free" if seat.free and not seat.played_for else ""
    else:
        place, free = which if isinstance(which, int) else 0, ""
        colour = emblem = (place - 1) % LOOKS + 1 if place else 0
    # Numbers need no escaping, which would take four times as long.
    return SafeString(f'data-place="{place}" data-colour="{colour}" data-emblem="{emblem}"{free}')
