"""Pokémon Checkup: between turns, for both players, and then one batch of Knock Outs.

It happens as its phase begins: damage from Poisoned and Burned, then the coins, then the end of
Paralyzed. For each coin the Pokémon's owner is asked. Damage from other effects of Checkup is given
with the command, or while a coin is awaited. Knock Outs come when no coin is awaited any more.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, ClassVar

from games.rules.commands import OBJECT, Command, Parameter
from games.rules.counting import refuse_over_maximum
from games.rules.events import Event, PhaseBegan, Prompted
from games.rules.marks import refuse_off_field
from games.rules.state import GameState, Prompt
from games.rules.system import System, cites

from .card import (
    ASLEEP,
    BURNED,
    CHECKUP,
    DAMAGE,
    PARALYZED,
    Player,
    Pokemon,
    active,
    player,
    their_turn,
    turn_number,
)
from .damage import take_damage
from .facts import Cured
from .knocked_out import ALSO


def looked_at(state: GameState) -> Iterator[tuple[Player, Pokemon]]:
    """The Active Pokémon and their players, in table order."""
    for seat in state.remaining():
        if mon := active(state, seat.id):
            yield player(state, seat.id), mon


@cites("Checkup 1", "Knocked Out 3")
def check_up(system: System, state: GameState, event: PhaseBegan) -> Iterator[Event]:
    """Carry out both players' conditions in order, as they are when Checkup begins."""
    if event.phase != CHECKUP:
        return
    both = list(looked_at(state))
    for seat, mon in both:
        refuse_over_maximum(state, mon.id, DAMAGE, by_poison(seat, mon) + by_burn(seat, mon))
    for step in (_poisoned, _burned, _asleep, _paralyzed):
        for seat, mon in both:
            yield from step(state, seat, mon)


@cites("Poisoned 1", "Poisoned 3")
def by_poison(seat: Player, mon: Pokemon) -> int:
    """The damage that Poisoned does at this Checkup."""
    return mon.poisoned + seat.poison_more if mon.poisoned else 0


@cites("Burned 1", "Burned 2", "Poisoned 3")
def by_burn(seat: Player, mon: Pokemon) -> int:
    """The damage that Burned does at this Checkup."""
    return mon.burned + seat.burn_more if mon.burned else 0


def _poisoned(state: GameState, seat: Player, mon: Pokemon) -> Iterator[Event]:
    yield from take_damage(state, mon.id, by_poison(seat, mon), CHECKUP, "Poisoned 1")


@cites("Burned 1")
def _burned(state: GameState, seat: Player, mon: Pokemon) -> Iterator[Event]:
    """The coin is flipped even if no HP is left."""
    if mon.burned:
        yield from take_damage(state, mon.id, by_burn(seat, mon), CHECKUP, "Burned 1")
        yield Prompted.of(state, coin_for(mon, BURNED), rule="Burned 1")


@cites("Asleep 2", "Asleep 3")
def _asleep(state: GameState, seat: Player, mon: Pokemon) -> Iterator[Event]:
    if mon.turned == ASLEEP:
        yield Prompted.of(state, coin_for(mon, ASLEEP), rule="Asleep 2")


@cites("Paralyzed 2")
def _paralyzed(state: GameState, seat: Player, mon: Pokemon) -> Iterator[Event]:
    if ends_now(state, mon):
        yield Cured(mon.id, PARALYZED, rule="Paralyzed 2")


def ends_now(state: GameState, mon: Pokemon) -> bool:
    """True if Paralyzed ends at this Checkup: its owner's turn is over, and it began before it."""
    paralyzed = mon.turned == PARALYZED and their_turn(state, mon.owner)
    return paralyzed and mon.turned_in < turn_number(state)


def coin_for(mon: Pokemon, condition: str) -> Prompt:
    """The coin that a condition asks of the Pokémon's owner."""
    facts = {"coins": mon.coins if condition == ASLEEP else 1}
    return Prompt(f"{condition}:{mon.id}", condition, mon.owner, mon.id, facts)


def has_something_to_do(state: GameState) -> Pokemon | None:
    """A Pokémon that Checkup would change, if there is one."""
    for _seat, mon in looked_at(state):
        if mon.poisoned or mon.burned or mon.turned == ASLEEP or ends_now(state, mon):
            return mon
    return None


class Checkup(Command, frozen=True, kw_only=True):
    """Carry out Pokémon Checkup: end the turn, and do what conditions and other effects do.

    also: the damage that other effects of Checkup do, before or after the conditions.
    """

    verb: ClassVar[str] = "checkup"
    also: Annotated[Mapping[str, int] | None, Parameter(ALSO, names=OBJECT)] = None


@cites("Checkup 2")
def others(state: GameState, also: Mapping[str, int]) -> Iterator[Event]:
    """Other effects of Checkup, the Bench included."""
    for each in also:
        refuse_off_field(state.objects[each])
    conditions = {
        mon.id: by_poison(seat, mon) + by_burn(seat, mon) for seat, mon in looked_at(state)
    }
    for each, amount in also.items():
        refuse_over_maximum(state, each, DAMAGE, amount + conditions.get(each, 0))
        yield from take_damage(state, each, amount, CHECKUP, "Checkup 2")
