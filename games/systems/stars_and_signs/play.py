"""Commands about the whole table: action, together, milestone, appoint, and proposals to the GM.

Several commands may be one entry: those in `steps` are given by the same seat, each after the one
before, all of them or none. A proposal keeps a command until the GM answers it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from games.rules.commands import (
    FLAG,
    ID,
    PROMPT,
    SEAT,
    WAITING,
    Command,
    Reader,
    each,
    invalid,
    one_of,
    parameter,
)
from games.rules.engine import read, refuse_unknown, step
from games.rules.events import Event, Prompted, Voided
from games.rules.state import GameState, Phrase, Prompt, Refused
from games.rules.system import System, cites

from .checklist import MILESTONES, checklist
from .counter import GM, game_master, refuse_players
from .course import Course, Gain, follow_links, gain
from .facts import Acted, Appointed, Decided, MilestoneReached, Proposed
from .seen import named_counters
from .slots import Spend

ABOUT_A_COUNTER = frozenset(
    "fill suffer spend clear add-temporary restart put take swap edit resolve".split()
)
"""What may be proposed."""
STEPS = ABOUT_A_COUNTER | {"create", "correct", "arrange", "discard"}
"""What may be one of several commands in an entry."""
MOST_STEPS = 100


def _inner(verbs: frozenset[str]) -> Reader:
    """A command within a command: one of *verbs*, without `by`, `id` and `note`."""

    def read_command(value: Any, system: System) -> Mapping[str, Any]:
        if type(value) is not dict or {"by", "id", "note"} & set(value):
            raise ValueError
        verb = value.get("do")
        if type(verb) is not str or verb not in verbs:
            raise ValueError
        read(system, value, GM)
        return value

    return Reader(Phrase("a command {{do: {verbs}}}", verbs=", ".join(sorted(verbs))), read_command)


STEP_LIST = each(_inner(STEPS), 0, MOST_STEPS, distinct=False)


def take_steps(
    course: Course, by: str, steps: Sequence[Mapping[str, Any]], rule: str | None = None
) -> None:
    """Let *by* give each of *steps*, after the one before. Raises Refused, as the first that is.

    rule: why they happen, if nobody asked for them one by one.
    """
    for raw in steps:
        command = read(course.system, raw, by)
        course.state, events = step(course.system, course.state, command)
        course.events += [replace(event, rule=event.rule or rule) for event in events]


# Actions


@dataclass(frozen=True, slots=True, kw_only=True)
class Action(Command):
    """An Action happened, or only a Reaction. Each running timer advances by one slot.

    seat: who acted, where the GM says it for somebody else.
    steps: what else it brings, in the same entry, after the timers.
    """

    verb: ClassVar[str] = "action"
    seat: str | None = parameter(ID, None, names=SEAT)
    outcome: str | None = parameter(one_of("miss", "graze", "hit", "critical"), None)
    reaction: bool | None = parameter(FLAG, None)
    steps: tuple[Mapping[str, Any], ...] = parameter(STEP_LIST, ())


@cites("R15", "R21")
def may_act(system: System, state: GameState, command: Action) -> None:
    if command.seat not in (None, command.by):
        refuse_players(state, command.by)


@cites("R8", "Timer")
def act(system: System, state: GameState, command: Action) -> Sequence[Event]:
    course = Course(system, state)
    course.tell(Acted(command.seat or command.by, command.outcome, command.reaction))
    if not command.reaction and system.setting(state, "timers_advance"):
        for each_id in sorted(state.slot_counters):
            timer = course.counter(each_id)
            if timer.type != "timer" or timer.complete or timer.paused or timer.resolved:
                continue
            course.rule = "R8"
            gain(course, each_id, Gain(1))
            follow_links(course)
    take_steps(course, command.by, command.steps)
    return course.events


# Several at once


@dataclass(frozen=True, slots=True, kw_only=True)
class Together(Command):
    """Several commands as one: all of them or none, one entry, one undo."""

    verb: ClassVar[str] = "together"
    steps: tuple[Mapping[str, Any], ...] = parameter(
        each(_inner(STEPS), 1, MOST_STEPS, distinct=False)
    )


@cites("R24")
def together(system: System, state: GameState, command: Together) -> Sequence[Event]:
    course = Course(system, state)
    take_steps(course, command.by, command.steps)
    return course.events


@dataclass(frozen=True, slots=True, kw_only=True)
class Milestone(Command):
    """A milestone is reached. `steps` are what it brings, as one entry.

    Without them: what the rulebook's counters on the table ask for.
    """

    verb: ClassVar[str] = "milestone"
    milestone: str = parameter(one_of(*MILESTONES))
    steps: tuple[Mapping[str, Any], ...] | None = parameter(STEP_LIST, None)


def may_reach(system: System, state: GameState, command: Milestone) -> None:
    refuse_players(state, command.by)


@cites("R19")
def reach_milestone(system: System, state: GameState, command: Milestone) -> Sequence[Event]:
    course = Course(system, state)
    course.tell(MilestoneReached(command.milestone))
    steps, rule = command.steps, None
    if steps is None:
        rule = "R19"
        wanted = (line for line in checklist(state, command.milestone) if line.wanted)
        steps = tuple(each_step for line in wanted for each_step in line.steps)
    take_steps(course, command.by, steps, rule)
    return course.events


# Who is GM


@dataclass(frozen=True, slots=True, kw_only=True)
class Appoint(Command):
    """Let a player see and do what the GM does; `co_gm` false ends that. Only the GM's own seat."""

    verb: ClassVar[str] = "appoint"
    seat: str = parameter(ID, names=SEAT)
    co_gm: bool = parameter(FLAG, True)


