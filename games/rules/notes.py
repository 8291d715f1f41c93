"""Notes: written once in the log, or kept on the table's shared list until struck off."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, ClassVar

from msgspec.structs import replace

from .commands import ID, Command, Names, Parameter, Terms, invalid, lines
from .events import Event
from .state import GameState, Note, Refused
from .system import System, Verb

MOST_NOTES = 100
"""The most notes on the list at once."""
TEXT = lines(2000)

LISTED = Names("note", lambda state, i, by: i in state.notes, lambda state, i: False)


class NoteDown(Command, frozen=True, kw_only=True):
    """Write a note in the log; with `as`, also on the table's list under that id."""

    verb: ClassVar[str] = "note"
    text: Annotated[str, Parameter(TEXT)]
    as_: Annotated[str | None, Parameter(ID)] = None

    def check(self, system: Terms) -> None:
        if not self.text.strip():
            raise invalid("Write something in the note.")


class Noted(Event, frozen=True):
    """A note was written.

    note: its id on the list. secret: None if everyone may read it. The rest as in `Note`.
    """

    kind: ClassVar[str] = "noted"
    text: str
    by: str
    note: str | None = None
    secret: bool | None = None
    to: tuple[str, ...] | None = None
    answers: str | None = None
    title: str | None = None
    picture: str | None = None
    own: bool | None = None

    def evolve(self, state: GameState) -> GameState:
        if self.note is None:
            return state
        secret, to = bool(self.secret), self.to or ()
        told = self.text, secret, to, self.answers, self.title, self.picture
        listed = Note(self.note, self.by, *told, bool(self.own))
        return replace(state, notes={**state.notes, self.note: listed})


def note_down(system: System, state: GameState, command: NoteDown) -> Iterator[Event]:
    refuse_listed(state, command, state.notes)
    yield Noted(command.text, command.by, command.as_)


def refuse_listed(state: GameState, command: NoteDown, read: Mapping[str, Any]) -> None:
    """Refuse a note that cannot be put on the list. read: the notes that its writer can read."""
    if command.as_ in state.notes:
        raise Refused(
            "taken", "The id “{id}” is already in use; choose another.", None, id=command.as_
        )
    if command.as_ is not None and len(read) >= MOST_NOTES:
        sentence = "The list is full ({most} notes). Cross one off first."
        raise Refused("over-maximum", sentence, None, most=MOST_NOTES)


class Strike(Command, frozen=True, kw_only=True):
    """Strike a note off the table's list; the log keeps it."""

    verb: ClassVar[str] = "strike"
    item: Annotated[str, Parameter(ID, names=LISTED)]


class Struck(Event, frozen=True):
    """A note was struck off. by: who did it, if the note was secret. The rest as in `Note`."""

    kind: ClassVar[str] = "struck"
    note: str
    text: str
    secret: bool | None = None
    by: str | None = None
    title: str | None = None
    picture: str | None = None

    def evolve(self, state: GameState) -> GameState:
        left = {key: note for key, note in state.notes.items() if key != self.note}
        return replace(state, notes=left)


def strike(system: System, state: GameState, command: Strike) -> Iterator[Event]:
    note = state.notes[command.item]
    yield Struck(note.id, note.text, note.secret or None)


VERBS: Mapping[str, Verb] = {
    "note": Verb(NoteDown, note_down),
    "strike": Verb(Strike, strike),
}
