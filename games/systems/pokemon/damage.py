"""Damage, healing and all other counters: who can have which, and damage in tens.

Pokémon in play have "damage", players have "prizes", and any other kind is a marker that either can
have. The verbs are those of every card game, except that damage comes in tens, and that without an
amount they mean one damage counter, not one point.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import Annotated, Any, ClassVar

from msgspec.structs import replace

from games.rules import counting
from games.rules.commands import (
    AMOUNT,
    FLAG,
    HOLDER,
    ID,
    Command,
    Parameter,
    Terms,
    either,
    invalid,
    one_of,
    one_or_more,
)
from games.rules.counting import ALL, refuse_over_maximum
from games.rules.events import Event, Placed, Removed
from games.rules.marks import refuse_off_field
from games.rules.state import GameObject, GameState, Kinds, Refused
from games.rules.system import System, cites

from .card import ACTIVE, COUNTER, DAMAGE, MOST_LESS, PRIZES, Pokemon, pokemon, tens
from .facts import Damaged, Healed, PrizesAdded

MOST_AT_ONCE = 9990
CAUSES = ("attack", "effect", "ability", "trainer", "recoil")
BY_ATTACK = (None, "attack", "recoil")
"""The causes whose damage Weakness and Resistance change."""
WEAKNESS, RESISTANCE, LESS = "Weakness 1", "Resistance 1", "Damage 7"
RESISTED = 30
POINTS = tens(0, MOST_AT_ONCE)
COUNTS = either(FLAG, tens(10, MOST_LESS))
"""Whether Weakness or Resistance counts, or by how much if the card prints another number."""


def can_hold_counters(system: System, state: GameState, holder: Any) -> None:
    """Players and Pokémon in play hold counters; a card elsewhere does not."""
    if isinstance(holder, GameObject):
        refuse_off_field(holder)


@cites("Damage 1")
def refuse_odd(kind: str | None, amount: Any) -> None:
    """Refuse damage that is not a whole number of damage counters."""
    if kind == DAMAGE and type(amount) is int and amount % COUNTER:
        sentence = (
            "Damage comes in tens: a damage counter is 10, and {amount} is not a multiple of 10."
        )
        raise invalid(sentence, amount=amount)


def refuse_odd_kinds(kinds: Kinds | None) -> None:
    for kind, amount in (kinds or {}).items():
        refuse_odd(kind, amount)


def refuse_misplaced(state: GameState, holders: Iterable[str], kinds: Collection[str]) -> None:
    """Refuse damage on a player and Prize cards on a Pokémon."""
    for holder in holders:
        obj = state.objects.get(holder)
        if DAMAGE in kinds and obj is None:
            raise Refused("wrong-target", "Damage is done to Pokémon, not to players.", "Damage 1")
        if PRIZES in kinds and obj is not None:
            sentence = "{name} cannot have Prize cards; only players can."
            raise Refused("wrong-target", sentence, "Prizes 1", name=obj.name)


class Place(counting.Place, frozen=True, kw_only=True):
    """Put counters on a holder, or on each of several, by an effect; on all or on none.

    Damage is ten for each damage counter; without an amount it is one damage counter, 10.
    """

    def check(self, system: Terms) -> None:
        counting.Place.check(self, system)
        refuse_odd(self.counter, self.amount)
        refuse_odd_kinds(self.counters)

    def is_of_every_kind(self) -> bool:
        return self.amount == counting.DOUBLE

    def wanted(self, state: GameState) -> list[tuple[str, int]]:
        if self.counter == DAMAGE and self.amount is None and self.had_by is None:
            return [(DAMAGE, COUNTER)]
        return counting.Place.wanted(self, state)


def place(system: System, state: GameState, command: Place) -> list[Event]:
    kinds = (command.counters or {}) if command.counter is None else (command.counter,)
    refuse_misplaced(state, command.on, kinds)
    return [_added(event) for event in counting.place(system, state, command)]


@cites("Prizes 7")
def _added(event: Event) -> Event:
    """Prize cards that an effect adds were not there when the game was set up."""
    if isinstance(event, Placed) and event.counter == PRIZES:
        return PrizesAdded(event.on, PRIZES, event.amount, rule=event.rule)
    return event


def _one(kind: str | None) -> int:
    """The default amount: one counter."""
    return COUNTER if kind == DAMAGE else 1


class Spend(counting.Spend, frozen=True, kw_only=True):
    """Take counters off as a cost: all of them or none."""

    amount: Annotated[int | None, Parameter(AMOUNT)] = None  # type: ignore[assignment]

    def check(self, system: Terms) -> None:
        refuse_odd(self.counter, self.amount)


def spend(system: System, state: GameState, command: Spend) -> Iterator[Event]:
    refuse_misplaced(state, (command.on,), (command.counter,))
    amount = _one(command.counter) if command.amount is None else command.amount
    yield from counting.spend(system, state, replace(command, amount=amount))


class Remove(counting.Remove, frozen=True, kw_only=True):
    """Take counters off a holder, or off each of several, by an effect, as many as there are.

    Without a kind: every kind except Prize cards, because taking the last one would win.
    """

    amount: Annotated[int | str | None, Parameter(either(AMOUNT, one_of(ALL)))] = None  # type: ignore[assignment]

    def check(self, system: Terms) -> None:
        counting.Remove.check(self, system)
        refuse_odd(self.counter, self.amount)


def remove(system: System, state: GameState, command: Remove) -> Iterator[Event]:
    if command.counter:
        refuse_misplaced(state, command.on, (command.counter,))
    amount = _one(command.counter) if command.amount is None else command.amount
    for removed in counting.remove(system, state, replace(command, amount=amount)):
        if command.counter or getattr(removed, "counter", None) != PRIZES:
            yield removed


class Transfer(counting.TransferOne, frozen=True, kw_only=True):
    """Move counters from one holder to another: all of them or none."""

    amount: Annotated[int | None, Parameter(AMOUNT)] = None  # type: ignore[assignment]

    def check(self, system: Terms) -> None:
        counting.TransferOne.check(self, system)
        refuse_odd(self.counter, self.amount)


@cites("Damage 4")
def transfer(system: System, state: GameState, command: Transfer) -> Iterator[Event]:
    refuse_misplaced(state, (command.from_,), (command.counter,))
    amount = _one(command.counter) if command.amount is None else command.amount
    if state.count(command.from_, command.counter) >= amount:
        refuse_misplaced(state, (command.to,), (command.counter,))
    yield from counting.transfer(system, state, replace(command, amount=amount))


class Correct(counting.Correct, frozen=True, kw_only=True):
    """Set a number, as a judge does; the log shows it as a correction."""

    def check(self, system: Terms) -> None:
        refuse_odd(self.counter, self.to)


def correct(system: System, state: GameState, command: Correct) -> Iterator[Event]:
    refuse_misplaced(state, (command.on,), (command.counter,))
    yield from counting.correct(system, state, command)


# Damage and healing


class Damage(Command, frozen=True, kw_only=True):
    """Do damage to each of these Pokémon: `amount`, or until only `until` of its HP is left.

    weakness, resistance: those of the Active Pokémon among them; with both, Weakness comes first. A
    number is added in place of × 2, or taken off in place of 30, as cards of older sets print it.
    full: what a Pokémon takes less from attacks does not count. The amount is that before all this.
    """

    verb: ClassVar[str] = "damage"
    on: Annotated[tuple[str, ...], Parameter(one_or_more(ID), names=HOLDER)]
    amount: Annotated[int | None, Parameter(POINTS)] = None
    until: Annotated[int | None, Parameter(POINTS)] = None
    cause: Annotated[str | None, Parameter(one_of(*CAUSES))] = None
    weakness: Annotated[bool | int, Parameter(COUNTS)] = False
    resistance: Annotated[bool | int, Parameter(COUNTS)] = False
    full: Annotated[bool, Parameter(FLAG)] = False

    def check(self, system: Terms) -> None:
        if (self.amount is None) == (self.until is None):
            raise invalid("Say how much damage (“amount”), or how much HP it leaves (“until”).")
        if self.weakness or self.resistance:
            if self.amount is None or self.cause not in BY_ATTACK:
                sentence = "Weakness and Resistance change the damage that an attack says."
                raise invalid(sentence)


def damage(system: System, state: GameState, command: Damage) -> Iterator[Event]:
    """All or nothing: if one target cannot take it, the command is refused."""
    refuse_misplaced(state, command.on, (DAMAGE,))
    for each in command.on:
        refuse_off_field(state.objects[each])
    _refuse_benched(state, command)
    for each in command.on:
        mon, amount = pokemon(state, each), command.amount or 0
        if command.until is not None:
            amount = _missing(state, mon, command.until)
        yield from _changed(state, mon, amount, command)


@cites(WEAKNESS, RESISTANCE, LESS)
def _changed(state: GameState, mon: Pokemon, amount: int, command: Damage) -> Iterator[Event]:
    """Weakness comes first, then Resistance and what *mon* takes less from attacks."""
    both = (command.weakness, command.resistance)
    weak, resists = both if mon.zone == ACTIVE and amount else (False, False)
    counts = command.cause == "attack" and command.until is None and not command.full
    less = mon.takes_less if counts else 0
    if not (weak or resists or less):
        yield from take_damage(state, mon.id, amount, command.cause)
    elif (final := amount + extra(amount, weak) - taken_off(resists) - less) > 0:
        refuse_over_maximum(state, mon.id, DAMAGE, final)
        rule = WEAKNESS if weak else RESISTANCE if resists else LESS
        cause, more = command.cause or "attack", None if weak is True else weak or None
        changed = resists or None, less or None, more
        yield Damaged(mon.id, final, cause, amount, *changed, rule=rule)
        yield Placed(mon.id, DAMAGE, final)


def extra(amount: int, weak: bool | int) -> int:
    """What Weakness adds to that damage."""
    return amount if weak is True else int(weak)


def taken_off(resists: bool | int | None) -> int:
    """What Resistance takes off."""
    return RESISTED if resists is True else int(resists or 0)


@cites(WEAKNESS, RESISTANCE)
def _refuse_benched(state: GameState, command: Damage) -> None:
    """Refuse Weakness and Resistance where only Benched Pokémon are hit: theirs don't count."""
    if not (command.weakness or command.resistance):
        return
    if all(pokemon(state, each).zone != ACTIVE for each in command.on):
        sentence = "Weakness and Resistance don’t count on the Bench."
        raise Refused("wrong-target", sentence, WEAKNESS if command.weakness else RESISTANCE)


