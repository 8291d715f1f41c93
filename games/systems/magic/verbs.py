"""The commands of Magic that other card games do not have."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence
from typing import Annotated, Any, ClassVar

from games.rules import cards, marks, modifiers, ticks
from games.rules.cards import change_zone, refuse_while_waiting
from games.rules.commands import (
    AMOUNT,
    FLAG,
    ID,
    KINDS,
    OBJECT,
    Command,
    Parameter,
    each,
    one_of,
    table,
)
from games.rules.events import Event, Lost, PhaseBegan, TurnBegan
from games.rules.seating import Leave
from games.rules.state import CEASED, GameState, Refused
from games.rules.system import System, Verb, cites

from . import combat, damage, designations, life, put_counters, rad, replacement_effects
from .effects import losing_together
from .facts import CommanderCast, Left, Restarted
from .player import (
    BATTLEFIELD,
    NIGHT,
    PRINTED,
    RAD,
    SHIFT,
    SUBTYPES,
    TYPES,
    Card,
    side_of,
)
from .rules import here

# Objects


class Describe(cards.Describe, frozen=True, kw_only=True):
    """Correct what a card says, in any zone; no counter comes or goes with it but too many.

    limits: by kind, the number of counters that it says it can't have more of; all of them.
    subtypes: by creature type, whether it is one, and by "other" whether it is any other. night:
    what the face says that is not up, of a card with daybound.
    """

    types: Annotated[tuple[str, ...] | None, Parameter(each(one_of(*TYPES)))] = None
    base: Annotated[Mapping[str, int] | None, Parameter(table(one_of(*PRINTED), AMOUNT))] = None
    commander: Annotated[bool | None, Parameter(FLAG)] = None
    limits: Annotated[Mapping[str, int] | None, Parameter(KINDS)] = None
    subtypes: Annotated[Mapping[str, bool] | None, Parameter(SUBTYPES)] = None
    night: Annotated[Mapping[str, Any] | None, Parameter(NIGHT)] = None


class Alter(modifiers.Alter, frozen=True, kw_only=True):
    """Change power and toughness by an effect, until the turn ends or, if `lasting`, for good."""

    add: Annotated[Mapping[str, int] | None, Parameter(SHIFT)] = None
    set: Annotated[Mapping[str, int] | None, Parameter(SHIFT)] = None


# Commanders


class Cast(Command, frozen=True, kw_only=True):
    """Cast a commander from the command zone; the next time costs {2} more.

    It enters the battlefield. If it was countered, move it back; the tax has still gone up.
    """

    verb: ClassVar[str] = "cast"
    object: Annotated[str, Parameter(ID, names=OBJECT)]


@cites("903.8")
def cast(system: System, state: GameState, command: Cast) -> Iterator[Event]:
    card = state.objects[command.object]
    if not (isinstance(card, Card) and card.commander and card.zone == "command"):
        sentence = "{name} is not a commander in the command zone."
        raise Refused("wrong-target", sentence, "903.8", name=card.name)
    yield CommanderCast(card.id, card.casts + 1)
    moved = change_zone(state, card, BATTLEFIELD)
    arrived = moved.evolve(state).objects[card.id]
    yield from put_counters.arriving(state, {card.id})(system, state, moved, arrived, {})


# The game

ENDING = ("end", "cleanup")
"""The phases at the end of a turn: the next one begins as they pass."""


@cites("104.3a", "800.4a", "800.4d")
def leave(system: System, state: GameState, command: Leave) -> Iterator[Event]:
    """The player's prompts are voided; a team that shares life with the player loses too."""
    mates = [mate for mate in losing_together(state, command.seat) if mate != command.seat]
    yield Left(command.seat, tuple(mates))
    yield Lost(command.seat, rule="104.3a")
    for mate in mates:
        if not state.seats[mate].lost:
            yield Lost(mate, rule="810.8a")


class Restart(Command, frozen=True, kw_only=True):
    """Restart the game with the players who are still in it.

    Counters, prompts, marks and tokens are gone. Life is as at the start, commanders are in the
    command zone, and every other card is in its library. The same players are active, in the first
    phase.
    """

    verb: ClassVar[str] = "restart"


@cites("727.1", "724.1", "903.6")
def restart(system: System, state: GameState, command: Restart) -> Iterator[Event]:
    rule = here(system, "727.1")
    for obj in sorted(state.objects.values(), key=lambda obj: obj.id):
        home = "command" if getattr(obj, "commander", False) else "library"
        if obj.zone not in (home, CEASED):
            yield change_zone(state, obj, home, rule=rule)
    teams = [f"team:{team}" for team in state.teams]
    yield Restarted(system.phases[0], (*state.seats, *state.objects, *teams))


