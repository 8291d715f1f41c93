"""A game in numbers: what each curve, turn and hit of its summary is. `replay` finds them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from msgspec import Struct

Key = tuple[str, str]
"""Kind of a curve ("life", "rad") and its holder: a seat, "team:" and its id, or a slot counter."""

SLOTS = "slots"
"""The kind of all slot counters."""
PAUSE = 300.0
"""Seconds without an entry after which a game may have paused; shorter ones are never noted."""


class Point(Struct, frozen=True):
    """A value from one entry on. line: the entry's number as the reader counts. at: in seconds."""

    line: int
    at: float
    value: int


class Curve(Struct, frozen=True):
    """One number over the game, as far as its reader saw it when it happened.

    holder: as in `Key`. seats: to whom it belongs. name: its own, if it is a slot counter's.
    most: how many slots it has, else None. lost: where its seat lost; the curve ends there.
    """

    holder: str
    seats: tuple[str, ...]
    points: tuple[Point, ...]
    name: str = ""
    most: int | None = None
    lost: Point | None = None

    @property
    def first(self) -> int:
        """Its value at the beginning, or when its reader first saw it."""
        return self.points[0].value

    @property
    def last(self) -> int:
        """Its value at the end."""
        return self.points[-1].value

    @property
    def moved(self) -> int:
        """The sum of all its changes, up and down."""
        return sum(abs(b.value - a.value) for a, b in pairwise(self.points))

    def at(self, line: int) -> int | None:
        """Its value after *line*; None before its first."""
        place = bisect_right(self.points, line, key=lambda point: point.line)
        return self.points[place - 1].value if place else None


class Swing(Struct, frozen=True):
    """The largest change of one number in one entry. by: the seat that dealt it; "" if unknown."""

    kind: str
    curve: Curve
    point: Point
    before: int
    by: str = ""


class Turn(Struct, frozen=True):
    """One turn: whose it was, the line that began it, and from when to when it lasted."""

    seats: tuple[str, ...]
    line: int
    began: float
    ended: float


@dataclass(slots=True)
class GameStatistics:
    """All statistics of a game, by the ids of seats; names are for the screens.

    began, ended: of the first and last entry, in seconds since 1970. pauses: from and to, of each
    time without an entry that is longer than PAUSE. charts: the curves that moved, by kind, the
    hero first. rules: number, text, and how often each acted. dealt: how much of the hero a seat
    took from a seat (or team), by that pair; "" if nobody was named. lost: who lost, and where.
    winners: the seats that won. absent: the chairs that nobody sat on. played: what each seat
    played, by name. scored: of those who stayed, by seat, if they are added up; lowest: whether the
    fewest win.
    """

    charts: dict[str, list[Curve]] = field(default_factory=dict)
    hero: str = ""
    turns: list[Turn] = field(default_factory=list)
    swing: Swing | None = None
    rules: list[tuple[str, str, int]] = field(default_factory=list)
    acts: dict[str, int] = field(default_factory=dict)
    dealt: dict[tuple[str, str], int] = field(default_factory=dict)
    teams: dict[str, tuple[str, ...]] = field(default_factory=dict)
    lost: list[tuple[str, Point]] = field(default_factory=list)
    result: str | None = None
    winners: list[str] = field(default_factory=list)
    absent: list[str] = field(default_factory=list)
    played: dict[str, list[str]] = field(default_factory=dict)
    scored: dict[str, int] = field(default_factory=dict)
    lowest: bool = False
    began: float = 0.0
    ended: float = 0.0
    pauses: list[tuple[float, float]] = field(default_factory=list)
    last: int = 0

    @property
    def heroes(self) -> list[Curve]:
        """The curves of the number that the game is about."""
        return self.charts.get(self.hero, [])


class Comeback(Struct, frozen=True):
    """The winner's worst moment: how far behind the best other, and at what value."""

    curve: Curve
    point: Point
    behind: int


def comeback(statistics: GameStatistics) -> Comeback | None:
    """The winner's largest deficit; None if no other seat ever had twice as much."""
    heroes = statistics.heroes
    won = [each for each in heroes if set(each.seats) & set(statistics.winners)]
    others = [each for each in heroes if each not in won]
    if len(won) != 1 or not others:
        return None
    worst: Comeback | None = None
    for point, value, best in _beside(won[0], others):
        if best - value > (worst.behind if worst else 0) and best >= 2 * value:
            worst = Comeback(won[0], Point(point.line, point.at, value), best - value)
    return worst


def leads(statistics: GameStatistics) -> int:
    """Changes of the leader at the end of a turn, in the number that the game is about."""
    changes, leader = 0, None
    ends = [turn.line - 1 for turn in statistics.turns[1:]]
    for line in [*ends, statistics.last]:
        values = [each.at(line) or 0 for each in statistics.heroes]
        most = max(values, default=0)
        first = [n for n, value in enumerate(values) if value == most]
        if len(first) == 1 and first[0] != leader:
            changes += leader is not None
            leader = first[0]
    return changes


def _beside(curve: Curve, others: Sequence[Curve]) -> Iterator[tuple[Point, int, int]]:
    """At each change: its point, the value of *curve*, and the best of *others* still in play."""
    out = {n: each.lost.line for n, each in enumerate(others) if each.lost}
    for point, (own, *rest) in _together([curve, *others]):
        left = [value for n, value in enumerate(rest) if out.get(n, point.line + 1) > point.line]
        if left:
            yield point, own, max(left)


def _together(curves: Sequence[Curve]) -> Iterator[tuple[Point, list[int]]]:
    """Each change of any of *curves*, with the values of all after it."""
    if not curves:
        return
    values = [each.first for each in curves]
    changes = sorted(
        ((point, n) for n, each in enumerate(curves) for point in each.points),
        key=lambda change: change[0].line,
    )
    for place, (point, n) in enumerate(changes):
        values[n] = point.value
        if place + 1 == len(changes) or changes[place + 1][0].line != point.line:
            yield point, list(values)


def time_of_turns(
    statistics: GameStatistics, played: Mapping[int, float]
) -> dict[str, tuple[int, float]]:
    """By seat: how many turns it had, and how many seconds. played: by a turn's line."""
    found: dict[str, tuple[int, float]] = {}
    for turn in statistics.turns:
        for seat in turn.seats:
            count, took = found.get(seat, (0, 0.0))
            found[seat] = count + 1, took + played[turn.line]
    return found
