"""How a game without rules presents itself: what is counted often, and nothing else."""

from __future__ import annotations

from games.systems.presentation import Presentation
from games.systems.presentation import marked as _

PRESENTATION = Presentation(
    words={
        "table": _("table"),
        "aside": _("aside"),
        "turn": _("turn"),
        "shared_turns": _("turns"),
        "shared_counters": _("counters"),
    },
    suggested=("points", "life", "coins", "energy", "victory points"),
)
