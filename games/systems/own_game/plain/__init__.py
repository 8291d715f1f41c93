"""A game without rules: its definition says that turns are free, and of nothing else.

So the core's own verbs do all of it: whatever people name is counted, on players and things. Teams
may share turns or counters, until the table writes rules.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec.structs import replace

from games.rules import cards, ticks
from games.rules.events import Event
from games.rules.state import GameState, Kinds, Seat, marked
from games.rules.system import Automatic, Counters, Seating, System, Verb

from .. import change_rules
from ..holders import OwnSystem, Side
from ..language.definition import DEFINITION

NO_RULES = marked("No rules: a counter means whatever the table says")


def side_of(state: GameState, seat: str) -> Side | None:
    """The team of *seat*, if it is on one."""
    for team in state.teams.values():
        if isinstance(team, Side) and seat in team.seats:
            return team
    return None


def pool(state: GameState, seat: str) -> str | None:
    """The holder of the counters that *seat* shares with its team; None if it has its own."""
    team = side_of(state, seat) if state.teams else None
    return f"team:{team.id}" if team and team.shared_counters else None


def counter_owner(state: GameState, holder: str, kind: str) -> str:
    return pool(state, holder) or holder


def held(state: GameState, holder: str) -> Kinds:
    return state.on(pool(state, holder) or holder)


def side(state: GameState, seat: str) -> str:
    team = side_of(state, seat)
    return f"team:{team.id}" if team else seat


def derived(system: System, state: GameState, obj: Any) -> dict[str, Any]:
    """The team that a seat is on."""
    team = side_of(state, obj.id) if state.teams and isinstance(obj, Seat) else None
    return {"team": team.id} if team else {}


def begin_turn(system: System, state: GameState, command: cards.BeginTurn) -> Iterator[Event]:
    """With a seat begin the teammates who share its turns."""
    named = set(command.active)
    for seat in command.active:
        team = side_of(state, seat)
        if team and team.shared_turns:
            named.update(team.seats)
    active = tuple(seat for seat in state.seats if seat in named)
    yield from cards.begin_turn(system, state, replace(command, active=active))


def opening(system: OwnSystem, given: Mapping[str, Any], settings: Mapping[str, Any]) -> GameState:
    """The opening; the counters of players who share a pool become their team's."""
    written = system.definition.written
    state = cards.opening(system, given, {**settings, DEFINITION: written})
    for seat in state.seats:
        shared = pool(state, seat)
        if shared and (own := state.on(seat)):
            kinds = dict(state.on(shared))
            for kind, amount in own.items():
                kinds[kind] = kinds.get(kind, 0) + amount
            state = state.with_counters(shared, kinds).with_counters(seat, {})
    return state


class TeamCounters(Counters, frozen=True):
    """Counters of players, and of teams that share theirs."""

    owner = staticmethod(counter_owner)
    held = staticmethod(held)


class TeamSeating(Seating, frozen=True):
    """Seats that may play in teams."""

    side = staticmethod(side)
    rematch = staticmethod(change_rules.rematch)


VERBS: Mapping[str, Verb] = {
    **cards.VERBS,
    **ticks.VERBS,
    **change_rules.VERBS,
    "begin-turn": Verb(cards.BeginTurn, begin_turn),
}


def system(made: OwnSystem) -> OwnSystem:
    """The system of a definition whose turns are free."""
    return replace(
        made,
        sentence=made.definition.about or NO_RULES,
        rulebook=replace(made.rulebook, document=NO_RULES, rules={}),
        components=replace(made.components, team=Side),
        opening=opening,
        verbs=VERBS,
        automatic=Automatic(watched=frozenset(), triggers={"turn-began": (ticks.tick,)}),
        counters=TeamCounters(),
        seating=TeamSeating(most_seats=made.seating.most_seats),
        derived=derived,
        further=lambda *_: {},
    )
