"""Battle: a monster attacks a monster or, directly, a player; damage and destruction follow.

The numbers are those on the table, with counters and changes, unless the command says others: of
what a card changes only for the damage calculation, the table knows what counters do (`in_battle`).
Source: Official Rulebook, pp. 38, 42, 43 and 50.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, ClassVar, NamedTuple

from games.rules.cards import change_zone, comes_to
from games.rules.commands import AMOUNT, FLAG, HOLDER, ID, OBJECT, Command, Parameter
from games.rules.events import Event, Marked
from games.rules.marks import TURN, refuse_off_field
from games.rules.state import GameState, Refused
from games.rules.system import System, cites

from .card import ATK, DEF, LEAST, Card, card, derived, duelist
from .facts import Attacked, Flipped, LifeLost
from .zones import MONSTER

BATTLE, DEFENSE, ATTACKED = "battle", "defense", "attacked"


class Attack(Command, frozen=True, kw_only=True):
    """A monster attacks a monster of the opponent or, directly, the opponent.

    atk, against: the numbers that are compared, if they are not those on the table: the attacker's
    ATK, and the ATK or DEF of its target. anyway: a card allows what the rules do not.
    """

    verb: ClassVar[str] = "attack"
    object: Annotated[str, Parameter(ID, names=OBJECT)]
    on: Annotated[str, Parameter(ID, names=HOLDER)]
    atk: Annotated[int | None, Parameter(AMOUNT)] = None
    against: Annotated[int | None, Parameter(AMOUNT)] = None
    anyway: Annotated[bool, Parameter(FLAG)] = False


@cites("Battle 4", "Battle 5")
def attack(system: System, state: GameState, command: Attack) -> Iterator[Event]:
    """The target turns face-up if it is face-down, and the numbers are compared."""
    attacker = card(state, command.object)
    refuse_attack(state, attacker, command)
    yield Attacked(attacker.id, command.on)
    if state.turn and not attacker.attacked:
        yield Marked(attacker.id, ATTACKED, True, TURN, rule="Battle 9")
    yield from comes_to(system, state, BATTLE, "Battle 1")
    if command.on in state.seats:
        atk = number(system, state, attacker, ATK, command.atk)
        yield from _damaged(state, command.on, atk, "Battle 5")
        return
    target = card(state, command.on)
    if target.face_down:
        for event in (
            Flipped(target.id, False, rule="Battle 4"),
            Marked(target.id, DEFENSE, True, rule="Battle 4"),
        ):
            yield event
            state = event.evolve(state)
        target = card(state, target.id)
    atk = number(system, state, attacker, ATK, command.atk, target)
    against = number(system, state, target, guard(target), command.against, attacker)
    yield from _fought(state, Fight(attacker, target, atk, against))


@cites("Battle 1", "Battle 9")
def refuse_attack(state: GameState, attacker: Card, command: Attack) -> None:
    for fighter in (
        attacker,
        *(state.objects[each] for each in [command.on] if each in state.objects),
    ):
        refuse_off_field(fighter)
        if fighter.zone != MONSTER:
            raise Refused("wrong-target", "Only monsters battle.", "Battle 1")
    whose = state.objects[command.on].controller if command.on in state.objects else command.on
    if whose == attacker.controller:
        raise Refused("wrong-target", "{name} cannot attack that.", "Battle 1", name=attacker.name)
    if state.seats[whose].lost:
        raise Refused("gone", "That player has lost and is out of the game.")
    if command.anyway:
        return
    if attacker.face_down or attacker.defense:
        sentence = "{name} is in Defense Position and does not attack."
        raise Refused("prohibited", sentence, "Battle 1", name=attacker.name)
    if attacker.attacked:
        raise Refused("prohibited", "{name} has attacked.", "Battle 9", name=attacker.name)
    if command.on == whose and any(monsters(state, whose)):
        sentence = "{seat} controls a monster: attack that one."
        raise Refused("prohibited", sentence, "Battle 1", seat=whose)


def monsters(state: GameState, seat: str) -> Iterator[Card]:
    """The monsters that *seat* controls."""
    for each in state.objects.values():
        if isinstance(each, Card) and each.zone == MONSTER and each.controller == seat:
            yield each


def guard(target: Card) -> str:
    """The number that *target* battles with."""
    return DEF if target.face_down or target.defense else ATK


def number(
    system: System,
    state: GameState,
    of: Card,
    stat: str,
    said: int | None,
    foe: Card | None = None,
) -> int:
    """What was *said*, or else that number of the card. Raises Refused if nobody knows it."""
    known = calculated(system, state, of, stat, foe) if said is None else said
    if known is None:
        sentence = "The table does not know its {stat}: say it."
        raise Refused("wrong-facts", sentence, "Stats 1", stat=stat)
    return known


@cites("Battle 10")
def calculated(
    system: System, state: GameState, of: Card, stat: str, foe: Card | None
) -> int | None:
    """That number of *of* in the damage calculation with *foe*; None if nobody knows it."""
    known = derived(system, state, of).get(stat)
    if foe is None or known is None:
        return known
    for each in state.objects.values():
        for sort, kinds in (
            each.in_battle.items() if isinstance(each, Card) and each.applies else ()
        ):
            if sort in foe.name.casefold() and (each.id == of.id or not of.unaffected):
                for kind, by in kinds.items():
                    known += by.get(stat, 0) * state.count(of.id, kind)
    return max(LEAST[stat], known)


class Fight(NamedTuple):
    """Two monsters in the damage calculation, with their numbers."""

    attacker: Card
    target: Card
    atk: int
    against: int


@cites("Battle 2", "Battle 3", "Battle 6", "Battle 7")
def _fought(state: GameState, fight: Fight) -> Iterator[Event]:
    """The higher number wins. Its lead is damage, but not to who controls a card in Defense
    Position, unless the attacker pierces."""
    (attacker, target, atk, against), lead = fight, fight.atk - fight.against
    defends = guard(target) == DEF
    rule = "Battle 3" if defends else "Battle 2"
    if lead < 0:
        yield from _damaged(state, attacker.controller, -lead, rule)
    elif not defends:
        yield from _damaged(state, target.controller, lead, rule)
    elif attacker.piercing:
        yield from _damaged(state, target.controller, lead, "Battle 7")
    if lead >= 0 and atk and (lead or not defends):
        yield from _destroyed(state, target, rule)
    if lead <= 0 and against and not defends:
        yield from _destroyed(state, attacker, rule)


def _damaged(state: GameState, seat: str, amount: int, rule: str) -> Iterator[Event]:
    if lost := min(amount, duelist(state, seat).life):
        yield LifeLost(seat, lost, BATTLE, rule=rule)


@cites("Battle 8")
def _destroyed(state: GameState, monster: Card, rule: str) -> Iterator[Event]:
    if not monster.battle_proof:
        yield change_zone(state, monster, "graveyard", "destroyed", rule=rule)
