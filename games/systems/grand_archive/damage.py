"""Damage and recovery: counters on champions, marked damage on allies, wear on the rest."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, ClassVar

from games.rules import ticks
from games.rules.cards import change_zone
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
    each,
    invalid,
    one_or_more,
    whole,
)
from games.rules.counting import refuse_not_enough, refuse_over_maximum
from games.rules.events import Event, Marked, Placed, Removed
from games.rules.marks import refuse_off_field
from games.rules.state import GameState, Refused
from games.rules.system import System, cites

from .card import FIELD, INTENT, Card, card_of, is_unit, life_of, power_and_life
from .effects import can_be_damaged
from .facts import Attacked, Damaged, Recovered

TOGETHER, DECLARED, STRIKES_BACK = (
    "Damage Step 3.1",
    "Attack Declaration 2.1.1",
    "Retaliation Step 3",
)
PLUS = "plus"
"""The key of the power that is added beside that of cards."""


class Damage(Command, frozen=True, kw_only=True):
    """Deal damage to each of the objects: `amount`, or the power of its `source`.

    with_: the weapons and the cards in the intent that attack together with the source: their power
    is added, and each weapon loses one durability. plus: the power that anything else adds, such as
    an attack card that is not on the table. retaliates: units that are attacked strike back. rests:
    the source rests, and so does what strikes back; what rests already does not.
    """

    verb: ClassVar[str] = "damage"
    on: Annotated[tuple[str, ...], Parameter(one_or_more(ID), names=HOLDER)]
    amount: Annotated[int | None, Parameter(AMOUNT)] = None
    source: Annotated[str | None, Parameter(ID, names=OBJECT)] = None
    combat: Annotated[bool, Parameter(FLAG)] = False
    unpreventable: Annotated[bool, Parameter(FLAG)] = False
    with_: Annotated[tuple[str, ...], Parameter(each(ID), names=OBJECT)] = ()
    plus: Annotated[int, Parameter(whole(-999, 999))] = 0
    retaliates: Annotated[bool, Parameter(FLAG)] = False
    rests: Annotated[bool, Parameter(FLAG)] = False

    def check(self, system: Terms) -> None:
        if self.amount is None and self.source is None:
            raise invalid("Give the damage in “amount”, or name its “source”.")
        attack = self.with_ or self.plus or self.retaliates or self.rests
        if attack and not (self.source and self.combat):
            raise invalid(
                "Only combat damage of a “source” has “with”, “plus”, “retaliates” and “rests”."
            )


def damage(system: System, state: GameState, command: Damage) -> list[Event]:
    """All or nothing: if one target cannot be dealt damage, the command is refused."""
    sets_off = [*_attacked(system, state, command)]
    for event in sets_off:
        state = event.evolve(state)
    powers = _powers(system, state, command)
    amount = max(0, sum(powers.values())) if command.amount is None else command.amount
    for target in command.on:
        _refuse_undamageable(system, state, target)
    adds = powers if len(powers) > 1 and command.amount is None else None
    events = [*(_resting(state, command.source, DECLARED) if command.rests else ())]
    events += _dealt(system, state, command, command.on, amount, adds)
    if command.retaliates and command.source is not None:
        events += _retaliation(system, state, command, command.source)
    events += _worn(state, command.with_)
    struck = [*_struck(system, state, events)]
    return [*sets_off, *events, *struck, *(_over(state, command.with_) if command.rests else ())]


@cites("Triggered Abilities 4")
def _attacked(system: System, state: GameState, command: Damage) -> Iterator[Event]:
    """What an attack sets off before its damage; nothing if nothing watches for attacks."""
    if command.combat and command.source is not None and "ticks" in state.parts:
        attack = Attacked(command.source, (command.source, *command.with_))
        if set_off := [*ticks.set_off(system, state, attack)]:
            yield from (attack, *set_off)


@cites("Triggered Abilities 4")
def _struck(system: System, state: GameState, events: Sequence[Event]) -> Iterator[Event]:
    """What the damage among *events* sets off, once all of them have happened."""
    if "ticks" in state.parts:
        for event in events:
            state = event.evolve(state)
        for hit in events:
            if isinstance(hit, Damaged):
                for event in ticks.set_off(system, state, hit):
                    state = event.evolve(state)
                    yield event


def _dealt(
    system: System,
    state: GameState,
    command: Damage,
    on: Sequence[str],
    amount: int,
    powers: Mapping[str, int] | None = None,
) -> Iterator[Event]:
    """The damage to each of *on*. powers: of all that attack together, by id."""
    combat_by = command.source if command.combat else None
    for target in on if amount else ():
        card = card_of(state, target)
        if command.combat and _blocks(system, state, card):
            yield Removed(target, "bulwark", 1, rule="Bulwark 2")
            if not command.unpreventable:
                continue
        yield from takes(system, state, card, amount, combat_by, powers)


@cites(TOGETHER)
def _powers(system: System, state: GameState, command: Damage) -> dict[str, int]:
    """By id: the power of the source, of what attacks together with it, and of anything else."""
    powers: dict[str, int] = {}
    if command.source is not None:
        source = card_of(state, command.source)
        refuse_off_field(source)
        powers[source.id] = power_of(system, state, source)
    for used in command.with_:
        card = card_of(state, used)
        if card.zone != INTENT and not (card.on_field and "weapon" in card.types):
            sentence = "{name} is neither a weapon on the field nor a card in the intent."
            raise Refused("wrong-target", sentence, TOGETHER, name=card.name)
        powers[used] = power_of(system, state, card)
    return powers | ({PLUS: command.plus} if command.plus else {})


def power_of(system: System, state: GameState, card: Card) -> int:
    """Its power now; 0 without one."""
    return power_and_life(system, state, card)[0] or 0


@cites(DECLARED)
def _resting(state: GameState, unit: str | None, rule: str) -> Iterator[Event]:
    """A unit that attacks or strikes back rests."""
    if unit is not None and not card_of(state, unit).rested:
        yield Marked(unit, "rested", True, rule=rule)


@cites(STRIKES_BACK)
def _retaliation(
    system: System, state: GameState, command: Damage, attacker: str
) -> Iterator[Event]:
    """What the units that are attacked deal to their *attacker*, at the same moment."""
    _refuse_undamageable(system, state, attacker)
    for target in command.on:
        unit = card_of(state, target)
        if is_unit(unit) and not (command.rests and unit.rested):
            back = Damage(by=command.by, on=(attacker,), source=target, combat=True)
            power = power_of(system, state, unit)
            if power > 0:
                yield from _dealt(system, state, back, (attacker,), power)
                yield from _resting(state, target, STRIKES_BACK) if command.rests else ()


@cites("Attack 8")
def _over(state: GameState, used: Sequence[str]) -> Iterator[Event]:
    """An attack that is one act, outside of the combat phase, is a whole combat."""
    if state.turn is None or state.turn.phase != "combat":
        for card in (card_of(state, each) for each in used):
            if card.zone == INTENT:
                yield change_zone(state, card, "graveyard", rule="Attack 8")


def _worn(state: GameState, used: Sequence[str]) -> Iterator[Event]:
    for card_id in used:
        if "weapon" in card_of(state, card_id).types:
            yield from _wear(state, card_of(state, card_id), 1, "Weapon 4.3.1")


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
    system: System,
    state: GameState,
    card: Card,
    amount: int,
    combat_by: str | None = None,
    powers: Mapping[str, int] | None = None,
) -> Iterator[Event]:
    """Results of damage: counters on a champion, marks on an ally, wear on a Siegeable object.

    combat_by: what deals it in combat. powers: of which it is the sum, by id.
    """
    rule, marks = TOGETHER if powers else None, is_unit(card) and "champion" not in card.types
    if "champion" in card.types:
        refuse_over_maximum(state, card.id, "damage", amount)
    kills = combat_by is not None and is_unit(card) and _kills(system, state, card, amount)
    yield Damaged(card.id, amount, marks, combat_by, powers, kills, rule=rule)
    if "champion" in card.types:
        yield Placed(card.id, "damage", amount, rule="Damage 1")
    elif not marks:
        yield from _wear(state, card, amount, "Siegeable 2.1")


def _kills(system: System, state: GameState, unit: Card, amount: int) -> bool:
    kinds = state.on(unit.id)
    life = life_of(system, state, unit, kinds)
    return life is not None and unit.marked + kinds.get("damage", 0) + amount >= life


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
