"""Commands that make, change and end counters: create, edit, arrange, resolve, discard."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from games.rules.cards import RESERVED
from games.rules.commands import (
    FLAG,
    ID,
    NAME,
    SEAT,
    Command,
    Reader,
    each,
    invalid,
    one_of,
    parameter,
    table,
    text,
    whole,
)
from games.rules.events import Event, Voided
from games.rules.state import GameState, Phrase, Refused
from games.rules.system import System, cites

from .counter import (
    ACTS,
    COUNTER,
    FIELDS,
    LINKED,
    LOOPS,
    MOST_SLOTS,
    OWNER,
    PERMITTED,
    TYPES,
    VISIBILITIES,
    Counter,
    Link,
    counter_in,
    game_master,
    refuse_players,
    refuse_resolved,
    refuse_strangers,
)
from .course import Course, completion, follow_links
from .facts import CounterCreated, Discarded, Edited
from .facts import Resolved as WasResolved

NOBODY = ""
"""What null is read as, for parameters where null clears the field."""
MOST_LINKS = 10
ITEMS_ONLY = ("on_full",)
SLOTS_ONLY = ("worth", "temporary", "thresholds", "loop")
"""Fields that only an inventory has, and fields that only other counters have."""


def or_null(reader: Reader) -> Reader:
    """What *reader* accepts, or null."""

    def read(value: Any, system: System) -> Any:
        return NOBODY if value is None else reader.read(value, system)

    return Reader(Phrase("{must}, or null", must=reader.text), read)


def _link(value: Any, system: System) -> Link:
    if type(value) is not dict or not {"to", "do"} <= set(value) <= {"to", "do", "slots"}:
        raise ValueError
    do = LINK_ACTS.read(value["do"], system)
    if "slots" not in value:
        return Link(ID.read(value["to"], system), do)
    if do not in ("fill", "clear"):
        raise ValueError
    return Link(ID.read(value["to"], system), do, COUNT.read(value["slots"], system))


COUNT = whole(1, MOST_SLOTS)
LINK_ACTS = one_of("advance", "fill", "clear", "reveal", "start")
LINK = Reader("a link {to: counter, do: advance, fill, clear, reveal or start, slots: 1-10}", _link)
LINKS = each(LINK, 0, MOST_LINKS)
PERMISSIONS = table(one_of(*ACTS), one_of(*PERMITTED))
THRESHOLDS = table(one_of(*(str(count) for count in range(1, MOST_SLOTS + 1))), NAME)
SEATS = each(ID)
VISIBILITY = one_of(*VISIBILITIES)
WORTH = whole(1, 9999)
COMPLETES = or_null(text(200))
LOOP = or_null(one_of(*LOOPS))
ORDER = whole(0, 9999)
SCENE = or_null(NAME)
ROLE = or_null(ID)


@dataclass(frozen=True, slots=True, kw_only=True)
class Create(Command):
    """Make a counter. A player owns the counters they make.

    role: which of the rulebook's counters it is. scene, order: the tab it is under, and its place.
    permissions, links: only the GM can set these.
    """

    verb: ClassVar[str] = "create"
    as_: str = parameter(ID)
    type: str = parameter(one_of(*TYPES), "progress")
    name: str | None = parameter(NAME, None)
    slots: int = parameter(COUNT, 5)
    worth: int | None = parameter(WORTH, None)
    owner: str | None = parameter(or_null(ID), None, names=OWNER)
    visibility: str = parameter(VISIBILITY, "open")
    seats: tuple[str, ...] = parameter(SEATS, (), names=SEAT)
    thresholds: dict[str, str] | None = parameter(THRESHOLDS, None)
    completes: str | None = parameter(COMPLETES, None)
    temporary: int | None = parameter(whole(0, MOST_SLOTS - 1), None)
    on_full: str | None = parameter(one_of("keep", "release"), None)
    paused: bool = parameter(FLAG, False)
    scene: str | None = parameter(SCENE, None)
    order: int = parameter(ORDER, 0)
    role: str | None = parameter(ROLE, None)
    permissions: dict[str, str] | None = parameter(PERMISSIONS, None)
    links: tuple[Link, ...] | None = parameter(LINKS, None, names=LINKED)
    loop: str | None = parameter(LOOP, None)

    def check(self, system: System) -> None:
        inventory = self.type == "inventory"
        for name in SLOTS_ONLY if inventory else ITEMS_ONLY:
            if getattr(self, name) is not None:
                sentence = "Only an inventory can have “{parameter}”."
                if inventory:
                    sentence = "An inventory cannot have “{parameter}”."
                raise invalid(sentence, parameter=name)


@cites("R15", "R21")
def may_create(system: System, state: GameState, command: Create) -> None:
    if game_master(state, command.by):
        return
    if command.owner not in (None, command.by):
        raise Refused("forbidden", "You can make counters only for yourself.", "R15")
    if command.permissions is not None or command.links is not None:
        raise Refused("forbidden", "Only the GM can link counters and set permissions.", "R15")


@cites("Points and Slots", "Inventory")
def create(system: System, state: GameState, command: Create) -> Iterator[Event]:
    new = command.as_
    if new in state.slot_counters or new in state.seats or new in RESERVED:
        raise Refused("taken", "The id “{id}” is already in use; choose another.", None, id=new)
    if command.slots + (command.temporary or 0) > MOST_SLOTS:
        raise Refused("over-maximum", "A counter can have at most ten slots.", "Temporary Slots")
    given: dict[str, Any] = {
        name: None if value == NOBODY else value
        for name in FIELDS
        if (value := getattr(command, name, None)) is not None
    }
    if command.type == "inventory":
        given["worth"] = 1
    if command.owner is None and not game_master(state, command.by):
        given["owner"] = command.by
    yield CounterCreated(new, Counter(**{"id": new, "name": new, **given}))


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit(Command):
    """Change fields of a counter; filled slots stay filled as far as there is room.

    null clears `owner`, `scene`, `role`, `loop` and `completes`. Only the GM can set `owner`,
    `permissions` and `links`.
    """

    verb: ClassVar[str] = "edit"
    on: str = parameter(ID, names=COUNTER)
    name: str | None = parameter(NAME, None)
    slots: int | None = parameter(COUNT, None)
    worth: int | None = parameter(WORTH, None)
    owner: str | None = parameter(or_null(ID), None, names=OWNER)
    visibility: str | None = parameter(VISIBILITY, None)
    seats: tuple[str, ...] | None = parameter(SEATS, None, names=SEAT)
    thresholds: dict[str, str] | None = parameter(THRESHOLDS, None)
    paused: bool | None = parameter(FLAG, None)
    completes: str | None = parameter(COMPLETES, None)
    scene: str | None = parameter(SCENE, None)
    order: int | None = parameter(ORDER, None)
    role: str | None = parameter(ROLE, None)
    permissions: dict[str, str] | None = parameter(PERMISSIONS, None)
    links: tuple[Link, ...] | None = parameter(LINKS, None, names=LINKED)
    loop: str | None = parameter(LOOP, None)

    def changes(self) -> dict[str, Any]:
        """The fields to change, by name."""
        given = {name: getattr(self, name, None) for name in sorted(FIELDS)}
        return {
            name: None if value == NOBODY else value
            for name, value in given.items()
            if value is not None
        }

    def check(self, system: System) -> None:
        if not self.changes():
            raise invalid("Say what to change.")
        if self.links and self.on in [link.to for link in self.links]:
            raise invalid("A counter cannot be linked to itself. Let it loop instead.")


@cites("R15", "R21")
def may_edit(system: System, state: GameState, command: Edit) -> None:
    refuse_strangers(state, command.by, (command.on,))
    for given in (command.owner, command.permissions, command.links):
        if given is not None:
            refuse_players(state, command.by)


@cites("R11")
def edit(system: System, state: GameState, command: Edit) -> Sequence[Event]:
    counter = counter_in(state, command.on)
    refuse_resolved(counter)
    if counter.inventory:
        for name in SLOTS_ONLY:
            if getattr(command, name, None) is not None:
                sentence = "An inventory cannot have “{parameter}”."
                raise Refused("wrong-target", sentence, "Inventory", parameter=name)
    slots = command.slots or counter.slots
    if slots + counter.temporary > MOST_SLOTS:
        raise Refused("over-maximum", "A counter can have at most ten slots.", "Temporary Slots")
    if counter.inventory and slots < counter.filled:
        sentence = "The items in {name} need {n} slots."
        raise Refused("no-room", sentence, None, name=counter.name, n=counter.filled)
    course = Course(system, state)
    changes = command.changes()
    course.happen(Edited(command.on, tuple(changes), changes))
    completion(course, command.on, was_complete=counter.complete)
    follow_links(course)
    return course.events


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrange(Command):
    """Put counters under one tab in this order. Without `scene` each stays under its own tab."""

    verb: ClassVar[str] = "arrange"
    on: tuple[str, ...] = parameter(each(ID, 1), names=COUNTER)
    scene: str | None = parameter(SCENE, None)


def may_arrange(system: System, state: GameState, command: Arrange) -> None:
    refuse_strangers(state, command.by, command.on)


@cites("R18")
def arrange(system: System, state: GameState, command: Arrange) -> Iterator[Event]:
    for named in command.on:
        refuse_resolved(counter_in(state, named))
    for order, named in enumerate(command.on, start=1):
        changes: dict[str, Any] = {"order": order}
        if command.scene is not None:
            changes["scene"] = command.scene or None
        yield Edited(named, tuple(changes), changes)


@dataclass(frozen=True, slots=True, kw_only=True)
class Resolve(Command):
    """Lock a counter whose matter is settled. `resolved` false opens it again."""

    verb: ClassVar[str] = "resolve"
    on: str = parameter(ID, names=COUNTER)
    resolved: bool = parameter(FLAG, True)


def may_resolve(system: System, state: GameState, command: Resolve) -> None:
    refuse_players(state, command.by)


@cites("R4")
def resolve(system: System, state: GameState, command: Resolve) -> Iterator[Event]:
    yield WasResolved(command.on, command.resolved)


@dataclass(frozen=True, slots=True, kw_only=True)
class Discard(Command):
    """Remove a counter from the table, with the links to it and the proposals about it."""

    verb: ClassVar[str] = "discard"
    on: str = parameter(ID, names=COUNTER)


def may_discard(system: System, state: GameState, command: Discard) -> None:
    refuse_strangers(state, command.by, (command.on,))


@cites("R20")
def discard(system: System, state: GameState, command: Discard) -> Iterator[Event]:
    for prompt in state.prompts:
        if command.on in prompt.facts["about"]:
            yield Voided(prompt.id, rule="R20")
    others = (counter_in(state, other) for other in state.slot_counters)
    linked = (c.id for c in others if command.on in [link.to for link in c.links])
    yield Discarded(command.on, tuple(linked))
