"""The attacks of a unit, each with what it would do: for its sheet.

For the screens: nothing here decides a rule.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from games.rules.state import GameState
from games.rules.system import System
from games.systems.attacks import MOST_TARGETS, Target, gone, tried
from games.systems.sheets import Label

from .card import INTENT, Card, is_unit
from .damage import power_of
from .effects import can_be_damaged

MOST_WEAPONS = 6


class Attack(Struct, frozen=True):
    """One way to attack. names: of what attacks together with the unit. power: of all of it."""

    with_: Sequence[str]
    names: Sequence[str]
    power: int
    targets: Sequence[Target]


def attacks(system: System, state: GameState, unit: Card, label: Label) -> Iterator[Attack]:
    """The attacks of *unit*: with each weapon if it is a champion, and bare.

    What is in the intent of its player is part of each. An ally without power attacks nobody; a
    champion may, with a card that is not on the table.
    """
    if not unit.on_field or not is_unit(unit):
        return
    champion = "champion" in unit.types
    mine = [card for card in _cards(state) if card.controller == unit.controller]
    intent = [card for card in mine if card.zone == INTENT] if champion else []
    weapons = [card for card in mine if card.on_field and "weapon" in card.types]
    targets = [
        card
        for card in _cards(state)
        if card.on_field and card.controller != unit.controller and can_be_damaged(system, card)
    ][:MOST_TARGETS]
    for used in (*((weapon,) for weapon in weapons[:MOST_WEAPONS] if champion), ()):
        cards = (*used, *intent)
        power = sum(power_of(system, state, card) for card in (unit, *cards))
        if targets and (power > 0 or champion):
            ids = tuple(card.id for card in cards)
            command = {"do": "damage", "by": unit.controller, "source": unit.id, "with": [*ids]}
            yield Attack(
                ids,
                [card.name for card in cards],
                max(0, power),
                [_target(system, state, command, card, label) for card in targets],
            )


def _cards(state: GameState) -> Iterator[Card]:
    return (card for card in state.objects.values() if isinstance(card, Card))


def _target(
    system: System, state: GameState, command: Mapping[str, Any], card: Card, label: Label
) -> Target:
    after = tried(system, state, {**command, "on": [card.id], "combat": True})
    return Target(card.id, label(card), falls=gone(after, card.id))
