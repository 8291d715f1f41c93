"""Colours and emblems of seats: the attributes from which style sheets draw them.

Every element that belongs to a seat has them; `static/css/base/tokens.css` makes `--seat` (the
colour) and `--emblem` (the shape, for `clip-path`) of them.
"""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.html import conditional_escape
from django.utils.safestring import SafeString
from django.utils.translation import gettext_noop as _

from games.models import LOOKS, Seat
from games.screens.words import Words

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

Wearer = Seat | int
"""A seat; or only its place in table order, from 1, and 0 for what belongs to none."""


def named(seats: Mapping[str, Seat | str]) -> dict[str, Seat]:
    """*seats* by id; one that is only a name has the looks of its place."""
    return {
        key: seat if isinstance(seat, Seat) else Seat(key=key, given_name=seat, order=order)
        for order, (key, seat) in enumerate(seats.items())
    }


def seat_at(its: Words, which: Seat | str | int) -> Wearer:
    """The seat with that id, or at that place (from 1); its place, or 0, if there is none."""
    if isinstance(which, int):
        return [*its.seats.values()][which - 1] if 0 < which <= len(its.seats) else which
    return which if isinstance(which, Seat) else its.seats.get(which, 0)


def letter(which: Wearer, name: str) -> str:
    """The sign in the mark of a seat; else the initial of *name*."""
    return which.letter if isinstance(which, Seat) else name[:1].upper()


def mark(which: Wearer, name: str = "", *, alone: bool = False) -> SafeString:
    """The mark of a seat, with its sign or the initial of *name*.

    alone: nothing around it has the seat's looks.
    """
    worn = f" {looks(which)}" if alone else ""
    sign = conditional_escape(letter(which, name))
    return SafeString(f'<b class="seat-mark"{worn} aria-hidden="true">{sign}</b>')


def looks(which: Wearer) -> SafeString:
    """The attributes of what belongs to a seat; place 0 has no colour.

    data-place is its place in table order, data-colour and data-emblem are 1 to 8, and data-free
    says that nobody plays there.
    """
    if isinstance(which, Seat):
        place, colour, emblem = which.place, which.colour, which.emblem
        free = " data-free" if which.free and not which.played_for else ""
    else:
        place, free = which, ""
        colour = emblem = (place - 1) % LOOKS + 1 if place else 0
    # Numbers need no escaping, which would take four times as long.
    return SafeString(f'data-place="{place}" data-colour="{colour}" data-emblem="{emblem}"{free}')
