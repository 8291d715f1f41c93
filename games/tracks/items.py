"""Commands about the items in an inventory: put, take, swap, give, describe."""

from __future__ import annotations

from typing import Annotated, ClassVar

from ..rules.commands import ID, NAME, Command, Parameter, Terms, invalid, text, whole
from ..rules.state import GameState, Refused
from ..rules.system import System, cites
from .counter import (
    COUNTER,
    MOST_SLOTS,
    Counter,
    Item,
    Sight,
    counter_in,
    refuse_players,
    refuse_resolved,
    refuse_strangers,
    sight,
)
from .course import Course, completion, follow_links
from .facts import Edited, TakenOut
from .facts import Put as WasPut
from .making import NOBODY, or_null

SIZE = whole(0, MOST_SLOTS)
LINE = or_null(text(200))


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


class Give(Command, frozen=True, kw_only=True):
    """Move an item from one inventory to another, with its size and its lines; or not at all."""

    verb: ClassVar[str] = "give"
    on: Annotated[str, Parameter(ID, names=COUNTER)]
    item: Annotated[str, Parameter(NAME)]
    to: Annotated[str, Parameter(ID, names=COUNTER)]


class Describe(Command, frozen=True, kw_only=True):
    """Write a line about an item.

    text: what everyone reads who sees the inventory. secret: what only the GM reads and writes.
    null clears either.
    """

    verb: ClassVar[str] = "describe"
    on: Annotated[str, Parameter(ID, names=COUNTER)]
    item: Annotated[str, Parameter(NAME)]
    text: Annotated[str | None, Parameter(LINE)] = None
    secret: Annotated[str | None, Parameter(LINE)] = None

    def check(self, system: Terms) -> None:
        if self.text is None and self.secret is None:
            raise invalid("Say what to change.")


def may_move_items(system: System, state: GameState, command: Put | Take | Swap) -> None:
    refuse_strangers(state, command.by, (command.on,), "items")


@cites("R34", "R14")
def may_give(system: System, state: GameState, command: Give) -> None:
    refuse_strangers(state, command.by, (command.on,), "items")
    into = counter_in(state, command.to)
    if sight(state, command.by, into) is not Sight.EVERYTHING:
        raise Refused("forbidden", "You may not change {name}.", "R15", name=into.name)


@cites("R34", "R27")
def may_describe(system: System, state: GameState, command: Describe) -> None:
    refuse_strangers(state, command.by, (command.on,), "items")
    if command.secret is not None:
        refuse_players(state, command.by)


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


@cites("R34", "R10")
def give(system: System, state: GameState, command: Give) -> Course:
    course, was_complete = _opened(system, state, command)
    into = _inventory(course, command.to)
    if command.to == command.on:
        raise Refused("wrong-target", "{item} is there already.", "R34", item=command.item)
    inventory = course.counter(command.on)
    item = _item(inventory, command.item)
    text, secret = inventory.item_texts.get(item.name), inventory.item_secrets.get(item.name)
    _comes_out(course, command.on, item.name)
    _goes_in(course, command.to, item.name, item.size, text, secret)
    completion(course, command.on, was_complete=was_complete)
    return _closed(course, command.to, into.complete)


@cites("R34")
def describe(system: System, state: GameState, command: Describe) -> Course:
    course, _was_complete = _opened(system, state, command)
    inventory = course.counter(command.on)
    item = _item(inventory, command.item)
    for field, line in (("item_texts", command.text), ("item_secrets", command.secret)):
        if line is not None:
            lines = dict(getattr(inventory, field))
            lines.pop(item.name, None)
            if line != NOBODY:
                lines[item.name] = line
            secret = True if field == "item_secrets" else None
            course.happen(Edited(command.on, (field,), {field: lines}, secret=secret))
    return course


def _opened(
    system: System, state: GameState, command: Put | Take | Swap | Give | Describe
) -> tuple[Course, bool]:
    course = Course(system, state)
    return course, _inventory(course, command.on).complete


def _inventory(course: Course, on: str) -> Counter:
    """The counter *on*, which must hold items and not be locked."""
    inventory = course.counter(on)
    refuse_resolved(inventory)
    if not inventory.inventory:
        sentence = "{name} is not an inventory."
        raise Refused("wrong-target", sentence, "Inventory", name=inventory.name)
    return inventory


def _item(inventory: Counter, name: str) -> Item:
    item = inventory.item(name)
    if item is None:
        sentence = "{name} has no item called {item}."
        raise Refused("unknown", sentence, "R10", item=name, name=inventory.name)
    return item


def _goes_in(
    course: Course,
    on: str,
    item: str,
    size: int,
    text: str | None = None,
    secret: str | None = None,
) -> None:
    inventory = course.counter(on)
    if inventory.item(item):
        sentence = "{name} already has an item called {item}."
        raise Refused("taken", sentence, "R10", item=item, name=inventory.name)
    if size > inventory.unfilled:
        raise _no_room(inventory, item, size)
    course.happen(WasPut(on, item, size, text, secret))


def _no_room(inventory: Counter, item: str, size: int) -> Refused:
    left = inventory.unfilled
    sentence = "{item} needs {n} {n|slot|slots}; {name} is full."
    if left:
        sentence = "{item} needs {n} slots; {name} has {left} left."
    return Refused("no-room", sentence, "R10", item=item, n=size, left=left, name=inventory.name)


def _comes_out(course: Course, on: str, item: str) -> None:
    course.happen(TakenOut(on, _item(course.counter(on), item).name))


def _closed(course: Course, on: str, was_complete: bool) -> Course:
    completion(course, on, was_complete=was_complete)
    follow_links(course)
    return course
