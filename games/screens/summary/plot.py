"""What charts are made of: lines, bands, the scale, signs, and the width of words."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import pairwise

from django.utils.html import format_html
from django.utils.safestring import SafeString
from msgspec import Struct

from games.screens.looks import letter, seat_at
from games.screens.summary.axis import FINEST, Axis, thinned
from games.screens.summary.statistics import Curve, Turn

DASHES = ("none", "9 4", "3 3", "12 3 3 3", "6 2 1 2", "1 4", "14 5", "8 2")
SIGNS = (
    "M-10 0A10 10 0 1 1 10 0A10 10 0 1 1-10 0Z",
    "M-9-9H9V9H-9Z",
    "M0-12L12 10H-12Z",
    "M0-12L12 0L0 12L-12 0Z",
    "M-6-10H6L11 0L6 10H-6L-11 0Z",
    "M-10 9V0A10 10 0 0 1 10 0V9Z",
    "M-10-10H10V2L0 11L-10 2Z",
    "M-10 10V0A10 10 0 0 1 0-10H10V0A10 10 0 0 1 0 10Z",
)
"""The shapes that mark the seats everywhere, centred on 0."""


class Line(Struct, frozen=True):
    """A curve as it is drawn. name: of its seats. place: of the first of them, from 1; 0 if none.

    steps: (place on the axis, value); end: where its line stops.
    """

    curve: Curve
    name: str
    place: int
    steps: tuple[tuple[float, int], ...]
    end: float = 1.0

    @property
    def longest(self) -> str:
        """The longest of its values, as printed."""
        return max((number(value) for _at, value in self.steps), key=len)

    @property
    def shape(self) -> int:
        """Which of SIGNS and DASHES it has."""
        seat = seat_at(self.place)
        return ((seat.emblem if seat else self.place or 1) - 1) % len(SIGNS)


class Picture(Struct, frozen=True):
    """What all charts of a game share: the axis, its labels, and the turns as bands.

    bands: (seat's place, letter, from, to). ticks: (place, label); unit: of the labels.
    """

    axis: Axis
    bands: tuple[tuple[int, str, float, float], ...] = ()
    ticks: tuple[tuple[float, str], ...] = ()
    unit: str = ""


def line(curve: Curve, name: str, place: int, axis: Axis, most: int = FINEST) -> Line:
    """*curve* as it is drawn on *axis*, in *most* steps; it stops where its seat lost."""
    steps = axis.steps(curve.points)
    end = axis.place(curve.lost) if curve.lost else 1.0
    return Line(curve, name, place, tuple(thinned(steps, most)), max(end, steps[-1][0]))


def bands(
    turns: Sequence[Turn], places: Mapping[str, int], axis: Axis
) -> tuple[tuple[int, str, float, float], ...]:
    """The turns as bands, each up to the next, with the colours and letters of their seats."""
    edges = [*(axis.place_of(turn.line, turn.began) for turn in turns), 1.0]
    seats = [places.get(turn.seats[0], 0) if turn.seats else 0 for turn in turns]
    return tuple(
        (seat, letter(seat, "") if seat else "", since, until)
        for seat, (since, until) in zip(seats, pairwise(edges), strict=True)
    )


class Scale(Struct, frozen=True):
    """From values to pixels from above; what is beyond the scale is drawn at its edge."""

    least: int
    most: int
    top: float
    bottom: float

    def __call__(self, value: float) -> float:
        part = (self.most - value) / ((self.most - self.least) or 1)
        return round(self.top + (self.bottom - self.top) * min(1.0, max(0.0, part)), 1)


def sign(each: Line) -> SafeString:
    """The sign of a curve with its letter, centred on 0."""
    return format_html(
        '<g class="chart-mark"><path d="{}"/><text y="{}" text-anchor="middle">{}</text></g>',
        SIGNS[each.shape],
        9 if each.shape == 2 else 5,
        letter(each.place, each.name),
    )


def apart(places: Sequence[float], distance: float, first: float, last: float) -> list[float]:
    """The *places* moved as little as it takes to stand that far apart, from *first* to *last*."""
    order = sorted(range(len(places)), key=lambda n: places[n])
    moved = [max(first, each) for each in places]
    for above, below in pairwise(order):
        moved[below] = max(moved[below], moved[above] + distance)
    limit = last
    for n in reversed(order):
        moved[n] = min(moved[n], limit)
        limit = moved[n] - distance
    return [round(each, 1) for each in moved]


# Text


def number(value: int) -> str:
    """A number as it is printed: with a minus, not a hyphen."""
    return str(value).replace("-", "−")


def percent(place: float) -> str:
    """A place from 0 to 1 as part of the width."""
    return f"{round(place * 100, 2)}%"


def text_width(text: str, size: float) -> float:
    """About how many pixels *text* takes at that size, rather too many than too few."""
    return size * sum(map(_width, text))


@cache
def _width(letter: str) -> float:
    """Of one letter, in parts of the size."""
    if letter.isascii():
        narrow, wide = letter in "ijl.,:;'|! ", letter in "mwMW@"
        return 0.32 if narrow else 0.9 if wide else 0.66 if letter.isupper() else 0.6
    if unicodedata.category(letter) in ("Mn", "Me", "Cf"):
        return 0.0
    return 1.4 if unicodedata.east_asian_width(letter) in "WF" else 0.7


def cut(text: str, size: float, most: float) -> str:
    """*text*, cut with an ellipsis if it is wider than *most* pixels.

    One that is written from right to left is kept apart from what is written around it.
    """
    if text_width(text, size) > most:
        while text and text_width(f"{text}…", size) > most:
            text = text[:-1]
        while text and unicodedata.category(text[-1]) in ("Cf", "Zs"):
            text = text[:-1]
        text = f"{text}…"
    return isolated(text)


def isolated(text: str) -> str:
    """*text*, which turns round nothing beside it if it is written from right to left."""
    if any(unicodedata.bidirectional(letter) in ("R", "AL") for letter in text):
        return f"\u2068{text}\u2069"
    return text
