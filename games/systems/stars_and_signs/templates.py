"""The rulebook's own counters, to be offered: what `create` takes for each, and when it moves.

Sizes and worths are the rulebook's; where it leaves a size to the GM, the usual ones are offered.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from games.rules.state import GameState, Refused, Words
from games.rules.state import marked as _

from .counter import GM, MOST_SLOTS, TYPES, VISIBILITIES, Counter, counter_in

SIZES = (3, 5, 8, 10)
_NUMBERS = re.compile(r"\d+(x\d+)?", re.ASCII | re.IGNORECASE)
"""A word that would be slots, or slots and their worth."""


@dataclass(frozen=True, slots=True)
class Template:
    """A counter to be made with one tap.

    counter: parameters of `create`. sizes: the numbers of slots to offer, where it has a choice.
    personal: each protagonist has an own one.
    """

    title: Words
    text: Words
    counter: Mapping[str, Any] = field(default_factory=dict)
    sizes: tuple[int, ...] = SIZES
    personal: bool = False

    def create(self, counter_id: str, **given: Any) -> dict[str, Any]:
        """The command that makes it under *counter_id*, with what is *given* besides."""
        return {"do": "create", "as": counter_id, "name": self.title, **self.counter, **given}


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
"""A counter of each type: Danger and Defeat begin hidden."""

_ENERGY = {"type": "resource", "worth": 1, "completes": _("The Transformation ends.")}

TEMPLATES: Mapping[str, Template] = {
    "despair": Template(
        "Despair",
        "Moods take points off first. Fragile at 5, Broken at 10: then more is a Wound.",
        {
            "type": "danger", "slots": 10, "role": "despair",
            "thresholds": {"5": _("Fragile"), "10": _("Broken")},
        },
        sizes=(10,),
        personal=True,
    ),
    "corruption": Template(
        "Corruption",
        "A Transformation fills one slot, a refused compulsion 1d10 points. What is gained while "
        "it is full consumes.",
        {"type": "danger", "slots": 10, "role": "corruption"},
        sizes=(10,),
        personal=True,
    ),
    "hope": Template(
        "Hope",
        "A compelled Trait clears one. Refreshed at a major Milestone.",
        {"type": "resource", "slots": 5, "worth": 1, "role": "hope"},
        sizes=(5,),
        personal=True,
    ),
    "energy": Template(
        "Energy",
        "Cleared when a Transformation begins and at each Milestone. What a source clears beyond "
        "it becomes temporary slots.",
        {**_ENERGY, "slots": 5, "role": "energy"},
        sizes=(5,),
        personal=True,
    ),
    "reliable-energy": Template(
        "Energy (Reliable Gift)",
        "Energy with ten slots, and so never temporary ones.",
        {**_ENERGY, "slots": 10, "role": "energy"},
        sizes=(10,),
        personal=True,
    ),
    "momentum": Template(
        "Momentum",
        "A Graze or better with the Relic fills one. Full, it may be cleared.",
        {"type": "progress", "slots": 5, "worth": 1, "role": "momentum"},
        sizes=(5,),
        personal=True,
    ),
    "aura": Template(
        "Aura",
        "Up to five are filled for boons; an Extra clears one. A third of Might, Guile and "
        "Confidence together, rounded up. Cleared at a major Milestone.",
        {"type": "resource", "slots": 5, "worth": 1, "role": "aura"},
        sizes=tuple(range(1, MOST_SLOTS + 1)),
        personal=True,
    ),
    "memories": Template(
        "Memories",
        "The fifth releases all five: advance those Traits.",
        {
            "type": "inventory", "slots": 5, "role": "memories", "on_full": "release",
            "completes": _("Advance the Traits that these Memories name."),
        },
        sizes=(5,),
        personal=True,
    ),
    "assets": Template(
        "Assets",
        "Bulky ones take two places, Compact ones none.",
        {"type": "inventory", "slots": 2, "role": "assets"},
        sizes=(2,),
        personal=True,
    ),
    "protective": Template(
        "Protective Asset",
        "Takes slots in another counter's place; as many as its Quality.",
        {"type": "resource", "slots": 3, "role": "protective"},
        sizes=(1, 2, 3, 4, 5),
        personal=True,
    ),
    "ammunition": Template(
        "Ammunition",
        "A shot spends 1d10.",
        {"type": "resource", "slots": 5, "worth": 5},
        personal=True,
    ),
    "wound": Template(
        "Wound",
        "As many slots as its rank. A Recovery test heals: Graze half of 1d10, Hit 1d10, "
        "Critical 2d10.",
        {"type": "progress", "slots": 2, "role": "wound", "completes": _("The Wound is healed.")},
        sizes=(1, 2, 3, 4, 5),
        personal=True,
    ),
    "potent-wound": Template(
        "High-potency Wound",
        "Lowering it is a challenge of several steps.",
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
        "Foe", "Harm done to it adds up.", {"type": "progress", "completes": _("It is beaten.")}
    ),
}  # fmt: skip
"""The counters that the rulebook itself names."""

PROTAGONIST = ("despair", "corruption", "hope", "energy", "memories", "assets")
"""What every protagonist has."""


def free_id(state: GameState, taken: Iterable[str] = ()) -> str:
    """The next id that says nothing about its counter: ids are seen where names are not."""
    used = {*state.slot_counters, *state.seats, *taken}
    number = len(state.slot_counters) + 1
    while f"c{number}" in used:
        number += 1
    return f"c{number}"


def protagonist(state: GameState, seat: str, scene: str | None = None) -> dict[str, Any]:
    """The command that gives *seat* all the counters of a protagonist, in one entry."""
    steps: list[dict[str, Any]] = []
    for order, name in enumerate(PROTAGONIST, start=1):
        new = free_id(state, [step["as"] for step in steps])
        given: dict[str, Any] = {"owner": seat, "order": order}
        if scene is not None:
            given["scene"] = scene
        steps.append(TEMPLATES[name].create(new, **given))
    return {"do": "together", "steps": steps}


def party(state: GameState, roles: Iterable[str]) -> dict[str, dict[str, Counter]]:
    """Each protagonist's counters of these *roles*: seat to role to counter, in table order."""
    wanted = set(roles)
    found: dict[str, dict[str, Counter]] = {seat: {} for seat in state.seats if seat != GM}
    for each in state.slot_counters:
        counter = counter_in(state, each)
        if counter.owner in found and counter.role in wanted:
            found[counter.owner].setdefault(counter.role or "", counter)
    return found


