"""Commands that make, change and end counters: create, edit, arrange, resolve, discard."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Annotated, Any, ClassVar

from msgspec.structs import replace

from ..rules.commands import (
    FLAG,
    ID,
    NAME,
    SEAT,
    Command,
    Itself,
    Parameter,
    Reader,
    Terms,
    each,
    invalid,
    lines,
    one_of,
    table,
    text,
    whole,
)
from ..rules.events import Event, Voided
from ..rules.state import RESERVED, GameState, Phrase, Refused
from ..rules.system import System, cites
from . import notes
from .counter import (
    ACTS,
    COUNTER,
    GM,
    LINKED,
    LOOPS,
    MOST_SLOTS,
    OWNER,
    PERMITTED,
    TYPES,
    VISIBILITIES,
    Counter,
    Link,
    Sight,
    counter_in,
    game_master,
    refuse_players,
    refuse_resolved,
    refuse_strangers,
    refuse_too_many,
    scene_state,
    sight,
)
from .course import Course, completion, follow_links
from .facts import CounterCreated, Discarded, Edited, MadeWay, PastShared
from .facts import Resolved as WasResolved
from .scenes import refuse_unknown_scene
from .views import proposed_about, redacted

NOBODY = ""
"""The value of null, for parameters where null clears the field."""
MOST_LINKS = 10
NO_FIELDS = ("by", "given_as", "on")
"""The parameters of an edit that are no fields of a counter."""
ITEMS_ONLY = ("on_full",)
SLOTS_ONLY = ("worth", "temporary", "thresholds", "loop")
"""Fields that only an inventory has, and fields that only other counters have."""


def or_null(reader: Reader) -> Reader:
    """A reader that accepts null, or what *reader* does."""

    def read(value: Any, system: Terms) -> Any:
        return NOBODY if value is None else reader.read(value, system)

    schema = {"anyOf": [reader.schema, {"type": "null"}]}
    return Reader(Phrase("{must}, or null", must=reader.text), read, schema=schema)


def link(*acts: str) -> Callable[[Any, Terms], Link]:
    """What reads a link that does one of *acts*."""
    do_what = one_of(*acts)

    def read(value: Any, system: Terms) -> Link:
        if type(value) is not dict or not {"to", "do"} <= set(value) <= {"to", "do", "slots"}:
            raise ValueError
        do = do_what.read(value["do"], system)
        if "slots" not in value:
            return Link(ID.read(value["to"], system), do)
        if do not in ("fill", "clear"):
            raise ValueError
        return Link(ID.read(value["to"], system), do, COUNT.read(value["slots"], system))

    return read


COUNT = whole(1, MOST_SLOTS)
LINK_ACTS = ("advance", "fill", "clear", "reveal", "start")
LINK = Reader(
    "a link {to: counter, do: advance, fill, clear, reveal or start, slots: 1-10}",
    link(*LINK_ACTS),
)
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
GM_NOTE = or_null(lines(2000))
LATER = each(one_of("completes", *(str(count) for count in range(1, MOST_SLOTS + 1))))


class Create(Command, frozen=True, kw_only=True):
    """Make a counter. A player owns the counters they make.

    role: which of the rulebook's counters it is. scene, order: the tab it is under, and its place.
    later: the texts that players read only when it happens: "completes", and thresholds by their
    number of slots. permissions, links, later: only the GM can set these. gm_note: only the GM can
    write and read it.
    """

    verb: ClassVar[str] = "create"
    as_: Annotated[str, Parameter(ID)]
    type: Annotated[str, Parameter(one_of(*TYPES))] = "progress"
    name: Annotated[str | None, Parameter(NAME)] = None
    slots: Annotated[int, Parameter(COUNT)] = 5
    worth: Annotated[int | None, Parameter(WORTH)] = None
    owner: Annotated[str | None, Parameter(or_null(ID), names=OWNER)] = None
    visibility: Annotated[str, Parameter(VISIBILITY)] = "open"
    seats: Annotated[tuple[str, ...], Parameter(SEATS, names=SEAT)] = ()
    thresholds: Annotated[dict[str, str] | None, Parameter(THRESHOLDS)] = None
    completes: Annotated[str | None, Parameter(COMPLETES)] = None
    temporary: Annotated[int | None, Parameter(whole(0, MOST_SLOTS - 1))] = None
    on_full: Annotated[str | None, Parameter(one_of("keep", "release"))] = None
    paused: Annotated[bool, Parameter(FLAG)] = False
    scene: Annotated[str | None, Parameter(SCENE)] = None
    order: Annotated[int, Parameter(ORDER)] = 0
    role: Annotated[str | None, Parameter(ROLE)] = None
    permissions: Annotated[dict[str, str] | None, Parameter(PERMISSIONS)] = None
    links: Annotated[tuple[Link, ...] | None, Parameter(LINKS, names=LINKED)] = None
    loop: Annotated[str | None, Parameter(LOOP)] = None
    gm_note: Annotated[str | None, Parameter(GM_NOTE)] = None
    later: Annotated[tuple[str, ...] | None, Parameter(LATER)] = None

    def holds_items(self, system: Itself) -> bool:
        """True if it makes an inventory."""
        return self.type == "inventory"

    def usual(self, system: Itself) -> dict[str, Any]:
        """The fields of the new counter where nothing else is said."""
        return {"worth": 1} if self.holds_items(system) else {}

    def refused(self, counter: Counter) -> None:
        """Refuse to make *counter*."""
        refuse_too_many(counter)

    def check(self, system: Itself) -> None:
        inventory = self.holds_items(system)
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
    refuse_unknown_scene(state, command.by, command.scene)
    if command.permissions is not None or command.links is not None:
        raise Refused("forbidden", "Only the GM can link counters and set permissions.", "R15")
    if command.later is not None or command.gm_note is not None:
        refuse_players(state, command.by)


def refuse_taken(state: GameState, new: str) -> None:
    """Refuse an id that something on the table has."""
    if new in state.slot_counters or new in state.seats or new in RESERVED:
        raise Refused("taken", "The id “{id}” is already in use; choose another.", None, id=new)


@cites("Points and Slots", "Inventory", "R27")
def create(system: System, state: GameState, command: Create) -> Iterator[Event]:
    new, kind = command.as_, system.components.slot_counter
    refuse_taken(state, new)
    given: dict[str, Any] = {
        name: None if value == NOBODY else value
        for name in {*kind.__struct_fields__} - {"gm_note", "type"}
        if (value := getattr(command, name, None)) is not None
    }
    if command.owner is None and not game_master(state, command.by):
        given["owner"] = command.by
    usual = {"type": command.type, **command.usual(system)}
    counter: Any = kind(**{"id": new, "name": new, **usual, **given})
    command.refused(counter)
    yield CounterCreated(new, counter)
    if command.gm_note:
        yield _noted(new, command.gm_note)


@cites("R27")
def _noted(on: str, text: str | None) -> Edited:
    """The GM's note on a counter as an event of its own, which no player learns of."""
    return Edited(on, ("gm_note",), {"gm_note": text}, secret=True)


