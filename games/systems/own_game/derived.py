"""What follows from the state of an own game: shown and compared, never stored."""

from __future__ import annotations

from typing import Any

from games.rules.state import GameObject, GameState, Seat, Turn
from games.tracks.counter import Counter
from games.tracks.counter import derived as of_counter

from .course import Course
from .events import written_on
from .holders import OwnSystem, roles_in, round_of
from .language.meaning import TABLE


def derived(system: OwnSystem, state: GameState, shown: Any) -> dict[str, Any]:
    """The numbers that follow from others, and the round."""
    if isinstance(shown, Turn):
        return {"round": round_of(state)}
    if isinstance(shown, Seat | GameObject):
        role = roles_in(state).get(shown.id)
        return {**numbers_of(system, state, shown.id), **({"role": role} if role else {})}
    if isinstance(shown, Counter):
        return {**of_counter(system, state, shown), **numbers_of(system, state, shown.id)}
    return {}


def following(system: OwnSystem, state: GameState, holder: str) -> dict[str, int]:
    """The numbers of a holder that follow from others."""
    kinds = [each.kind for each in system.definition.numbers.values() if each.follows]
    if not kinds:
        return {}
    course = Course(system, state)
    return {kind: course.count(holder, kind) for kind in kinds if course.may_have(holder, kind)}


def numbers_of(system: OwnSystem, state: GameState, holder: str) -> dict[str, Any]:
    """The numbers of a holder, and which of its blank ones somebody wrote."""
    return {
        "counters": dict(state.on(holder)),
        "derived": following(system, state, holder),
        "written": written_on(state, holder),
    }


def table_part(system: OwnSystem, state: GameState) -> dict[str, Any]:
    """The table's own numbers."""
    return {TABLE: numbers_of(system, state, TABLE)}
