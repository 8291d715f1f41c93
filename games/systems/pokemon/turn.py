"""Turns and their phases: set-up, the turn, the attack that ends it, and Checkup between turns.

"setup" is before the first turn. "attack" holds Knock Outs back until it ends, "end" is for what
happens at the end of the turn. Checkup belongs to no turn. A turn can go on to any later phase, but
not past a Knock Out that the end of the attack still brings.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import Annotated

from games.rules import cards, marks
from games.rules.cards import refuse_while_waiting
from games.rules.commands import FLAG, Parameter
from games.rules.events import Event, PhaseBegan
from games.rules.state import GameState, Refused
from games.rules.system import System, cites

from .attacking import Attack, attack
from .card import (
    ATTACK,
    CHECKUP,
    END,
    SETUP,
    TURN,
    active,
    in_play,
    opponent,
    phase,
    turn_number,
)
from .checkup import Checkup, has_something_to_do, others
from .facts import TurnBegan
from .knocked_out import ask, due
from .winning import decided


class BeginTurn(cards.BeginTurn, frozen=True, kw_only=True):
    """Begin a player's turn. extra: it is an extra turn, with no Checkup before it."""

    extra: Annotated[bool, Parameter(FLAG)] = False


@cites("Checkup 1", "Checkup 3", "Turn 3", "Turn 5")
def begin_turn(system: System, state: GameState, command: BeginTurn) -> Iterator[Event]:
    """Refused while Checkup would still do something, unless the turn is an extra one."""
    refuse_while_waiting(state)
    _refuse_others_turn(state, command)
    _refuse_unfinished(state)
    if phase(state) not in (SETUP, CHECKUP) and not command.extra:
        if mon := has_something_to_do(state):
            sentence = "Pokémon Checkup comes first: {name} has a Special Condition."
            raise Refused("wrong-phase", sentence, "Checkup 1", name=mon.name)
    yield from marks.go_back(system, state)
    yield _began(state, command.active)


def _began(state: GameState, seats: tuple[str, ...]) -> TurnBegan:
    number = turn_number(state) + len(seats)
    free = tuple(each.id for each in in_play(state) if each.ability_used)
    return TurnBegan(seats, TURN, marks.temporary(state), number=number, free=free)


@cites("Knocked Out 4")
def _refuse_unfinished(state: GameState) -> None:
    """Refuse to go past a Knock Out: at the end of an attack, or at once."""
    if not (fallen := due(state)):
        return
    if phase(state) == ATTACK:
        sentence = "{name} is Knocked Out at the end of the attack; end it first."
        raise Refused("wrong-phase", sentence, "Knocked Out 2", name=fallen[0].name)
    sentence = "{name} is Knocked Out before that; do it afterwards."
    raise Refused("wrong-phase", sentence, "Knocked Out 4", name=fallen[0].name)


@cites("Turn 6")
def _refuse_others_turn(state: GameState, command: BeginTurn) -> None:
    """A turn is one player's, and an extra one that of the player whose turn it follows."""
    if len(command.active) > 1:
        raise Refused("wrong-facts", "A turn is one player’s.", "Turn 6")
    if command.extra and state.turn and (*state.turn.active,) != command.active:
        raise Refused("wrong-facts", "An extra turn is for the player whose turn it is.", "Turn 6")


@cites("Checkup 4", "Knocked Out 2", "Turn 1")
def begin_phase(system: System, state: GameState, command: cards.BeginPhase) -> Iterator[Event]:
    """Beginning the attack phase means attacking with the Active Pokémon, including its coin."""
    refuse_while_waiting(state)
    assert state.turn is not None
    began = list(cards.begin_phase(system, state, command))
    if phase(state) == SETUP:
        if command.phase != TURN:
            sentence = "The first turn has not begun."
            raise Refused("wrong-phase", sentence, "Turn 1")
        yield from marks.go_back(system, state)
        yield _began(state, state.turn.active)
        return
    if command.phase == CHECKUP:
        _refuse_unfinished(state)
    attackers = [mon for seat in state.turn.active if (mon := active(state, seat))]
    if command.phase == ATTACK and attackers:
        yield from attack(system, state, Attack(by=command.by, object=attackers[0].id))
        return
    yield from began


@cites("Attack 3", "Checkup 1")
def pass_on(system: System, state: GameState, changed: Collection[str]) -> Iterable[Event]:
    """After an attack that was the last of its turn: Checkup, then the other player's turn, as soon
    as nobody is asked anything and nobody has won.
    """
    if not (state.parts.get("passes") and state.turn and state.turn.active):
        return ()
    if state.prompts or state.result or due(state) or decided(state):
        return ()
    if any(ask(system, state, changed)):
        return ()
    if phase(state) == END and has_something_to_do(state):
        return (PhaseBegan(CHECKUP, END),)
    following = opponent(state, state.turn.active[0])
    return (*marks.go_back(system, state), _began(state, (following,))) if following else ()


def checkup(system: System, state: GameState, command: Checkup) -> Iterator[Event]:
    """Begin the Checkup phase, and do what its other effects do."""
    yield from begin_phase(system, state, cards.BeginPhase(by=command.by, phase=CHECKUP))
    yield from others(state, command.also or {})