class Edit(Command, frozen=True, kw_only=True):
    """Change fields of a counter; filled slots stay filled as far as there is room.

    null clears `owner`, `scene`, `role`, `loop`, `completes` and `gm_note`. Only the GM can set
    `owner`, `permissions`, `links` and `later`: the texts that players read only when it happens.
    Only the GM can write and read `gm_note`. Texts that a player cannot read stay as they are.
    """

    verb: ClassVar[str] = "edit"
    races: ClassVar[bool] = False
    """True if a link may resolve: of two that race, the first completed ends the other."""
    on: Annotated[str, Parameter(ID, names=COUNTER)]
    name: Annotated[str | None, Parameter(NAME)] = None
    slots: Annotated[int | None, Parameter(COUNT)] = None
    worth: Annotated[int | None, Parameter(WORTH)] = None
    owner: Annotated[str | None, Parameter(or_null(ID), names=OWNER)] = None
    visibility: Annotated[str | None, Parameter(VISIBILITY)] = None
    seats: Annotated[tuple[str, ...] | None, Parameter(SEATS, names=SEAT)] = None
    thresholds: Annotated[dict[str, str] | None, Parameter(THRESHOLDS)] = None
    paused: Annotated[bool | None, Parameter(FLAG)] = None
    completes: Annotated[str | None, Parameter(COMPLETES)] = None
    scene: Annotated[str | None, Parameter(SCENE)] = None
    order: Annotated[int | None, Parameter(ORDER)] = None
    role: Annotated[str | None, Parameter(ROLE)] = None
    permissions: Annotated[dict[str, str] | None, Parameter(PERMISSIONS)] = None
    links: Annotated[tuple[Link, ...] | None, Parameter(LINKS, names=LINKED)] = None
    loop: Annotated[str | None, Parameter(LOOP)] = None
    gm_note: Annotated[str | None, Parameter(GM_NOTE)] = None
    later: Annotated[tuple[str, ...] | None, Parameter(LATER)] = None

    def changes(self) -> dict[str, Any]:
        """The fields to change, by name."""
        given = {name: getattr(self, name, None) for name in sorted(self.__struct_fields__)}
        given = {name: value for name, value in given.items() if name not in NO_FIELDS}
        return {
            name: None if value == NOBODY else value
            for name, value in given.items()
            if value is not None
        }

    def check(self, system: Itself) -> None:
        if not self.changes():
            raise invalid("Say what to change.")
        if self.links and self.on in [link.to for link in self.links]:
            raise invalid("A counter cannot be linked to itself. Let it loop instead.")


