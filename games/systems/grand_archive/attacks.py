"""The attacks of a unit, each with what it would do: for its sheet.

For the screens: nothing here decides a rule.
"""

from __future__ import annotations

from collections.abc import Iterator

from games.rules.state import GameState, Phrase
from games.rules.state import marked as _
from games.rules.system import System
from games.systems.attacks import MOST_TARGETS, Asked, Attack, Trial
from games.systems.sheets import Label

from .card import INTENT, Card, is_unit, life_left
from .damage import PLUS, power_of
from .effects import can_be_damaged

MOST_WEAPONS = 6


def attacks(system: System, state: GameState, unit: Card, label: Label) -> Iterator[Attack]:
    """The attacks of *unit*: with each weapon if it is a champion, and bare.

    What is in the intent of its player is part of each. An ally without power attacks nobody; a
    champion may, with a card that is not on the table.
    """
    if not unit.on_field or not is_unit(unit):
        return
    champion = "champion" in unit.types
    trial = Trial(system, state, unit.id, label, lambda now, seat: life_left(system, now, seat))
    mine = [card for card in _cards(state) if card.controller == unit.controller]
    intent = [card for card in mine if card.zone == INTENT] if champion else []
    weapons = [card for card in mine if card.on_field and "weapon" in card.types]
    targets = [
        card.id
        for card in _cards(state)
        if card.on_field and card.controller != unit.controller and can_be_damaged(system, card)
    ][:MOST_TARGETS]
    for used in (*((weapon,) for weapon in weapons[:MOST_WEAPONS] if champion), ()):
        cards = (*used, *intent)
        power = sum(power_of(system, state, card) for card in (unit, *cards))
        if not targets or (power <= 0 and not champion):
            continue
        given = {"do": "damage", "source": unit.id, "combat": True, "rests": True}
        if cards:
            given["with"] = [card.id for card in cards]
        names, n = ", ".join(card.name for card in cards), max(0, power)
        title = _("Attack with {names}: {n}") if names else _("Attack: {n}")
        yield Attack(
            given=given,
            title=Phrase(title, names=names, n=n),
            targets=[trial.target(each, {**given, "on": each}) for each in targets],
            trial=trial,
            asked=(Asked(PLUS, _("more power"), 0, -999),),
            ticks=(("retaliates", _("it retaliates"), False),),
        )


def _cards(state: GameState) -> Iterator[Card]:
    return (card for card in state.objects.values() if isinstance(card, Card))
