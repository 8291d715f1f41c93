"""The axes of charts: time without long pauses, and round numbers.

Places on the time axis are from 0 to 1. A break (a pizza, an evening left overnight) takes only
SHORT of the axis: a pause longer than half of all the rest of the game, or of BREAK that is also
UNUSUAL in this game. Where the times say nothing, because the game was read from a file, the axis
counts lines of the log instead.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from msgspec import Struct

from games.screens.summary.statistics import GameStatistics, Point

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
        """Where *point* stands, 0 to 1."""
        return self.place_of(point.line, point.at)

    def steps(self, points: Sequence[Point]) -> list[tuple[float, int]]:
        """Where each of *points* stands, with its value; fast, since there may be thousands."""
        if self.timed and len(self.parts) > 1:
            return [(self.place_of(each.line, each.at), each.value) for each in points]
        most = 1 - TAIL
        if self.timed:
            since, scale = self.origin[0], most / (self.length or 1.0)
            return [(min(most, max(0.0, (p.at - since) * scale)), p.value) for p in points]
        scale = most / (self.length or 1.0)
        return [(min(most, each.line * scale), each.value) for each in points]

    def place_of(self, line: int, at: float) -> float:
        """Where a line, entered *at* that time, stands: 0 to 1."""
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
    """How long the game was played, without its long pauses."""
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
