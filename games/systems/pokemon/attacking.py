"""The attack: who can attack, the coin of a Confused Pokémon, and what tails does."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, ClassVar

from games.rules.cards import refuse_while_waiting
from games.rules.commands import FLAG, ID, OBJECT, Command, Parameter, one_of
from games.rules.dice import HEADS, TAILS, Tossed
from games.rules.events import Event, PhaseBegan, Prompted
from games.rules.marks import refuse_off_field
from games.rules.state import GameState, Refused
from games.rules.system import System, cites

from .card import (
    ASLEEP,
    ATTACK,
    CONFUSED,
    END,
    PARALYZED,
    Pokemon,
    phase,
    pokemon,
    their_turn,
    turn_number,
)
from .checkup import coin_for
from .damage import take_damage
from .facts import Attacked
from .play import held_back, refuse_not_active, refuse_out_of_turn

CONFUSED_DAMAGE = 30


def goes_first(state: GameState, seat: str) -> bool:
    """True if this is the first turn of the game, and that of *seat*."""
    return turn_number(state) == 1 and their_turn(state, seat)


class Attack(Command, frozen=True, kw_only=True):
    """The Active Pokémon attacks. Nobody is Knocked Out until the attack ends.

    coin: of a Confused Pokémon, if already flipped; otherwise the table asks for it. anyway: a card
    allows what the rules forbid, such as attacking while Asleep.
    """

    verb: ClassVar[str] = "attack"
    object: Annotated[str, Parameter(ID, names=OBJECT)]
    coin: Annotated[str | None, Parameter(one_of(HEADS, TAILS))] = None
    anyway: Annotated[bool, Parameter(FLAG)] = False


@cites("Attack 1", "Confused 1", "Knocked Out 2")
def attack(system: System, state: GameState, command: Attack) -> Iterator[Event]:
    mon = pokemon(state, command.object)
    refuse_while_waiting(state)
    refuse_off_field(mon)
    refuse_not_active(mon)
    refuse_out_of_turn(state, mon, "Attack 1")
    if not command.anyway:
        _refuse_attack(state, mon)
    if mon.turned != CONFUSED:
        if command.coin is not None:
            sentence = "{name} is not Confused, so its attack needs no coin."
            raise Refused("wrong-facts", sentence, "Confused 1", name=mon.name)
        yield from attacks(state, mon)
    elif command.coin is None:
        yield Prompted.of(state, coin_for(mon, CONFUSED), rule="Confused 1")
    else:
        yield from while_confused(state, mon, command.coin)


@cites("Asleep 1", "Paralyzed 1", "Attack 2", "Turn 1")
def _refuse_attack(state: GameState, mon: Pokemon) -> None:
    if mon.turned in (ASLEEP, PARALYZED):
        raise held_back(mon, mon.turned, "{name} is {thing} and cannot attack.")
    if mon.cannot_attack:
        raise Refused("prohibited", "{name} can't attack now.", "Attack 2", name=mon.name)
    if goes_first(state, mon.owner):
        raise Refused(
            "prohibited", "The player who goes first cannot attack in that turn.", "Turn 1"
        )


def attacks(state: GameState, mon: Pokemon) -> Iterator[Event]:
    yield PhaseBegan(ATTACK, phase(state))
    yield Attacked(mon.id)


@cites("Confused 1", "Confused 2")
def while_confused(state: GameState, mon: Pokemon, coin: str) -> Iterator[Event]:
    """Heads: it attacks, and stays Confused. Tails: 30 damage, and the turn ends."""
    yield Tossed(mon.owner, coin, True, rule="Confused 1")
    if coin == HEADS:
        yield from attacks(state, mon)
        return
    yield from take_damage(state, mon.id, CONFUSED_DAMAGE, CONFUSED, "Confused 2")
    yield PhaseBegan(END, phase(state), rule="Confused 2")
