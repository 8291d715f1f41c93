"""The log of a table with cards: what happened in words, at its own moment.

Sentences are made from the states around an entry, even where an undo followed, and cached in the
reader's language; where cards may be face-down, for each seat.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Hashable
from functools import cached_property

from games.models import Game
from games.rules import secrecy
from games.rules.entry import REVERSALS, Entry
from games.rules.state import Turn
from games.screens.log.entry_text import attribution, parts
from games.screens.log.lines import LogLine, Told, grouped, line_of, tap_of
from games.screens.log.log import Log
from games.screens.log.parts import Part, namer
from games.screens.secrets import Eyes
from games.store.moments import Moment


class CardLog(Log):
    """The log of a table with cards as *seat* reads it."""

    def __init__(self, game: Game, seat: str | None) -> None:
        super().__init__(game, seat)
        self._eyes = Eyes(self.system)

    @property
    def reader(self) -> Hashable:
        return super().reader, self.seat if self.system.as_seen else None

    def piece(self, k: int) -> list[LogLine]:
        undone = self.undone_in(*self.span(k))
        return list(
            grouped(
                line_of(self.system, told, self.names, undone=told.entry.number in undone)
                for told in self._items(k)
            )
        )

    def stamp(self, k: int) -> Hashable:
        first, last = self.span(k)
        undone = self._undone
        return last, *undone[bisect_left(undone, first) : bisect_right(undone, last)]

    @cached_property
    def _undone(self) -> list[int]:
        return sorted(self.undone_in(1, self.number))

    def fresh(self, entry: Entry) -> bool:
        undoes = entry.command["do"] in REVERSALS
        return not undoes and tap_of(self.system, entry) is None

    def _told(self, moment: Moment) -> Told:
        then, now = _whose(moment.before.turn), _whose(moment.after.turn)
        began = any(event["kind"] == "turn-began" for event in moment.entry.events)
        return Told(moment.entry, moment.at, self._parts(moment), now, began or now != then)

    def _parts(self, moment: Moment) -> tuple[Part, ...]:
        """An entry as the seat saw it then: a card it could not see keeps its secret here."""
        eyes, entry = self._eyes, moment.entry
        then, now = eyes.state(moment.before, self.seat), eyes.state(moment.after, self.seat)
        shown = secrecy.entry_seen(self.system, now, entry, self.seat)
        if not shown:
            return ()
        if entry.command["do"] == "attribute":
            done = [part for n in entry.command["entries"] for part in self._parts_of(n)]
            if part := attribution(entry.events[0], done, namer(then, now)):
                return (part,)
        return tuple(parts(self.system, then, now, shown))

    def _parts_of(self, number: int) -> tuple[Part, ...]:
        """What an earlier entry did."""
        told = self.reading.get(number)
        if told is None:
            found = self._items(self.holding(number))
            told = next((each for each in found if each.entry.number == number), None)
        return told.parts if told else ()


def _whose(turn: Turn | None) -> tuple[str, ...]:
    """The seats whose turn it is, also if they have lost in it."""
    return (turn.began or turn.active) if turn else ()
