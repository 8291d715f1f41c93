"""Special Conditions: what begins them, what they do, and what ends them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, ClassVar

from games.rules.commands import ID, OBJECT, Command, Parameter, Terms, invalid, one_of, whole
from games.rules.events import Event
from games.rules.marks import refuse_off_field
from games.rules.state import GameState, Refused
from games.rules.system import System, cites

from .card import (
    ACTIVE,
    ASLEEP,
    BURNED,
    CONDITIONS,
    POISONED,
    TURNING,
    USUAL,
    Pokemon,
    pokemon,
    tens,
    turn_number,
)
from .facts import Afflicted, Cured


class Afflict(Command, frozen=True, kw_only=True):
    """Give the Active Pokémon a Special Condition.

    damage: what Poisoned or Burned does at each Checkup, where the card names a number; ten for
    each damage counter. coins: how many must be heads to wake it.
    """

    verb: ClassVar[str] = "afflict"
    object: Annotated[str, Parameter(ID, names=OBJECT)]
    condition: Annotated[str, Parameter(one_of(*CONDITIONS))]
    damage: Annotated[int | None, Parameter(tens(10, 990))] = None
    coins: Annotated[int | None, Parameter(whole(1, 9))] = None

    def check(self, system: Terms) -> None:
        if self.damage is not None and self.condition not in USUAL:
            raise invalid("Only Poisoned and Burned have a number for damage.")
        if self.coins is not None and self.condition != ASLEEP:
            raise invalid("Only an Asleep Pokémon waits for coins.")


@cites("Conditions 1", "Conditions 2", "Conditions 5", "Asleep 3")
def afflict(system: System, state: GameState, command: Afflict) -> Iterator[Event]:
    mon = pokemon(state, command.object)
    refuse_off_field(mon)
    if mon.zone != ACTIVE:
        sentence = "{name} is on the Bench; only an Active Pokémon has Special Conditions."
        raise Refused("wrong-target", sentence, "Conditions 1", name=mon.name)
    if mon.immune:
        sentence = "{name} cannot be affected by Special Conditions."
        raise Refused("unaffected", sentence, "Conditions 5", name=mon.name)
    if command.condition in TURNING and mon.turned not in ("", command.condition):
        yield Cured(mon.id, mon.turned, rule="Conditions 2")
    damage = _damage(mon, command.condition, command.damage)
    yield Afflicted(mon.id, command.condition, damage, command.coins, turn_number(state))


@cites("Poisoned 1", "Poisoned 2", "Burned 1", "Burned 2")
def _damage(mon: Pokemon, condition: str, named: int | None) -> int | None:
    """The damage at each Checkup: a new Poisoned replaces the old; for Burned the larger counts."""
    if condition == POISONED:
        return named or USUAL[POISONED]
    if condition == BURNED:
        return max(named or USUAL[BURNED], mon.burned)
    return None


class Cure(Command, frozen=True, kw_only=True):
    """End a Special Condition of a Pokémon, or all of them."""

    verb: ClassVar[str] = "cure"
    object: Annotated[str, Parameter(ID, names=OBJECT)]
    condition: Annotated[str | None, Parameter(one_of(*CONDITIONS))] = None


def cure(system: System, state: GameState, command: Cure) -> Iterator[Event]:
    mon = pokemon(state, command.object)
    refuse_off_field(mon)
    if command.condition is None:
        yield from all_end(mon)
        return
    if command.condition not in mon.conditions:
        sentence = "{name} is not {thing}."
        facts = {"name": mon.name, "thing": command.condition.capitalize()}
        raise Refused("wrong-target", sentence, None, **facts)
    yield Cured(mon.id, command.condition)


@cites("Conditions 3", "Conditions 4", "Conditions 5")
def all_end(mon: Pokemon, rule: str | None = None) -> Iterator[Event]:
    """The events that end all Special Conditions of the Pokémon."""
    for condition in mon.conditions:
        yield Cured(mon.id, condition, rule=rule)
