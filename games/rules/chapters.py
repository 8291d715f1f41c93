"""Chapters: the sessions of a game that goes on another evening, each closed with a recap.

The same game goes on after one, with all that is on its table. What came before the end of a
session cannot be undone or redone any more (`history`); the end itself can, until something else is
done.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from operator import itemgetter
from typing import Any, ClassVar

from .entry import Entry
from .events import Event
from .state import GameState

CHAPTERS = "chapters"
"""Its place among the parts of a state: a list of `{name, word, at, lines}`, oldest first."""
MOST_CHAPTERS = 200
MOST_LINES = 100

Chapter = Mapping[str, Any]


def chapters(state: GameState) -> Sequence[Chapter]:
    """The sessions that are over, oldest first."""
    found: Sequence[Chapter] = state.parts.get(CHAPTERS, ())
    return found


def chapters_read(state: GameState, seat: str | None, *, everything: bool) -> list[dict[str, Any]]:
    """The sessions that are over, with the lines of their recaps that *seat* reads.

    None is someone without a seat. everything: also what was told to others. A line for some seats
    only keeps its `to`; who else reads it is told to nobody but those who read everything.
    """
    return [{**each, "lines": list(_lines(each, seat, everything))} for each in chapters(state)]


def _lines(chapter: Chapter, seat: str | None, everything: bool) -> Iterator[dict[str, Any]]:
    for line in chapter["lines"]:
        if everything or not line.get("to"):
            yield dict(line)
        elif seat in line["to"]:
            yield {**line, "to": [seat]}


class SessionEnded(Event, frozen=True):
    """A session is over. lines: what everyone reads of it. at: in seconds since 1970."""

    kind: ClassVar[str] = "session-ended"
    session: int
    lines: tuple[str, ...]
    name: str | None = None
    word: str | None = None
    at: int | None = None

    def evolve(self, state: GameState) -> GameState:
        lines = [{"text": text} for text in self.lines]
        over = {"name": self.name, "word": self.word, "at": self.at, "lines": lines}
        return _with(state, [*chapters(state), over])


class Recalled(Event, frozen=True):
    """The recap of the session that has just ended says something to some seats."""

    kind: ClassVar[str] = "recalled"
    text: str
    by: str
    to: tuple[str, ...]
    secret: bool = True

    def evolve(self, state: GameState) -> GameState:
        *earlier, last = chapters(state)
        line = {"text": self.text, "to": list(self.to)}
        return _with(state, [*earlier, {**last, "lines": [*last["lines"], line]}])


def ends_session(entry: Entry) -> bool:
    """True if *entry* ended a session."""
    return SessionEnded.kind in map(itemgetter("kind"), entry.events)


def _with(state: GameState, over: list[Any]) -> GameState:
    return state.with_parts(**{CHAPTERS: over})
