"""The attacks of a unit, each with what it would do: for its sheet.

For the screens: nothing here decides a rule.
"""

from __future__ import annotations

from collections.abc import Iterator

from games.rules.state import GameState, Phrase
from games.rules.state import marked as _
from games.rules.system import System
from games.systems.attacks import MOST_TARGETS, Asked, Attack, Target, Trial
from games.systems.sheets import Label

from .card import CLASSES, INTENT, SPIRIT, Card, is_unit, life_left, of_class
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
    if champion:
        yield from _class(state, unit)
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


def _class(state: GameState, champion: Card) -> Iterator[Attack]:
    """Its class, once, if something of its player has a class bonus and nobody has said it."""
    mine = (each for each in _cards(state) if each.controller == champion.controller)
    waits = any(each.bonus and each.zone in (INTENT, champion.zone) for each in mine)
    if waits and of_class(state, champion.controller, ()) is None:
        given = {"do": "describe", "object": champion.id}
        title = Phrase(_("A class bonus counts here: which class is {name}?"), name=champion.name)
        classes = [Target(each, each.capitalize()) for each in CLASSES if each != SPIRIT]
        yield Attack(given=given, title=title, targets=classes, target="classes:list")


def _cards(state: GameState) -> Iterator[Card]:
    return (card for card in state.objects.values() if isinstance(card, Card))
