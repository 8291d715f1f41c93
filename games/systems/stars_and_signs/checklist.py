"""Milestones, and the GM's checklist of one, made from the counters on the table.

It recognises the rulebook's own counters by their `role`. Source: our notes on milestones. In the
rulebook "clear" means to empty, and "refresh" to empty and lose temporary slots.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, ClassVar

from games.rules.commands import Command, Parameter, one_of
from games.rules.events import Event
from games.rules.state import GameState, Phrase
from games.rules.system import System, cites
from games.systems.slot_counters import Line
from games.tracks import session
from games.tracks.counter import Counter, counter_in, runs
from games.tracks.course import Course
from games.tracks.play import STEP_LIST, take_steps

MILESTONES = ("minor", "major")


@cites("R19", "R30", "Clearing Despair", "Energy Counter")
def checklist(state: GameState, milestone: str, *, trades: bool = True) -> list[Line]:
    """The lines of a minor or major milestone, by counter, in the order they were made.

    Only counters in play have lines. trades: also what may be traded, which is never ticked at
    first.
    """
    every = (counter_in(state, counter_id) for counter_id in state.slot_counters)
    counters = [counter for counter in every if runs(state, counter)]
    played = [counter for counter in counters if not counter.resolved and not counter.inventory]
    lines = [line for counter in played for line in _minor(counter, played if trades else [])]
    if milestone == "major":
        lines += [line for counter in played for line in _major(counter)]
    lines += [line for counter in counters for line in _reminders(counter)]
    return lines


def _minor(counter: Counter, played: list[Counter]) -> Iterator[Line]:
    if counter.role == "energy" and counter.filled:
        text = Phrase("{name}: clear all; a Transformation ends.", name=counter.name)
        yield Line(counter.id, text, _emptied(counter))
    if counter.role == "hope":
        for despair in played:
            if despair.role == "despair" and despair.owner == counter.owner:
                yield from _exchange(counter, despair)


def _exchange(hope: Counter, despair: Counter) -> Iterator[Line]:
    """Hope can be spent to clear the same number of slots of Despair; one slot is offered."""
    if hope.unfilled and despair.filled:
        most = min(hope.unfilled, despair.filled)
        steps = (
            {"do": "spend", "on": hope.id, "slots": 1},
            {"do": "clear", "on": despair.id, "slots": 1},
        )
        text = Phrase(
            "{name} for {despair}: trade one slot for one, up to {most}.",
            name=hope.name, despair=despair.name, most=most,
        )  # fmt: skip
        yield Line(hope.id, text, steps, wanted=False)


def _major(counter: Counter) -> Iterator[Line]:
    if counter.role in ("despair", "aura") and counter.filled:
        text = Phrase("{name}: clear all.", name=counter.name)
        yield Line(counter.id, text, _emptied(counter))
    if counter.role == "hope" and (counter.filled or counter.temporary):
        text = Phrase(
            "{name}: refresh, then a temporary slot for each negative Connection.",
            name=counter.name,
        )
        yield Line(counter.id, text, ({"do": "restart", "on": counter.id},))


def _reminders(counter: Counter) -> Iterator[Line]:
    if counter.resolved:
        return
    if counter.role == "wound":
        text = Phrase("{name}: test Recovery; a success heals 1d10.", name=counter.name)
        yield Line(counter.id, text)
    if counter.role == "memories":
        yield Line(counter.id, Phrase("{name}: add up to three.", name=counter.name))
    if counter.role == "corruption" and counter.filled:
        text = Phrase(
            "{name}: {n} of {slots} filled.",
            name=counter.name, n=counter.filled, slots=counter.slots,
        )  # fmt: skip
        yield Line(counter.id, text)


def _emptied(counter: Counter) -> tuple[Mapping[str, Any], ...]:
    return ({"do": "clear", "on": counter.id, "all": True},)


class Milestone(Command, frozen=True, kw_only=True):
    """Record a milestone, with its `steps` in the same entry.

    Without `steps`, what the rulebook's own counters on the table call for.
    """

    verb: ClassVar[str] = "milestone"
    milestone: Annotated[str, Parameter(one_of(*MILESTONES))]
    steps: Annotated[tuple[Mapping[str, Any], ...] | None, Parameter(STEP_LIST)] = None


class MilestoneReached(Event, frozen=True):
    kind: ClassVar[str] = "milestone-reached"
    milestone: str


@cites("R19")
def reach_milestone(system: System, state: GameState, command: Milestone) -> Course:
    course = Course(system, state)
    course.happen(MilestoneReached(command.milestone))
    steps, rule = command.steps, None
    if steps is None:
        rule = "R19"
        lines = checklist(state, command.milestone, trades=False)
        steps = tuple(step for line in lines if line.wanted for step in line.steps)
    take_steps(course, command.by, steps, rule)
    return course


class EndSession(session.EndSession, frozen=True, kw_only=True):
    """End the session, with its `steps`, as one chapter of the log. GM only.

    milestone: the one that it brings.
    """

    milestone: Annotated[str | None, Parameter(one_of(*MILESTONES))] = None


@cites("R35", "R19")
def end_session(system: System, state: GameState, command: EndSession) -> Course:
    course = Course(system, state)
    if command.milestone is not None:
        course.happen(MilestoneReached(command.milestone))
    return session.ended(course, command)
