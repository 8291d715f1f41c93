"""The board and the log of a rule system, chosen by the board that its presentation names."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from games.models import Game, Seat
from games.rules.state import GameState
from games.rules.system import System
from games.screens.cards.changes import Screens
from games.screens.cards.telling import CardScreens
from games.screens.log import then as card_then
from games.screens.log.card_log import CardLog
from games.screens.log.lines import LogLine
from games.screens.log.parts import Part
from games.screens.log.reading import Log
from games.screens.log.then import Then
from games.screens.notes import listed
from games.screens.seated_board import SeatedCardScreens
from games.screens.slots import then as slot_then
from games.screens.slots.board import SlotScreens
from games.screens.slots.log import SlotLog
from games.screens.slots.notebook import of_seat
from games.screens.words import speaking
from games.systems import presentation_of


class Board(Struct, frozen=True):
    """What belongs to one kind of board.

    seated: its screens where objects may be face-down. log: a game's log as far as a seat may read
    it. notes: the context of the sheet of notes for a seat. several: the address,
    below the game, of what is done to several at once. flat: whether a phone in the middle can show
    it.
    then: an entry in words as a seat read it when it happened. begins: the kind of event with which
    a part of the evening begins, and its field with the name of that part.
    marks: the kinds of events that a replay marks, with their signs.
    """

    screens: type[Screens]
    seated: type[Screens]
    log: type[Log]
    notes: Callable[[GameState, str | None, Mapping[str, str]], dict[str, Any]]
    several: str
    flat: bool
    then: Callable[[Then], Sequence[Part]]
    begins: tuple[str, str]
    marks: Mapping[str, str]


BOARDS: Mapping[str, Board] = {
    "cards": Board(
        CardScreens, SeatedCardScreens, CardLog, listed, several="several", flat=True,
        then=card_then.parts_then, begins=card_then.BEGINS, marks=card_then.MARKS,
    ),
    "slots": Board(
        SlotScreens, SlotScreens, SlotLog, of_seat, several="slots/several", flat=False,
        then=slot_then.parts_then, begins=slot_then.BEGINS, marks=slot_then.MARKS,
    ),
}  # fmt: skip
"""By the name that a presentation gives."""


def board_of(system: System) -> Board:
    """The kind of board that *system* plays on."""
    return BOARDS[presentation_of(system).board.kind]


def screens_for(system: System, seats: Mapping[str, Seat | str] | None = None) -> Screens:
    """The screens of a table of *system*."""
    board = board_of(system)
    return (board.seated if system.as_seen else board.screens)(system, seats)


def log_of(game: Game, seat: str | None) -> Log:
    """The log of *game* as far as *seat* may read it, in the words that are spoken now."""
    return board_of(game.rules).log(game, seat)


def log_lines(game: Game, seat: str | None) -> list[LogLine]:
    """All lines of *game*'s log that *seat* may read, oldest first."""
    with speaking(game.rules):
        return log_of(game, seat).lines()
