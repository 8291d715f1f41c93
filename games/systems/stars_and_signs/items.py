"""Commands about the items in an inventory: put, take, swap."""

from __future__ import annotations

from typing import Annotated, ClassVar

from games.rules.commands import ID, NAME, Command, Parameter, whole
from games.rules.state import GameState, Refused
from games.rules.system import System, cites

from .counter import COUNTER, MOST_SLOTS, Counter, refuse_resolved, refuse_strangers
from .course import Course, completion, follow_links
from .facts import Put as WasPut
from .facts import TakenOut

SIZE = whole(0, MOST_SLOTS)


class Put(Command, frozen=True, kw_only=True):
    """Put an item into an inventory. It takes `size` slots: 0 if Compact, 2 if Bulky."""

    verb: ClassVar[str] = "put"
    on: Annotated[str, Parameter(ID, names=COUNTER)]
    item: Annotated[str, Parameter(NAME)]
    size: Annotated[int, Parameter(SIZE)] = 1


class Take(Command, frozen=True, kw_only=True):
    """Take an item out of an inventory."""

    verb: ClassVar[str] = "take"
    on: Annotated[str, Parameter(ID, names=COUNTER)]
    item: Annotated[str, Parameter(NAME)]


class Swap(Command, frozen=True, kw_only=True):
    """Take an item out and put another in; if that does not fit, neither happens."""

    verb: ClassVar[str] = "swap"
    on: Annotated[str, Parameter(ID, names=COUNTER)]
    out: Annotated[str, Parameter(NAME)]
    item: Annotated[str, Parameter(NAME)]
    size: Annotated[int, Parameter(SIZE)] = 1


def may_move_items(system: System, state: GameState, command: Put | Take | Swap) -> None:
    refuse_strangers(state, command.by, (command.on,), "items")


@cites("Inventory", "Bulky", "R10")
def put(system: System, state: GameState, command: Put) -> Course:
    course, was_complete = _opened(system, state, command)
    _goes_in(course, command.on, command.item, command.size)
    return _closed(course, command.on, was_complete)


@cites("Inventory", "R10")
def take(system: System, state: GameState, command: Take) -> Course:
    course, was_complete = _opened(system, state, command)
    _comes_out(course, command.on, command.item)
    return _closed(course, command.on, was_complete)


@cites("Inventory", "Bulky", "R10")
def swap(system: System, state: GameState, command: Swap) -> Course:
    course, was_complete = _opened(system, state, command)
    _comes_out(course, command.on, command.out)
    _goes_in(course, command.on, command.item, command.size)
    return _closed(course, command.on, was_complete)


def _opened(system: System, state: GameState, command: Put | Take | Swap) -> tuple[Course, bool]:
    course = Course(system, state)
    inventory = course.counter(command.on)
    refuse_resolved(inventory)
    if not inventory.inventory:
        sentence = "{name} is not an inventory."
        raise Refused("wrong-target", sentence, "Inventory", name=inventory.name)
    return course, inventory.complete


def _goes_in(course: Course, on: str, item: str, size: int) -> None:
    inventory = course.counter(on)
    if inventory.item(item):
        sentence = "{name} already has an item called {item}."
        raise Refused("taken", sentence, "R10", item=item, name=inventory.name)
    if size > inventory.unfilled:
        raise _no_room(inventory, item, size)
    course.happen(WasPut(on, item, size))


def _no_room(inventory: Counter, item: str, size: int) -> Refused:
    left = inventory.unfilled
    sentence = "{item} needs {n} {n|slot|slots}; {name} is full."
    if left:
        sentence = "{item} needs {n} slots; {name} has {left} left."
    return Refused("no-room", sentence, "R10", item=item, n=size, left=left, name=inventory.name)


def _comes_out(course: Course, on: str, item: str) -> None:
    inventory = course.counter(on)
    if not inventory.item(item):
        sentence = "{name} has no item called {item}."
        raise Refused("unknown", sentence, "R10", item=item, name=inventory.name)
    course.happen(TakenOut(on, item))


def _closed(course: Course, on: str, was_complete: bool) -> Course:
    completion(course, on, was_complete=was_complete)
    follow_links(course)
    return course
