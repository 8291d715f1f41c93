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
from games.rules.state import CEASED, GameObject, GameState, Prompt, Refused, Turn
from games.rules.system import System, Verb
from games.tracks.counter import counter_in

from .events import HELD, ROLES, with_written, written_on
from .holders import Piece, piece_in, roles_in, sorts_of
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
        state = replace(
            state,
            settings={**state.settings, DEFINITION: self.definition},
            objects={key: _anew(now, each) for key, each in state.objects.items()},
            turn=_turn(now, state.turn),
        )
        kept = {seat: role for seat, role in roles_in(state).items() if role in now.roles}
        state = state.with_parts(**{HELD: None, ROLES: kept or None})
        return _with_new_numbers(was, now, state)

    def touches(self) -> tuple[str, ...]:
        return self.all


def _anew(now: Definition, each: GameObject) -> GameObject:
    """A thing with what the new rules print on its type."""
    assert isinstance(each, Piece)
    facts = asdict(each)
    prints = now.things[each.type].prints if each.zone != CEASED else {}
    return piece_in(now.zones[0])(**{**facts, "base": {**prints, **each.base}})


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
    yield RulesChanged(
        command.definition, (*state.seats, *state.objects, *state.slot_counters, TABLE)
    )


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
        and (each.zone not in now.zones or getattr(each, "type", "") not in now.things)
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
