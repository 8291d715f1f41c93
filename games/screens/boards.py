"""The board and the log of a rule system, chosen by the board that its presentation names."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from games.models import Game, Seat
from games.rules.system import System
from games.screens.card_board import CardScreens
from games.screens.log import lines as card_log
from games.screens.log.lines import LogLine
from games.screens.seated_board import SeatedCardScreens
from games.screens.slots import log as slot_log
from games.screens.slots.board import SlotScreens
from games.screens.updates import Screens
from games.screens.words import speaking
from games.systems import presentation_of


@dataclass(frozen=True, slots=True)
class Board:
    """What belongs to one kind of board.

    seated: its screens where objects may be face-down. log: the lines of a game's log as far as a
    seat may read them. several: the address, below the game, of what is done to several at once.
    flat: whether a phone in the middle can show it.
    """

    screens: type[Screens]
    seated: type[Screens]
    log: Callable[[Game, str | None], list[LogLine]]
    several: str
    flat: bool


BOARDS: Mapping[str, Board] = {
    "cards": Board(CardScreens, SeatedCardScreens, card_log.lines, several="several", flat=True),
    "slots": Board(SlotScreens, SlotScreens, slot_log.lines, several="slots/several", flat=False),
}
"""By the name that a presentation gives."""


def board_of(system: System) -> Board:
    """The kind of board that *system* plays on."""
    return BOARDS[presentation_of(system).board]


def screens_for(system: System, seats: Mapping[str, Seat | str] | None = None) -> Screens:
    """The screens of a table of *system*."""
    board = board_of(system)
    return (board.seated if system.as_seen else board.screens)(system, seats)


def log_lines(game: Game, seat: str | None) -> list[LogLine]:
    """The lines of *game*'s log that *seat* may read, oldest first."""
    with speaking(game.rules):
        return board_of(game.rules).log(game, seat)
