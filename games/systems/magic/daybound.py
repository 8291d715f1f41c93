"""Daybound: creatures that show their other face by night.

Source: docs/COMMANDS.md, Magic 12.
"""

from __future__ import annotations

from collections.abc import Iterator

from games.rules.events import Event
from games.rules.state import GameState
from games.rules.system import System, cites

from .facts import DaytimeChanged, TurnedOver
from .player import BATTLEFIELD, Card, player

RULES = {"night": "702.145c", "day": "702.145f"}


@cites("702.145c", "702.145d", "702.145f", "712.8a")
def shift(system: System, state: GameState, event: Event) -> Iterator[Event]:
    """A card with daybound shows its other face by night, on the battlefield; it becomes day as the
    first one is there, if it was neither."""
    changed = state.objects if isinstance(event, DaytimeChanged) else event.touches()
    cards = [state.objects.get(card_id) for card_id in sorted(changed)]
    bound = [card for card in cards if isinstance(card, Card) and card.night]
    daytime = next((player(state, seat).daytime for seat in state.seats), None)
    if daytime is None and any(card.on_field for card in bound):
        yield DaytimeChanged("day", None, tuple(state.seats), rule="702.145d")
    for card in bound:
        there = card.zone == BATTLEFIELD
        face = "night" if there and daytime == "night" else "day"
        if face != card.face and not card.phased_out:
            rule = RULES[face] if there else "712.8a"
            yield TurnedOver(card.id, card.name, face, rule=rule)