@cites("R15", "R21")
def may_edit(system: System, state: GameState, command: Edit) -> None:
    refuse_strangers(state, command.by, (command.on,))
    of_the_gm = (command.owner, command.permissions, command.links, command.later, command.gm_note)
    if any(given is not None for given in of_the_gm):
        refuse_players(state, command.by)
    refuse_unknown_scene(state, command.by, command.scene)


@cites("R32")
def _without_unread(
    state: GameState, by: str, counter: Counter, changes: Mapping[str, Any]
) -> dict[str, Any]:
    """*changes* as far as *by* can read what they replace; the GM's other texts stay."""
    kept, shown = dict(changes), redacted(state, by, counter)
    if "completes" in kept and shown.completes != counter.completes:
        kept["completes"] = counter.completes
    if "thresholds" in kept:
        unread = counter.thresholds.keys() - shown.thresholds.keys()
        kept["thresholds"] |= {count: counter.thresholds[count] for count in unread}
    return kept


@cites("R30", "R14")
def _staying_hidden(
    state: GameState, counter: Counter, changes: Mapping[str, Any]
) -> dict[str, Any]:
    """The fields that *changes* must hide too: leaving a prepared scene shows nothing by itself."""
    if "scene" not in changes or "visibility" in changes:
        return {}
    begins = scene_state(state, counter.scene) == "prepared" != scene_state(state, changes["scene"])
    return {"visibility": "hidden"} if begins and counter.visibility != "hidden" else {}


@cites("R11")
def edit(system: System, state: GameState, command: Edit) -> Course:
    counter = counter_in(state, command.on)
    refuse_resolved(counter)
    if counter.inventory:
        for name in SLOTS_ONLY:
            if getattr(command, name, None) is not None:
                sentence = "An inventory cannot have “{parameter}”."
                raise Refused("wrong-target", sentence, "Inventory", parameter=name)
    slots = command.slots or counter.slots
    looks = {"look": look} if (look := getattr(command, "look", None)) else {}
    refuse_too_many(replace(counter, slots=slots, **looks))
    if counter.inventory and slots < counter.filled:
        sentence = "The items in {name} need {n} {n|slot|slots}."
        raise Refused("no-room", sentence, None, name=counter.name, n=counter.filled)
    course = Course(system, state)
    changes = _without_unread(state, command.by, counter, command.changes())
    changes |= _staying_hidden(state, counter, changes)
    gm_note = changes.pop("gm_note", "")
    if changes:
        course.happen(Edited(command.on, tuple(changes), changes))
    if gm_note != "":
        course.happen(_noted(command.on, gm_note))
    completion(course, command.on, was_complete=counter.complete)
    follow_links(course)
    return course


class Arrange(Command, frozen=True, kw_only=True):
    """Put counters under one tab in this order. Without `scene` each stays under its own tab."""

    verb: ClassVar[str] = "arrange"
    on: Annotated[tuple[str, ...], Parameter(each(ID, 1), names=COUNTER)]
    scene: Annotated[str | None, Parameter(SCENE)] = None


