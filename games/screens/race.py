"""The race of a game that is counted in rounds: everybody's total after each, as lines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from django.utils.safestring import SafeString

from games.models import Seat
from games.screens.summary.plot import Scale, apart, sign
from games.systems.controls import Scores

WIDE, ENDS, TOP, BOTTOM, MARK = 88, 94, 5, 60, 9
"""Places in a drawing of 100 by 64: where lines end, their marks, the highest and the lowest total,
and how far marks stand apart."""


class Runner(NamedTuple):
    """A player's line, and where its mark stands."""

    seat: Seat
    points: str
    end: str
    mark: SafeString


class Race(NamedTuple):
    """The lines, and where the number stands that ends the game, if one does."""

    runners: tuple[Runner, ...]
    end: int | None
    level: str


def race(sheet: Scores, seats: Mapping[str, Seat], names: Mapping[str, str]) -> Race | None:
    """The race of *sheet*; None before the second round, and of a sheet of parts."""
    if len(sheet.lines) < 2 or sheet.lines[0].sort != "round":
        return None
    ways = [tuple(_way(sheet, n)) for n in range(len(sheet.seats))]
    ends = {total.goal.end for total in sheet.sums if total.goal}
    end = next(iter(ends)) if len(ends) == 1 else None
    values = [value for way in ways for _at, value in way] + ([] if end is None else [end])
    y = Scale(min(values), max(values), TOP, BOTTOM)
    marks = apart([y(way[-1][1]) for way in ways], MARK, TOP, BOTTOM)
    runners = tuple(
        Runner(
            seats[seat],
            " ".join(f"{WIDE * at / len(sheet.lines):g},{y(value):g}" for at, value in way),
            f"translate({ENDS} {mark:g}) scale(0.42)",
            sign(seats[seat], names[seat]),
        )
        for seat, way, mark in zip(sheet.seats, ways, marks, strict=True)
    )
    return Race(runners, end, "" if end is None else f"{y(end):g}")


def _way(sheet: Scores, n: int) -> Iterator[tuple[int, int]]:
    """After which rounds a column had which totals."""
    brought = [line.cells[n].amount for line in sheet.lines]
    total = sheet.sums[n].amount - sum(filter(None, brought))
    yield 0, total
    for at, amount in enumerate(brought, 1):
        if amount is not None:
            total += amount
            yield at, total
