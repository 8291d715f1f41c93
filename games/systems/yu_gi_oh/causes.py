"""Reasons of automatic changes of counters, in the words of players: "it is negated"."""

from __future__ import annotations

from collections.abc import Mapping

from games.rules.state import marked as _
from games.systems.log_words import Cause

CAUSES: Mapping[str, Cause] = {
    "R3": "",
    "R5": _("it is face-down"),
    "R6": _("it left the field"),
    "R8": _("it is negated"),
    "R10": _("it cannot be used"),
    "R11": _("its text no longer allows them"),
    "R14": _("its text does not allow them in this zone"),
    "R17": _("a Spell resolved"),
    "Stats 4": "",
    **{f"Battle {n}": "" for n in (1, 2, 3, 4, 5, 8, 9)},
    "Battle 7": _("piercing"),
    "Life 1": "",
    "Life 3": "",
}
