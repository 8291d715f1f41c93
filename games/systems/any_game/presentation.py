"""How a game without rules presents itself: the counters that most games use."""

from __future__ import annotations

from collections.abc import Sequence

from games.rules.state import GameState, Seat
from games.rules.state import marked as _
from games.rules.system import System
from games.systems.presentation import Door, Panel, Presentation, Stepper

POINTS = "points"


def panel(system: System, state: GameState, seat: Seat, numbers: Sequence[Stepper]) -> Panel:
    """The first counter of a seat big, or points; then the others, and a way to more."""
    hero, *others = numbers or (Stepper(seat.id, POINTS, 0),)
    return Panel(hero, places=(*others, Door(_("Add a counter"), f"seats/{seat.id}")))


PRESENTATION = Presentation(
    words={
        "table": "table",
        "aside": "aside",
        "turn": "turn",
        "shared_turns": "turns",
        "shared_counters": "counters",
    },
    panel=panel,
    suggested=(POINTS, "life", "coins", "energy", "victory points"),
)
