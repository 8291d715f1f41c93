"""How a game begins: what the page for a new game asks, and what is on the table."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from msgspec import Struct, field

from games.rules.state import GameState, Phrase, Refused, Words, marked
from games.rules.system import System

Opening = dict[str, Any]


class Draft(Struct, frozen=True):
    """What was written so far of a table's own rules.

    settings: those of a table that plays by them. faults: why that is not possible yet. written:
    what the page shows of it.
    """

    settings: Mapping[str, Any]
    faults: tuple[Words, ...] = ()
    written: Mapping[str, Any] = field(default_factory=dict)


class Preset(Struct, frozen=True):
    """What is on the table at the start.

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
    """What new rules change at a table. left_over: what does not fit and stays, or goes, in words.

    refused: why the table cannot play by them.
    """

    sentences: Sequence[Change]
    left_over: Sequence[Phrase] = ()
    refused: Refused | None = None


def _unchanged(was: System, now: System, state: GameState, name: Callable[[str], str]) -> Changes:
    return Changes(())


def _unexplained(system: System) -> Explained:
    return Explained()


def _only_seats(seats: Sequence[str]) -> Opening:
    return {"seats": {seat: {} for seat in seats}}


EMPTY = Preset("empty", marked("Empty table"), marked("Add cards as you play them."), _only_seats)


class NewGame(Struct, frozen=True, kw_only=True):
    """The start of a game. Every field has a default."""

    offered: bool = True
    """Whether the home page offers new games of it. One that another system replaces is played on,
    and its address goes on making games."""
    seats_label: Words = marked("Seats")
    """What the page for a new game calls the number of seats."""
    others_label: Words = ""
    """What the page for a new game calls the names of the other players; "" if it does not ask for
    them, because each says their own."""
    usual_seats: int = 2
    """How many seats a new game has, unless its preset says otherwise."""
    presets: tuple[Preset, ...] = (EMPTY,)
    """The usual one first."""
    unnamed: Mapping[str, Words] = field(default_factory=dict)
    """By the name that a preset gives an object: what to show until someone gives it a name of its
    own. %(seat)s is its keeper's name."""
    draft: Callable[[Mapping[str, str], Mapping[str, Any] | None], Draft] | None = None
    """Where tables write their rules: what the fields of the page for a new game say so far, or the
    ready game that was chosen there."""
    explained: Callable[[System], Explained] = _unexplained
    """Their numbers and rules in sentences, for the help."""
    changes: Callable[[System, System, GameState, Callable[[str], str]], Changes] = _unchanged
    """What other rules of their own would change at a table in that state; last, the names of seats
    and things."""
