"""Tapped permanents, and the stun counters that keep them so. Source: docs/COMMANDS.md, Magic 2."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from games.rules.events import Event, Marked, Removed, TurnBegan
from games.rules.state import GameState
from games.rules.system import System, cites

from .player import Card

TAPPED, STUN = "tapped", "stun"
PHASED_OUT = "phased_out"


@cites("502.1")
def phase_in(system: System, state: GameState, event: TurnBegan) -> Iterator[Event]:
    """What the active players control phases in, before anything untaps."""
    for card in sorted(state.objects.values(), key=lambda card: card.id):
        if isinstance(card, Card) and card.phased_out and card.controller in event.active:
            yield Marked(card.id, PHASED_OUT, False, rule="502.1")


@cites("502.3")
def untap(system: System, state: GameState, event: TurnBegan) -> Iterator[Event]:
    """Untap the permanents of the active players as their untap step begins, in order of id."""
    for card in sorted(state.objects.values(), key=lambda card: card.id):
        if is_tapped(card) and card.on_field and card.controller in event.active:
            if stunned(state, card.id):
                yield unstunned(card.id)
            else:
                yield Marked(card.id, TAPPED, False, rule="502.3")


def is_tapped(card: Any) -> bool:
    return isinstance(card, Card) and card.tapped


def stunned(state: GameState, card_id: str) -> bool:
    return state.count(card_id, STUN) > 0


@cites("122.1d")
def unstunned(card_id: str) -> Removed:
    """The replacement of untapping: one stun counter is removed."""
    return Removed(card_id, STUN, 1, rule="122.1d")
