"""How a game without rules presents itself: what is counted often, and nothing else."""

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
