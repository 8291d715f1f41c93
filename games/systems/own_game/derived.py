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
        worked_out = following(system, state, shown.id)
        role = roles_in(state).get(shown.id)
        return {
            "derived": worked_out,
            "written": written_on(state, shown.id),
            **({"role": role} if role else {}),
        }
    if isinstance(shown, Counter):
        numbers = {"derived": following(system, state, shown.id)}
        return {**of_counter(system, state, shown), **numbers}
    return {}


def following(system: OwnSystem, state: GameState, holder: str) -> dict[str, int]:
    """The numbers of a holder that follow from others."""
    kinds = [each.kind for each in system.definition.numbers.values() if each.follows]
    if not kinds:
        return {}
    course = Course(system, state)
    return {kind: course.count(holder, kind) for kind in kinds if course.may_have(holder, kind)}


def table_part(system: OwnSystem, state: GameState) -> dict[str, Any]:
    """The table's own numbers."""
    numbers = {"counters": dict(state.on(TABLE)), "derived": following(system, state, TABLE)}
    return {TABLE: {**numbers, "written": written_on(state, TABLE)}}