@cites("Damage 3")
def _missing(state: GameState, mon: Pokemon, until: int) -> int:
    """The damage that leaves only *until* of the HP; 0 if no more than that is left."""
    if not mon.hp:
        raise Refused("wrong-target", "The HP of {name} is not known.", "Damage 3", name=mon.name)
    return max(0, mon.most_hp - until - state.count(mon.id, DAMAGE))


def take_damage(
    state: GameState, on: str, amount: int, cause: str | None, rule: str | None = None
) -> Iterator[Event]:
    """The events of a Pokémon taking damage."""
    if amount:
        refuse_over_maximum(state, on, DAMAGE, amount)
        yield Damaged(on, amount, cause, rule=rule)
        yield Placed(on, DAMAGE, amount, rule=rule)


class Heal(Command, frozen=True, kw_only=True):
    """Remove damage from each of these Pokémon, as much as there is."""

    verb: ClassVar[str] = "heal"
    on: Annotated[tuple[str, ...], Parameter(one_or_more(ID), names=HOLDER)]
    amount: Annotated[int | str, Parameter(either(POINTS, one_of(ALL)))]


@cites("Damage 5", "Damage 6")
def heal(system: System, state: GameState, command: Heal) -> Iterator[Event]:
    """Special Conditions stay. Undamaged Pokémon are skipped; if all are, it is refused."""
    refuse_misplaced(state, command.on, (DAMAGE,))
    for each in command.on:
        refuse_off_field(state.objects[each])
    if not any(state.count(each, DAMAGE) for each in command.on):
        sentence = "There is no damage to heal."
        raise Refused("wrong-target", sentence, "Damage 6")
    for each in command.on:
        there = state.count(each, DAMAGE)
        amount = there if command.amount == ALL else min(there, int(command.amount))
        if amount:
            yield Healed(each, amount)
            yield Removed(each, DAMAGE, amount, rule="Damage 5")
