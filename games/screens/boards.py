"""Which screens and which log a rule system has: asked of what it keeps, never of its name."""

from __future__ import annotations

from collections.abc import Mapping

from games.models import Game
from games.rules.state import SlotCounter
from games.rules.system import System
from games.screens.card_board import CardScreens
from games.screens.log import lines as card_log
from games.screens.log.lines import LogLine
from games.screens.slots import log as slot_log
from games.screens.slots.board import SlotScreens
from games.screens.updates import Screens


def screens_for(system: System, names: Mapping[str, str] | None = None) -> Screens:
    """The screens of a table of *system*: those with slot counters have a board of their own."""
    kind: type[Screens] = CardScreens if system.slot_counter is SlotCounter else SlotScreens
    return kind(system, names)


def log_lines(game: Game, seat: str | None) -> list[LogLine]:
    """The log of *game*, the oldest first, as far as *seat* may read it."""
    if game.rules.slot_counter is SlotCounter:
        return card_log.lines(game, seat)
    return slot_log.lines(game, seat)
