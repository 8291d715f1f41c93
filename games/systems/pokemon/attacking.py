"""The attack: who can attack, a Confused Pokémon's coin, what is done with it, and its end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, ClassVar

from games.rules.cards import BeginPhase, refuse_while_waiting
from games.rules.commands import (
    FLAG,
    ID,
    OBJECT,
    Command,
    Parameter,
    Terms,
    each,
    invalid,
    one_of,
)
from games.rules.dice import HEADS, TAILS, Tossed
from games.rules.events import Event, Marked, PhaseBegan, Prompted
from games.rules.marks import LATER, OWN, ends_with, refuse_off_field
from games.rules.state import GameState, Refused
from games.rules.system import System, cites

from .card import (
    ASLEEP,
    ATTACK,
    CONDITIONS,
    CONFUSED,
    END,
    MOST_LESS,
    PARALYZED,
    Pokemon,
    phase,
    pokemon,
    tens,
    their_turn,
    turn_number,
)
from .checkup import coin_for
from .conditions import Afflict
from .damage import COUNTS, POINTS, Damage, take_damage
from .facts import Attacked, TurnPasses
from .knocked_out import ALSO
from .play import held_back, refuse_not_active, refuse_out_of_turn

CONFUSED_DAMAGE = 30
LOCKS = ("cannot_attack", "cannot_retreat")


def goes_first(state: GameState, seat: str) -> bool:
    """True if this is the first turn of the game, and that of *seat*."""
    return turn_number(state) == 1 and their_turn(state, seat)


class Attack(Command, frozen=True, kw_only=True):
    """The Active Pokémon attacks. Nobody is Knocked Out until the attack ends.

    coin: of a Confused Pokémon, if already flipped; otherwise the table asks for it. anyway: a card
    allows what the rules forbid, such as attacking while Asleep. on: what it hits, amount: for how
    much, before the Weakness and Resistance that count. conditions: what that is afterwards. locks:
    what it cannot do in its player's next turn. rests: the attacker cannot attack in its own next
    turn. takes_less: what attacks do less to it in the opponent's next turn. full: what the target
    takes less does not count. also: damage to others, and to itself, as they take it. ends: nothing
    follows, and the turn ends with it.
    """

    verb: ClassVar[str] = "attack"
    object: Annotated[str, Parameter(ID, names=OBJECT)]
    coin: Annotated[str | None, Parameter(one_of(HEADS, TAILS))] = None
    anyway: Annotated[bool, Parameter(FLAG)] = False
    on: Annotated[str | None, Parameter(ID, names=OBJECT)] = None
    amount: Annotated[int | None, Parameter(POINTS)] = None
    weakness: Annotated[bool | int, Parameter(COUNTS)] = False
    resistance: Annotated[bool | int, Parameter(COUNTS)] = False
    conditions: Annotated[tuple[str, ...], Parameter(each(one_of(*CONDITIONS)))] = ()
    locks: Annotated[tuple[str, ...], Parameter(each(one_of(*LOCKS)))] = ()
    rests: Annotated[bool, Parameter(FLAG)] = False
    takes_less: Annotated[int | None, Parameter(tens(10, MOST_LESS))] = None
    full: Annotated[bool, Parameter(FLAG)] = False
    also: Annotated[Mapping[str, int] | None, Parameter(ALSO, names=OBJECT)] = None
    ends: Annotated[bool, Parameter(FLAG)] = False

    def check(self, system: Terms) -> None:
        hits = self.weakness or self.resistance or self.conditions or self.locks
        if (self.amount is None) != (self.on is None) or (hits and self.on is None):
            raise invalid("Say whom the attack hits (“on”), and for how much (“amount”).")

    @property
    def done(self) -> bool:
        """True if it says what the attack does."""
        return self.on is not None or bool(self.also) or self.rests or self.ends


@cites("Attack 1", "Confused 1", "Knocked Out 2", "Attack 3")
def attack(system: System, state: GameState, command: Attack) -> Iterator[Event]:
    mon = pokemon(state, command.object)
    refuse_while_waiting(state)
    refuse_off_field(mon)
    refuse_not_active(mon)
    refuse_out_of_turn(state, mon, "Attack 1")
    if command.on is not None:
        refuse_off_field(pokemon(state, command.on))
    if not command.anyway:
        _refuse_attack(state, mon)
    if mon.turned != CONFUSED:
        if command.coin is not None:
            sentence = "{name} is not Confused, so its attack needs no coin."
            raise Refused("wrong-facts", sentence, "Confused 1", name=mon.name)
        yield from attacks(state, mon, command)
    elif command.coin is None and command.done:
        raise Refused("wrong-facts", "Say how the coin fell.", "Confused 1")
    elif command.coin is None:
        yield Prompted.of(state, coin_for(mon, CONFUSED), rule="Confused 1")
    else:
        yield from while_confused(state, mon, command.coin, command)
    if command.ends:
        yield TurnPasses(mon.owner)


@cites("Attack 3")
def parts(system: System, command: Attack) -> Iterator[Command]:
    """What the attack does, and then the end of the turn; nothing of it after tails."""
    if command.coin == TAILS:
        return
    by = command.by
    if command.on and command.amount:
        yield Damage(
            by=by,
            on=(command.on,),
            amount=command.amount,
            cause="attack",
            weakness=command.weakness,
            resistance=command.resistance,
            full=command.full,
        )
    for hurt, amount in (command.also or {}).items():
        cause = "recoil" if hurt == command.object else "attack"
        yield Damage(by=by, on=(hurt,), amount=amount, cause=cause, full=True)
    for condition in command.conditions:
        yield Afflict(by=by, object=command.on or "", condition=condition)
    if command.ends:
        yield BeginPhase(by=by, phase=END)


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


def attacks(state: GameState, mon: Pokemon, command: Attack | None = None) -> Iterator[Event]:
    yield PhaseBegan(ATTACK, phase(state))
    if command is None or command.on is None:
        yield Attacked(mon.id)
    else:
        weak, resists = command.weakness or None, command.resistance or None
        yield Attacked(mon.id, command.on, command.amount, weak, resists)
    if command is not None:
        yield from _locks(mon, command)


@cites("Attack 2", "Damage 7")
def _locks(mon: Pokemon, command: Attack) -> Iterator[Event]:
    """“During your opponent's next turn”, and “during your next turn”."""
    locks = [(command.on or "", lock, LATER) for lock in command.locks]
    for on, lock, until in (*locks, *([(mon.id, LOCKS[0], OWN)] if command.rests else ())):
        yield Marked(on, lock, True, until, ends_with(until, mon.owner))
    if command.takes_less:
        less = min(MOST_LESS, mon.takes_less + command.takes_less)
        yield Marked(mon.id, "takes_less", less, LATER, ends_with(LATER, mon.owner))


@cites("Confused 1", "Confused 2")
def while_confused(
    state: GameState, mon: Pokemon, coin: str, command: Attack | None = None
) -> Iterator[Event]:
    """Heads: it attacks, and stays Confused. Tails: 30 damage, and the turn ends."""
    yield Tossed(mon.owner, coin, True, rule="Confused 1")
    if coin == HEADS:
        yield from attacks(state, mon, command)
        return
    yield from take_damage(state, mon.id, CONFUSED_DAMAGE, CONFUSED, "Confused 2")
    yield PhaseBegan(END, phase(state), rule="Confused 2")
