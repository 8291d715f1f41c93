"""The beginning of a game: the fields of the page for a new game, and the opening table."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from msgspec import Struct, field

from games.rules.commands import Itself
from games.rules.state import GameState, Phrase, Refused, Words, marked
from games.rules.system import System

Opening = dict[str, Any]


class Trial(NamedTuple):
    """The table on which a draft is tried. names: of its seats. seat: whose numbers are docked."""

    system: System
    state: GameState
    names: Mapping[str, str]
    seat: str


class Draft(Struct, frozen=True):
    """The rules that a table has written so far.

    settings: those of a table that plays by them. faults: why that is not possible yet. written:
    what the page shows of it. fields: those that its page then has. trial: a table to try them on.
    """

    settings: Mapping[str, Any]
    faults: tuple[Words, ...] = ()
    written: Mapping[str, Any] = field(default_factory=dict)
    fields: Mapping[str, str] = field(default_factory=dict)
    trial: Trial | None = None


class Preset(Struct, frozen=True):
    """The opening table.

    title, sentence: marked for translation. given: the opening for some seats, as in a scenario.
    seats: the least and most players. usual: how many there usually are; None keeps the number
    already chosen. settings: the house rules that it begins with, if others are not chosen.
    """

    key: str
    title: Words
    sentence: Words
    given: Callable[[Sequence[str]], Opening]
    seats: tuple[int, int] = (1, 8)
    usual: int | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)


class Saying(NamedTuple):
    """A rule in a sentence, and in its author's own words if there are any."""

    sentence: Phrase
    says: str


class Explained(Struct, frozen=True):
    """The rules that a table wrote. numbers: a line for each. sentences: by the rule's name."""

    numbers: Sequence[Phrase] = ()
    sentences: Mapping[str, Saying] = field(default_factory=dict)


class Change(NamedTuple):
    """A sentence of the rules before and after; None where there was or is none."""

    before: Phrase | None
    after: Phrase | None


class Changes(Struct, frozen=True):
    """The effects of new rules on a running table. left_over: objects that do not fit, and whether
    they stay, in words.

    refused: why the table cannot play by them.
    """

    sentences: Sequence[Change]
    left_over: Sequence[Phrase] = ()
    refused: Refused | None = None


def _only_seats(seats: Sequence[str]) -> Opening:
    return {"seats": {seat: {} for seat in seats}}


EMPTY = Preset("empty", marked("Empty table"), marked("Add cards as you play them."), _only_seats)


class NewGame(Struct, frozen=True, kw_only=True):
    """The start of a game. Its fields are lists and labels that games fill in, its methods are
    questions about rules that are written at the table."""

    aliases: tuple[str, ...] = ()
    """Other names that people search it by."""
    icon: str = ""
    """Its icon on the home page, by its name in `board/_sprite.html`; "" for the initial."""
    others_label: Words = ""
    """The label for the names of the other players on the page for a new game that has a GM; "" if
    each enters their own."""
    usual_seats: int = 2
    """The number of seats of a new game, unless its preset has another."""
    presets: tuple[Preset, ...] = (EMPTY,)
    """The usual one first."""
    unnamed: Mapping[str, Words] = field(default_factory=dict)
    """By the name that a preset gives an object: what to show until someone gives it a name of its
    own. %(seat)s is its keeper's name."""

    def explained(self, system: Itself, /) -> Explained:
        """Their numbers and rules in sentences, for the help."""
        return Explained()

    def changes(
        self, system: Itself, wanted: Itself, state: GameState, called: Callable[[str], str], /
    ) -> Changes:
        """The effects of other rules on a table in that state. called: the names of seats and
        things."""
        return Changes(())

    @property
    def for_any(self) -> Mapping[str, tuple[str, ...]]:
        """By ready game that is for any game of a kind: games of that kind without one of their
        own."""
        return {}

    @property
    def draft(self) -> Callable[[Mapping[str, str], Mapping[str, Any] | None], Draft] | None:
        """The rules in the fields of the page for a new game so far, or the ready game that was
        chosen there; None if tables write none."""
        return None
