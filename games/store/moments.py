"""A part of a log, with the state before and after each of its entries as it was then.

A replay begins at the nearest checkpoint, so that any page of a long log costs the same. After an
undo the state is resolved again from just before the first entry that it undid.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from games import models as tables
from games.rules import audiences
from games.rules.history import fold, replayed
from games.rules.state import GameState
from games.rules.system import Entry

from . import checkpoints, rows

BATCH = 500
"""How many entries are read at once."""
REMEMBERED = 4 * checkpoints.EVERY
"""How many entries a replay can undo without asking the database."""


@dataclass(frozen=True, slots=True)
class Moment:
    """One entry, when it was accepted, and the states around it."""

    entry: Entry
    at: datetime
    before: GameState
    after: GameState


def moments(game: tables.Game, first: int, last: int) -> Iterator[Moment]:
    """The entries from number *first* to *last*, oldest first. What checkpoints lack is stored."""
    replay = Replay.before(game, first)
    return (each for each in replay.on(last) if each.entry.number >= first)


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

    def _follow(self, entry: Entry) -> tuple[GameState, GameState]:
        before = self._states[self.number]
        turned = turn(entry, self._undone)
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
            if number not in self._undone and entry.command["do"] not in audiences.REVERSALS:
                state = replayed(self._system, state, entry)
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
    """Note in *undone* what *entry* undid or redid; return its numbers, none for other commands."""
    turned = [each for each in entry.events if each["kind"] in ("undone", "redone")]
    for each in turned:
        (undone.add if each["kind"] == "undone" else undone.discard)(each["of"])
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
    found = game.entries.filter(number__gt=after, number__lte=upto).order_by("number")
    for number, by, command_id, command, events, heard, at in found.values_list(
        "number", "seat", "command_id", "command", "events", "heard", "at"
    ):
        hearing = audiences.from_json(heard)
        yield Entry(number, by, command_id, command, tuple(events), heard=hearing), at