@cites("R21")
def may_appoint(system: System, state: GameState, command: Appoint) -> None:
    if command.by != GM:
        raise Refused("forbidden", "Only the GM appoints a co-GM.", "R21")


def appoint(system: System, state: GameState, command: Appoint) -> Iterator[Event]:
    if command.seat == GM:
        raise Refused("wrong-target", "The GM is the GM already.", "R21")
    yield Appointed(command.seat, command.co_gm)


# Proposals


@dataclass(frozen=True, slots=True, kw_only=True)
class Propose(Command):
    """Ask the GM for something that this seat may not do, or cannot pay: a command to the GM.

    It waits as a prompt; the board may have changed when it is answered.
    """

    verb: ClassVar[str] = "propose"
    command: Mapping[str, Any] = parameter(_inner(ABOUT_A_COUNTER))

    def about(self) -> list[str]:
        """The counters that the command names, those it would link to among them (R14)."""
        return list(dict.fromkeys(named_counters(self.command)))


@cites("R20", "R14")
def may_propose(system: System, state: GameState, command: Propose) -> None:
    refuse_unknown(state, read(system, command.command, command.by))
    if game_master(state, command.by):
        raise Refused("forbidden", "The GM need not ask.", "R20")


@cites("R20")
def propose(system: System, state: GameState, command: Propose) -> Iterator[Event]:
    facts = {"by": command.by, "about": command.about(), "command": dict(command.command)}
    yield Proposed(command.command["on"], command.by, command.command["do"])
    yield Prompted.of(state, Prompt(f"proposal:{command.by}", "proposal", GM, None, facts))


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer(Command):
    """Accept a proposal, which then happens as if the GM had said it, or decline it.

    partial: of a cost that cannot be paid in full, let what is left be spent.
    """

    verb: ClassVar[str] = "answer"
    prompt: str = parameter(PROMPT, names=WAITING)
    accept: bool = parameter(FLAG)
    partial: bool = parameter(FLAG, False)

    def check(self, system: System) -> None:
        if self.partial and not self.accept:
            raise invalid("What is declined is not spent.")


@cites("R20")
def may_answer(system: System, state: GameState, command: Answer) -> None:
    refuse_players(state, command.by)


@cites("R20")
def answer(system: System, state: GameState, command: Answer) -> Sequence[Event]:
    course = Course(system, state)
    prompt = state.prompt(command.prompt)
    assert prompt is not None, command.prompt
    course.tell(Decided(command.prompt, command.accept))
    if command.accept:
        asked = read(system, prompt.facts["command"], command.by)
        if command.partial:
            if not isinstance(asked, Spend):
                raise Refused("wrong-facts", "Only a cost can be paid in part.", "R7")
            asked = replace(asked, partial=True)
        course.state, events = step(system, course.state, asked)
        course.events += events
    return course.events


@dataclass(frozen=True, slots=True, kw_only=True)
class Withdraw(Command):
    """Take an own proposal back."""

    verb: ClassVar[str] = "withdraw"
    prompt: str = parameter(PROMPT, names=WAITING)


@cites("R20")
def may_withdraw(system: System, state: GameState, command: Withdraw) -> None:
    prompt = state.prompt(command.prompt)
    if prompt and prompt.facts["by"] != command.by:
        said = "Only {seat} can take that back."
        raise Refused("forbidden", said, "R20", seat=prompt.facts["by"])


def withdraw(system: System, state: GameState, command: Withdraw) -> Iterator[Event]:
    yield Voided(command.prompt)
