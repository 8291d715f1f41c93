"""The log of one game, of which a stored game keeps only the end in memory.

Undo resolves old commands again without holding their entries: it takes `Given`s, one by one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import groupby
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from .commands import Command
from .engine import read
from .entry import REVERSALS, TURNS, Entry
from .events import Redone, Revised, Undone
from .state import Refused
from .system import System

LATELY = 400
"""Entries of a stored log kept in memory: most undos are of the last minutes."""
BATCH = 200
"""Batch size when stored entries are searched for the newest of a kind, or all are read."""


class Unread(Struct, frozen=True):
    """A command of a table that may change its rules: it is read by the rules of its moment."""

    raw: Mapping[str, Any]


Given = tuple[int, str, int | None, Command | Unread | Refused | None]
"""An entry to resolve again: its number, its seat, the entry that undid it, and its command; or why
that cannot be read any more, or None if it only turned others."""


class Stored(Struct, frozen=True):
    """Fetches what is stored of a log, after one number and up to and including another.

    entries: whole. given: to resolve them again. reversals: only those that turn others. Without
    these two, whole entries are read for that.
    """

    entries: Callable[[int, int], Iterable[Entry]]
    given: Callable[[int, int], Iterable[Given]] | None = None
    reversals: Callable[[int, int], Iterable[Entry]] | None = None


class Log:
    """The entries of a game of *system*.

    stored: fetches those that are not in memory, which may be all up to *number*.
    """

    def __init__(self, system: System, number: int = 0, stored: Stored | None = None) -> None:
        self._system = system
        self._stored = stored
        self.before = number
        self._entries: list[Entry] = []  # after the entry number `before`
        self.add = self._entries.append
        self._marks: dict[int, int | None] = {}  # entries up to `before` that were marked since

    def since(self, number: int) -> list[Entry]:
        """The entries after *number*, oldest first. They stay in memory until `let_go`."""
        if number < self.before:
            self._entries[:0] = self._fetch(number, self.before)
            self.before = number
        return self._entries if number == self.before else self._entries[number - self.before :]

    def backwards(self) -> Iterator[Entry]:
        """The entries, newest first, read as far as they are looked at."""
        before = self.before + len(self._entries)
        while before:
            start = max(0, before - BATCH)
            yield from reversed(self.since(start)[: before - start])
            before = start

    def forwards(self) -> Iterator[Entry]:
        """The entries, oldest first, of which those that are stored are only read in passing."""
        for start in range(0, self.before, BATCH):
            yield from self._fetch(start, min(start + BATCH, self.before))
        yield from self._entries

    def at(self, numbers: Iterable[int]) -> list[Entry]:
        """The entries with these *numbers*, in that order."""
        every = list(numbers)
        found: dict[int, Entry] = {}
        old = sorted(number for number in every if number <= self.before)
        for _block, part in groupby(old, lambda number: number // BATCH):
            near = list(part)
            found |= {entry.number: entry for entry in self._fetch(near[0] - 1, near[-1])}
        recent = self._entries
        return [found.get(number) or recent[number - self.before - 1] for number in every]

    def given(self, after: int) -> Iterator[Given]:
        """The entries after number *after*, oldest first, to resolve them again."""
        if after < self.before:
            for one in self._stored_given(after):
                number, by, _undone_by, command = one
                yield (number, by, self._marks[number], command) if number in self._marks else one
        for entry in self._entries[max(0, after - self.before) :]:
            yield given(self._system, entry)

    def turned(self, after: int, upto: int) -> Iterator[int]:
        """The entries that those after number *after*, up to *upto*, turned."""
        for entry in self.turns(after, upto):
            yield from turned(entry)

    def turns(self, after: int, upto: int) -> Iterator[Entry]:
        """The entries after number *after*, up to *upto*, that turn others, oldest first."""
        if after < self.before:
            assert self._stored is not None
            fetch = self._stored.reversals or self._stored.entries
            yield from filter(is_turn, self._marked(fetch(after, min(upto, self.before))))
        recent = self._entries[max(0, after - self.before) : max(0, upto - self.before)]
        yield from filter(is_turn, recent)

    def mark(self, number: int, by: int | None) -> None:
        """Note which entry undid the entry *number*; None if it stands again."""
        if number > self.before:
            place = number - self.before - 1
            self._entries[place] = replace(self._entries[place], undone_by=by)
        else:
            self._marks[number] = by

    def let_go(self) -> None:
        """Keep only the end in memory: all is stored."""
        self._marks.clear()
        if self._stored is not None and len(self._entries) >= 2 * LATELY:
            self.before += len(self._entries) - LATELY
            del self._entries[:-LATELY]

    def _stored_given(self, after: int) -> Iterable[Given]:
        assert self._stored is not None
        if self._stored.given is not None:
            return self._stored.given(after, self.before)
        return (given(self._system, entry) for entry in self._stored.entries(after, self.before))

    def _fetch(self, after: int, last: int) -> list[Entry]:
        assert self._stored is not None
        found = list(self._stored.entries(after, last))
        assert len(found) == last - after, f"{len(found)} entries after {after}"
        return [*self._marked(found)] if self._marks else found

    def _marked(self, entries: Iterable[Entry]) -> Iterator[Entry]:
        for entry in entries:
            marked = entry.number in self._marks
            yield replace(entry, undone_by=self._marks[entry.number]) if marked else entry


def given(system: System, entry: Entry) -> Given:
    """*entry*, to resolve it again."""
    turns = entry.command["do"] in TURNS
    command = None if turns else readable(system, entry.command, entry.by)
    return entry.number, entry.by, entry.undone_by, command


def readable(system: System, raw: Mapping[str, Any], by: str) -> Command | Unread | Refused:
    """The command in *raw*, accepted once; or why this version does not read it."""
    if system.defined:
        return Unread(raw)
    try:
        return read(system, raw, by)
    except Refused as refused:
        return refused


def is_command(entry: Entry) -> bool:
    """True if *entry* is neither an undo nor a redo."""
    return entry.command["do"] not in REVERSALS


def turned(entry: Entry) -> Iterator[int]:
    """The entries that *entry* undid, redid or revised."""
    return (each["of"] for each in entry.events if each["kind"] in TURNED)


TURNED = (Undone.kind, Redone.kind, Revised.kind)


def is_turn(entry: Entry) -> bool:
    """True if *entry* only turns what others did."""
    return entry.command["do"] in TURNS