def may_arrange(system: System, state: GameState, command: Arrange) -> None:
    refuse_strangers(state, command.by, command.on)
    refuse_unknown_scene(state, command.by, command.scene)


@cites("R18")
def arrange(system: System, state: GameState, command: Arrange) -> Iterator[Event]:
    for named in command.on:
        refuse_resolved(counter_in(state, named))
    for order, named in enumerate(command.on, start=1):
        changes: dict[str, Any] = {"order": order}
        if command.scene is not None:
            changes["scene"] = command.scene or None
        changes |= _staying_hidden(state, counter_in(state, named), changes)
        yield Edited(named, tuple(changes), changes)


class Resolve(Command, frozen=True, kw_only=True):
    """Lock a counter whose matter is settled. `resolved` false opens it again."""

    verb: ClassVar[str] = "resolve"
    on: Annotated[str, Parameter(ID, names=COUNTER)]
    resolved: Annotated[bool, Parameter(FLAG)] = True


@cites("R4")
def resolve(system: System, state: GameState, command: Resolve) -> Iterator[Event]:
    yield WasResolved(command.on, command.resolved)


class Discard(Command, frozen=True, kw_only=True):
    """Remove a counter from the table, with the links to it and the proposals about it."""

    verb: ClassVar[str] = "discard"
    on: Annotated[str, Parameter(ID, names=COUNTER)]


def may_discard(system: System, state: GameState, command: Discard) -> None:
    refuse_strangers(state, command.by, (command.on,))


@cites("R20")
def discard(system: System, state: GameState, command: Discard) -> Iterator[Event]:
    for prompt in state.prompts:
        if command.on in proposed_about(prompt):
            yield Voided(prompt.id, rule="R20")
    others = (counter_in(state, other) for other in state.slot_counters)
    linked = (c.id for c in others if command.on in [link.to for link in c.links])
    yield Discarded(command.on, tuple(linked))


class SharePast(Command, frozen=True, kw_only=True):
    """Let those who see a counter read what happened to it before they saw it. GM only."""

    verb: ClassVar[str] = "share-past"
    on: Annotated[str, Parameter(ID, names=COUNTER)]


@cites("R31")
def share_past(system: System, state: GameState, command: SharePast) -> Iterator[Event]:
    yield PastShared(command.on)


class MakeWay(Command, frozen=True, kw_only=True):
    """Give a counter another id, because a player chose its id for a new one.

    Only the server gives this, for a counter that the player may not know of: "taken" would tell
    that it is there.
    """

    verb: ClassVar[str] = "make-way"
    on: Annotated[str, Parameter(ID, names=COUNTER)]
    to: Annotated[str, Parameter(ID)]


@cites("R14")
def make_way(system: System, state: GameState, command: MakeWay) -> Iterator[Event]:
    refuse_taken(state, command.to)
    for prompt in state.prompts:
        if command.on in proposed_about(prompt):
            yield Voided(prompt.id, rule="R20")
    others = (counter_in(state, other) for other in state.slot_counters)
    linked = (c.id for c in others if command.on in [link.to for link in c.links])
    yield MadeWay(command.on, command.to, tuple(linked))


@cites("R14")
def in_the_way(
    state: GameState, raw: Mapping[str, Any], random: Callable[[], str]
) -> Iterator[dict[str, Any]]:
    """The commands that move aside what *raw* must not learn of: what has the ids it chose.

    random: makes the random part of an id, six hexadecimal digits.
    """
    yield from notes.in_the_way(state, raw, random)
    steps = raw.get("steps")
    for command in (raw, *(steps if isinstance(steps, list) else ())):
        if not isinstance(command, dict) or command.get("do") != "create":
            continue
        new = command.get("as")
        if type(new) is str and new in state.slot_counters:
            if sight(state, raw["by"], counter_in(state, new)) is Sight.NOTHING:
                yield {"do": "make-way", "on": new, "to": _free_id(state, random), "by": GM}


def _free_id(state: GameState, random: Callable[[], str]) -> str:
    """An id like those of other new counters that none on the table has."""
    while (new := f"c-{random()}") in state.slot_counters:
        pass
    return new
