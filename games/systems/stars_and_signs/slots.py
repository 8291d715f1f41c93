"""Commands that fill and empty slots, from `fill` to `restart`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from games.rules.commands import FLAG, ID, Command, Reader, each, invalid, one_of, parameter, whole
from games.rules.events import Event
from games.rules.state import GameState, Refused
from games.rules.system import System, cites

from .counter import (
    COUNTER,
    MOST_SLOTS,
    Counter,
    counter_in,
    game_master,
    refuse_inventory,
    refuse_players,
    refuse_resolved,
    refuse_strangers,
)
from .course import Course, Gain, add_temporary, clear, completion, follow_links, gain
from .facts import Restarted, SlotsCorrected, SlotsSpent, Wounded

POINTS = whole(0, 9999)
SLOTS = whole(0, 9999)
DICE = each(whole(1, 10), 1, 20, distinct=False)
MOODS = each(whole(0, 99), 0, 2, distinct=False)
WOUND_POINTS = 5
"""Points to one rank of a Wound."""


def _true(value: object, system: System) -> bool:
    if value is True:
        return True
    raise ValueError


TRUE = Reader("true", _true)


@dataclass(frozen=True, slots=True, kw_only=True)
class Assignment(Command):
    """Points for a counter: a number, or dice as they fell with what is added, halved or not."""

    on: str = parameter(ID, names=COUNTER)
    points: int | None = parameter(POINTS, None)
    dice: tuple[int, ...] | None = parameter(DICE, None)
    add: int | None = parameter(POINTS, None)
    halve: bool | None = parameter(FLAG, None)

    def amounts(self) -> tuple[object, ...]:
        """The ways to say how much, of which exactly one is given."""
        return (self.points, self.dice)

    def check(self, system: System) -> None:
        if sum(amount is not None for amount in self.amounts()) != 1:
            raise invalid("Say how much, in one way.")
        if self.dice is None and (self.add is not None or self.halve is not None):
            raise invalid("“add” and “halve” belong to dice.")

    @cites("R1", "R2", "extras", "wounds")
    def total(self) -> int | None:
        """The points: dice and adder together, then the half, up. None if slots were asked for."""
        if self.dice is None:
            return self.points
        total = sum(self.dice) + (self.add or 0)
        return (total + 1) // 2 if self.halve else total


@cites("R1", "Points and Slots")
def rounded_up(points: int, worth: int) -> int:
    """The slots, each of *worth*, that *points* fill: the last is filled whole."""
    return -(-points // worth)


def refuse_slots(counter: Counter) -> None:
    """Refuse what cannot take slots: a resolved counter, then an inventory."""
    refuse_resolved(counter)
    refuse_inventory(counter)


# Filling


@dataclass(frozen=True, slots=True, kw_only=True)
class Fill(Assignment):
    """Fill slots: as many as asked for, or as the points need. What does not fit is lost.

    A shield takes as many of the slots as it has unfilled. What overflows goes to the counter in
    `overflow`, if one is named.
    """

    verb: ClassVar[str] = "fill"
    slots: int | None = parameter(SLOTS, None)
    shield: str | None = parameter(ID, None, names=COUNTER)
    overflow: str | None = parameter(ID, None, names=COUNTER)

    def amounts(self) -> tuple[object, ...]:
        return (self.points, self.dice, self.slots)

    def check(self, system: System) -> None:
        Assignment.check(self, system)
        check_different(self.on, self.shield, self.overflow)


def check_different(*counters: str | None) -> None:
    """A counter, its shield and what takes the overflow are different ones."""
    named = [counter for counter in counters if counter is not None]
    if len(set(named)) != len(named):
        raise invalid("The counter, its shield and what takes the overflow must be different.")


def may_fill(system: System, state: GameState, command: Fill | Suffer) -> None:
    refuse_strangers(state, command.by, _named(command), "fill")


def _named(command: Fill | Suffer) -> tuple[str, ...]:
    named = (command.on, command.shield, command.overflow)
    return tuple(counter for counter in named if counter is not None)


@cites("R3")
def fill(system: System, state: GameState, command: Fill) -> Sequence[Event]:
    for named in _named(command):
        refuse_slots(counter_in(state, named))
    course = Course(system, state)
    if command.slots is not None:
        gained = Gain(command.slots)
    else:
        gained = _reckoned(course, command.on, command.total() or 0)
    _shielded(course, command, gained)
    return course.events


def _reckoned(course: Course, on: str, points: int) -> Gain:
    """The slots of *on* that *points* fill."""
    return Gain(rounded_up(points, course.counter(on).worth), points)


@cites("Protective", "R3", "R23")
def _shielded(course: Course, command: Fill | Suffer, gained: Gain) -> None:
    """Fill the shield, one for one, then the counter behind it, then what takes the overflow."""
    taken = 0
    if command.shield is not None:
        taken = min(gained.slots, course.counter(command.shield).unfilled)
        gain(course, command.shield, Gain(taken))
    over = gain(course, command.on, Gain(gained.slots - taken, gained.points, taken))
    if command.overflow is not None and over.slots:
        course.rule = "R23"
        if over.points is not None:
            over = _reckoned(course, command.overflow, over.points)
        gain(course, command.overflow, over)
    follow_links(course)


@dataclass(frozen=True, slots=True, kw_only=True)
class Suffer(Assignment):
    """Gain Despair: Moods take points off first. On a full counter it is a Wound instead."""

    verb: ClassVar[str] = "suffer"
    moods: tuple[int, ...] = parameter(MOODS, ())
    shield: str | None = parameter(ID, None, names=COUNTER)
    overflow: str | None = parameter(ID, None, names=COUNTER)

    def check(self, system: System) -> None:
        Assignment.check(self, system)
        check_different(self.on, self.shield, self.overflow)


@cites("moods", "Vulnerability")
def suffer(system: System, state: GameState, command: Suffer) -> Sequence[Event]:
    for named in _named(command):
        refuse_slots(counter_in(state, named))
    course = Course(system, state)
    points = max(0, (command.total() or 0) - sum(command.moods))
    if not course.counter(command.on).complete:
        _shielded(course, command, _reckoned(course, command.on, points))
    elif points:
        course.tell(Wounded(command.on, rounded_up(points, WOUND_POINTS)))
    return course.events


@dataclass(frozen=True, slots=True, kw_only=True)
class Spend(Assignment):
    """Pay with a resource: all of it or nothing. `partial` spends what is left instead."""

    verb: ClassVar[str] = "spend"
    slots: int | None = parameter(SLOTS, None)
    partial: bool = parameter(FLAG, False)

    def amounts(self) -> tuple[object, ...]:
        return (self.points, self.dice, self.slots)


@cites("R7")
def may_spend(system: System, state: GameState, command: Spend) -> None:
    refuse_strangers(state, command.by, (command.on,), "spend")
    if command.partial and not game_master(state, command.by):
        if not system.setting(state, "players_spend_partly"):
            raise Refused("forbidden", "Only the GM lets you spend what is left.", "R7")


@cites("Resource", "R7")
def spend(system: System, state: GameState, command: Spend) -> Sequence[Event]:
    course = Course(system, state)
    counter = course.counter(command.on)
    refuse_resolved(counter)
    if counter.type != "resource":
        said = "{name} is not a resource."
        raise Refused("wrong-target", said, "Resource", name=counter.name)
    slots = command.slots
    if slots is None:
        slots = rounded_up(command.total() or 0, counter.worth)
    if slots > counter.unfilled:
        if not command.partial:
            raise _too_little(counter, slots)
        slots = counter.unfilled
    if slots:
        course.tell(SlotsSpent(command.on, slots))
        gain(course, command.on, Gain(slots))
        follow_links(course)
    return course.events


def _too_little(counter: Counter, slots: int) -> Refused:
    left = counter.unfilled
    if slots == 1:
        said = "That needs 1 slot of {name}; none can be spent."
    elif left:
        said = "That needs {n} slots of {name}; {left} can be spent."
    else:
        said = "That needs {n} slots of {name}; none can be spent."
    return Refused("not-enough", said, "R7", n=slots, name=counter.name, left=left)


# Clearing


@dataclass(frozen=True, slots=True, kw_only=True)
class Clear(Assignment):
    """Empty slots: as many as asked for, as the points are worth, or all.

    With `excess` what could not be cleared becomes temporary slots.
    """

    verb: ClassVar[str] = "clear"
    slots: int | None = parameter(SLOTS, None)
    all: bool | None = parameter(TRUE, None)
    excess: str | None = parameter(one_of("temporary"), None)

    def amounts(self) -> tuple[object, ...]:
        return (self.points, self.dice, self.slots, self.all)

    def check(self, system: System) -> None:
        Assignment.check(self, system)
        if self.excess is not None and self.slots is None:
            raise invalid("Only slots that are asked for can be in excess.")


def may_clear(system: System, state: GameState, command: Clear) -> None:
    refuse_strangers(state, command.by, (command.on,), "clear")


@cites("R9", "Clearing Despair", "Energy Sources")
def empty(system: System, state: GameState, command: Clear) -> Sequence[Event]:
    course = Course(system, state)
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
    return course.events


@dataclass(frozen=True, slots=True, kw_only=True)
class AddTemporary(Command):
    """Add temporary slots, as many as the ten allow; each is lost when it is filled."""

    verb: ClassVar[str] = "add-temporary"
    on: str = parameter(ID, names=COUNTER)
    slots: int = parameter(SLOTS)


def may_change(system: System, state: GameState, command: AddTemporary | Restart) -> None:
    refuse_strangers(state, command.by, (command.on,))


@cites("Temporary Slots", "A11")
def grow(system: System, state: GameState, command: AddTemporary) -> Sequence[Event]:
    course = Course(system, state)
    counter = course.counter(command.on)
    refuse_slots(counter)
    add_temporary(course, command.on, command.slots)
    completion(course, command.on, was_complete=counter.complete)
    return course.events


# Setting


@dataclass(frozen=True, slots=True, kw_only=True)
class Correct(Command):
    """Set the filled or temporary slots, as the GM does; nothing is completed or reopened by it."""

    verb: ClassVar[str] = "correct"
    on: str = parameter(ID, names=COUNTER)
    filled: int | None = parameter(SLOTS, None)
    temporary: int | None = parameter(SLOTS, None)

    def check(self, system: System) -> None:
        if self.filled is None and self.temporary is None:
            raise invalid("Say how many slots are filled, or how many are temporary.")


def may_correct(system: System, state: GameState, command: Correct) -> None:
    refuse_players(state, command.by)


@cites("A11", "Temporary Slots")
def correct(system: System, state: GameState, command: Correct) -> Sequence[Event]:
    counter = counter_in(state, command.on)
    refuse_slots(counter)
    filled = counter.filled if command.filled is None else command.filled
    temporary = counter.temporary if command.temporary is None else command.temporary
    if filled > counter.slots or counter.slots + temporary > MOST_SLOTS:
        said = "{name} has {n} slots, and ten at most."
        raise Refused("over-maximum", said, None, name=counter.name, n=counter.slots)
    return [SlotsCorrected(command.on, counter.filled, filled, temporary)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Restart(Command):
    """Begin a counter again: empty, with `slots` (as many as it has) and temporary ones (none).

    So is a resource refreshed: what it had in excess is lost before new ones are given.
    """

    verb: ClassVar[str] = "restart"
    on: str = parameter(ID, names=COUNTER)
    slots: int | None = parameter(whole(1, MOST_SLOTS), None)
    temporary: int = parameter(whole(0, MOST_SLOTS - 1), 0)


@cites("R22")
def restart(system: System, state: GameState, command: Restart) -> Sequence[Event]:
    course = Course(system, state)
    counter = course.counter(command.on)
    refuse_slots(counter)
    slots = command.slots or counter.slots
    if slots + command.temporary > MOST_SLOTS:
        raise Refused("over-maximum", "A counter has at most ten slots.", "Temporary Slots")
    course.tell(Restarted(command.on, slots, command.temporary))
    completion(course, command.on, was_complete=counter.complete)
    return course.events
