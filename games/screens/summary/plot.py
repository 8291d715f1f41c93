"""Parts of charts: axes, lines, bands, the scale, signs, and the width of words.

Places on the time axis are from 0 to 1. A break (a pizza, an evening left overnight) takes only
SHORT of the axis: a pause longer than half of all the rest of the game, or of BREAK that is also
UNUSUAL in this game. Where the times say nothing, because the game was read from a file, the axis
counts lines of the log instead.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import groupby, pairwise

from django.utils.html import format_html
from django.utils.safestring import SafeString
from msgspec import Struct

from games.models import Seat
from games.screens.looks import Wearer, letter
from games.screens.summary.statistics import Curve, GameStatistics, Point, Turn

SHORT = 0.04
"""The part of the axis that a long pause takes."""
BREAK, UNUSUAL = 600.0, 20
"""Seconds from which a pause may be a break, and how many times the usual time between two entries
it then takes. A scene in which nobody counts anything for a quarter of an hour is none."""
TAIL = 0.025
"""The part of the axis after the last entry, in which its change is seen."""
LEAST = 60.0
"""Seconds of play from which times say something; if its entries are not all at once."""
AT_ONCE = 0.2
"""Seconds between two entries that nobody made by hand."""
STEPS = (10, 30, 60, 120, 300, 600, 900, 1200, 1800, 3600, 7200, 10800, 21600, 43200, 86400)
FINEST, FINE = 480, 160
"""Steps of one curve that are drawn, in a chart and in a small one."""


class Axis(Struct, frozen=True):
    """The horizontal axis. timed: whether it is in time; if not, it is in lines.

    parts: the stretches of play between long pauses, each with its places on the axis and the
    seconds of play (or lines) at both ends. pauses: (place, seconds) of the long pauses.
    length: seconds of play without them, or lines. origin: when each part began.
    """

    timed: bool
    length: float
    parts: tuple[tuple[float, float, float, float], ...]
    pauses: tuple[tuple[float, float], ...]
    origin: tuple[float, ...]

    def place(self, point: Point) -> float:
        """The place of *point*, 0 to 1."""
        return self.place_of(point.line, point.at)

    def steps(self, points: Sequence[Point]) -> list[tuple[float, int]]:
        """The place of each of *points*, with its value; fast, since there may be thousands."""
        if self.timed and len(self.parts) > 1:
            return [(self.place_of(each.line, each.at), each.value) for each in points]
        most = 1 - TAIL
        if self.timed:
            since, scale = self.origin[0], most / (self.length or 1.0)
            return [(min(most, max(0.0, (p.at - since) * scale)), p.value) for p in points]
        scale = most / (self.length or 1.0)
        return [(min(most, each.line * scale), each.value) for each in points]

    def place_of(self, line: int, at: float) -> float:
        """The place of a line, entered *at* that time: 0 to 1."""
        if not self.timed:
            return min(1.0, line / self.length) * (1 - TAIL) if self.length else 0.0
        number = max(0, sum(since <= at for since in self.origin) - 1)
        left, right, first, last = self.parts[number]
        into = min(at - self.origin[number], last - first)
        return left + (right - left) * (into / (last - first) if last > first else 0.0)

    def played(self, at: float) -> float:
        """The seconds played until *at*, without the long pauses."""
        number = max(0, sum(since <= at for since in self.origin) - 1)
        _left, _right, first, last = self.parts[number]
        return first + max(0.0, min(at - self.origin[number], last - first))

    def ticks(self, most: int) -> Iterator[tuple[float, float]]:
        """(place, seconds of play or lines) of at most so many ticks after the beginning."""
        if self.timed:
            step = next((n for n in STEPS if self.length / n < most + 1), STEPS[-1])
        else:
            step = round_step(self.length, most)
        value = step
        while value <= self.length:
            yield self._place_of_value(value), value
            value += step

    def _place_of_value(self, value: float) -> float:
        for left, right, first, last in self.parts:
            if value <= last:
                return left + (right - left) * ((value - first) / (last - first))
        return 1 - TAIL


def axis_of(statistics: GameStatistics) -> Axis:
    """The axis of a game's charts."""
    whole = statistics.ended - statistics.began
    rest, long = whole, []
    for pause in sorted(statistics.pauses, key=lambda each: each[0] - each[1]):
        took = pause[1] - pause[0]
        left = rest - took
        usual = left / max(1, statistics.last)
        if took <= left / 2 and (took < BREAK or took < UNUSUAL * usual):
            break
        rest -= took
        long.append(pause)
    timed = rest >= LEAST and rest >= AT_ONCE * statistics.last
    long.sort()
    edges = [statistics.began, *(at for pause in long for at in pause), statistics.ended]
    stretches = [(edges[n], edges[n + 1]) for n in range(0, len(edges), 2)]
    scale = (1 - TAIL - SHORT * len(long)) / rest if rest > 0 else 0.0
    parts, pauses, place, played = [], [], 0.0, 0.0
    for number, (since, until) in enumerate(stretches):
        if number:
            pauses.append((place, since - stretches[number - 1][1]))
            place += SHORT
        took = until - since
        parts.append((place, place + took * scale, played, played + took))
        place, played = place + took * scale, played + took
    if not timed:
        parts = [(0.0, 1 - TAIL, 0.0, float(statistics.last or 1))]
        return Axis(False, float(statistics.last), tuple(parts), (), (statistics.began,))
    origin = tuple(since for since, _until in stretches)
    return Axis(True, rest, tuple(parts), tuple(pauses), origin)