def typed(
    line: str,
    state: GameState,
    names: Mapping[str, str] | None = None,
    words: Mapping[str, Mapping[str, Any]] | None = None,
) -> dict[str, Any]:
    """The command for a counter described in one line: "ammo resource 5x5 @ana".

    Words may be a type, a seat after "@", slots, or slots and worth ("8", "5x1"), and after the
    first a visibility. All others are the name. Danger and Defeat are hidden unless the line says
    otherwise.

    names: the seats by the names of who sits there; else they are called by their ids.
    words: what further words say, in lower case: those of another language.
    Raises Refused for a seat that is not there, and for a number after the type that no counter
    has slots for.
    """
    kept: list[str] = []
    given: dict[str, Any] = {}
    called = {name.lower(): seat for name, seat in (names or {}).items()}
    for place, word in enumerate(line.split()):
        known = _described(word, called or {seat: seat for seat in state.seats}, words or {})
        if place == 0 and "visibility" in known:
            known = {}
        if known and not set(known) & set(given):
            given |= known
            continue
        if word[0] == "@" and "owner" not in known:
            raise Refused("unknown", "Nobody here is called {name}.", name=word[1:])
        if "type" in given and "slots" not in given and _NUMBERS.fullmatch(word):
            raise Refused("invalid", "A counter has 1 to {most} slots.", most=MOST_SLOTS)
        kept.append(word)
    counter = {**TILES[given.get("type", "progress")].counter, **given}
    if counter["type"] == "inventory":
        counter.pop("worth", None)
    if kept:
        counter["name"] = " ".join(kept)[:80].strip()
    return {"do": "create", "as": free_id(state), **counter}


def _described(
    word: str, seats: Mapping[str, str], words: Mapping[str, Mapping[str, Any]]
) -> dict[str, Any]:
    """What a single word says of a counter; nothing if it is part of the name."""
    lower = word.lower()
    if lower in words:
        return dict(words[lower])
    if lower in TYPES:
        return {"type": lower}
    if lower in VISIBILITIES and lower != "chosen":
        return {"visibility": lower}
    if lower[:1] == "@" and lower[1:] in seats:
        return {"owner": seats[lower[1:]]}
    slots, times, worth = lower.partition("x")
    if not _number(slots, MOST_SLOTS) or (times and not _number(worth, 9999)):
        return {}
    return {"slots": int(slots), "worth": int(worth)} if times else {"slots": int(slots)}


def _number(digits: str, most: int) -> bool:
    return digits.isascii() and digits.isdigit() and 1 <= int(digits[:6]) <= most
