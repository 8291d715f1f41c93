"""Station cards: creatures from a number of charge counters on, and the creatures that charge them.

Source: docs/COMMANDS.md, Magic 10.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from games.rules.events import Event
from games.rules.state import GameState
from games.rules.system import System, cites
from games.systems.sheets import Label

from .creatures import power_and_toughness
from .facts import Stationed
from .player import Card

RULE = "721.2b"
STATION, CHARGE = "station", "charge"


@cites(RULE)
def shift(system: System, state: GameState, changed: Collection[str]) -> Iterator[Event]:
    """A station card is a creature while it has enough charge counters; elsewhere it is none."""
    if RULE not in system.rulebook.rules:
        return
    for card_id in sorted(changed):
        card = state.objects.get(card_id)
        if isinstance(card, Card) and (least := card.base.get(STATION, 0)):
            charged = card.on_field and state.count(card_id, CHARGE) >= least
            if charged != ("creature" in card.types) and not card.phased_out:
                yield Stationed(card_id, charged, rule=RULE)


@cites("702.184a")
def crew(state: GameState, card: Card, label: Label) -> Iterator[Mapping[str, Any]]:
    """The untapped creatures that can charge *card*: name, power, and the steps that do it."""
    if not card.on_field or not card.base.get(STATION):
        return
    for other in state.objects.values():
        if isinstance(other, Card) and other.on_field and other.controller == card.controller:
            power = power_and_toughness(state, other).get("power") or 0
            if other.id != card.id and "creature" in other.types and not other.tapped and power > 0:
                yield {
                    "name": label(other),
                    "power": power,
                    "steps": [
                        {"do": "mark", "on": other.id, "mark": "tapped"},
                        {"do": "place", "on": card.id, "counter": CHARGE, "amount": power},
                    ],
                }
