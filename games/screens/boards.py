"""The board and the log of a rule system, chosen by the board that its presentation names."""

from __future__ import annotations

from collections.abc import Mapping

from games.models import Game
from games.rules.system import System
from games.screens.card_board import CardScreens
from games.screens.log import lines as card_log
from games.screens.log.lines import LogLine
from games.screens.slots import log as slot_log
from games.screens.slots.board import SlotScreens
from games.screens.updates import Screens
from games.screens.words import speaking
from games.systems import presentation_of

BOARDS: Mapping[str, type[Screens]] = {"cards": CardScreens, "slots": SlotScreens}
LOGS = {"cards": card_log.lines, "slots": slot_log.lines}


def screens_for(system: System, names: Mapping[str, str] | None = None) -> Screens:
    """The screens of a table of *system*."""
    return BOARDS[presentation_of(system).board](system, names)


def log_lines(game: Game, seat: str | None) -> list[LogLine]:
    """The lines of *game*'s log that *seat* may read, oldest first."""
    with speaking(game.rules):
        return LOGS[presentation_of(game.rules).board](game, seat)
