"""Despair: what Moods take off it, and the Wounds that come of more than there is room for."""

from __future__ import annotations

from typing import Annotated, ClassVar

from games.rules.commands import Parameter, each, whole
from games.rules.state import GameState
from games.rules.system import System, cites
from games.tracks.counter import counter_in
from games.tracks.course import Course
from games.tracks.facts import CounterFact
from games.tracks.filling import Shieldable, begun, gain_of, refuse_slots, shielded

MOODS = each(whole(0, 99), 0, 2, distinct=False)


class Suffer(Shieldable, frozen=True, kw_only=True):
    """Gain Despair: Moods take points off first. A full counter means a Wound instead."""

    verb: ClassVar[str] = "suffer"
    moods: Annotated[tuple[int, ...], Parameter(MOODS)] = ()


class Wounded(CounterFact, frozen=True):
    """Despair that was suffered while full became a Wound."""

    kind: ClassVar[str] = "wounded"
    rank: int


@cites("moods", "Vulnerability")
def suffer(system: System, state: GameState, command: Suffer) -> Course:
    for named in command.named():
        refuse_slots(counter_in(state, named))
    course = begun(system, state, command)
    points = max(0, (command.total() or 0) - sum(command.moods))
    gained = gain_of(course, command.on, points)
    if not course.counter(command.on).complete:
        shielded(course, command, gained)
    elif points:
        course.happen(Wounded(command.on, gained.slots))
    return course
