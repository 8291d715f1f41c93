"""Any game: seats, objects and named counters, without rules.

For every game that has no folder of its own yet. Nothing happens by itself; the log, undo and
corrections work as in every game. Players may form teams, which share turns or counters.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

from games.rules import cards, ticks
from games.rules.events import Event
from games.rules.state import Components, GameObject, GameState, Kinds, Seat, Team, Words, marked
from games.rules.system import Automatic, Counters, Rulebook, Seating, System, Verb


class Thing(GameObject, frozen=True):
    """Anything that holds counters: a card, a board, a pile."""

    field_zones: ClassVar[frozenset[str]] = frozenset({"table"})
    off_field: ClassVar[Words] = marked("{name} is not on the table ({zone}).")


class Side(Team, frozen=True):
    """A team. shared_counters: its players' counters are one pool."""

    shared_turns: bool = False
    shared_counters: bool = False


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


class BeginTurn(cards.BeginTurn, frozen=True, kw_only=True):
    """Begin the turn of a seat, and of teammates who share turns, in the first phase."""


def begin_turn(system: System, state: GameState, command: BeginTurn) -> Iterator[Event]:
    named = set(command.active)
    for seat in command.active:
        team = side_of(state, seat)
        if team and team.shared_turns:
            named.update(team.seats)
    active = tuple(seat for seat in state.seats if seat in named)
    yield from cards.begin_turn(system, state, cards.BeginTurn(by=command.by, active=active))


def opening(system: System, given: Any, settings: Any) -> GameState:
    """The opening; the counters of players who share a pool become their team's."""
    state = cards.opening(system, given, settings)
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


CURRENT = System(
    name="any-game",
    title="Any game",
    sentence="Named counters on players and objects, without rules.",
    edition="1",
    rulebook=Rulebook(
        document="No rules: a counter means whatever the table says",
        translated=frozenset({"de", "es"}),
    ),
    components=Components(object=Thing, team=Side),
    zones=("table", "aside"),
    phases=("turn",),
    opening=opening,
    verbs={**cards.VERBS, **ticks.VERBS, "begin-turn": Verb(BeginTurn, begin_turn)},
    automatic=Automatic(watched=frozenset(), triggers={"turn-began": (ticks.tick,)}),
    counters=TeamCounters(),
    seating=TeamSeating(),
    derived=derived,
)

EDITIONS = (CURRENT,)
