"""A game's log as one seat reads it, in pieces, so that each page of a long log costs the same.

A piece is some hundred entries that share no line with what is around them. What has been read of
it stays cached, as far as nothing that comes later can change it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterator, Mapping, Sequence
from itertools import islice, pairwise
from threading import RLock
from typing import Any

from games.models import Game
from games.rules import secrecy
from games.rules.entry import REVERSALS, Entry
from games.rules.state import Turn
from games.screens.languages import active_language
from games.screens.log.entry_text import Then, parts_seen
from games.screens.log.lines import TOGETHER, LogLine, WordedEntry, act_of, grouped, line_of, tap_of
from games.screens.log.parts import Part
from games.screens.secrets import Eyes
from games.screens.words import words_of
from games.store.caches import Cache
from games.store.moments import Moment, moments, read

SIZE = 125
"""About so many entries are a piece."""
MOST_PIECES = 240
"""Size of the cache, in pieces."""

_edges = Cache[int](100 * MOST_PIECES)
_pieces = Cache[dict[int, Any]](MOST_PIECES)
_lock = RLock()


class Log(ABC):
    """The log of *game* as far as *seat* may read it; None is someone without a seat.

    The pieces are counted from 0. Lines are named by the number of their last entry, as the seat
    counts.
    """

    breakable = True
    """True if a line may be cut in two in a long run of taps. Never where an entry that is hidden
    from the seat would decide where."""

    def __init__(self, game: Game, seat: str | None) -> None:
        self.game, self.seat = game, seat
        self.system = game.rules
        self.its = words_of(self.system)
        self.names = game.names
        newest = game.entries.order_by("-number").values_list("number", flat=True)
        self.number = newest.first() or 0
        """The newest entry; what is accepted meanwhile is for the next reader."""
        self.reading: Mapping[int, Any] = {}
        """The cached entries of the piece that is being read, by number."""

    @abstractmethod
    def piece(self, k: int) -> list[LogLine]:
        """The lines of piece *k*, oldest first."""

    @staticmethod
    @abstractmethod
    def then(then: Then) -> Sequence[Part]:
        """An entry as the seat read it when it happened; nothing if it was hidden from the seat."""

    @abstractmethod
    def fresh(self, entry: Entry) -> bool:
        """True if *entry* never continues a line."""

    @abstractmethod
    def _cached(self, moment: Moment) -> Any:
        """The cache value of an entry."""

    @property
    def last(self) -> int:
        """The newest piece."""
        return self.number // SIZE

    @property
    def reader(self) -> Hashable:
        """For whom what is cached is the same."""
        return active_language()

    @property
    def counted(self) -> int:
        """The newest entry as the seat counts."""
        return self.number

    def lines(self) -> list[LogLine]:
        """All lines, oldest first."""
        return [line for k in range(self.last + 1) for line in self.piece(k)]

    def newest(self, count: int) -> list[LogLine]:
        """The newest *count* lines, newest first."""
        return list(islice(self.backwards(), count))

    def backwards(self, before: int | None = None) -> Iterator[LogLine]:
        """The lines, newest first; only those with numbers below *before*."""
        start = self.last if before is None else self.holding(before)
        for k in range(start, -1, -1):
            for line in reversed(self.piece(k)):
                if before is None or line.number < before:
                    yield line

    def holding(self, number: int) -> int:
        """The piece that holds the entry that the seat counts as *number*, or the nearest."""
        return self._piece_of(max(1, min(self._entry_of(number), self.number)))

    def _piece_of(self, entry: int) -> int:
        k = entry // SIZE
        while k < self.last and self._edge(k + 1) <= entry:
            k += 1
        return k

    def span(self, k: int) -> tuple[int, int]:
        """The first and the last entry of piece *k*; an empty one ends before it begins."""
        return self._edge(k), self._edge(k + 1) - 1 if k < self.last else self.number

    def undone_in(self, first: int, last: int) -> dict[int, int]:
        """By the number of those entries that are undone now: the entry that undid it."""
        found = self.game.entries.filter(number__gte=first, number__lte=last, undone_by__gt=0)
        turned = found.order_by().values_list("number", "undone_by")
        return {number: undone_by or 0 for number, undone_by in turned}

    def _entry_of(self, number: int) -> int:
        return number

    def _items(self, k: int) -> Sequence[Any]:
        """The cached entries of piece *k*, oldest first."""
        first, last = self.span(k)
        key = type(self), k, self.reader
        with _lock:
            known = _pieces.take(self.game.slug, key) or {}
            _pieces.keep(self.game.slug, key, known)
            missing = next((n for n in range(first, last + 1) if n not in known), None)
            if missing is not None:
                self.reading = known
                for moment in moments(self.game, missing, last):
                    known[moment.entry.number] = self._cached(moment)
            return [known[number] for number in range(first, last + 1)]

    def _edge(self, k: int) -> int:
        """The first entry of piece *k*: after a pause, or one that never continues a line."""
        if not k:
            return 1
        key = self.breakable, k
        with _lock:
            found = _edges.take(self.game.slug, key) or self._found_edge(k)
            _edges.keep(self.game.slug, key, found)
            return found

    def _found_edge(self, k: int) -> int:
        while k:
            entries = list(read(self.game, (k - 1) * SIZE, k * SIZE))
            waiting = frozenset[str]()
            for entry, _at in entries:
                asks, answers = act_of(self.system, entry)
                waiting = waiting - answers | asks
            for (_before, earlier), (entry, at) in reversed(list(pairwise(entries))):
                asks, answers = act_of(self.system, entry)
                waiting = waiting - asks | answers
                if waiting:  # within an act, which is one line
                    continue
                if at - earlier > TOGETHER or (self.breakable and self.fresh(entry)):
                    return entry.number
            if self.breakable:
                return k * SIZE
            k -= 1
        return 1


class CardLog(Log):
    """The log of a table with cards as *seat* reads it."""

    def __init__(self, game: Game, seat: str | None) -> None:
        super().__init__(game, seat)
        self._eyes = Eyes(self.system)

    @property
    def reader(self) -> Hashable:
        return super().reader, self.seat if secrecy.face_down(self.system) else None

    def piece(self, k: int) -> list[LogLine]:
        undone = self.undone_in(*self.span(k))
        return list(
            grouped(
                line_of(self.system, worded, self.names, undone=undone.get(worded.entry.number, 0))
                for worded in self._items(k)
            )
        )

    @staticmethod
    def then(then: Then) -> Sequence[Part]:
        states = then.before, then.after
        return parts_seen(Eyes(then.system), states, then.entry, then.seat, then.earlier)

    def fresh(self, entry: Entry) -> bool:
        undoes = entry.command["do"] in REVERSALS
        return not undoes and tap_of(self.system, entry) is None

    def _cached(self, moment: Moment) -> WordedEntry:
        then, now = _whose(moment.before.turn), _whose(moment.after.turn)
        began = any(event["kind"] == "turn-began" for event in moment.entry.events)
        states = moment.before, moment.after
        worded = parts_seen(self._eyes, states, moment.entry, self.seat, self._parts_of)
        return WordedEntry(moment.entry, moment.at, worded, now, began or now != then)

    def _parts_of(self, number: int) -> tuple[Part, ...]:
        """The parts of an earlier entry."""
        worded = self.reading.get(number)
        if worded is None:
            found = self._items(self.holding(number))
            worded = next((each for each in found if each.entry.number == number), None)
        return worded.parts if worded else ()


def _whose(turn: Turn | None) -> tuple[str, ...]:
    """The seats whose turn it is, also if they have lost in it."""
    return (turn.began or turn.active) if turn else ()
