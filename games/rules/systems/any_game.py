"""Any game: seats, things and named counters, and no rules about them.

For every game that has no module of its own yet. Nothing happens by itself; the log, undo and
corrections work as everywhere.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from games.rules import cards
from games.rules.state import GameObject
from games.rules.system import System


@dataclass(frozen=True, slots=True)
class Thing(GameObject):
    """Anything that holds counters: a card, a board, a pile."""

    field_zones: ClassVar[frozenset[str]] = frozenset({"table"})


CURRENT = System(
    name="any-game",
    title="Any game",
    sentence="Named counters on players and things, without rules.",
    edition="1",
    document="No rules: counters are what the table says they are",
    object=Thing,
    zones=("table", "aside"),
    phases=("turn",),
    suggested=("points", "life", "coins", "energy", "victory points"),
    watched=frozenset(),
    verbs=cards.VERBS,
    opening=cards.opening,
)

EDITIONS = (CURRENT,)
