"""What changes by itself on a card, as players know it by its name, its type and its counters.

For the screens: nothing here decides a rule. It is offered, and counts once a player has said so.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from games.rules.state import GameObject, GameState, Seat
from games.rules.system import System
from games.systems import lookup

from .player import BATTLEFIELD, EXILE, GRAVEYARD, Card

UPKEEP = {"begins": "upkeep", "change": 1}
SAGA = {"counter": "lore", "begins": "precombat-main", "change": 1}
VANISHING = {"counter": "time", "begins": "upkeep", "change": -1, "at_zero": GRAVEYARD}
SUSPEND = {**VANISHING, "at_zero": "stack"}
FADING = {"counter": "fade", "begins": "upkeep", "change": -1}
AGE = {"counter": "age", **UPKEEP}
NAMES = {
    "age": "Braid of Fire; Glacial Chasm; Illusions of Grandeur; Mystic Remora",
    "charge": "Darksteel Reactor; Magistrate's Scepter",
    "fade": "Blastoderm; Parallax Tide; Parallax Wave; Saproling Burst; Tangle Wire",
    "filibuster": "Azor's Elocutors",
    "muster": "Assemble the Legion",
    "time": "Calciderm; Chronozoa; Deadwood Treefolk; Keldon Marauders; Lost Auramancers",
}
"""By kind: the cards of that name on which it changes at each upkeep."""
_KIND_OF = {lookup.plain(name): kind for kind, names in NAMES.items() for name in names.split(";")}
_OF_KIND = {"age": AGE, "fade": FADING, "time": VANISHING}
GAINED = ("experience", "energy")


def usual(
    system: System, state: GameState, holder: Seat | GameObject
) -> Iterator[Mapping[str, Any]]:
    """What usually changes by itself on *holder*: the fields of a `tick`, the likeliest first."""
    there = state.on(holder.id)
    if not isinstance(holder, Card):
        yield from ({"counter": kind, **UPKEEP} for kind in GAINED if kind in there)
        yield from ({"counter": kind, **UPKEEP} for kind in GAINED if kind not in there)
        return
    if holder.zone == EXILE:
        if "time" in there:
            yield SUSPEND
        return
    if holder.zone != BATTLEFIELD:
        return
    if "lore" in there:
        yield SAGA
    named = _KIND_OF.get(lookup.plain(holder.name), "")
    for kind in dict.fromkeys((named, *there)):
        if kind in _OF_KIND:
            yield _OF_KIND[kind]
        elif kind == named and kind:
            yield {"counter": kind, **UPKEEP}
    if "enchantment" in holder.types and "lore" not in there:
        yield SAGA
