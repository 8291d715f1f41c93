"""The board and the log of a rule system, chosen by the board that its presentation names."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from games.models import Game
from games.rules.history import Applied
from games.rules.state import GameState
from games.rules.system import System
from games.screens.cards.board import board as cards_board
from games.screens.cards.changes import changes as cards_changes
from games.screens.cards.seats import main_amounts
from games.screens.drawing import Drawing
from games.screens.fragments import MORPH, Audience
from games.screens.log.lines import LogLine
from games.screens.log.log import CardLog, Log
from games.screens.notes import listed
from games.screens.parts import swapped
from games.screens.sidebar import sidebar
from games.screens.slots.board import board as slots_board
from games.screens.slots.board import party_amounts
from games.screens.slots.changes import changes as slots_changes
from games.screens.slots.entry_text import SCENES
from games.screens.slots.log import SlotLog
from games.screens.slots.notebook import of_seat
from games.screens.turn import header
from games.systems import presentation_of


class Board(Struct, frozen=True):
    """The functions of one kind of board.

    drawn: its elements, as a seat sees them. changed: what an accepted command changed, as
    fragments. log: a game's log as far as a seat may read it. notes: the context of the sheet of
    notes for a seat. several: whether a sheet does things to several at once.
    flat: whether a phone in the middle can show it.
    amounts: the main numbers of the seats, as far as a seat sees them, by seat.
    begins: the kind of event with which a part of the evening begins, and its field with that
    part's name.
    marks: the kinds of events that a replay marks, with their signs.
    """

    drawn: Callable[[Drawing, GameState, str | None, Audience], Sequence[str]]
    changed: Callable[[Drawing, Applied, Audience], str]
    log: type[Log]
    notes: Callable[[GameState, str | None, Mapping[str, str]], dict[str, Any]]
    several: bool
    flat: bool
    amounts: Callable[[Drawing, GameState, str | None], Mapping[str, int]]
    begins: tuple[str, str]
    marks: Mapping[str, str]


BOARDS: Mapping[str, Board] = {
    "cards": Board(
        cards_board, cards_changes, CardLog, listed, several=True, flat=True,
        amounts=main_amounts,
        begins=("turn-began", ""), marks={"lost": "out", "ended": "won"},
    ),
    "slots": Board(
        slots_board, slots_changes, SlotLog, of_seat, several=False, flat=False,
        amounts=party_amounts,
        begins=SCENES, marks={"completed": "complete"},
    ),
}  # fmt: skip
"""By the name that a presentation gives."""


def board_of(system: System) -> Board:
    """The kind of board that *system* plays on."""
    return BOARDS[presentation_of(system).board.kind]


def board(drawing: Drawing, state: GameState, seat: str | None, audience: Audience) -> str:
    """The whole board as *audience* sees it. seat: whose numbers are docked."""
    return "".join(_elements(drawing, state, seat, audience))


def board_anew(drawing: Drawing, state: GameState, seat: str | None, audience: Audience) -> str:
    """The same for a screen that has another one, with its header and sidebar."""
    elements = _elements(drawing, state, seat, audience)
    whole = header(drawing, state, audience), *elements, sidebar(drawing, audience)
    return "".join([swapped(each, MORPH) for each in whole])


def _elements(
    drawing: Drawing, state: GameState, seat: str | None, audience: Audience
) -> Sequence[str]:
    return BOARDS[drawing.presentation.board.kind].drawn(drawing, state, seat, audience)


class Drawn(Struct, frozen=True):
    """The rendered board of a table, with the number of its last entry. seats: how many it has."""

    number: int
    seats: int
    turn: str
    board: str
    sidebar: str


def drawn(
    drawing: Drawing, state: GameState, number: int, seat: str | None, audience: Audience
) -> Drawn:
    """All that a page shows of *state*. seat: whose numbers are docked."""
    return Drawn(
        number=number,
        seats=len(state.seats),
        turn=header(drawing, state, audience),
        board=board(drawing, state, seat, audience),
        sidebar=sidebar(drawing, audience),
    )


def changes(drawing: Drawing, given: Applied, audience: Audience) -> str:
    """The fragments that an accepted command changed for *audience*."""
    return BOARDS[drawing.presentation.board.kind].changed(drawing, given, audience)


def log_of(game: Game, seat: str | None) -> Log:
    """The log of *game* as far as *seat* may read it."""
    return board_of(game.rules).log(game, seat)


def log_lines(game: Game, seat: str | None) -> list[LogLine]:
    """All lines of *game*'s log that *seat* may read, oldest first."""
    return log_of(game, seat).lines()
