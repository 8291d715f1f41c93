"""Notes: the GM's own, which no player ever learns of, and those for everyone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from games.rules import notes
from games.rules.commands import FLAG, ID, Names, parameter
from games.rules.events import Event
from games.rules.state import GameState, Note
from games.rules.system import System, cites

from .counter import game_master, refuse_players


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteDown(notes.NoteDown):
    """Write a note in the log; with `as`, also on the table's list under that id.

    secret: only the GM can write and read it.
    """

    secret: bool = parameter(FLAG, False)


@cites("R14", "R21")
def may_note(system: System, state: GameState, command: NoteDown) -> None:
    if command.secret:
        refuse_players(state, command.by)


def note_down(system: System, state: GameState, command: NoteDown) -> Iterator[Event]:
    return notes.note_down(system, state, command, secret=command.secret)


@cites("R14")
def reads(state: GameState, seat: str | None, note: Note) -> bool:
    """Whether *seat* may know of a note; None is someone without a seat."""
    return not note.secret or game_master(state, seat)


def _known(state: GameState, item: str, by: str) -> bool:
    return item in state.notes and reads(state, by, state.notes[item])


@dataclass(frozen=True, slots=True, kw_only=True)
class Strike(notes.Strike):
    """Strike a note that the seat may read off the table's list; the log keeps it."""

    verb: ClassVar[str] = "strike"
    item: str = parameter(ID, names=Names("note", _known, lambda state, item: False))
