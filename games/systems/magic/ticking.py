"""Automatic changes of a card's numbers, known by its name, its type and its counters.

For the screens: nothing here decides a rule. It is offered, and counts once a player has said so.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from games.rules.state import GameObject, GameState, Kinds, Seat
from games.rules.system import System
from games.systems import lookup
from games.systems.sheets import UsualTick

from .player import BATTLEFIELD, EXILE, GRAVEYARD, Card

Fields = Mapping[str, Any]
"""The parameters of a tick, but its id and its holder."""
UPKEEP = {"begins": "upkeep", "change": 1}
SAGA = {"counter": "lore", "begins": "precombat-main", "change": 1}
VANISHING = {"counter": "time", "begins": "upkeep", "change": -1, "at_zero": GRAVEYARD}
IMPENDING = {"counter": "time", "begins": "end", "change": -1}
SUSPEND = {**VANISHING, "at_zero": "stack"}
FADING = {"counter": "fade", "begins": "upkeep", "change": -1, "if_none": GRAVEYARD}
AGE = {"counter": "age", **UPKEEP}
OVERLORDS = {
    "Overlord of the Balemurk": {"power": 5, "toughness": 5},
    "Overlord of the Boilerbilges": {"power": 5, "toughness": 5},
    "Overlord of the Floodpits": {"power": 5, "toughness": 3},
    "Overlord of the Hauntwoods": {"power": 6, "toughness": 5},
    "Overlord of the Mistmoors": {"power": 6, "toughness": 6},
}
"""The cards with impending (702.176), enchantment creatures: their base. While one that
was cast for it has a time counter, it is no creature; it stays when the last one is off."""
NAMED: Sequence[tuple[Fields, str]] = (
    (AGE, "Braid of Fire; Glacial Chasm; Illusions of Grandeur; Mystic Remora"),
    ({"counter": "charge", **UPKEEP}, "Darksteel Reactor; Magistrate's Scepter"),
    (FADING, "Blastoderm; Parallax Tide; Parallax Wave; Saproling Burst; Tangle Wire"),
    ({"counter": "filibuster", **UPKEEP}, "Azor's Elocutors"),
    (IMPENDING, ";".join(OVERLORDS)),
    ({"counter": "muster", **UPKEEP}, "Assemble the Legion"),
    (VANISHING, "Calciderm; Chronozoa; Deadwood Treefolk; Keldon Marauders; Lost Auramancers"),
)
"""Ticks of the cards of those names."""
_OF_NAME = {lookup.plain(name): each for each, names in NAMED for name in names.split(";")}
_OF_KIND = {"age": (AGE,), "fade": (FADING,)}
GAINED = ("experience", "energy")


def counter_of(card: Card) -> str:
    """The counter that the card of that name changes by itself; "" if none is known."""
    named = _OF_NAME.get(lookup.plain(card.name))
    return named["counter"] if named else ""


def impending(card: Card) -> bool:
    """True if *card* is in play and known to have impending."""
    return card.on_field and _OF_NAME.get(lookup.plain(card.name)) is IMPENDING


def usual(system: System, state: GameState, holder: Seat | GameObject) -> Iterator[UsualTick]:
    """The usual ticks of *holder*, the likeliest first."""
    there = state.on(holder.id)
    if not isinstance(holder, Card):
        for kind in sorted(GAINED, key=lambda kind: kind not in there):
            known = kind == "experience" and kind in there
            yield UsualTick({"counter": kind, **UPKEEP}, known=known)
    elif holder.zone == EXILE and "time" in there:
        yield UsualTick(SUSPEND)
    elif holder.zone == BATTLEFIELD:
        if named := _OF_NAME.get(lookup.plain(holder.name)):
            yield UsualTick(named, known=True)
        if "chapters" in holder.base and "lore" not in there:
            yield UsualTick(SAGA, known=True)
        yield from map(UsualTick, _in_play(holder, there, named))


def _in_play(card: Card, there: Kinds, named: Fields | None) -> Iterator[Fields]:
    """Ticks by the counters and types of *card*; a name known for a kind has all of them."""
    if "lore" in there:
        yield SAGA
    for kind in there:
        if named is None or kind != named["counter"]:
            yield from _of_time(card) if kind == "time" else _OF_KIND.get(kind, ())
    said = named or "lore" in there or "chapters" in card.base
    if "enchantment" in card.types and not said:
        yield SAGA


def _of_time(card: Card) -> Sequence[Fields]:
    """Only enchantments have impending, and all that do are creatures otherwise."""
    if "enchantment" not in card.types:
        return (VANISHING,)
    return (IMPENDING, VANISHING) if "creature" in card.types else (VANISHING, IMPENDING)