class BeginTurn(cards.BeginTurn, frozen=True, kw_only=True):
    """Begin the turn of a seat, and of teammates who share turns, in the first phase.

    to_main: go on to the precombat main phase at once, unless rad counters wait there; on the way
    begin the phases in which a number changes by itself, those at the end of the old turn too.
    asks: even if rad counters wait there, whose question then opens.
    """

    usual: ClassVar[Mapping[str, Any]] = {"to_main": True, "asks": True}
    to_main: Annotated[bool, Parameter(FLAG)] = False
    asks: Annotated[bool, Parameter(FLAG)] = False


@cites("805.4", "805.4a", "800.4k", "500.7", "514.2", "500.11")
def begin_turn(system: System, state: GameState, command: BeginTurn) -> Iterator[Event]:
    refuse_while_waiting(state)
    named = set(command.active)
    for seat in command.active:
        team = side_of(state, seat)
        if team and team.shared_turns:
            named |= {mate for mate in team.seats if not state.seats[mate].lost}
    active = tuple(seat for seat in state.seats if seat in named)
    if command.to_main:
        state = yield from _to_the_end(system, state)
    ended = state
    for event in (*marks.go_back(system, state, active), *modifiers.end(state, "514.2")):
        ended = event.evolve(ended)
        yield event
    yield from designations.new_turn(system, ended)
    began = TurnBegan(active, system.phases[0], marks.temporary(state))
    yield began
    if command.to_main:
        yield from _on_to_main(system, began.evolve(state), () if command.asks else active)


def _to_the_end(system: System, state: GameState) -> Generator[Event, None, GameState]:
    """The phases at the end of a turn in which a number changes by itself; the state after them."""
    phases, now = system.phases, state.turn.phase if state.turn else ""
    for phase in ENDING if now in phases else ():
        if phases.index(phase) > phases.index(now) and ticks.due(state, phase):
            began, now = PhaseBegan(phase, now), phase
            yield began
            state = began.evolve(state)
            for happened in ticks.tick(system, state, began):
                state = happened.evolve(state)
    return state


@cites("500.11")
def _on_to_main(system: System, state: GameState, waits_for: Sequence[str]) -> Iterator[Event]:
    """The phases on the way to the main phase in which a number changes by itself or a player
    ventures, and that phase unless rad counters of *waits_for* wait there."""
    stops = designations.begins_with(state)
    now = yield from ticks.on_the_way(system, state, rad.TRIGGERS_IN, stops)
    if not any(state.count(seat, RAD) for seat in waits_for):
        yield PhaseBegan(rad.TRIGGERS_IN, now)


@cites("505.1a", "500.2", "500.8", "500.11")
def begin_phase(system: System, state: GameState, command: cards.BeginPhase) -> Iterator[Event]:
    """Phases may be skipped. Combat and postcombat main may repeat; precombat main may not."""
    yield from cards.begin_phase(system, state, command)


@cites("122.2", "107.14", "111.7", "400.7", "603.3")
def shared() -> Mapping[str, Verb]:
    """The verbs that do the same in Magic as in every card game."""
    return cards.VERBS


VERBS: Mapping[str, Verb] = {
    **shared(),
    "correct": Verb(life.Correct, life.correct),
    **put_counters.VERBS,
    **ticks.VERBS,
    **replacement_effects.VERBS,
    "mark": Verb(marks.Mark, designations.mark),
    "describe": Verb(Describe, cards.describe),
    "change": Verb(Alter, modifiers.alter),
    "cast": Verb(Cast, cast),
    "begin-turn": Verb(BeginTurn, begin_turn),
    "begin-phase": Verb(cards.BeginPhase, begin_phase),
    "answer": Verb(rad.Answer, rad.answer, combat.may_answer),
    "copy": Verb(rad.Copy, rad.copy),
    "lose-life": Verb(life.LoseLife, life.lose_life),
    "gain-life": Verb(life.GainLife, life.gain_life),
    "draw-cards": Verb(life.Draw, life.draw),
    "damage": Verb(damage.Damage, damage.damage),
    "combat": Verb(combat.Combat, combat.combat),
    "set-life": Verb(life.SetLife, life.set_life),
    "exchange-life": Verb(life.ExchangeLife, life.exchange_life),
    "commander-damage": Verb(life.CommanderDamage, life.commander_damage),
    "day-night": Verb(designations.DayNight, designations.day_night),
    "count-spells": Verb(designations.CountSpells, designations.count_spells),
    "tempt": Verb(designations.Tempt, designations.tempt),
    "venture": Verb(designations.Venture, designations.venture),
    "complete-dungeon": Verb(designations.CompleteDungeon, designations.complete_dungeon),
    "planar-die": Verb(
        designations.RollPlanar, designations.roll_planar, served=True, by_hand=True
    ),
    "leave": Verb(Leave, leave),
    "restart": Verb(Restart, restart),
}
