"""Commands that fill and empty slots, from `fill` to `restart`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, ClassVar

from msgspec.structs import replace

from ..rules.commands import (
    FLAG,
    ID,
    Command,
    Parameter,
    Reader,
    Terms,
    each,
    invalid,
    one_of,
    whole,
)
from ..rules.events import Event
from ..rules.state import GameState, Refused
from ..rules.system import System, cites
from .counter import (
    COUNTER,
    MOST_SLOTS,
    Counter,
    counter_in,
    game_master,
    refuse_inventory,
    refuse_resolved,
    refuse_strangers,
    refuse_too_many,
)
from .course import Course, Gain, add_temporary, clear, completion, follow_links, gain
from .facts import Restarted, RollsUsed, SlotsCorrected, SlotsSpent

POINTS = whole(0, 9999)
SLOTS = whole(0, 9999)
DICE = each(whole(1, 10), 1, 20, distinct=False)


def _true(value: object, system: Terms) -> bool:
    if value is True:
        return True
    raise ValueError


TRUE = Reader("true", _true, schema={"const": True})


class Assignment(Command, frozen=True, kw_only=True):
    """Points for a counter: a number, or rolled dice, with something added, and possibly halved."""

    on: Annotated[str, Parameter(ID, names=COUNTER)]
    points: Annotated[int | None, Parameter(POINTS)] = None
    dice: Annotated[tuple[int, ...] | None, Parameter(DICE)] = None
    add: Annotated[int | None, Parameter(POINTS)] = None
    halve: Annotated[bool | None, Parameter(FLAG)] = None

    def amounts(self) -> tuple[object, ...]:
        """The ways to say how much; exactly one of them is not None."""
        return (self.points, self.dice)

    def check(self, system: Terms) -> None:
        if sum(amount is not None for amount in self.amounts()) != 1:
            raise invalid("Say how much in exactly one way: points, dice or slots.")
        if self.dice is None and (self.add is not None or self.halve is not None):
            raise invalid("“add” and “halve” need “dice”.")

    @cites("R1", "R2", "extras", "wounds")
    def total(self) -> int | None:
        """The points: dice plus `add`, halved and rounded up if asked. None if slots were given."""
        if self.dice is None:
            return self.points
        total = sum(self.dice) + (self.add or 0)
        return (total + 1) // 2 if self.halve else total


@cites("R1", "Points and Slots")
def rounded_up(points: int, worth: int) -> int:
    """The number of slots of *worth* points that *points* fill; the last one is filled whole."""
    return -(-points // worth)


def refuse_slots(counter: Counter) -> None:
    """Refuse a counter that cannot be filled: one that is resolved, then an inventory."""
    refuse_resolved(counter)
    refuse_inventory(counter)


@cites("R29")
def begun(system: System, state: GameState, command: Assignment) -> Course:
    """The course of *command*; what its seat rolled for the counter before counts no more."""
    course = Course(system, state)
    if any(roll.seat == command.by for roll in course.counter(command.on).rolls):
        course.happen(RollsUsed(command.on, command.by))
    return course


# Filling


class Shieldable(Assignment, frozen=True, kw_only=True):
    """Points for a counter of which others take a part.

    shield: a counter that takes as many of the slots as it has unfilled.
    overflow: a counter that gets what does not fit.
    """

    shield: Annotated[str | None, Parameter(ID, names=COUNTER)] = None
    overflow: Annotated[str | None, Parameter(ID, names=COUNTER)] = None

    def named(self) -> tuple[str, ...]:
        """The counters that it may fill."""
        return tuple(filter(None, (self.on, self.shield, self.overflow)))

    def check(self, system: Terms) -> None:
        Assignment.check(self, system)
        if len({*self.named()}) != len(self.named()):
            raise invalid("The counter, its shield and the overflow counter must all be different.")


class Fill(Shieldable, frozen=True, kw_only=True):
    """Fill slots: the number given, or as many as the points need. What does not fit is lost.

    shield: a counter that takes as many of the slots as it has unfilled.
    overflow: a counter that gets what does not fit.
    """

    verb: ClassVar[str] = "fill"
    slots: Annotated[int | None, Parameter(SLOTS)] = None

    def amounts(self) -> tuple[object, ...]:
        return (self.points, self.dice, self.slots)


def may_fill(system: System, state: GameState, command: Shieldable) -> None:
    refuse_strangers(state, command.by, command.named(), "fill")


@cites("R3")
def fill(system: System, state: GameState, command: Fill) -> Course:
    for named in command.named():
        refuse_slots(counter_in(state, named))
    course = begun(system, state, command)
    if command.slots is not None:
        gained = Gain(command.slots)
    else:
        gained = gain_of(course, command.on, command.total() or 0)
    shielded(course, command, gained)
    return course


def gain_of(course: Course, on: str, points: int) -> Gain:
    """The gain of *points* on the counter *on*."""
    return Gain(rounded_up(points, course.counter(on).worth), points)


@cites("Protective", "R3", "R23")
def shielded(course: Course, command: Shieldable, gained: Gain) -> None:
    """Fill the shield, one for one, then the counter behind it, then the overflow counter."""
    taken = 0
    if command.shield is not None:
        taken = min(gained.slots, course.counter(command.shield).unfilled)
        gain(course, command.shield, Gain(taken))
    over = gain(course, command.on, Gain(gained.slots - taken, gained.points, taken))
    if command.overflow is not None and over.slots:
        course.rule = "R23"
        if over.points is not None:
            over = gain_of(course, command.overflow, over.points)
        gain(course, command.overflow, over)
    follow_links(course)


class Spend(Assignment, frozen=True, kw_only=True):
    """Pay with a resource: all or nothing. `partial` spends what is left instead."""

    verb: ClassVar[str] = "spend"
    slots: Annotated[int | None, Parameter(SLOTS)] = None
    partial: Annotated[bool, Parameter(FLAG)] = False

    def amounts(self) -> tuple[object, ...]:
        return (self.points, self.dice, self.slots)


@cites("R7")
def may_spend(system: System, state: GameState, command: Spend) -> None:
    refuse_strangers(state, command.by, (command.on,), "spend")
    if command.partial and not game_master(state, command.by):
        if not system.setting(state, "players_spend_partly"):
            raise Refused(
                "forbidden",
                "You cannot pay that in full. Ask the GM to let you spend what is left.",
                "R7",
            )


@cites("Resource", "R7")
def spend(system: System, state: GameState, command: Spend) -> Course:
    course = begun(system, state, command)
    counter = course.counter(command.on)
    refuse_resolved(counter)
    if not counter.resource:
        sentence = "{name} is not a resource."
        raise Refused("wrong-target", sentence, "Resource", name=counter.name)
    slots = command.slots
    if slots is None:
        slots = rounded_up(command.total() or 0, counter.worth)
    if slots > counter.unfilled:
        if not command.partial:
            raise _too_little(counter, slots)
        slots = counter.unfilled
    if slots:
        course.happen(SlotsSpent(command.on, slots))
        gain(course, command.on, Gain(slots))
        follow_links(course)
    return course


def _too_little(counter: Counter, slots: int) -> Refused:
    left = counter.unfilled
    sentence = "That costs {n} {n|slot|slots} of {name}, and none is left."
    if left:
        sentence = "That costs {n} slots of {name}; only {left} can be spent."
    return Refused("not-enough", sentence, "R7", n=slots, name=counter.name, left=left)


# Clearing


class Clear(Assignment, frozen=True, kw_only=True):
    """Empty slots: the number given, as many as the points are worth, or all.

    excess: “temporary” turns the slots that could not be cleared into temporary slots.
    """

    verb: ClassVar[str] = "clear"
    slots: Annotated[int | None, Parameter(SLOTS)] = None
    all: Annotated[bool | None, Parameter(TRUE)] = None
    excess: Annotated[str | None, Parameter(one_of("temporary"))] = None

    def amounts(self) -> tuple[object, ...]:
        return (self.points, self.dice, self.slots, self.all)

    def check(self, system: Terms) -> None:
        Assignment.check(self, system)
        if self.excess is not None and self.slots is None:
            raise invalid("“excess” needs “slots”.")


def may_clear(system: System, state: GameState, command: Clear) -> None:
    refuse_strangers(state, command.by, (command.on,), "clear")


@cites("R9", "Clearing Despair", "Energy Sources")
def empty(system: System, state: GameState, command: Clear) -> Course:
    course = begun(system, state, command)
    counter = course.counter(command.on)
    refuse_slots(counter)
    if command.all:
        slots = counter.filled
    elif command.slots is not None:
        slots = command.slots
    else:
        points = command.total() or 0
        up = system.setting(state, "clear_points_round") == "up"
        slots = rounded_up(points, counter.worth) if up else points // counter.worth
    cleared = clear(course, command.on, slots)
    if command.excess:
        add_temporary(course, command.on, slots - cleared)
    completion(course, command.on, was_complete=counter.complete)
    return course


class AddTemporary(Command, frozen=True, kw_only=True):
    """Add temporary slots, up to ten slots in all; each is lost when it is filled."""

    verb: ClassVar[str] = "add-temporary"
    on: Annotated[str, Parameter(ID, names=COUNTER)]
    slots: Annotated[int, Parameter(SLOTS)]


def may_change(system: System, state: GameState, command: AddTemporary | Restart) -> None:
    refuse_strangers(state, command.by, (command.on,))


@cites("Temporary Slots", "A11")
def grow(system: System, state: GameState, command: AddTemporary) -> Course:
    course = Course(system, state)
    counter = course.counter(command.on)
    refuse_slots(counter)
    add_temporary(course, command.on, command.slots)
    completion(course, command.on, was_complete=counter.complete)
    return course


# Setting


class Correct(Command, frozen=True, kw_only=True):
    """Set the filled or temporary slots, as the GM does; this never completes or reopens it."""

    verb: ClassVar[str] = "correct"
    on: Annotated[str, Parameter(ID, names=COUNTER)]
    filled: Annotated[int | None, Parameter(SLOTS)] = None
    temporary: Annotated[int | None, Parameter(SLOTS)] = None

    def check(self, system: Terms) -> None:
        if self.filled is None and self.temporary is None:
            raise invalid("Give the number of slots in “filled” or “temporary”.")


@cites("A11", "Temporary Slots")
def correct(system: System, state: GameState, command: Correct) -> Sequence[Event]:
    counter = counter_in(state, command.on)
    refuse_slots(counter)
    filled = counter.filled if command.filled is None else command.filled
    temporary = counter.temporary if command.temporary is None else command.temporary
    if filled > counter.slots or counter.slots + temporary > counter.most:
        sentence = "{name} has {n} {n|slot|slots}; with temporary slots it can have at most {most}."
        facts = {"name": counter.name, "n": counter.slots, "most": counter.most}
        raise Refused("over-maximum", sentence, None, **facts)
    return [SlotsCorrected(command.on, counter.filled, filled, temporary)]


class Restart(Command, frozen=True, kw_only=True):
    """Restart a counter: empty, by default with as many slots as before and no temporary ones.

    This refreshes a resource: old temporary slots are lost before new ones are added.
    """

    verb: ClassVar[str] = "restart"
    on: Annotated[str, Parameter(ID, names=COUNTER)]
    slots: Annotated[int | None, Parameter(whole(1, MOST_SLOTS))] = None
    temporary: Annotated[int, Parameter(whole(0, MOST_SLOTS - 1))] = 0


@cites("R22")
def restart(system: System, state: GameState, command: Restart) -> Course:
    course = Course(system, state)
    counter = course.counter(command.on)
    refuse_slots(counter)
    slots = command.slots or counter.slots
    refuse_too_many(replace(counter, slots=slots, temporary=command.temporary))
    course.happen(Restarted(command.on, slots, command.temporary))
    completion(course, command.on, was_complete=counter.complete)
    return course