def seconds_played(statistics: GameStatistics) -> float:
    """The duration of the game, without its long pauses."""
    axis = axis_of(statistics)
    return axis.length if axis.timed else statistics.ended - statistics.began


def turns_played(statistics: GameStatistics, axis: Axis) -> dict[int, float]:
    """The seconds of each turn, by its line, without long pauses."""
    if not axis.timed:
        return {turn.line: turn.ended - turn.began for turn in statistics.turns}
    return {
        turn.line: axis.played(turn.ended) - axis.played(turn.began) for turn in statistics.turns
    }


def rounded(least: int, most: int) -> list[int]:
    """Four to six round numbers, from at or below *least* to at or above *most*."""
    step = round_step(most - least, 5)
    while -(-most // step) - least // step > 5:
        step = round_step(5 * step + 1, 5)
    first, last = least // step * step, -(-most // step) * step
    return list(range(first, max(last, first + step) + 1, step))


def round_step(span: float, most: int) -> int:
    """The least round number (1, 2 or 5 with noughts) of which at most *most* fit into *span*."""
    step = 1
    while span / step > most:
        step = step * 5 // 2 if str(step)[0] == "2" else step * 2
    return step


def thinned(steps: Sequence[tuple[float, int]], most: int = FINEST) -> list[tuple[float, int]]:
    """The same *steps* as far as a screen shows them: of many at one place the least and the most.

    *steps*: places, not falling, each with the value from there on.
    """
    if len(steps) <= most:
        return list(steps)
    found: list[tuple[float, int]] = []
    for _place, some in groupby(steps, key=lambda each: int(each[0] * most / 4)):
        here = list(some)
        values = [value for _at, value in here]
        chosen = {0, values.index(min(values)), values.index(max(values)), len(here) - 1}
        found += [here[n] for n in sorted(chosen)]
    return found


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


def shape_of(wearer: Wearer) -> int:
    """The index in SIGNS and DASHES of the shape that a seat has."""
    emblem = wearer.emblem if isinstance(wearer, Seat) else wearer
    return ((emblem or 1) - 1) % len(SIGNS)


class Line(Struct, frozen=True):
    """A curve as it is drawn. name: of its seats. place: the first of them; 0 if none.

    steps: (place on the axis, value); end: where its line stops.
    """

    curve: Curve
    name: str
    place: Wearer
    steps: tuple[tuple[float, int], ...]
    end: float = 1.0

    @property
    def longest(self) -> str:
        """The longest of its values, as printed."""
        return max((number(value) for _at, value in self.steps), key=len)

    @property
    def shape(self) -> int:
        """Its index in SIGNS and DASHES."""
        return shape_of(self.place)


class Picture(Struct, frozen=True):
    """The common parts of all charts of a game: the axis, its labels, and the turns as bands.

    bands: (seat, letter, from, to). ticks: (place, label); unit: of the labels.
    """

    axis: Axis
    bands: tuple[tuple[Wearer, str, float, float], ...] = ()
    ticks: tuple[tuple[float, str], ...] = ()
    unit: str = ""


def line(curve: Curve, name: str, place: Wearer, axis: Axis, most: int = FINEST) -> Line:
    """*curve* as it is drawn on *axis*, in *most* steps; it stops where its seat lost."""
    steps = axis.steps(curve.points)
    end = axis.place(curve.lost) if curve.lost else 1.0
    return Line(curve, name, place, tuple(thinned(steps, most)), max(end, steps[-1][0]))


def bands(
    turns: Sequence[Turn], places: Mapping[str, Wearer], axis: Axis
) -> tuple[tuple[Wearer, str, float, float], ...]:
    """The turns as bands, each up to the next, with the colours and letters of their seats; those
    of most at once, as a round is, have no colour, and their number."""
    edges = [*(axis.place_of(turn.line, turn.began) for turn in turns), 1.0]
    few = [turn.seats if 2 * len(turn.seats) <= len(places) else () for turn in turns]
    seats = [places.get(seats[0], 0) if seats else 0 for seats in few]
    return tuple(
        (seat, letter(seat, "") if seat else str(number), since, until)
        for number, (seat, (since, until)) in enumerate(zip(seats, pairwise(edges), strict=True), 1)
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


def sign(place: Wearer, name: str) -> SafeString:
    """The sign of a seat with its letter, centred on 0."""
    shape = shape_of(place)
    return format_html(
        '<g class="chart-mark"><path d="{}"/><text y="{}" text-anchor="middle">{}</text></g>',
        SIGNS[shape],
        9 if shape == 2 else 5,
        letter(place, name),
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
    """*text*, wrapped in bidi isolates if it is written from right to left."""
    if any(unicodedata.bidirectional(letter) in ("R", "AL") for letter in text):
        return f"\u2068{text}\u2069"
    return text
