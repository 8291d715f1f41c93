"""Templates of the rulebook's own counters: what `create` takes for each, and when they move.

Sizes and worths are the rulebook's; where it leaves a size to the GM, the usual sizes are offered.
"""

from __future__ import annotations

from collections.abc import Mapping

from games.rules.state import Words
from games.rules.state import marked as _
from games.systems.slot_counters import Template, Type
from games.tracks.counter import MOST_SLOTS

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

TYPES: Mapping[str, Type] = {
    "progress": Type("Progress", "The goal is achieved.", TILES["progress"]),
    "danger": Type(
        "Danger", "The situation worsens; the goal can still be reached.", TILES["danger"]
    ),
    "defeat": Type("Defeat", "Something crucial is lost.", TILES["defeat"]),
    "resource": Type("Resource", "It’s used up.", TILES["resource"], "down"),
    "timer": Type("Timer", "The event happens.", TILES["timer"], "actions"),
    "inventory": Type("Inventory", "There’s no room left.", TILES["inventory"], "items"),
}
"""The six types, and what completing one means."""
MEANINGS: Mapping[str, Words] = {
    "despair": "Broken: a Critical counts as a Graze and anything else as a Miss; any more is a "
    "Wound.",
    "corruption": "Anything gained from now on consumes.",
}
"""The same for the two counters without a type in the rulebook. They work like a Danger, but no
type is shown."""

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
    ),
    "corruption": Template(
        "Corruption",
        "A Transformation fills one slot, a refused compulsion 1d10 points. A gain while it is "
        "full consumes the protagonist.",
        {"type": "danger", "slots": 10, "role": "corruption"},
        sizes=(10,),
    ),
    "hope": Template(
        "Hope",
        "A compelled Trait clears one slot. Refreshed at a major Milestone.",
        {"type": "resource", "slots": 5, "worth": 1, "role": "hope"},
        sizes=(5,),
    ),
    "energy": Template(
        "Energy",
        "Cleared when a Transformation begins and at each Milestone. A source that clears more "
        "than is filled adds temporary slots.",
        {**_ENERGY, "slots": 5, "role": "energy"},
        sizes=(5,),
    ),
    "reliable-energy": Template(
        "Energy (Reliable Gift)",
        "Energy with ten slots, so never any temporary ones.",
        {**_ENERGY, "slots": 10, "role": "energy"},
        sizes=(10,),
    ),
    "momentum": Template(
        "Momentum",
        "A Graze or better with the Relic fills one slot. It may be cleared when full.",
        {"type": "progress", "slots": 5, "worth": 1, "role": "momentum"},
        sizes=(5,),
    ),
    "aura": Template(
        "Aura",
        "Boons fill up to five slots; an Extra clears one. Its size is a third of Might, Guile "
        "and Confidence together, rounded up. Cleared at a major Milestone.",
        {"type": "resource", "slots": 5, "worth": 1, "role": "aura"},
        sizes=tuple(range(1, MOST_SLOTS + 1)),
    ),
    "memories": Template(
        "Memories",
        "The fifth Memory releases all five: advance those Traits.",
        {
            "type": "inventory", "slots": 5, "role": "memories", "on_full": "release",
            "completes": _("Advance the Traits that these Memories name."),
        },
        sizes=(5,),
    ),
    "assets": Template(
        "Assets",
        "Bulky items take two slots, Compact items none.",
        {"type": "inventory", "slots": 2, "role": "assets"},
        sizes=(2,),
    ),
    "protective": Template(
        "Protective Asset",
        "Takes slots instead of another counter; its size is its Quality.",
        {"type": "resource", "slots": 3, "role": "protective"},
        sizes=(1, 2, 3, 4, 5),
    ),
    "ammunition": Template(
        "Ammunition",
        "A shot spends 1d10 points.",
        {"type": "resource", "slots": 5, "worth": 5},
    ),
    "wound": Template(
        "Wound",
        "It has as many slots as its rank. A Recovery test heals: Graze half of 1d10, Hit 1d10, "
        "Critical 2d10.",
        {"type": "progress", "slots": 2, "role": "wound", "completes": _("The Wound is healed.")},
        sizes=(1, 2, 3, 4, 5),
    ),
    "potent-wound": Template(
        "High-potency Wound",
        "Lowering it takes a challenge of several steps.",
        {"type": "progress", "slots": 5, "role": "wound", "completes": _("The Wound is lowered.")},
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
