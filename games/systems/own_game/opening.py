"""The opening of an own game: seats, things and tracks with the starts of their numbers.

Source: docs/OWN-GAMES.md, Own 1 and GM 1.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from games.rules import cards
from games.rules.state import GameState, Kinds, Seat
from games.tracks import table
from games.tracks.counter import GM, protagonists

from . import turns
from .course import Course
from .events import LAST, ROLES, ROUND, SAID, SCORES, with_written, written_on
from .holders import OwnSystem, sorts_of
from .language.definition import DEFINITION, Definition
from .language.meaning import PLAYER, TABLE
from .tracks import starts

SEATS: Mapping[str, Any] = {GM: {}, "ana": {}, "ben": {}}
"""The seats of an opening with a GM that names none."""


def opening(system: OwnSystem, given: Mapping[str, Any], settings: Mapping[str, Any]) -> GameState:
    """The opening: every holder has its starts, but for the kinds that `given` names (Own 1)."""
    definition = system.definition
    if definition.led:
        given = {**given, "seats": given.get("seats") or SEATS}
    if definition.led and GM not in given["seats"]:
        raise ValueError(f"a game with a GM has the seat {GM}")
    turn = dict(given.get("turn", {}))
    number = turn.pop("round", 1)
    played = {key: facts["role"] for key, facts in given["seats"].items() if "role" in facts}
    if not {*played.values()} <= definition.roles.keys():
        raise ValueError("there is no such role in this game")
    if definition.led and GM in played:
        raise ValueError("the GM has no role")
    if definition.teams and "teams" not in given:
        given = {**given, "teams": _in_turn(_players(given["seats"]), definition.teams)}
    described = {
        **{part: value for part, value in given.items() if part != TABLE},
        "seats": {
            key: {name: fact for name, fact in facts.items() if name != "role"}
            for key, facts in given["seats"].items()
        },
        "turn": {"active": (), **turn},
        "objects": {key: _typed(definition, facts) for key, facts in _objects(given).items()},
    }
    state = cards.opening(
        system,
        described,
        {**settings, DEFINITION: definition.written},
    )
    if definition.led:
        state = _with_tracks(system, state, given)
    _refuse_players(definition, state)
    if definition.led and not {seat for team in state.teams.values() for seat in team.seats} <= {
        *protagonists(state)
    }:
        raise ValueError("the GM is on no team")
    state = state.with_parts(**{ROLES: played or None})
    state = _started(definition, state, given)
    assert state.turn is not None
    active = [*state.turn.active]
    state = state.with_parts(**{ROUND: number, LAST: active or None})
    begun = turns.standing(Course(system, state)) if active else None
    return state.with_parts(**{SCORES: begun and [begun], SAID: [{}] if begun else None})


def _players(seats: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """The *seats* that play: not the GM's, nor a co-GM's own."""
    return [key for key, facts in seats.items() if key != GM and not facts.get("chair")]


def _in_turn(seats: list[str], teams: int) -> dict[str, Any]:
    """So many teams, whose seats take turns round the table: partners sit across."""
    found = {f"team-{n + 1}": {"seats": seats[n::teams]} for n in range(teams)}
    return {key: team for key, team in found.items() if team["seats"]}


def _refuse_players(definition: Definition, state: GameState) -> None:
    """Refuse too few or too many players. Raises ValueError."""
    least, most = definition.players
    players = protagonists(state) if definition.led else state.seats
    if not least <= len(players) <= most:
        raise ValueError(f"this game is for {least} to {most} players")


def _objects(given: Mapping[str, Any]) -> Mapping[str, Any]:
    found: Mapping[str, Any] = given.get("objects", {})
    return found


def _typed(definition: Definition, facts: Mapping[str, Any]) -> dict[str, Any]:
    """The facts of a thing with its type and everything that is printed on it."""
    kind = facts.get("type", next(iter(definition.things)))
    prints = definition.things[kind].prints
    return {**facts, "type": kind, "base": {**prints, **facts.get("base", {})}}


def _started(definition: Definition, state: GameState, given: Mapping[str, Any]) -> GameState:
    """The opening with the starts of all holders, and the table's own numbers."""
    named = {
        **{key: facts.get("counters", {}) for key, facts in given["seats"].items()},
        **{key: facts.get("counters", {}) for key, facts in _objects(given).items()},
        **{key: facts.get("counters", {}) for key, facts in _tracks(given).items()},
        TABLE: given.get(TABLE, {}).get("counters", {}),
    }
    for kind, amount in named[TABLE].items():
        state = state.with_count(TABLE, kind, amount)
    for holder, kinds in named.items():
        state = with_written(state, holder, definition.blanks & {*kinds})
    for holder, sort in sorts_of(definition, state).items():
        for kind, start in starts(definition, sort):
            if kind not in named.get(holder, {}):
                state = state.with_count(holder, kind, start)
    return _shared(definition, state, named)


def _shared(
    definition: Definition, state: GameState, named: Mapping[str, Mapping[str, int]]
) -> GameState:
    """The opening in which each team has what the first of its seats that says so has."""
    for team in state.teams.values():
        for kind in definition.shared:
            first = next((seat for seat in team.seats if kind in named[seat]), team.seats[0])
            for seat in team.seats:
                state = state.with_count(seat, kind, state.count(first, kind))
                if kind in written_on(state, first):
                    state = with_written(state, seat, {*written_on(state, seat), kind})
    return state


def late_seat(system: OwnSystem, state: GameState, seat: str) -> tuple[Seat, Kinds]:
    """A seat that comes late, with its starts."""
    return system.components.seat(seat), dict(starts(system.definition, PLAYER))


# The GM's table


def _with_tracks(system: OwnSystem, state: GameState, given: Mapping[str, Any]) -> GameState:
    """The opening with its tracks, scenes and notes."""
    counters = {
        key: {name: value for name, value in facts.items() if name != "counters"}
        for key, facts in _tracks(given).items()
    }
    described = {
        **given,
        "seats": {key: {} for key in state.seats},
        "slot_counters": system.described(counters),
    }
    made = table.opening(system, described, {}, [*system.definition.tracks])
    state = replace(state, slot_counters=made.slot_counters, scenes=made.scenes, notes=made.notes)
    for key, facts in _tracks(given).items():
        for kind, amount in facts.get("counters", {}).items():
            state = state.with_count(key, kind, amount)
    return state


def _tracks(given: Mapping[str, Any]) -> Mapping[str, Any]:
    found: Mapping[str, Any] = given.get("slot_counters", {})
    return found
