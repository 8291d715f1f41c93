"""Changing the rules of a game that goes on.

The new definition takes the place of the old one in the table's settings, so an undo brings the old
one back and the log is resolved by the rules of each moment.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, ClassVar

from msgspec.structs import asdict, replace

from games.rules.commands import Command, Parameter, Reader, Terms, invalid
from games.rules.events import Event, Voided
from games.rules.state import CEASED, GameObject, GameState, Prompt, Refused, Team, Turn
from games.rules.system import System, Verb
from games.tracks.counter import counter_in

from .events import HELD, LAST, ROLES, ROUND, with_written, written_on
from .holders import Piece, Side, piece_in, roles_in, round_of, sorts_of
from .language.definition import DEFINITION, Definition, understood
from .language.meaning import TABLE
from .language.reading import Fault
from .tracks import starts


def _map(value: Any, system: Terms) -> Mapping[str, Any]:
    if type(value) is dict:
        return value
    raise ValueError


class ChangeRules(Command, frozen=True, kw_only=True):
    """Change the rules of the game while it goes on."""

    verb: ClassVar[str] = "change-rules"
    definition: Annotated[
        Mapping[str, Any],
        Parameter(Reader("a definition of rules", _map, schema={"type": "object"})),
    ]

    def check(self, system: Terms) -> None:
        try:
            understood(self.definition)
        except Fault as fault:
            raise invalid("The definition has a fault at “{place}”.", place=fault.place) from None


class RulesChanged(Event, frozen=True):
    """The table plays by another definition from now on. all: everything that is on it."""

    kind: ClassVar[str] = "rules-changed"
    private: ClassVar[tuple[str, ...]] = ("definition", "all")
    definition: Mapping[str, Any]
    all: tuple[str, ...]

    def evolve(self, state: GameState) -> GameState:
        now, was = understood(self.definition), understood(state.settings[DEFINITION])
        if was.plain is not now.plain:
            state = _in_teams(state, Side if now.plain else Team)
        state = replace(
            state,
            settings={**state.settings, DEFINITION: self.definition},
            objects={key: _anew(now, each) for key, each in state.objects.items()},
            turn=_turn(now, state.turn),
        )
        kept = {seat: role for seat, role in roles_in(state).items() if role in now.roles}
        last = state.parts.get(LAST) or [*state.turn.active]  # type: ignore[union-attr]
        number = None if now.plain else round_of(state)
        state = state.with_parts(
            **{HELD: None, ROLES: kept or None, LAST: last or None, ROUND: number}
        )
        return _with_new_numbers(was, now, state)

    def touches(self) -> tuple[str, ...]:
        return self.all


def _anew(now: Definition, each: GameObject) -> GameObject:
    """A thing with what the new rules print on its type; it had none in a game without rules."""
    facts, kind = asdict(each), type_in(now, each)
    prints = now.things[kind].prints if kind in now.things and each.zone != CEASED else {}
    facts |= {"type": kind, "base": {**prints, **facts["base"]}}
    return piece_in(now.zones[0])(**facts)


def type_in(definition: Definition, piece: GameObject) -> str:
    """The type of a thing by that definition."""
    assert isinstance(piece, Piece)
    return piece.type or next(iter(definition.things), "")


def _in_teams(state: GameState, made: type[Team]) -> GameState:
    """The state in which each player has what the team shared, and no tick goes on: what rules do
    of both is written in them. made: what its teams are now."""
    for team in state.teams.values():
        pool = state.on(f"team:{team.id}")
        for seat in team.seats if pool else ():
            state = state.with_counters(seat, {**state.on(seat), **pool})
        state = state.with_counters(f"team:{team.id}", {})
    teams = {key: made(key, team.seats) for key, team in state.teams.items()}
    return replace(state, teams=teams).with_ticks({})


def _turn(definition: Definition, turn: Turn | None) -> Turn:
    assert turn is not None
    phase = turn.phase if turn.phase in definition.phases else definition.phases[0]
    return Turn(() if definition.order == "none" else turn.active, phase)


def _with_new_numbers(was: Definition, now: Definition, state: GameState) -> GameState:
    """The state in which the numbers that are new begin with their starts; of those that are blank
    now, what is not 0 is written."""
    for holder, sort in sorts_of(now, state).items():
        kinds = {*written_on(state, holder), *state.on(holder)}
        state = with_written(state, holder, now.blanks & kinds)
        for kind, start in starts(now, sort):
            known = kind in was.numbers and sort in was.numbers[kind].on
            if not known and not state.count(holder, kind):
                state = state.with_count(holder, kind, start)
    return state


def change_rules(system: System, state: GameState, command: ChangeRules) -> Iterator[Event]:
    now = understood(command.definition)
    refuse_what_does_not_fit(now, state)
    for prompt in asked_by_rules(state):
        yield Voided(prompt.id)
    pools = [pool for team in state.teams if state.on(pool := f"team:{team}")]
    everything = (*state.seats, *state.objects, *state.slot_counters, *pools, TABLE)
    yield RulesChanged(command.definition, everything)


def asked_by_rules(state: GameState) -> list[Prompt]:
    """The questions of the rules; what is proposed to a GM waits on."""
    return [prompt for prompt in state.prompts if "rule" in prompt.facts]


def rematch(first: GameState, last: GameState) -> GameState:
    """The opening once more, by the rules that the table came to in the game before, in its
    teams."""
    if first.teams and {s for team in last.teams.values() for s in team.seats} <= {*first.seats}:
        first = replace(first, teams=last.teams)
    written = last.settings[DEFINITION]
    now = understood(written)
    if written == first.settings[DEFINITION] or unfit(now, first):
        return first
    if not now.players[0] <= len(first.seats) <= now.players[1]:
        return first
    everything = (*first.seats, *first.objects, *first.slot_counters, TABLE)
    return RulesChanged(written, everything).evolve(first)


def unfit(now: Definition, state: GameState) -> list[str]:
    """The things and tracks at the table that new rules have no type or zone for, by id."""
    return [
        each.id
        for each in state.objects.values()
        if each.zone != CEASED
        and (
            each.zone not in now.zones
            or each.id == TABLE
            or not (now.plain or type_in(now, each) in now.things)
        )
    ] + [key for key in state.slot_counters if counter_in(state, key).type not in now.tracks]


def refuse_what_does_not_fit(now: Definition, state: GameState) -> None:
    """Refuse rules with fewer seats than sit there, or without a type or zone of a thing."""
    was = understood(state.settings[DEFINITION])
    if was.led is not now.led:
        raise Refused("wrong-facts", "A game keeps its GM, or has none.")
    players = sorts_of(now, state).keys() & state.seats.keys()
    if len(players) > now.players[1]:
        sentence = "The new rules are for at most {most} players; {n} sit at the table."
        raise Refused("wrong-facts", sentence, None, most=now.players[1], n=len(players))
    if left := unfit(now, state):
        sentence = "The new rules have no place for {name}. Take it off the table first."
        first = state.objects.get(left[0]) or counter_in(state, left[0])
        name = first.name
        raise Refused("wrong-facts", sentence, None, name=name)


VERBS: Mapping[str, Verb] = {"change-rules": Verb(ChangeRules, change_rules, served=True)}
