"""Notes: the GM's own, whispers between the GM and some seats with answers, those for everyone.

Who reads a secret note: the GM, the seat that wrote it, and the seats it was told to. Whatever
leaves the rules about a note or about anything else with `secret` passes through `withheld` and
`as_told`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Annotated, Any, ClassVar

from msgspec.structs import replace

from games.rules import notes
from games.rules.commands import FLAG, ID, SEAT, Command, Names, Parameter, Terms, each, invalid
from games.rules.events import Event
from games.rules.state import GameState, Note, Refused
from games.rules.system import System, cites

from .counter import GM, game_master, refuse_players


@cites("R14", "R26")
def reads(state: GameState, seat: str | None, note: Note) -> bool:
    """Whether *seat* may know of a note; None is someone without a seat."""
    if not note.secret or game_master(state, seat):
        return True
    return seat is not None and (seat == note.by or seat in note.to)


@cites("R14", "R26")
def withheld(state: GameState, seat: str | None, event: Mapping[str, Any]) -> bool:
    """Whether an event is a secret from *seat*: it was, or is about a note that it now is.

    A secret event is for the GM, for the seat that is its `by`, and for the seats in its `to`.
    """
    if game_master(state, seat):
        return False
    about = state.notes.get(event.get("note", ""))
    if about and not reads(state, seat, about):
        return True
    if not event.get("secret"):
        return False
    return seat is None or seat not in (event.get("by"), *event.get("to", ()))


@cites("R26")
def as_told(state: GameState, seat: str | None, facts: Mapping[str, Any]) -> dict[str, Any]:
    """A note or an event, without the seats of others who were told the same secret."""
    if not (facts.get("secret") and facts.get("to")) or game_master(state, seat):
        return dict(facts)
    return {**facts, "to": [told for told in facts["to"] if told == seat]}


def _known(state: GameState, item: str, by: str) -> bool:
    return item in state.notes and reads(state, by, state.notes[item])


LISTED = Names("note", _known, lambda state, item: False)
SEATS = each(ID)


class NoteDown(notes.NoteDown, frozen=True, kw_only=True):
    """Write a note in the log; with `as`, also on the table's list under that id.

    secret: only the GM can write and read it. to: the seats that the GM tells it to; no one else
    reads it. whisper: a player's, for the GM alone. answers: a whisper of the GM or of a player;
    only the two of them read the answer.
    """

    secret: Annotated[bool, Parameter(FLAG)] = False
    whisper: Annotated[bool, Parameter(FLAG)] = False
    to: Annotated[tuple[str, ...], Parameter(SEATS, names=SEAT)] = ()
    answers: Annotated[str | None, Parameter(ID, names=LISTED)] = None

    def check(self, system: Terms) -> None:
        notes.NoteDown.check(self, system)
        if self.as_ is None and (self.to or self.answers):
            raise invalid("What is told or answered needs an id, in “as”.")
        if self.whisper and (self.as_ is None or self.secret or self.to or self.answers):
            raise invalid("A whisper needs an id, in “as”, and nobody else to tell it to.")


@cites("R14", "R21", "R26")
def may_note(system: System, state: GameState, command: NoteDown) -> None:
    if command.secret or command.to:
        refuse_players(state, command.by)
    if command.whisper and game_master(state, command.by):
        raise Refused("wrong-target", "You are the GM. Whom do you tell it to?", "R26")
    if command.answers is not None and not game_master(state, command.by):
        if command.by not in state.notes[command.answers].to:
            raise Refused("forbidden", "You can answer only what the GM told you.", "R26")


@cites("R26")
def note_down(system: System, state: GameState, command: NoteDown) -> Iterator[Event]:
    by = command.by
    notes.refuse_listed(state, command, readable(state, by))
    secret = command.secret or bool(command.to) or command.answers is not None
    to = command.to or None
    asked = state.notes.get(command.answers or "")
    if asked and asked.secret and game_master(state, by) and not game_master(state, asked.by):
        to = (asked.by,)
    secret = secret or command.whisper
    yield notes.Noted(command.text, by, command.as_, secret or None, to, command.answers)


def readable(state: GameState, seat: str | None) -> dict[str, Note]:
    """The notes on the list that *seat* may read, by id, oldest first."""
    return {key: note for key, note in state.notes.items() if reads(state, seat, note)}


class NoteMakesWay(Command, frozen=True, kw_only=True):
    """Give a note another id, because a seat that cannot read it chose its id for a new one.

    Only the server gives this: "taken" would tell that the note is there.
    """

    verb: ClassVar[str] = "note-makes-way"
    item: Annotated[str, Parameter(ID, names=LISTED)]
    to: Annotated[str, Parameter(ID)]


class NoteMadeWay(Event, frozen=True):
    """The note has the id `new` now, also where it is answered. Only the GM learns of it."""

    kind: ClassVar[str] = "note-made-way"
    note: str
    new: str
    secret: bool = True

    def evolve(self, state: GameState) -> GameState:
        listed = {}
        for key, note in state.notes.items():
            answers = self.new if note.answers == self.note else note.answers
            key = self.new if key == self.note else key
            listed[key] = replace(note, id=key, answers=answers)
        return replace(state, notes=listed)


@cites("R14")
def note_makes_way(system: System, state: GameState, command: NoteMakesWay) -> Iterator[Event]:
    if command.to in state.notes:
        sentence = "The id “{id}” is already in use; choose another."
        raise Refused("taken", sentence, None, id=command.to)
    yield NoteMadeWay(command.item, command.to)


@cites("R14")
def in_the_way(
    state: GameState, raw: Mapping[str, Any], random: Callable[[], str]
) -> Iterator[dict[str, Any]]:
    """The command that moves aside a note with the id that *raw* chose and must not learn of."""
    new = raw.get("as")
    if raw.get("do") == "note" and type(new) is str and new in state.notes:
        if not reads(state, raw["by"], state.notes[new]):
            yield {"do": "note-makes-way", "item": new, "to": _free_id(state, random), "by": GM}


def _free_id(state: GameState, random: Callable[[], str]) -> str:
    """An id that no note has."""
    while (new := f"note-{random()}") in state.notes:
        pass
    return new


class Amend(Command, frozen=True, kw_only=True):
    """Change a note of the GM's on the list: what it says, or who reads it. GM only.

    to: the seats it is told to; with none only the GM reads it. everyone: all read it.
    """

    verb: ClassVar[str] = "amend"
    item: Annotated[str, Parameter(ID, names=LISTED)]
    text: Annotated[str | None, Parameter(notes.TEXT)] = None
    to: Annotated[tuple[str, ...] | None, Parameter(SEATS, names=SEAT)] = None
    everyone: Annotated[bool, Parameter(FLAG)] = False

    def check(self, system: Terms) -> None:
        if self.text is None and self.to is None and not self.everyone:
            raise invalid("Say what to change.")
        if self.text is not None and not self.text.strip():
            raise invalid("Write something in the note.")
        if self.to is not None and self.everyone:
            raise invalid("Tell it to some seats or to everyone, not both.")


class Amended(Event, frozen=True):
    """A note says something else, or is read by others. All fields are the new ones."""

    kind: ClassVar[str] = "amended"
    note: str
    text: str
    by: str
    secret: bool | None = None
    to: tuple[str, ...] | None = None

    def evolve(self, state: GameState) -> GameState:
        note = replace(
            state.notes[self.note], text=self.text, secret=bool(self.secret), to=self.to or ()
        )
        return replace(state, notes={**state.notes, self.note: note})


def may_amend(system: System, state: GameState, command: Amend) -> None:
    refuse_players(state, command.by)


@cites("R26")
def amend(system: System, state: GameState, command: Amend) -> Iterator[Event]:
    note = state.notes[command.item]
    if not game_master(state, note.by):
        raise Refused("wrong-target", "Only the GM’s own notes can be changed.", "R26")
    text = note.text if command.text is None else command.text
    secret, to = note.secret, note.to
    if command.everyone:
        secret, to = False, ()
    elif command.to is not None:
        secret, to = True, command.to
    if (text, secret, to) != (note.text, note.secret, note.to):
        yield Amended(note.id, text, command.by, secret or None, to or None)


class Strike(notes.Strike, frozen=True, kw_only=True):
    """Strike a note off the table's list, with its answers; the log keeps them.

    Only the GM strikes off what the GM told.
    """

    verb: ClassVar[str] = "strike"
    item: Annotated[str, Parameter(ID, names=LISTED)]


@cites("R26")
def may_strike(system: System, state: GameState, command: Strike) -> None:
    note = state.notes[command.item]
    if note.secret and note.by != command.by:
        refuse_players(state, command.by)


@cites("R26")
def strike(system: System, state: GameState, command: Strike) -> Iterator[Event]:
    item = command.item
    for note in state.notes.values():
        if item in (note.id, note.answers):
            by = command.by if note.secret else None
            yield notes.Struck(note.id, note.text, note.secret or None, by)
