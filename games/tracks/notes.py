"""Notes: the GM's own, whispers between the GM and some seats with answers, those for everyone.

Who reads a secret note: the GM, the seat that wrote it, and the seats it was told to. Whatever
leaves the rules about a note or about anything else with `secret` passes through `withheld` and
`without_other_readers`. A handout is a note of the GM's with a title or a picture.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Annotated, Any, ClassVar

from msgspec.structs import replace

from ..rules import notes
from ..rules.commands import (
    FLAG,
    ID,
    SEAT,
    TIME,
    Command,
    Names,
    Parameter,
    Terms,
    each,
    invalid,
    named,
)
from ..rules.events import Event
from ..rules.state import GameState, Note, Prompt, Refused
from ..rules.system import System, cites
from . import follow_ups
from .counter import GM, game_master, refuse_players


@cites("R14", "R26")
def reads(state: GameState, seat: str | None, note: Note) -> bool:
    """True if *seat* may know of a note; None is someone without a seat."""
    if not note.secret or game_master(state, seat):
        return True
    return seat is not None and (seat == note.by or seat in note.to)


@cites("R14", "R26")
def withheld(state: GameState, seat: str | None, event: Mapping[str, Any]) -> bool:
    """True if an event is a secret from *seat*: it was, or is about a note that it now is.

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
def without_other_readers(
    state: GameState, seat: str | None, facts: Mapping[str, Any]
) -> dict[str, Any]:
    """A note or an event, without the other seats that may read the same secret.

    Those who are shown a handout know who else is.
    """
    if not (facts.get("secret") and facts.get("to")) or game_master(state, seat):
        return dict(facts)
    if is_handout(facts):
        return dict(facts)
    return {**facts, "to": [reader for reader in facts["to"] if reader == seat]}


def is_handout(facts: Mapping[str, Any]) -> bool:
    """True if a note, or an event about one, is of a handout."""
    return bool(facts.get("title") or facts.get("picture"))


def _known(state: GameState, item: str, by: str) -> bool:
    return item in state.notes and reads(state, by, state.notes[item])


LISTED = Names("note", _known, lambda state, item: False)
SEATS = each(ID)
TITLE = named(80)


class NoteDown(notes.NoteDown, frozen=True, kw_only=True):
    """Write a note in the log; with `as`, also on the table's list under that id.

    secret: only the GM can write and read it. to: the seats that the GM tells it to; nobody else
    reads it. whisper: a player's, for the GM alone. own: a player's, for that player; the GM, who
    reads all, is not asked to. answers: a whisper of the GM or of a player;
    only the two of them read the answer. title, picture: of a handout of the GM's, which needs no
    text; a picture was stored under that id before. at: when, which
    the server writes.
    """

    text: Annotated[str, Parameter(notes.TEXT)] = ""
    secret: Annotated[bool, Parameter(FLAG)] = False
    whisper: Annotated[bool, Parameter(FLAG)] = False
    own: Annotated[bool, Parameter(FLAG)] = False
    to: Annotated[tuple[str, ...], Parameter(SEATS, names=SEAT)] = ()
    answers: Annotated[str | None, Parameter(ID, names=LISTED)] = None
    title: Annotated[str | None, Parameter(TITLE)] = None
    picture: Annotated[str | None, Parameter(ID)] = None
    at: Annotated[int | None, Parameter(TIME)] = None

    def check(self, system: Terms) -> None:
        if self.title or self.picture:
            if self.as_ is None or self.whisper or self.own or self.answers:
                raise invalid("A handout needs an id, in “as”, and answers nothing.")
        else:
            notes.NoteDown.check(self, system)
        if self.as_ is None and (self.to or self.answers):
            raise invalid("What is told or answered needs an id, in “as”.")
        told = self.as_ is None or self.secret or self.to or self.answers
        if self.whisper and (told or self.own):
            raise invalid("A whisper needs an id, in “as”, and nobody else to tell it to.")
        if self.own and told:
            raise invalid("A note of one’s own needs an id, in “as”, and nobody to tell it to.")


@cites("R14", "R21", "R26")
def may_note(system: System, state: GameState, command: NoteDown) -> None:
    if command.secret or command.to or command.title or command.picture:
        refuse_players(state, command.by)
    if command.whisper and game_master(state, command.by):
        raise Refused("wrong-target", "You are the GM. Whom do you tell it to?", "R26")
    if command.own and game_master(state, command.by):
        raise Refused("wrong-target", "You are the GM. Your secret notes are your own.", "R26")
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
    secret = secret or command.whisper or command.own
    noted = command.text, by, command.as_, secret or None, to, command.answers
    if command.as_ and secret and not command.own and not game_master(state, by):
        yield Whispered(*noted, waiting=follow_ups.whisper(state, by, command.as_, command.at))
    else:
        yield notes.Noted(*noted, command.title, command.picture, command.own or None)
    if asked and game_master(state, by):
        yield from follow_ups.of_note(state, asked.id)


