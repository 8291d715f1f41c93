"""Damage and recovery: counters on champions, marked damage on allies, wear on the rest."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, ClassVar

from games.rules.commands import (
    AMOUNT,
    FLAG,
    HOLDER,
    ID,
    OBJECT,
    SEAT,
    Command,
    Parameter,
    Terms,
    invalid,
    one_or_more,
)
from games.rules.counting import refuse_not_enough, refuse_over_maximum
from games.rules.events import Event, Placed, Removed
from games.rules.marks import refuse_off_field
from games.rules.state import GameState, Refused
from games.rules.system import System, cites

from .card import ARCANE, FIELD, Card, card_of, is_unit, power_and_life
from .effects import can_be_damaged
from .facts import Damaged, Recovered


class Damage(Command, frozen=True, kw_only=True):
    """Deal damage to each of the objects: `amount`, or the power of its `source`."""

    verb: ClassVar[str] = "damage"
    on: Annotated[tuple[str, ...], Parameter(one_or_more(ID), names=HOLDER)]
    amount: Annotated[int | None, Parameter(AMOUNT)] = None
    source: Annotated[str | None, Parameter(ID, names=OBJECT)] = None
    combat: Annotated[bool, Parameter(FLAG)] = False
    unpreventable: Annotated[bool, Parameter(FLAG)] = False

    def check(self, system: Terms) -> None:
        if self.amount is None and self.source is None:
            raise invalid("Give the damage in “amount”, or name its “source”.")


def damage(system: System, state: GameState, command: Damage) -> list[Event]:
    """All or nothing: if one target cannot be dealt damage, the command is refused."""
    amount = _dealt(system, state, command)
    for target in command.on:
        _refuse_undamageable(system, state, target)
    events: list[Event] = []
    combat_by = _arcane_unit(state, command)
    if not amount:
        return events
    for target in command.on:
        card = card_of(state, target)
        if command.combat and _blocks(system, state, card):
            events.append(Removed(target, "bulwark", 1, rule="Bulwark 2"))
            if not command.unpreventable:
                continue
        events += takes(state, card, amount, combat_by)
    return events


@cites("Static 1")
def _arcane_unit(state: GameState, command: Damage) -> str | None:
    """The arcane unit whose combat damage this is; None if it is other damage."""
    if not command.combat or command.source is None:
        return None
    source = card_of(state, command.source)
    return source.id if is_unit(source) and ARCANE in source.elements else None


def _dealt(system: System, state: GameState, command: Damage) -> int:
    """The amount, or else the current power of the source; power below 0 deals nothing."""
    if command.source is None:
        return command.amount or 0
    source = card_of(state, command.source)
    refuse_off_field(source)
    if command.amount is not None:
        return command.amount
    return max(0, power_and_life(system, state, source)[0] or 0)


@cites("Siegeable 2.1")
def _refuse_undamageable(system: System, state: GameState, target: str) -> None:
    card = state.objects.get(target)
    if not isinstance(card, Card):
        raise Refused(
            "wrong-target", "Damage is dealt to a champion, not to the player. Name the champion."
        )
    refuse_off_field(card)
    if can_be_damaged(system, card):
        return
    sentence = "{name} cannot be dealt damage."
    raise Refused("wrong-target", sentence, "Damage 1", name=card.name)


@cites("Bulwark 1", "Bulwark 2", "Bulwark 3", "Bulwark 4.1")
def _blocks(system: System, state: GameState, card: Card) -> bool:
    """True if a bulwark counter prevents combat damage to *card*: only units have such a shield."""
    return (
        is_unit(card) and "bulwark" in system.rulebook.kinds and state.count(card.id, "bulwark") > 0
    )


@cites("Damage 1", "Damage 2")
def takes(
    state: GameState, card: Card, amount: int, combat_by: str | None = None
) -> Iterator[Event]:
    """Results of damage: counters on a champion, marks on an ally, wear on a Siegeable object.

    combat_by: the arcane unit that deals it in combat.
    """
    if "champion" in card.types:
        refuse_over_maximum(state, card.id, "damage", amount)
        yield Damaged(card.id, amount, combat_by=combat_by)
        yield Placed(card.id, "damage", amount, rule="Damage 1")
    elif "ally" in card.types:
        yield Damaged(card.id, amount, marks=True, combat_by=combat_by)
    else:
        yield Damaged(card.id, amount, combat_by=combat_by)
        yield from _wear(state, card, amount, "Siegeable 2.1")


def _wear(state: GameState, card: Card, amount: int, rule: str) -> Iterator[Event]:
    if worn := min(amount, state.count(card.id, "durability")):
        yield Removed(card.id, "durability", worn, rule=rule)


class Recover(Command, frozen=True, kw_only=True):
    """Take damage counters off a champion: up to the amount, or as a cost exactly the amount."""

    verb: ClassVar[str] = "recover"
    seat: Annotated[str, Parameter(ID, names=SEAT)]
    amount: Annotated[int, Parameter(AMOUNT)]
    champion: Annotated[str | None, Parameter(ID, names=OBJECT)] = None
    cost: Annotated[bool, Parameter(FLAG)] = False


@cites("Damage 4", "Counters 4", "Game Terms, Recover")
def recover(system: System, state: GameState, command: Recover) -> Iterator[Event]:
    champion = _recovering(state, command)
    if command.cost:
        refuse_not_enough(state, champion, "damage", command.amount)
    amount = min(command.amount, state.count(champion, "damage"))
    if amount:
        yield Removed(champion, "damage", amount, rule="Damage 4")
    if amount or (command.amount and "Game Terms, Recover" in system.rulebook.rules):
        yield Recovered(command.seat, champion, amount)


def _recovering(state: GameState, command: Recover) -> str:
    """The champion that recovers: the one named, or else the only one."""
    able = [
        card.id
        for card in state.objects.values()
        if isinstance(card, Card)
        and "champion" in card.types
        and card.zone == FIELD
        and card.controller == command.seat
        and not card.defeated
    ]
    if not able or (command.champion and command.champion not in able):
        whose = "{seat} does not control such a champion on the field."
        raise Refused("wrong-target", whose, "Damage 4", seat=command.seat)
    if command.champion is None and len(able) > 1:
        raise Refused("choose", "Say which champion recovers.", "Damage 4")
    return command.champion or able[0]


class Wield(Command, frozen=True, kw_only=True):
    """A weapon was used in the damage step of an attack: it loses one durability counter."""

    verb: ClassVar[str] = "wield"
    object: Annotated[str, Parameter(ID, names=OBJECT)]


@cites("Weapon 4.3.1")
def wield(system: System, state: GameState, command: Wield) -> Iterator[Event]:
    card = card_of(state, command.object)
    refuse_off_field(card)
    if "weapon" not in card.types:
        raise Refused("wrong-target", "{name} is not a weapon.", "Weapon 4.3.1", name=card.name)
    yield from _wear(state, card, 1, "Weapon 4.3.1")
