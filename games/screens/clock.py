"""The table's clock: a countdown for the round, the time of each turn, and a pause for both.

The clock is not part of the rules, and nothing about it is in the log. The database keeps the
stretches in which it ran, so it survives a restart; the turns are read from the log. Between two
changes the screens count by themselves. Any seat may use the clock, as any seat may change any
number.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from msgspec import Struct, field

from games.models import Game
from games.screens import chairs

MOST_MINUTES = 24 * 60
MINUTE = 60
MOST_RUNS = 60
"""At most this many stretches are kept; beyond that the oldest are merged."""
BEGINS_A_TURN = ("begin-turn", "draw-seat")

Stored = dict[str, Any]
"""The clock in a game's row. length: seconds of the round, or null. runs: pairs of start and end,
the last end null while the clock runs. by: the seat that used it last."""


class BadTime(ValueError):
    """The round is too short or too long."""


# Using it


def start(game: Game, by: str, minutes: int | None) -> None:
    """Start afresh, with a round of *minutes* or without one. Raises BadTime."""
    if minutes is not None and not 1 <= minutes <= MOST_MINUTES:
        raise BadTime
    length = None if minutes is None else minutes * MINUTE
    _store(game, {"length": length, "runs": [[_now(), None]], "by": by})


def pause(game: Game, by: str) -> None:
    """Stop counting until `resume`, if the clock is running."""
    with _changing(game) as clock:
        if clock and clock["runs"][-1][1] is None:
            clock["runs"][-1][1] = _now()
            clock["by"] = by


def resume(game: Game, by: str) -> None:
    """Go on counting after a pause, if the clock is paused."""
    with _changing(game) as clock:
        if clock and clock["runs"][-1][1] is not None:
            runs = clock["runs"]
            runs.append([_now(), None])
            if len(runs) > MOST_RUNS:
                begin, end = runs.pop(0)
                runs[0][0] -= end - begin
            clock["by"] = by


def add_minutes(game: Game, by: str, minutes: int) -> None:
    """Add minutes to the round, if there is one. Raises BadTime."""
    with _changing(game) as clock:
        if clock and clock["length"] is not None:
            length = clock["length"] + minutes * MINUTE
            if not 1 <= minutes <= MOST_MINUTES or length > MOST_MINUTES * MINUTE:
                raise BadTime
            clock["length"] = length
            clock["by"] = by


def stop(game: Game) -> None:
    """Remove the clock."""
    _store(game, None)


def _now() -> float:
    return round(timezone.now().timestamp(), 3)


def _store(game: Game, clock: Stored | None) -> None:
    game.clock = clock
    Game.objects.filter(pk=game.pk).update(clock=clock)


@contextmanager
def _changing(game: Game) -> Iterator[Stored | None]:
    """The stored clock, locked for the change made to it, so that two at once both count."""
    with transaction.atomic():
        found = Game.objects.select_for_update().values_list("clock", flat=True).get(pk=game.pk)
        yield found
        if found is not None:
            _store(game, found)


# Reading it


class Reading(Struct, frozen=True):
    """The face of the clock at one moment.

    now: the server's time, in seconds since 1970. spent: the seconds counted so far.
    left: seconds left in the round, negative once it is over; None without a round.
    turn: the seats whose turn it is, and its seconds so far. taken: seconds of all turns by seat.
    by: the seat that used the clock last.
    """

    now: float
    running: bool
    spent: float
    left: float | None
    turn: tuple[tuple[str, ...], float] | None = None
    taken: dict[str, float] = field(default_factory=dict)
    by: str = ""

    @property
    def over(self) -> bool:
        return self.left is not None and self.left <= 0

    @property
    def text(self) -> str:
        """The time left in the round; without a round, the time spent."""
        return clock_text(self.spent if self.left is None else self.left)

    @property
    def turn_text(self) -> str:
        return clock_text(self.turn[1]) if self.turn else ""


def clock_text(seconds: float) -> str:
    """Seconds as a clock shows them: "4:07", "1:02:33", or "+0:12" after the end.

    Time left is rounded up, so that 0:00 is the end and not the last second.
    """
    whole = -int(-seconds // 1) if seconds > 0 else int(-seconds // 1)
    hours, rest = divmod(whole, 3600)
    minutes, left = divmod(rest, 60)
    text = f"{hours}:{minutes:02}:{left:02}" if hours else f"{minutes}:{left:02}"
    return f"+{text}" if seconds < 0 and whole else text


class Clock(Struct, frozen=True):
    """A game's clock with the turns since its start, readable at any moment."""

    length: int | None
    runs: tuple[tuple[float, float | None], ...]
    by: str
    turns: tuple[tuple[float, tuple[str, ...]], ...]

    def spent(self, since: float, until: float) -> float:
        """The seconds counted between two moments."""
        return sum(
            max(0.0, min(until, until if end is None else end) - max(since, begin))
            for begin, end in self.runs
        )

    def read(self, now: float) -> Reading:
        """The face of the clock at *now*."""
        spent = self.spent(0, now)
        taken: dict[str, float] = {}
        turn = None
        for (since, seats), until in zip(self.turns, self._ends(now), strict=True):
            seconds = self.spent(since, until)
            turn = (seats, seconds)
            for seat in seats:
                taken[seat] = taken.get(seat, 0) + seconds
        return Reading(
            now=now,
            running=self.runs[-1][1] is None,
            spent=spent,
            left=None if self.length is None else self.length - spent,
            turn=turn,
            taken=taken,
            by=self.by,
        )

    def _ends(self, now: float) -> list[float]:
        return [*(since for since, _seats in self.turns[1:]), now] if self.turns else []


def read_now(clock: Clock | None, name: Callable[[str], str]) -> dict[str, Any]:
    """The context of "board/_clock.html": what the clock shows now, and whose turn it is."""
    if clock is None:
        return {"time": None}
    reading = clock.read(time.time())
    seats = reading.turn[0] if reading.turn else ()
    return {"time": reading, "turn_of": [name(each) for each in seats]}


def clock_of(game: Game) -> Clock | None:
    """The clock of *game*; None if it has none."""
    stored = game.clock
    if not stored:
        return None
    runs = tuple((begin, end) for begin, end in stored["runs"])
    turns = tuple(_turns(game, runs[0][0])) if game.rules.phases else ()
    return Clock(stored["length"], runs, stored["by"], turns)


def _turns(game: Game, since: float) -> Sequence[tuple[float, tuple[str, ...]]]:
    """Each turn since the clock's start: when it began, and its seats."""
    began = datetime.fromtimestamp(since, UTC)
    begins = Q(command__do__in=BEGINS_A_TURN) | chairs.TAKEN_AWAY
    stored = game.entries.filter(begins, undone_by=None)
    before = stored.filter(at__lt=began).order_by("-number").values_list("events", flat=True)
    first = next((seats for events in before for seats in _turn_seats(events)), None)
    if first is None:
        turn = (game.opening.state or {}).get("turn") or {}
        first = tuple(turn.get("active", ()))
    turns: list[tuple[float, tuple[str, ...]]] = [(since, first)] if first else []
    later = stored.filter(at__gte=began).order_by("number").values_list("at", "events")
    turns += [(at.timestamp(), seats) for at, events in later for seats in _turn_seats(events)]
    return turns


def _turn_seats(events: Sequence[dict[str, Any]]) -> list[tuple[str, ...]]:
    return [tuple(event["active"]) for event in events if event["kind"] == "turn-began"]