class Whispered(notes.Noted, frozen=True):
    """A player told the GM something. waiting: until the GM has read it."""

    private: ClassVar[tuple[str, ...]] = ("waiting",)
    waiting: Prompt | None = None

    def evolve(self, state: GameState) -> GameState:
        noted = notes.Noted.evolve(self, state)
        return follow_ups.waits_too(noted, self.waiting) if self.waiting else noted


def readable(state: GameState, seat: str | None) -> dict[str, Note]:
    """The notes on the list that *seat* may read, by id, oldest first."""
    return {key: note for key, note in state.notes.items() if reads(state, seat, note)}


@cites("R26", "R14")
def shows_picture(state: GameState, seat: str | None, picture: str) -> bool:
    """True if *seat* may read a note with that picture."""
    return any(note.picture == picture for note in readable(state, seat).values())


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
        prompts = (
            replace(each, facts={**each.facts, "note": self.new})
            if each.facts.get("note") == self.note
            else each
            for each in state.prompts
        )
        return replace(state, notes=listed, prompts=tuple(prompts))


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

    What a note of one's own says is changed by whose it is, and by nobody else.

    to: the seats it is told to; with none only the GM reads it. everyone: all read it. title: of a
    handout.
    """

    verb: ClassVar[str] = "amend"
    item: Annotated[str, Parameter(ID, names=LISTED)]
    text: Annotated[str | None, Parameter(notes.TEXT)] = None
    title: Annotated[str | None, Parameter(TITLE)] = None
    to: Annotated[tuple[str, ...] | None, Parameter(SEATS, names=SEAT)] = None
    everyone: Annotated[bool, Parameter(FLAG)] = False

    def check(self, system: Terms) -> None:
        if (self.text, self.title, self.to) == (None, None, None) and not self.everyone:
            raise invalid("Say what to change.")
        if self.text is not None and not self.text.strip():
            raise invalid("Write something in the note.")
        if self.to is not None and self.everyone:
            raise invalid("Tell it to some seats or to everyone, not both.")


class Amended(Event, frozen=True):
    """A note says something else, or is read by others. All fields are the new ones.

    A handout that is shown to more than before is the newest of the list.
    """

    kind: ClassVar[str] = "amended"
    note: str
    text: str
    by: str
    secret: bool | None = None
    to: tuple[str, ...] | None = None
    title: str | None = None
    picture: str | None = None

    def evolve(self, state: GameState) -> GameState:
        was = state.notes[self.note]
        secret, to = bool(self.secret), self.to or ()
        note = replace(was, text=self.text, title=self.title, secret=secret, to=to)
        listed = {**state.notes, self.note: note}
        more = was.secret and (not secret or not {*to} <= {*was.to})
        if more and (self.title or self.picture):
            listed = {key: each for key, each in listed.items() if each is not note}
            listed[self.note] = note
        return replace(state, notes=listed)


@cites("R26")
def may_amend(system: System, state: GameState, command: Amend) -> None:
    note = state.notes[command.item]
    if not (note.own and note.by == command.by) or command.everyone or command.to is not None:
        refuse_players(state, command.by)


@cites("R26")
def amend(system: System, state: GameState, command: Amend) -> Iterator[Event]:
    note = state.notes[command.item]
    if not game_master(state, note.by) and note.by != command.by:
        raise Refused("wrong-target", "Only the GM’s own notes can be changed.", "R26")
    text = note.text if command.text is None else command.text
    title = note.title if command.title is None else command.title
    if title and not note.title and not note.picture:
        raise Refused("wrong-target", "That note is no handout, so it has no title.", "R26")
    secret, to = note.secret, note.to
    if command.everyone:
        secret, to = False, ()
    elif command.to is not None:
        secret, to = True, command.to
    if (text, title, secret, to) != (note.text, note.title, note.secret, note.to):
        read = secret or None, to or None
        yield Amended(note.id, text, command.by, *read, title, note.picture)


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
            about = note.title, note.picture
            yield notes.Struck(note.id, note.text, note.secret or None, by, *about)
            yield from follow_ups.of_note(state, note.id)
