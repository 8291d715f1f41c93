"""Commands about the whole table: action, together, appoint, and proposals to the GM.

One entry can have several commands: those in `steps` are given by the same seat, one after another,
all or nothing. A proposal keeps a command until the GM answers it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Annotated, Any, ClassVar

from msgspec.structs import replace

from ..rules.commands import (
    FLAG,
    ID,
    PROMPT,
    SEAT,
    TIME,
    WAITING,
    Command,
    Parameter,
    Reader,
    Terms,
    each,
    invalid,
    text,
)
from ..rules.engine import done, read, refuse_unknown
from ..rules.events import Event, Prompted, Voided
from ..rules.state import RESERVED, GameState, Phrase, Prompt, Refused
from ..rules.system import System, cites
from .counter import (
    ACTS,
    GM,
    Player,
    counter_in,
    game_master,
    hits_at_once,
    protagonists,
    refuse_players,
    runs,
)
from .course import Course, Gain, follow_links, gain
from .facts import Acted, Appointed, ChairAdded, Decided, Proposed, Replied
from .filling import POINTS, SLOTS, Assignment, Spend
from .follow_ups import follow_up, since
from .views import named_counters, seen_prompts

MOST_CHAIRS = 4
"""Seats for co-GMs without a protagonist."""
ABOUT_A_COUNTER = frozenset(
    "fill spend clear add-temporary restart put take swap give describe edit resolve".split()
)
"""The verbs that can be proposed, besides others that give a counter points."""
STEPS = ABOUT_A_COUNTER | {"create", "correct", "arrange", "discard", "scene"}
"""The verbs that can be a step of another command."""
MOST_STEPS = 100


def inner(verbs: frozenset[str]) -> Reader:
    """A command within a command: one of *verbs*, without `by`, `id` and `note`."""

    def read_command(value: Any, system: Terms) -> Mapping[str, Any]:
        if type(value) is not dict or {"by", "id", "note"} & set(value):
            raise ValueError
        verb = value.get("do")
        if type(verb) is not str or not (verb in verbs or _gives_points(system, verb)):
            raise ValueError
        read(system, value, GM)
        return value

    return Reader(Phrase("a command {{do: {verbs}}}", verbs=", ".join(sorted(verbs))), read_command)


def _gives_points(system: Terms, verb: str) -> bool:
    return verb in system.verbs and issubclass(system.verbs[verb].command, Assignment)


STEP_LIST = each(inner(STEPS), 0, MOST_STEPS, distinct=False)


def take_steps(
    course: Course,
    by: str,
    steps: Sequence[Mapping[str, Any]],
    rule: str | None = None,
    given_as: str | None = None,
) -> None:
    """Let *by* give each of *steps*, one after another. Raises the Refused of the first refused.

    rule: the rule by which they happen, if nobody asked for them one by one. given_as: the id of
    the whole.
    """
    for raw in steps:
        command = replace(read(course.system, raw, by), given_as=given_as)
        after, events = done(course.system, course.state, command)
        course.take(after, [replace(event, rule=event.rule or rule) for event in events])


# Actions


class Action(Command, frozen=True, kw_only=True):
    """Record an Action or a Reaction. An Action advances each running timer by one slot.

    outcome: one of the game's. seat: who acted, if the GM reports it for someone else.
    steps: what else follows, in the same entry, after the timers. at: when; the server writes it.
    """

    verb: ClassVar[str] = "action"
    seat: Annotated[str | None, Parameter(ID, names=SEAT)] = None
    outcome: Annotated[str | None, Parameter(ID)] = None
    reaction: Annotated[bool | None, Parameter(FLAG)] = None
    steps: Annotated[tuple[Mapping[str, Any], ...], Parameter(STEP_LIST)] = ()
    at: Annotated[int | None, Parameter(TIME)] = None


@cites("R15", "R21")
def may_act(system: System, state: GameState, command: Action) -> None:
    if command.seat not in (None, command.by):
        refuse_players(state, command.by)


@cites("R33")
def act(system: System, state: GameState, command: Action) -> Course:
    return acted(system, state, command, {})


@cites("R8", "R30", "R33", "Timer")
def acted(
    system: System,
    state: GameState,
    command: Action,
    follows: Mapping[str, Mapping[str, Any]],
    rule: str | None = None,
    *,
    asks: bool = True,
    advance: Callable[[Course, str], None] | None = None,
) -> Course:
    """The course of an Action. follows: the steps that its outcome brings along by *rule*, whoever
    gave it, by name. asks: whether the outcome of a player leaves the GM something to choose.
    advance: what a timer does then, in place of filling a slot.
    """
    course = Course(system, state)
    who = command.seat or command.by
    waiting = None
    if asks and command.outcome and not command.reaction and who == command.by != GM:
        waiting = follow_up(state, who, command.outcome, command.at, [*follows])
    course.happen(Acted(who, command.outcome, command.reaction, waiting))
    if not command.reaction and system.setting(state, "timers_advance"):
        _advance_timers(course, advance or advance_timer)
    take_steps(course, GM, [*follows.values()], rule, command.given_as)
    take_steps(course, command.by, command.steps, given_as=command.given_as)
    return course


def _advance_timers(course: Course, advance: Callable[[Course, str], None]) -> None:
    """Fill a slot of each timer in play that is neither complete nor paused."""
    for timer_id in sorted(course.state.slot_counters):
        timer = course.counter(timer_id)
        if not timer.timer or timer.complete or timer.paused or timer.resolved:
            continue
        if not runs(course.state, timer):
            continue
        advance(course, timer_id)


def advance_timer(course: Course, timer: str) -> None:
    """A slot of a timer is filled, with everything that follows."""
    course.rule = "R8"
    gain(course, timer, Gain(1))
    follow_links(course)


# Several at once


class Together(Command, frozen=True, kw_only=True):
    """Give several commands as one: all or nothing, one entry, one undo."""

    verb: ClassVar[str] = "together"
    steps: Annotated[
        tuple[Mapping[str, Any], ...], Parameter(each(inner(STEPS), 1, MOST_STEPS, distinct=False))
    ]


@cites("R24")
def together(system: System, state: GameState, command: Together) -> Course:
    course = Course(system, state)
    take_steps(course, command.by, command.steps, given_as=command.given_as)
    return course


# Who is GM


class Appoint(Command, frozen=True, kw_only=True):
    """Make a player co-GM, who sees and does what the GM does; `co_gm` false ends it. GM only."""

    verb: ClassVar[str] = "appoint"
    seat: Annotated[str, Parameter(ID, names=SEAT)]
    co_gm: Annotated[bool, Parameter(FLAG)] = True


@cites("R21")
def may_appoint(system: System, state: GameState, command: Appoint) -> None:
    if command.by != GM:
        raise Refused("forbidden", "Only the GM can appoint a co-GM.", "R21")


def appoint(system: System, state: GameState, command: Appoint) -> Iterator[Event]:
    if command.seat == GM:
        raise Refused("wrong-target", "The GM cannot be a co-GM. Choose another seat.", "R21")
    player = state.seats[command.seat]
    if isinstance(player, Player) and player.chair and not command.co_gm:
        sentence = "That seat has no protagonist, so it stays a co-GM’s. Free it instead."
        raise Refused("wrong-target", sentence, "R21")
    yield Appointed(command.seat, command.co_gm)


class AddCoGM(Command, frozen=True, kw_only=True):
    """Add a seat for a co-GM who has no protagonist. GM only."""

    verb: ClassVar[str] = "add-co-gm"
    as_: Annotated[str, Parameter(ID)]


@cites("R21")
def may_add_co_gm(system: System, state: GameState, command: AddCoGM) -> None:
    if command.by != GM:
        raise Refused("forbidden", "Only the GM can appoint a co-GM.", "R21")


def add_co_gm(system: System, state: GameState, command: AddCoGM) -> Iterator[Event]:
    new = command.as_
    if new in state.slot_counters or new in state.seats or new in RESERVED:
        raise Refused("taken", "The id “{id}” is already in use; choose another.", None, id=new)
    if len(state.seats) - 1 - len(protagonists(state)) >= MOST_CHAIRS:
        raise Refused("over-maximum", "There are enough co-GMs at this table.", "R21")
    yield ChairAdded(new)


# Proposals

PROPOSED = "proposal"
"""The kind of its prompt."""


@cites("R20", "R14")
def _knows_proposal(state: GameState, prompt: str, by: str) -> bool:
    return any(each.id == prompt and each.kind == PROPOSED for each in seen_prompts(state, by))


PROPOSAL = replace(WAITING, known=_knows_proposal)
"""A proposal that the seat may know of."""


class Propose(Command, frozen=True, kw_only=True):
    """Propose a command to the GM that this seat may not give, or cannot pay.

    It waits as a prompt; the board may have changed by the time it is answered. About a counter
    that the seat knows by name alone it happens at once, where everyone may do that. at: when,
    which the server writes.
    """

    verb: ClassVar[str] = "propose"
    command: Annotated[Mapping[str, Any], Parameter(inner(ABOUT_A_COUNTER))]
    at: Annotated[int | None, Parameter(TIME)] = None

    def about(self) -> list[str]:
        """The counters that the command names, including those it would link to (R14)."""
        return list(dict.fromkeys(named_counters(self.command)))


@cites("R20", "R14")
def may_propose(system: System, state: GameState, command: Propose) -> None:
    refuse_unknown(state, read(system, command.command, command.by))
    if game_master(state, command.by):
        raise Refused("forbidden", "The GM can do this without asking.", "R20")
    if {"gm_note", "secret"} & command.command.keys():
        refuse_players(state, command.by)


@cites("R20", "R28")
def propose(system: System, state: GameState, command: Propose) -> Iterator[Event]:
    """It waits, or happens as if the GM had nodded where everyone may do that."""
    if wished := _at_once(system, state, command):
        hits = command.command.get("slots", 0)
        yield Proposed(command.command["on"], command.by, command.command["do"], hits)
        yield from wished
        return
    facts: dict[str, Any] = {"by": command.by, "about": command.about()}
    facts |= {"command": dict(command.command), **since(command.at)}
    if unused := _unused(state, command):
        facts["rolled"] = unused
    yield Proposed(command.command["on"], command.by, command.command["do"])
    yield Prompted.of(state, Prompt(f"proposal:{command.by}", PROPOSED, GM, None, facts))


def _at_once(system: System, state: GameState, command: Propose) -> Sequence[Event]:
    """What is proposed, if it needs no nod; nothing if only a GM may read why not."""
    act, on = command.command["do"], counter_in(state, command.command["on"])
    if act not in ACTS or not hits_at_once(state, command.by, on, act):
        return ()
    asked = replace(read(system, command.command, GM), given_as=command.given_as)
    try:
        return done(system, state, asked)[1]
    except Refused:
        return ()


@cites("R29")
def _unused(state: GameState, command: Propose) -> list[list[int] | int]:
    """The seat's unused rolls for the counter, without those it proposes now.

    Dice, or the points that it said to have rolled at the table.
    """
    counter, asked = counter_in(state, command.command["on"]), command.command
    rolls = [
        list(roll.dice) if roll.points is None else roll.points
        for roll in counter.rolls
        if roll.seat == command.by
    ]
    return rolls[:-1] if rolls and rolls[-1] == asked.get("dice", asked.get("points")) else rolls


AMOUNT = ("points", "dice", "add", "halve", "slots", "all")
"""The parameters with which a command says how much."""


class Answer(Command, frozen=True, kw_only=True):
    """Accept a proposal, which then happens as if the GM had given it, or decline it.

    partial: if the cost cannot be paid in full, let what is left be spent. slots, points: accept
    this many instead. reply: what only the seat that asked reads; without `accept` the proposal
    goes on waiting.
    """

    verb: ClassVar[str] = "answer"
    prompt: Annotated[str, Parameter(PROMPT, names=PROPOSAL)]
    accept: Annotated[bool | None, Parameter(FLAG)] = None
    partial: Annotated[bool, Parameter(FLAG)] = False
    slots: Annotated[int | None, Parameter(SLOTS)] = None
    points: Annotated[int | None, Parameter(POINTS)] = None
    reply: Annotated[str | None, Parameter(text(200))] = None

    def check(self, system: Terms) -> None:
        if self.accept is None and self.reply is None:
            raise invalid("Accept it, decline it, or reply something.")
        if self.partial and not self.accept:
            raise invalid("A declined proposal cannot be paid in part.")
        ways = [self.partial, self.slots is not None, self.points is not None]
        if sum(ways) > 1:
            raise invalid("Say how much in exactly one way: in part, points or slots.")
        if any(ways) and not self.accept:
            raise invalid("Only a proposal that is accepted can have another number.")

    def instead(self, asked: Mapping[str, Any]) -> Mapping[str, Any]:
        """The command that was *asked* for, with the number given here."""
        given = {"slots": self.slots, "points": self.points}
        number = {name: value for name, value in given.items() if value is not None}
        if not number:
            return asked
        if not {*AMOUNT} & {*asked}:
            raise Refused("wrong-facts", "That proposal has no number to change.", "R29")
        return {name: value for name, value in asked.items() if name not in AMOUNT} | number


@cites("R20", "R29")
def answer(system: System, state: GameState, command: Answer) -> Course:
    course = Course(system, state)
    prompt = state.prompt(command.prompt)
    assert prompt is not None, command.prompt
    wish = prompt.facts["command"]
    if command.reply is not None:
        course.happen(Replied(prompt.id, command.reply, command.by, (prompt.facts["by"],)))
    if command.accept is not None:
        number = (command.slots, command.points)
        course.happen(Decided(prompt.id, command.accept, wish["on"], *number))
    if command.accept:
        asked = read(system, command.instead(wish), command.by)
        asked = replace(asked, given_as=command.given_as)
        if command.partial:
            if not isinstance(asked, Spend):
                raise Refused("wrong-facts", "Only a cost can be paid in part.", "R7")
            asked = replace(asked, partial=True)
        course.take(*done(system, course.state, asked))
    return course


class Withdraw(Command, frozen=True, kw_only=True):
    """Withdraw one of your own proposals."""

    verb: ClassVar[str] = "withdraw"
    prompt: Annotated[str, Parameter(PROMPT, names=PROPOSAL)]


@cites("R20")
def may_withdraw(system: System, state: GameState, command: Withdraw) -> None:
    prompt = state.prompt(command.prompt)
    if prompt and prompt.facts["by"] != command.by:
        sentence = "Only {seat} can withdraw that."
        raise Refused("forbidden", sentence, "R20", seat=prompt.facts["by"])


def withdraw(system: System, state: GameState, command: Withdraw) -> Iterator[Event]:
    yield Voided(command.prompt)
