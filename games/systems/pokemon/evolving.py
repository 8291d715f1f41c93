"""Evolving, devolving and changes of HP: a card's text, and the cards above and below it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, ClassVar

from games.rules.commands import (
    FLAG,
    ID,
    NAME,
    OBJECT,
    Command,
    Parameter,
    Terms,
    invalid,
    one_or_more,
)
from games.rules.events import Event
from games.rules.marks import refuse_off_field
from games.rules.state import GameState, Refused
from games.rules.system import System, cites

from .card import Pokemon, player, pokemon, tens, turn_number, worth
from .conditions import all_end
from .facts import Described, Devolved, Evolved, HpChanged
from .play import HP, WORTH, refuse_out_of_turn

# Evolving


class Evolve(Command, frozen=True, kw_only=True):
    """Put an Evolution on a Pokémon: its name, HP and Prize cards count from now on.

    Without `prizes`, its name tells how many it is worth. anyway: a card allows what the rules
    forbid.
    """

    verb: ClassVar[str] = "evolve"
    object: Annotated[str, Parameter(ID, names=OBJECT)]
    name: Annotated[str, Parameter(NAME)]
    hp: Annotated[int, Parameter(HP)]
    prizes: Annotated[int | None, Parameter(WORTH)] = None
    anyway: Annotated[bool, Parameter(FLAG)] = False


@cites("Evolve 1", "Conditions 4")
def evolve(system: System, state: GameState, command: Evolve) -> Iterator[Event]:
    mon = pokemon(state, command.object)
    refuse_off_field(mon)
    if not command.anyway:
        _refuse_evolving(state, mon)
    prizes = worth(command.name) if command.prizes is None else command.prizes
    yield from all_end(mon, "Conditions 4")
    yield Evolved(mon.id, mon.name, command.name, command.hp, prizes, turn_number(state))


@cites("Evolve 2", "Devolve 3")
def _refuse_evolving(state: GameState, mon: Pokemon) -> None:
    refuse_out_of_turn(state, mon, "Evolve 2")
    if player(state, mon.owner).turns == 1:
        raise Refused("prohibited", "No one can evolve a Pokémon in their first turn.", "Evolve 2")
    if mon.came == turn_number(state) > 0:
        sentence = "{name} is new this turn; it can evolve in your next one."
        raise Refused("prohibited", sentence, "Evolve 2", name=mon.name)


class Devolve(Command, frozen=True, kw_only=True):
    """Take the top Evolution off a Pokémon; what is below counts again."""

    verb: ClassVar[str] = "devolve"
    object: Annotated[str, Parameter(ID, names=OBJECT)]


@cites("Devolve 1", "Devolve 2", "Conditions 4")
def devolve(system: System, state: GameState, command: Devolve) -> Iterator[Event]:
    mon = pokemon(state, command.object)
    refuse_off_field(mon)
    if not mon.below:
        raise Refused("wrong-target", "{name} has not evolved.", "Devolve 2", name=mon.name)
    top = mon.below[-1]
    yield from all_end(mon, "Conditions 4")
    yield Devolved(mon.id, mon.name, top.name, top.hp, top.prizes, turn_number(state))


# What a card says


class Describe(Command, frozen=True, kw_only=True):
    """Correct what a card says, or put another card in its place, which keeps everything on it."""

    verb: ClassVar[str] = "describe"
    object: Annotated[str, Parameter(ID, names=OBJECT)]
    name: Annotated[str | None, Parameter(NAME)] = None
    hp: Annotated[int | None, Parameter(HP)] = None
    prizes: Annotated[int | None, Parameter(WORTH)] = None

    def check(self, system: Terms) -> None:
        if self.name is None and self.hp is None and self.prizes is None:
            raise invalid("Say at least one of “name”, “hp” and “prizes”.")


@cites("Conditions 6", "Damage 2", "Prizes 2")
def describe(system: System, state: GameState, command: Describe) -> Iterator[Event]:
    mon = pokemon(state, command.object)
    new = {part: getattr(command, part) for part in ("hp", "name", "prizes")}
    named = tuple(part for part, value in new.items() if value is not None)
    now = {part: getattr(mon, part) if new[part] is None else new[part] for part in new}
    yield Described(mon.id, named, **now)


class ChangeHp(Command, frozen=True, kw_only=True):
    """Raise or lower the HP of these Pokémon, for a Tool, a Stadium or another effect."""

    verb: ClassVar[str] = "change-hp"
    object: Annotated[tuple[str, ...], Parameter(one_or_more(ID), names=OBJECT)]
    amount: Annotated[int, Parameter(tens(-990, 990))]


@cites("Damage 2")
def change_hp(system: System, state: GameState, command: ChangeHp) -> Iterator[Event]:
    for each in command.object:
        refuse_off_field(state.objects[each])
    if not command.amount:
        return
    for each in command.object:
        mon = pokemon(state, each)
        if not mon.hp:
            sentence = "The HP of {name} is not known."
            raise Refused("wrong-target", sentence, "Damage 2", name=mon.name)
        if abs(mon.hp_change + command.amount) > 990:
            sentence = "HP can change by 990 at most."
            raise Refused("over-maximum", sentence, "Damage 2")
        yield HpChanged(each, command.amount, max(0, mon.most_hp + command.amount))
