"""Templates of the rulebook's own counters: what `create` takes for each, and when they move.

Sizes and worths are the rulebook's; where it leaves a size to the GM, the usual sizes are offered.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from msgspec import Struct, field

from games.rules.state import GameState, Words
from games.rules.state import marked as _

from .counter import MOST_SLOTS, Counter, protagonists, runs

SIZES = (3, 5, 8, 10)


class Template(Struct, frozen=True):
    """A counter that can be made with one tap.

    counter: parameters of `create`. sizes: the numbers of slots to choose from.
    personal: each protagonist has their own.
    """

    title: Words
    text: Words
    counter: Mapping[str, Any] = field(default_factory=dict)
    sizes: tuple[int, ...] = SIZES
    personal: bool = False

    def create(self, counter_id: str, **extra: Any) -> dict[str, Any]:
        """The command that makes it with the id *counter_id* and the *extra* parameters."""
        return {"do": "create", "as": counter_id, "name": self.title, **self.counter, **extra}


TILES: Mapping[str, Template] = {
    "progress": Template("Progress", "Successes add up.", {"type": "progress"}),
    "danger": Template(
        "Danger", "A threat comes closer.", {"type": "danger", "visibility": "hidden"}
    ),
    "defeat": Template(
        "Defeat", "Something may be lost.", {"type": "defeat", "visibility": "hidden"}
    ),
    "resource": Template("Resource", "Spending fills it.", {"type": "resource"}),
    "timer": Template("Timer", "Each Action fills a slot.", {"type": "timer"}),
    "inventory": Template("Inventory", "Each slot holds an item.", {"type": "inventory"}),
}
"""A counter of each type; Danger and Defeat start hidden."""

_ENERGY = {"type": "resource", "worth": 1, "completes": _("The Transformation ends.")}

TEMPLATES: Mapping[str, Template] = {
    "despair": Template(
        "Despair",
        "Moods take points off first. Fragile at 5, Broken at 10; after that, a Wound.",
        {
            "type": "danger", "slots": 10, "role": "despair",
            "thresholds": {"5": _("Fragile"), "10": _("Broken")},
        },
        sizes=(10,),
        personal=True,
    ),
    "corruption": Template(
        "Corruption",
        "A Transformation fills one slot, a refused compulsion 1d10 points. A gain while it is "
        "full consumes the protagonist.",
        {"type": "danger", "slots": 10, "role": "corruption"},
        sizes=(10,),
        personal=True,
    ),
    "hope": Template(
        "Hope",
        "A compelled Trait clears one slot. Refreshed at a major Milestone.",
        {"type": "resource", "slots": 5, "worth": 1, "role": "hope"},
        sizes=(5,),
        personal=True,
    ),
    "energy": Template(
        "Energy",
        "Cleared when a Transformation begins and at each Milestone. A source that clears more "
        "than is filled adds temporary slots.",
        {**_ENERGY, "slots": 5, "role": "energy"},
        sizes=(5,),
        personal=True,
    ),
    "reliable-energy": Template(
        "Energy (Reliable Gift)",
        "Energy with ten slots, so never any temporary ones.",
        {**_ENERGY, "slots": 10, "role": "energy"},
        sizes=(10,),
        personal=True,
    ),
    "momentum": Template(
        "Momentum",
        "A Graze or better with the Relic fills one slot. It may be cleared when full.",
        {"type": "progress", "slots": 5, "worth": 1, "role": "momentum"},
        sizes=(5,),
        personal=True,
    ),
    "aura": Template(
        "Aura",
        "Boons fill up to five slots; an Extra clears one. Its size is a third of Might, Guile "
        "and Confidence together, rounded up. Cleared at a major Milestone.",
        {"type": "resource", "slots": 5, "worth": 1, "role": "aura"},
        sizes=tuple(range(1, MOST_SLOTS + 1)),
        personal=True,
    ),
    "memories": Template(
        "Memories",
        "The fifth Memory releases all five: advance those Traits.",
        {
            "type": "inventory", "slots": 5, "role": "memories", "on_full": "release",
            "completes": _("Advance the Traits that these Memories name."),
        },
        sizes=(5,),
        personal=True,
    ),
    "assets": Template(
        "Assets",
        "Bulky items take two slots, Compact items none.",
        {"type": "inventory", "slots": 2, "role": "assets"},
        sizes=(2,),
        personal=True,
    ),
    "protective": Template(
        "Protective Asset",
        "Takes slots instead of another counter; its size is its Quality.",
        {"type": "resource", "slots": 3, "role": "protective"},
        sizes=(1, 2, 3, 4, 5),
        personal=True,
    ),
    "ammunition": Template(
        "Ammunition",
        "A shot spends 1d10 points.",
        {"type": "resource", "slots": 5, "worth": 5},
        personal=True,
    ),
    "wound": Template(
        "Wound",
        "It has as many slots as its rank. A Recovery test heals: Graze half of 1d10, Hit 1d10, "
        "Critical 2d10.",
        {"type": "progress", "slots": 2, "role": "wound", "completes": _("The Wound is healed.")},
        sizes=(1, 2, 3, 4, 5),
        personal=True,
    ),
    "potent-wound": Template(
        "High-potency Wound",
        "Lowering it takes a challenge of several steps.",
        {"type": "progress", "slots": 5, "role": "wound", "completes": _("The Wound is lowered.")},
        personal=True,
    ),
    "confrontation": Template(
        "Dramatic Confrontation",
        "Saves a protagonist who was consumed.",
        {"type": "progress", "slots": 10, "completes": _("The protagonist is saved.")},
        sizes=(10,),
    ),
    "flashback": Template(
        "Flashback",
        "Each Action fills a slot.",
        {
            "type": "timer", "slots": 5,
            "completes": _("The Flashback ends; clear up to five slots of Corruption."),
        },
    ),
    "foe": Template(
        "Foe", "The harm it takes adds up.", {"type": "progress", "completes": _("It is beaten.")}
    ),
}  # fmt: skip
"""The counters that the rulebook names."""

PROTAGONIST = ("despair", "corruption", "hope", "energy", "memories", "assets")
"""The counters that every protagonist has."""


def protagonist(seat: str, ids: Iterable[str]) -> dict[str, Any]:
    """The command that gives *seat* all the counters of a protagonist, in one entry.

    ids: a new one for each of `PROTAGONIST`.
    """
    steps = [
        TEMPLATES[name].create(new, owner=seat, order=order)
        for order, (name, new) in enumerate(zip(PROTAGONIST, ids, strict=True), start=1)
    ]
    return {"do": "together", "steps": steps}


def party(state: GameState, roles: Iterable[str]) -> dict[str, dict[str, Counter]]:
    """By seat and role: each protagonist's counters in play with these *roles*, in table order."""
    wanted = set(roles)
    found: dict[str, dict[str, Counter]] = {seat: {} for seat in protagonists(state)}
    for counter in state.slot_counters.values():
        assert isinstance(counter, Counter)
        if counter.owner in found and counter.role in wanted and runs(state, counter):
            found[counter.owner].setdefault(counter.role or "", counter)
    return found
