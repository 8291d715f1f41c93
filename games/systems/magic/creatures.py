"""Creatures: their power, toughness and keywords, with what counters and effects make of them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from games.rules.state import GameState
from games.rules.system import System, cites

from . import player
from .player import POWER_AND_TOUGHNESS, Card, commander_tax
from .replacement_effects import Standing, you

CHANGE = re.compile(r"([+-]\d{1,6})/([+-]\d{1,6})").fullmatch


@cites("122.1a", "613.4b", "613.4c", "613.4d")
def power_and_toughness(state: GameState, card: Card) -> dict[str, int]:
    """Power and toughness: printed or set, then counters and additions, then switched.

    What is absent stays absent. Effects count only if the table says them.
    """
    stats = {}
    for stat in POWER_AND_TOUGHNESS:
        value = card.latest(stat, card.base.get(stat))
        if value is not None:
            stats[stat] = value
    if stats:
        for kind, amount in state.on(card.id).items():
            if change := CHANGE(kind):
                for stat, by in zip(POWER_AND_TOUGHNESS, change.groups(), strict=True):
                    if stat in stats:
                        stats[stat] += int(by) * amount
        stats = {stat: card.adjusted(stat, value) for stat, value in stats.items()}
    if card.swapped and len(stats) == len(POWER_AND_TOUGHNESS):
        stats = {"power": stats["toughness"], "toughness": stats["power"]}
    return stats


@cites("704.5f", "704.5g", "704.5h")
def lethal(card: Card, numbers: Mapping[str, int]) -> dict[str, bool]:
    """True if a creature has lethal damage, any from a source with deathtouch, or no toughness."""
    toughness = numbers.get("toughness")
    if toughness is None or not card.on_field or "creature" not in card.types:
        return {}
    return {"lethal": toughness <= 0 or toughness <= card.marked or card.deathtouched}


@cites("702.12b")
def indestructible(state: GameState, card: Card) -> bool:
    """True if *card* has the mark or a counter."""
    return card.indestructible or state.count(card.id, "indestructible") > 0


def derived(system: System, state: GameState, obj: Any) -> dict[str, Any]:
    """Derived values of a standing, a card, or of anything else, beside its own fields."""
    if isinstance(obj, Standing):
        return {"you": you(state, obj)}
    if isinstance(obj, Card):
        numbers = power_and_toughness(state, obj)
        return {**numbers, **commander_tax(obj), **lethal(obj, numbers)}
    return player.derived(system, state, obj)
