"""Stacks: objects that are alike in everything that is seen share one row, as twenty tokens do.

A stack is nothing that is stored, and no rule knows of it. It is what screens make of objects with
the same owner, controller, zone and name whose other fields, counters and derived values are equal.
So a counter on one of them gives it a row of its own, and when it is gone they share one again.

What is done with a row is done with each of its objects: a page names them in fields "each.<id>",
by the row's first id, and `for_each` makes one command of it (`forms`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from operator import attrgetter
from typing import Any, TypeVar

from msgspec import Struct

from games.rules.batch import may_name
from games.rules.commands import parameters
from games.rules.state import CEASED, GameObject, GameState
from games.rules.system import System
from games.screens.cache import Cache
from games.systems import presentation_of

T = TypeVar("T")

Row = tuple[str, ...]
"""The ids of the objects in one row, in the order of the table. The row goes by the first."""

UNSEEN = frozenset({"id", "had", "moves"})
"""Fields that no row shows: what an object is called by commands, what it held before, how often it
has moved."""


class Stacks:
    """The rows of one table. Those of the last two states are kept, for an update compares them."""

    def __init__(self, system: System, cache: Cache | None = None) -> None:
        self._system = system
        self._similar: tuple[tuple[Mapping[str, GameObject], Mapping[str, Row]], ...] = ()
        self._cache = cache or Cache()

    def alone(self, state: GameState, key: str) -> bool:
        """True if no other object could share the row of *key*, whatever is on them."""
        return key not in self._similar_in(state.objects)

    def row(self, state: GameState, key: str) -> Row:
        """The objects that share the row of *key*, itself among them."""
        similar = self._similar_in(state.objects).get(key)
        if similar is None:
            return (key,)
        rows = self._cache.of(state)
        if ("row", key) not in rows:
            for found in _alike(self._system, state, similar):
                rows.update({("row", each): found for each in found})
        row: Row = rows["row", key]
        return row

    def firsts(self, state: GameState, objects: Iterable[GameObject]) -> list[GameObject]:
        """Those of *objects* by which a row goes."""
        shared = self._similar_in(state.objects)
        return [
            obj for obj in objects if obj.id not in shared or self.row(state, obj.id)[0] == obj.id
        ]

    def _similar_in(self, objects: Mapping[str, GameObject]) -> Mapping[str, Row]:
        """By id: the objects whose fields are equal; counters, which change more often, aside."""
        for known, similar in self._similar:
            if known is objects:
                return similar
        found = {each: row for row in _similar(self._system, objects) for each in row}
        self._similar = (*self._similar[-1:], (objects, found))
        return found


def _similar(system: System, objects: Mapping[str, GameObject]) -> Iterator[Row]:
    """Two or more objects each whose fields are equal."""
    presentation = presentation_of(system)
    namesakes: dict[tuple[str, ...], list[GameObject]] = {}
    for obj in objects.values():
        place = (obj.name, obj.zone, obj.controller, obj.owner)
        namesakes.setdefault(place, []).append(obj)
    for group in namesakes.values():
        first = group[0]
        if len(group) < 2 or first.zone == CEASED:
            continue
        may_share = [
            obj
            for obj in group
            if presentation.board.stacked(obj)
            and not obj.unseen
            and presentation.board.heroes.isdisjoint(getattr(obj, "types", ()))
        ]
        for found in _equal(may_share, lambda obj: _facts(type(obj))(obj)):
            if len(found) > 1:
                yield tuple(obj.id for obj in found)


def _alike(system: System, state: GameState, similar: Row) -> Iterator[Row]:
    """*similar* objects by what is on them and what follows from it.

    One of which an ability stands is alone: the ability is its own, and ends with it.
    """
    alone = {standing.object for standing in state.standings.values()}
    yield from ((each,) for each in similar if each in alone)
    by_counters: dict[frozenset[tuple[str, int]], list[str]] = {}
    for each in (each for each in similar if each not in alone):
        by_counters.setdefault(frozenset(state.on(each).items()), []).append(each)
    for same in by_counters.values():
        for row in _equal(same, lambda each: system.derived(system, state, state.objects[each])):
            yield tuple(row)


def _equal(things: Iterable[T], about: Callable[[T], Any]) -> Iterable[list[T]]:
    """*things* in groups about which the same is true, which may be unhashable."""
    groups: list[tuple[Any, list[T]]] = []
    for thing in things:
        facts = about(thing)
        for known, group in groups:
            if known == facts:
                group.append(thing)
                break
        else:
            groups.append((facts, [thing]))
    return [group for _facts, group in groups]


@cache
def _facts(cls: type[GameObject]) -> Callable[[GameObject], Any]:
    """A function to all fields of an object of *cls* that are seen."""
    return attrgetter(*(name for name in cls.__struct_fields__ if name not in UNSEEN))


class Stack(Struct, frozen=True):
    """A row in a sheet. chosen: those of *row* that the sheet means, its last ones."""

    row: Row
    chosen: Row

    @property
    def fewer(self) -> int:
        return max(1, len(self.chosen) - 1)

    @property
    def more(self) -> int:
        return min(len(self.row), len(self.chosen) + 1)


def stack_of(row: Row, of: Sequence[str] = (), n: int | None = None) -> Stack:
    """*row* as a sheet means it: those named in *of*, or else all; or *n* of them.

    The last are parted off first, so that the rest keeps its place on the board.
    """
    meant = [each for each in row if each in of] or row
    ordered = (*(each for each in row if each not in meant), *meant)
    count = len(meant) if n is None else max(1, min(n, len(row)))
    return Stack(ordered, ordered[-count:])


# Commands for each of a row


USUAL = ("object", "on")
"""By which of its parameters a verb that takes one object names it, unless `naming` says more."""


def naming(system: System) -> dict[str, str]:
    """The parameters that name an object, by verb ("on* source"; a star: it takes a list).

    A verb that is missing here names one object, by "object" or "on", or none.
    """
    if not system.zones:
        return {}
    found = {
        verb: " ".join(
            f"{part.key}*" if part.reader.many else part.key
            for part in parameters(each.command)
            if may_name(part)
        )
        for verb, each in system.verbs.items()
    }
    return {verb: keys for verb, keys in found.items() if keys not in ("", *USUAL)}


def for_each(
    system: System, command: dict[str, Any], rows: Mapping[str, Sequence[str]]
) -> dict[str, Any]:
    """*command* for each of a row where it names the row's first object.

    A parameter that takes a list gets them all; else it is a step that is given for each.
    """
    verb = str(command.get("do"))
    if verb not in system.verbs:
        return command
    keys = naming(system).get(verb, " ".join(USUAL)).split()
    plain = [key.rstrip("*") for key in keys]
    for first, ids in rows.items():
        if not ids:
            continue
        for key in plain:
            if isinstance(command.get(key), list) and first in command[key]:
                rest = [each for each in command[key] if each not in (first, *ids)]
                command = {**command, key: [*rest, *ids]}
        names = [key for key in plain if command.get(key) == first]
        if not names or [*ids] == [first]:
            continue
        if len(ids) == 1:
            return {**command, **dict.fromkeys(names, ids[0])}
        if len(names) == 1 and f"{names[0]}*" in keys:
            return {**command, names[0]: [*ids]}
        note = {key: command[key] for key in ("note",) if key in command}
        step = {key: value for key, value in command.items() if key not in note}
        return {"do": "together", "steps": [step], "each": {first: [*ids]}, **note}
    return command
