"""Numbers of a definition and their owners."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from .meaning import Amount
from .reading import SIX_DIGITS

LOOKS = ("number", "pips", "clock", "track", "switch", "none")
ANY_SIZE = ("number", "track", "none")
MOST_OF_A_LOOK: Mapping[str, int] = {"pips": 30, "clock": 12}


def suits(look: str, least: int, most: object) -> bool:
    """True if a number with these bounds can be drawn like that. most: None without one."""
    if look in ANY_SIZE:
        return True
    if look == "switch":
        return (least, most) == (0, 1)
    return isinstance(most, int) and most <= MOST_OF_A_LOOK[look]


class Thing(Struct, frozen=True):
    """A type of card, token, place or piece. prints: its printed values with their defaults."""

    type: str
    prints: Mapping[str, int]
    label: str | None = None


class Named(Struct, frozen=True):
    """A role, a zone or a phase. label: what people read in place of its word."""

    word: str
    label: str | None = None


class OwnMost(Struct, frozen=True):
    """A most of each holder's own: the value printed on it, or another of its numbers."""

    print: str | None = None
    number: str | None = None


class Number(Struct, frozen=True):
    """A number that the game counts.

    on: whom it is for: "player", "table", types of things. follows: how it is worked out, if it is
    not counted but follows from others. steps: what a tap and a held finger change it by.
    label: what people read in place of the kind. blank: it has no value until somebody writes one;
    once: which only a correction then changes. shared: the players of a team have it together.
    starts: by role, where it has a start of its own.
    """

    kind: str
    on: frozenset[str]
    follows: Amount | None = None
    least: int = 0
    most: int | OwnMost = SIX_DIGITS
    start: int = 0
    look: str = "number"
    big: bool = False
    colour: int | None = None
    letter: str | None = None
    steps: tuple[int, ...] = (1, 10)
    label: str | None = None
    blank: bool = False
    once: bool = False
    shared: bool = False
    starts: Mapping[str, int] = {}

    def start_of(self, sort: str) -> int:
        """The start of a holder of that sort."""
        return self.starts.get(sort, self.start)
