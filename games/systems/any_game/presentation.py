"""How a game without rules presents itself: the counters that most games use."""

from __future__ import annotations

from games.systems.presentation import Presentation

PRESENTATION = Presentation(
    words={
        "table": "table",
        "aside": "aside",
        "turn": "turn",
        "shared_turns": "turns",
        "shared_counters": "counters",
    },
    suggested=("points", "life", "coins", "energy", "victory points"),
)
