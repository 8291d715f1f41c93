"""The log of a table with slot counters, as far as one seat may read it.

The rules decide which entries and facts a seat may read (`seen_entries`); here they become
sentences (`entry_text`). The log is replayed once for each counter's slots before and after an
entry. The sentences are made anew for each reader, with the counters' current names.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import cached_property
from itertools import zip_longest

from msgspec import Struct
from msgspec.structs import replace

from games.rules import secrecy
from games.rules.chapters import SessionEnded, chapters
from games.rules.entry import Entry, view_of
from games.rules.state import GameState
from games.screens.log.entry_text import Then
from games.screens.log.lines import LogLine, grouped
from games.screens.log.log import Log
from games.screens.log.parts import Part
from games.screens.slots.entry_text import Reader, Slots, slots_of
from games.screens.words import words_of
from games.store import rows
from games.store.moments import Moment, entry_of, naming, numbered
from games.tracks import notes
from games.tracks.counter import game_master
from games.tracks.views import DISCLOSING, SeenEntry, read_entries, sees, visible_entry


class _Item(Struct, frozen=True):
    """An entry, and the counters before and after it."""

    entry: Entry
    at: datetime
    before: Slots
    after: Slots


class SlotLog(Log):
    """The log of a table with slot counters as *seat* reads it."""

    breakable = False

    @property
    def reader(self) -> Hashable:
        return None

    @property
    def counted(self) -> int:
        game = self.game
        count = secrecy.Count(self.system, self.current, game.number, rows.lines(game))
        return count.of(self.seat)

    def piece(self, k: int) -> list[LogLine]:
        items, listed, reader = self._read(k)
        lines = []
        for each, then in zip_longest(listed, listed[1:]):
            if then and then.entry not in self._undone and _applies(then, each):
                continue  # the line of what was done with the dice has them
            item = items[each.entry]
            line = reader.line(each, item.at, undone=each.entry in self._undone)
            if line and reader.names_readers:
                line = replace(line, secret=not _known_to_all(item.entry))
            if line and each.entry < self.closed:
                line = replace(line, closed=True)
            lines.append(line)
        return list(grouped((line for line in lines if line), in_a_row=True))

    def of_this_session(self) -> Iterator[tuple[SeenEntry, Reader]]:
        """The entries since the last session ended, without those undone, oldest first."""
        first = self.closed + 1
        for k in range(self._piece_of(first), self.last + 1):
            _items, listed, reader = self._read(k)
            for each in listed:
                if each.entry >= first and each.entry not in self._undone:
                    yield each, reader

    @cached_property
    def closed(self) -> int:
        """The number of the entry that ended the last session; 0 if none has."""
        if not chapters(self.current):
            return 0
        ended = naming(self.game, {SessionEnded.kind})
        return max(each.number for each in ended if each.number not in self._undone)

    def _read(self, k: int) -> tuple[Mapping[int, _Item], list[SeenEntry], Reader]:
        """The entries of piece *k* by number, what the seat reads of them, and their reader."""
        items = {each.entry.number: each for each in self._items(k)}
        about = {of for each in items.values() for of in _turned(each.entry)} - {*items}
        known = {**self._disclosing, **_by_number(numbered(self.game, about))}
        known |= {number: each.entry for number, each in items.items()}
        entries = [known[number] for number in sorted(known)]
        seen = read_entries(self.current, self.seat, entries, self._undone)
        around = {number: (each.before, each.after) for number, each in items.items()}
        reader = Reader(
            self.system,
            self.current,
            self.names,
            self.seat,
            {each.entry: each.number for each in seen},
            lambda number: around.get(number) or self._around(number),
        )
        return items, [each for each in seen if each.entry in items], reader

    @staticmethod
    def then(then: Then) -> Sequence[Part]:
        """Names and owners are those of that moment; nothing is told that was revealed later."""
        visible = visible_entry(then.after, then.seat, then.entry)
        if visible is None:
            return ()
        if then.now is not then.after:
            visible = _still_seen(then.now, then.seat, visible)
        turned = [event["of"] for event in then.entry.events if "of" in event]
        lines = {number: line for number in turned if (line := then.line_of(number)) is not None}
        its = words_of(then.system)
        moments = then.before, then.after
        before, after = (slots_of(its, each, then.entry) for each in moments)
        around = {visible.entry: (before, after)}
        reader = Reader(then.system, then.after, then.names, then.seat, lines, around.__getitem__)
        return tuple(reader.parts(visible))

    def fresh(self, entry: Entry) -> bool:
        return False

    def _cached(self, moment: Moment) -> _Item:
        around = moment.before, moment.after
        before, after = (slots_of(self.its, each, moment.entry) for each in around)
        return _Item(moment.entry, moment.at, before, after)

    def _around(self, number: int) -> tuple[Slots, Slots]:
        """The counters before and after an entry of whichever piece."""
        first, _last = self.span(k := self._piece_of(number))
        item = self._items(k)[number - first]
        return item.before, item.after

    def _entry_of(self, number: int) -> int:
        """The first entry that the seat counts as *number* or higher."""
        if not secrecy.counts_lines(self.system, self.current, self.seat):
            return number
        return entry_of(self.game, self.seat, number, self.number)

    @cached_property
    def current(self) -> GameState:
        return rows.state(self.game)

    @cached_property
    def _undone(self) -> set[int]:
        return {*self.undone_in(1, self.number)}

    @cached_property
    def _disclosing(self) -> Mapping[int, Entry]:
        """The entries that decide what the seat may read of others; none for the GM, who may all.

        Where a counter's past was told, they are all that name it.
        """
        if game_master(self.current, self.seat):
            return {}
        found = _by_number(naming(self.game, DISCLOSING))
        past = {
            event["on"]
            for entry in found.values()
            for event in entry.events
            if event["kind"] == "past-shared"
        }
        return found | (_by_number(naming(self.game, past)) if past else {})


def _by_number(entries: Iterable[Entry]) -> dict[int, Entry]:
    """*entries* by their numbers."""
    return {each.number: each for each in entries}


def _applies(then: SeenEntry, rolled: SeenEntry) -> bool:
    """True if *then* applied exactly the dice that *rolled* is about."""
    first, second = rolled.command or {}, then.command or {}
    if first.get("do") != "roll" or not first.get("dice") or first["on"] != second.get("on"):
        return False
    return rolled.by == then.by and list(first["dice"]) == list(second.get("dice", ()))


def _known_to_all(entry: Entry) -> bool:
    """True if everyone, a watcher too, heard all of *entry* when it happened."""
    view = view_of(entry, None)
    return view is None or (view.now and len(view.events) == len(entry.events))


def _turned(entry: Entry) -> Iterator[int]:
    return (each["of"] for each in entry.events if "of" in each)


def _still_seen(now: GameState, seat: str | None, visible: SeenEntry) -> SeenEntry:
    """*visible* without the counters that *seat* no longer sees, or notes that it cannot read."""
    events = tuple(
        each
        for each in visible.events
        if ("on" not in each or sees(now, seat, each["on"])) and not notes.withheld(now, seat, each)
    )
    return (
        visible
        if len(events) == len(visible.events)
        else replace(visible, events=events, command=None)
    )
