"""Dice, coins and who goes first, as commands that carry their result.

Nothing here is random. The server rolls and gives the command, so a replayed game has the same
dice. A seat types in what was rolled by hand at the table and marks it `by_hand`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Annotated, Any, ClassVar

from .commands import (
    FLAG,
    ID,
    SEAT,
    Command,
    Parameter,
    Reader,
    Terms,
    each,
    invalid,
    one_of,
    whole,
)
from .events import Event
from .state import GameState, Phrase
from .system import System, Verb

MOST_DICE = 20
LEAST_SIDES, MOST_SIDES = 2, 100
HEADS, TAILS = "heads", "tails"

_DICE = re.compile(r"([1-9][0-9]?)?d([1-9][0-9]{0,2})").fullmatch


def dice_in(text: str) -> tuple[int, int]:
    """The number of dice and of sides in "2d6" or "d20". Raises ValueError."""
    found = _DICE(text)
    if not found:
        raise ValueError
    count, sides = int(found[1] or 1), int(found[2])
    if count > MOST_DICE or not LEAST_SIDES <= sides <= MOST_SIDES:
        raise ValueError
    return count, sides


def _dice(value: Any, system: Terms) -> str:
    if type(value) is not str:
        raise ValueError
    dice_in(value)
    return value


DICE = Reader(
    Phrase(
        "dice such as “d20” or “2d6”: up to {count}, with {least} to {most} sides",
        count=MOST_DICE,
        least=LEAST_SIDES,
        most=MOST_SIDES,
    ),
    _dice,
    schema={"type": "string", "pattern": "^([1-9][0-9]?)?d[1-9][0-9]{0,2}$"},
)


# Dice


class Throw(Command, frozen=True, kw_only=True):
    """Record a roll of dice. The server rolls; `by_hand` is a roll that a seat made itself."""

    verb: ClassVar[str] = "throw"
    dice: Annotated[str, Parameter(DICE)]
    result: Annotated[
        tuple[int, ...], Parameter(each(whole(1, MOST_SIDES), 1, MOST_DICE, distinct=False))
    ]
    by_hand: Annotated[bool, Parameter(FLAG)] = False

    def check(self, system: Terms) -> None:
        count, sides = dice_in(self.dice)
        if len(self.result) != count or max(self.result) > sides:
            sentence = "The result of “{dice}” is {n} whole numbers from 1 to {sides}."
            raise invalid(sentence, dice=self.dice, n=count, sides=sides)


class Thrown(Event, frozen=True):
    """Dice were rolled. by: the seat that rolled them. total: the sum of the dice.

    symbol: what a die with symbols shows; None for one with numbers. prompt: the question that
    they answer, where who does not know of it hears of none.
    """

    kind: ClassVar[str] = "thrown"
    by: str
    dice: str
    result: tuple[int, ...]
    total: int
    by_hand: bool
    symbol: str | None = None
    prompt: str | None = None


def throw(system: System, state: GameState, command: Throw) -> Iterator[Event]:
    total = sum(command.result)
    yield Thrown(command.by, command.dice, command.result, total, command.by_hand)


# A coin


class Toss(Command, frozen=True, kw_only=True):
    """Record a coin toss. The server tosses; `by_hand` is a toss that a seat made itself."""

    verb: ClassVar[str] = "toss"
    result: Annotated[str, Parameter(one_of(HEADS, TAILS))]
    by_hand: Annotated[bool, Parameter(FLAG)] = False


class Tossed(Event, frozen=True):
    kind: ClassVar[str] = "tossed"
    by: str
    result: str
    by_hand: bool


def toss(system: System, state: GameState, command: Toss) -> Iterator[Event]:
    yield Tossed(command.by, command.result, command.by_hand)


# Who goes first


class DrawSeat(Command, frozen=True, kw_only=True):
    """Record a seat drawn at random. The server draws; `by_hand` is what the table decided."""

    verb: ClassVar[str] = "draw-seat"
    seat: Annotated[str, Parameter(ID, names=SEAT)]
    by_hand: Annotated[bool, Parameter(FLAG)] = False


class DrawFirst(DrawSeat, frozen=True, kw_only=True):
    """Record a seat drawn at random. The server draws; `by_hand` is what the table decided.

    begin: that seat's turn begins. usual: as the button of a turn begins it, in the main phase say.
    """

    begin: Annotated[bool, Parameter(FLAG)] = False
    usual: Annotated[bool, Parameter(FLAG)] = False


FIRST_TURN: Mapping[str, Any] = {"begin": True, "usual": True}
"""What `draw-seat` says besides if the seat has the first turn."""


class Drawn(Event, frozen=True):
    kind: ClassVar[str] = "seat-drawn"
    by: str
    seat: str
    by_hand: bool


def draw_seat(system: System, state: GameState, command: DrawSeat) -> Iterator[Event]:
    yield Drawn(command.by, command.seat, command.by_hand)
    if isinstance(command, DrawFirst) and command.begin:
        turn = system.verbs["begin-turn"]
        facts = getattr(turn.command, "usual", {}) if command.usual else {}
        began = turn.command.read({"active": [command.seat], **facts}, command.by, system)
        yield from turn.resolve(system, state, began)


WITHOUT_TURNS: Mapping[str, Verb] = {
    "throw": Verb(Throw, throw, served=True, by_hand=True),
    "toss": Verb(Toss, toss, served=True, by_hand=True),
    "draw-seat": Verb(DrawSeat, draw_seat, served=True, by_hand=True),
}
VERBS: Mapping[str, Verb] = {
    **WITHOUT_TURNS,
    "draw-seat": Verb(DrawFirst, draw_seat, served=True, by_hand=True),
}
