"""Any part of a log, with the state before and after each of its entries as it was then.

A replay begins at the nearest checkpoint, so that any part of a long log costs the same; those that
were read last stay in memory. After an undo the state is resolved again from just before the first
entry that it undid.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import datetime
from functools import reduce
from operator import or_
from threading import RLock

from django.db.models import Q, TextField
from django.db.models.functions import Cast
from msgspec import Struct

from games import models as tables
from games.rules import secrecy
from games.rules.entry import Entry, line_of
from games.rules.history import fold, replayed
from games.rules.log import TURNED, is_turn
from games.rules.revising import Numbers, note
from games.rules.state import GameState

from . import checkpoints, rows
from .caches import Cache
from .entries import timed

BATCH = 500
"""Batch size of entries."""
REMEMBERED = 4 * checkpoints.EVERY
"""Entries that a replay can undo without asking the database."""
STRETCHES = 16
"""Cached stretches of logs, from one checkpoint to the next each."""


class Moment(Struct, frozen=True):
    """One entry, when it was accepted, and the states around it."""

    entry: Entry
    at: datetime
    before: GameState
    after: GameState


class _Stretch:
    """The moments between two checkpoints, as far as they have been read."""

    def __init__(self, game: tables.Game, k: int) -> None:
        self._replay = Replay.before(game, k * checkpoints.EVERY + 1)
        self._after = k * checkpoints.EVERY
        self._moments: list[Moment] = []

    def upto(self, last: int) -> list[Moment]:
        """Its moments as far as entry *last* at least."""
        for moment in self._replay.on(last):
            if moment.entry.number > self._after:
                self._moments.append(moment)
        return self._moments


_stretches = Cache[_Stretch](STRETCHES)
_lock = RLock()


def moments(game: tables.Game, first: int, last: int) -> Iterator[Moment]:
    """The entries from number *first* to *last*, oldest first. What checkpoints lack is stored."""
    while first <= last:
        k = (first - 1) // checkpoints.EVERY
        upto = min(last, (k + 1) * checkpoints.EVERY)
        start = k * checkpoints.EVERY + 1
        with _lock:
            stretch = _stretches.take(game.slug, k) or _Stretch(game, k)
            found = stretch.upto(upto)[first - start : upto - start + 1]
            _stretches.keep(game.slug, k, stretch)
        yield from found
        first = upto + 1


def moment(game: tables.Game, number: int) -> Moment:
    """Entry *number*, from 1, and the states around it."""
    return next(moments(game, number, number))


def state_at(game: tables.Game, number: int) -> GameState:
    """The state just after entry *number* was accepted; the opening for 0."""
    if number:
        return moment(game, number).after
    return moment(game, 1).before if game.number else rows.opening(game)


def entry_of(game: tables.Game, seat: str | None, line: int, last: int) -> int:
    """The first entry, up to number *last*, that *seat* counts as *line* or higher.

    The seat counts lines of its own.
    """
    low, high = 1, last
    while low < high:
        middle = (low + high) // 2
        ((entry, _at),) = read(game, middle - 1, middle)
        if line_of(entry, seat) < line:
            low = middle + 1
        else:
            high = middle
    return low


def last_heard(game: tables.Game, seat: str | None) -> tuple[int, datetime]:
    """The number of entries sent to *seat*, and the time of the last, or of the game's creation.

    A phone that is told only this cannot tell when the GM does something in secret.
    """
    whole = GameState(seats=rows.seats(game))
    counted = secrecy.Count(game.rules, whole, game.number, rows.lines(game))
    if not counted.apart(seat):
        return game.number, game.changed
    line = counted.of(seat)
    if not line:
        return 0, game.created
    number = entry_of(game, seat, line, game.number)
    return line, game.entries.values_list("at", flat=True).get(number=number)


def naming(game: tables.Game, words: Iterable[str], after: int = 0) -> Iterator[Entry]:
    """The entries after number *after* in whose events any of the *words* stands, oldest first."""
    named = reduce(or_, (Q(events_text__contains=f'"{word}"') for word in words))
    entries = game.entries.annotate(events_text=Cast("events", TextField()))
    return (entry for entry, _at in timed(entries.filter(named, number__gt=after)))


def numbered(game: tables.Game, numbers: Collection[int]) -> Iterator[Entry]:
    """The entries with these *numbers*, oldest first."""
    return (entry for entry, _at in timed(game.entries.filter(number__in=numbers)))


class Replay:
    """Goes through the log of *game* from just after entry *number*, where it stood at *state*."""

    def __init__(self, game: tables.Game, number: int, state: GameState) -> None:
        self._game, self._system = game, game.rules
        self.number = number
        self._restart(number, state)

    @classmethod
    def before(cls, game: tables.Game, first: int) -> Replay:
        """A replay that has not come to entry *first* yet, but nearly."""
        earlier = game.checkpoints.filter(number__lt=first).order_by("-number")
        number = earlier.values_list("number", flat=True).first() or 0
        return cls(game, number, _kept(game, number))

    def on(self, last: int) -> Iterator[Moment]:
        """The entries that follow, up to number *last*."""
        missing = self._missing(last)
        made = []
        while self.number < last:
            upto = min(last, self.number + BATCH)
            for entry, at in read(self._game, self.number, upto):
                before, after = self._follow(entry)
                if entry.number in missing:
                    made.append((entry.number, after))
                yield Moment(entry, at, before, after)
            assert self.number == upto, f"entries up to {self.number}, not {upto}"
        _keep(self._game, made)

    def _restart(self, number: int, state: GameState) -> None:
        self._first = number
        self._states = {number: state}  # of those entries that stand now
        self._entries: dict[int, Entry] = {}
        self._undone: set[int] = set()
        self._numbers: Numbers = {}

    def _follow(self, entry: Entry) -> tuple[GameState, GameState]:
        before = self._states[self.number]
        turned = turn(entry, self._undone)
        note(self._numbers, entry)
        if not turned:
            after = replayed(self._system, before, entry)
        elif min(turned) > self._first:
            after = self._again(min(turned))
        else:
            after = standing_after(self._game, entry.number)
            self._restart(entry.number, after)
        self.number = entry.number
        self._entries[entry.number] = entry
        self._states[entry.number] = after
        if len(self._states) > 2 * REMEMBERED:
            self._forget()
        return before, after

    def _again(self, first: int) -> GameState:
        """The state now, resolved again from entry *first*."""
        state = self._states[first - 1]
        for number in range(first, self.number + 1):
            entry = self._entries[number]
            if number not in self._undone and not is_turn(entry):
                state = replayed(self._system, state, entry, self._numbers)
            self._states[number] = state
        return state

    def _forget(self) -> None:
        self._first = self.number - REMEMBERED
        self._states = {n: state for n, state in self._states.items() if n >= self._first}
        self._entries = {n: entry for n, entry in self._entries.items() if n > self._first}

    def _missing(self, last: int) -> set[int]:
        """The checkpoints that should be on the way to entry *last* and are not."""
        every = checkpoints.EVERY
        due = {*range((self.number // every + 1) * every, last + 1, every)}
        if due:
            due -= {*self._game.checkpoints.filter(number__in=due).values_list("number", flat=True)}
        return due


def turn(entry: Entry, undone: set[int]) -> Sequence[int]:
    """Note in *undone* what *entry* undid or redid; return what it turned, none for other
    commands."""
    turned = [each for each in entry.events if each["kind"] in TURNED]
    for each in turned:
        if each["kind"] == "undone":
            undone.add(each["of"])
        elif each["kind"] == "redone":
            undone.discard(each["of"])
    return [each["of"] for each in turned]


def standing_after(game: tables.Game, number: int) -> GameState:
    """The state just after entry *number*: as it was kept then, or else resolved again.

    It is resolved from the newest checkpoint before which nothing has been undone or redone since,
    and kept, because that may be far back.
    """
    kept = list(
        game.checkpoints.filter(number__lte=number)
        .order_by("-number")
        .values_list("number", flat=True)
    )
    if number in kept:
        return _kept(game, number)
    found: list[Entry] = []
    earliest, start = number + 1, number
    for before in [*kept, 0]:
        part = [entry for entry, _at in read(game, before, start)]
        earliest = min([earliest, *(of for entry in part for of in turn(entry, set()))])
        found, start = [*part, *found], before
        if earliest > start:
            break
    undone: set[int] = set()
    for entry in found:
        turn(entry, undone)
    standing = (entry for entry in found if entry.number not in undone)
    state = fold(game.rules, _kept(game, start), standing)
    _keep(game, [(number, state)])
    return state


def _kept(game: tables.Game, number: int) -> GameState:
    """The checkpoint after entry *number*, or the opening."""
    if not number:
        return rows.opening(game)
    return checkpoints.unpacked(game.rules, bytes(game.checkpoints.get(number=number).state))


def _keep(game: tables.Game, states: Iterable[tuple[int, GameState]]) -> None:
    kept = [
        tables.Checkpoint(game=game, number=number, state=checkpoints.packed(state))
        for number, state in states
    ]
    if kept:
        tables.Checkpoint.objects.bulk_create(kept, ignore_conflicts=True)


def read(game: tables.Game, after: int, upto: int) -> Iterator[tuple[Entry, datetime]]:
    """The stored entries after number *after* up to *upto*, oldest first, with their times.

    They do not say by which entry they were undone, which is not known at their moment.
    """
    return timed(game.entries.filter(number__gt=after, number__lte=upto))
