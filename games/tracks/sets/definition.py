"""A set: which counters a game has, how an Action can end, and which conditions there are, as data.

`understood` reads the JSON that a table keeps among its settings, or says where its first fault is.
Source: docs/ANY-RPG.md.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import lru_cache
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from .tracker import MOST_OF, Word

DEFINITION = "definition"
"""The setting of a table that holds its set."""
KEPT = 64
"""Sets that stay in memory once they are read."""
LARGEST = 32 * 1024
"""Bytes of a set as JSON."""

Name = Annotated[str, Meta(min_length=1, max_length=40)]
Text = Annotated[str, Meta(max_length=200)]
Id = Annotated[str, Meta(pattern=r"^[a-z][a-z0-9-]{0,23}$")]
IdOrNone = Annotated[str, Meta(pattern=r"^([a-z][a-z0-9-]{0,23})?$")]
Colour = Literal["goal", "danger", "rival", "temp", "hope", "stress", "armor", "fear", "plain"]
Look = Literal["blocks", "pie", "boxes", "bar"]
Verbs = Literal["hit", "lose", "spend", "add", "fill"]
Slots = Annotated[int, Meta(ge=1, le=9999)]


class Fault(ValueError):
    """It is no set. place: of the first fault in it."""

    def __init__(self, place: str) -> None:
        super().__init__(place)
        self.place = place


class TypeOf(Struct, frozen=True, forbid_unknown_fields=True):
    """A type of counters.

    size: the slots that a new one has. counts: "up" to be filled, "down" to be used up, "actions"
    to be filled by one with each Action, "items" to hold things. full: what completing one means.
    words: what players are told in place of the numbers, where they know a counter only by name.
    least: the number of an empty one, if that is below zero. parts: the ticks that a box takes.
    step: the slots that a tap on + or − fills or clears. verbs: what its change is called, if not
    as it usually is of its look and of what it counts.
    """

    type: Id
    name: Name
    look: Look = "blocks"
    size: Slots = 6
    counts: Literal["up", "down", "actions", "items"] = "up"
    colour: Colour = "goal"
    visibility: Literal["open", "known", "hidden"] = "open"
    full: Text = ""
    words: Annotated[tuple[Word, ...], Meta(max_length=8)] = ()
    loop: bool = False
    least: Annotated[int, Meta(ge=-999, le=0)] = 0
    parts: Literal[1, 2, 3, 4] = 1
    step: Annotated[int, Meta(ge=1, le=99)] = 1
    verbs: Verbs | None = None

    @property
    def called(self) -> Verbs:
        """What its change is called."""
        if self.verbs:
            return self.verbs
        if self.counts == "down":
            return "hit" if self.look == "bar" else "spend"
        return "add" if self.look == "bar" else "fill"

    @property
    def slots(self) -> int:
        """The slots of a new one: its parts are one each."""
        return self.size * self.parts


class Kit(Struct, frozen=True, forbid_unknown_fields=True):
    """A counter that every player has, the first large; or one that the table begins with.

    size, filled: if not the type's, and none; filled in slots, as `least` and `parts` count them.
    """

    name: Name
    type: Id
    size: Slots | None = None
    filled: Annotated[int, Meta(ge=0, le=9999)] = 0


class Ticks(Struct, frozen=True, forbid_unknown_fields=True):
    """A possible effect of an outcome: so many slots of a counter of that type, or "" of any."""

    type: IdOrNone = ""
    slots: Annotated[int, Meta(ge=1, le=99)] = 1
    clears: bool = False


class Outcome(Struct, frozen=True, forbid_unknown_fields=True):
    """An outcome of an Action. outcome: its word for commands and the log, if not `default_key`."""

    name: Name
    ticks: Annotated[tuple[Ticks, ...], Meta(max_length=8)] = ()
    colour: Colour | None = None
    outcome: Id | None = None


class Step(Struct, frozen=True, forbid_unknown_fields=True):
    """A step of a scale. adds: the slots that an outcome fills more than it says, or fewer."""

    name: Name
    adds: Annotated[int, Meta(ge=-99, le=99)] = 0


class ScaleOf(Struct, frozen=True, forbid_unknown_fields=True):
    """What the GM says before an Action, as position and effect. type: of what outcomes fill."""

    name: Name
    type: Id
    steps: Annotated[tuple[Step, ...], Meta(min_length=2, max_length=6)]


class ConditionOf(Struct, frozen=True, forbid_unknown_fields=True):
    """A condition. good: it is good to have. rounds: how long it usually lasts."""

    name: Name
    good: bool = False
    rounds: Annotated[int, Meta(ge=1, le=99)] | None = None


class Set(Struct, frozen=True, forbid_unknown_fields=True):
    """A set. aliases: other names of its game, for the search. shared: what the table begins with.

    turns: whether there is a turn order.
    """

    title: Annotated[str, Meta(min_length=1, max_length=60)]
    types: Annotated[tuple[TypeOf, ...], Meta(min_length=1, max_length=16)]
    about: Annotated[str, Meta(max_length=200)] = ""
    aliases: Annotated[tuple[Name, ...], Meta(max_length=16)] = ()
    kit: Annotated[tuple[Kit, ...], Meta(max_length=8)] = ()
    shared: Annotated[tuple[Kit, ...], Meta(max_length=4)] = ()
    outcomes: Annotated[tuple[Outcome, ...], Meta(max_length=8)] = ()
    scales: Annotated[tuple[ScaleOf, ...], Meta(max_length=3)] = ()
    conditions: Annotated[tuple[ConditionOf, ...], Meta(max_length=40)] = ()
    turns: bool = False

    @property
    def by_outcome(self) -> dict[str, Outcome]:
        """The outcomes by their words for commands and the log."""
        return {each.outcome or default_key(n): each for n, each in enumerate(self.outcomes)}

    def type_of(self, key: str) -> TypeOf | None:
        return next((each for each in self.types if each.type == key), None)


WITHOUT_GM = Set("", ())
"""The set of a game that nobody leads."""


def default_key(n: int) -> str:
    """The word of the outcome in place *n*."""
    return f"outcome-{n}"


def understood(written: Any) -> Set:
    """The set that is *written*. Raises Fault."""
    return _read(written_out(written))


def written_out(written: Any) -> str:
    """The JSON of what may be a set, if it is not too large. Raises Fault."""
    try:
        text = json.dumps(written, sort_keys=True, allow_nan=False, ensure_ascii=False)
    except (TypeError, ValueError, RecursionError):
        raise Fault("") from None
    if len(text.encode(errors="replace")) > LARGEST:
        raise Fault("")
    return text


@lru_cache(KEPT)
def _read(text: str) -> Set:
    try:
        found = msgspec.json.decode(text.encode(errors="surrogatepass"), type=Set)
    except (msgspec.ValidationError, msgspec.DecodeError) as error:
        raise Fault(_place(str(error))) from None
    for place in _faults(found):
        raise Fault(place)
    return found


def _place(message: str) -> str:
    """The place in a message of msgspec: "... - at `$.types[0].size`"."""
    return message.rpartition("at `$")[2].strip("`.") if "at `$" in message else ""


def _faults(found: Set) -> Iterable[str]:
    """The places of what does not fit together."""
    keys = [each.type for each in found.types]
    for n, each in enumerate(found.types):
        if keys.index(each.type) != n:
            yield f"types[{n}].type"
        if each.size > MOST_OF[each.look]:
            yield f"types[{n}].size"
        if each.parts > 1 and each.look != "boxes":
            yield f"types[{n}].parts"
        if each.least and (each.counts == "items" or each.parts > 1):
            yield f"types[{n}].least"
    for part, kit in (("kit", found.kit), ("shared", found.shared)):
        for n, own in enumerate(kit):
            kind = found.type_of(own.type)
            if kind is None:
                yield f"{part}[{n}].type"
            else:
                size = own.size or kind.size
                if size > MOST_OF[kind.look]:
                    yield f"{part}[{n}].size"
                if own.filled > size * kind.parts or (own.filled and kind.counts == "items"):
                    yield f"{part}[{n}].filled"
    names = [each.name for each in found.kit]
    for n, name in enumerate(names):
        if names.index(name) != n:
            yield f"kit[{n}].name"
    for n, scale in enumerate(found.scales):
        kind = found.type_of(scale.type)
        if kind is None or kind.counts == "items":
            yield f"scales[{n}].type"
    if len(found.by_outcome) < len(found.outcomes):
        yield "outcomes"
    for n, outcome in enumerate(found.outcomes):
        for m, ticks in enumerate(outcome.ticks):
            kind = found.type_of(ticks.type)
            if ticks.type and (kind is None or kind.counts == "items"):
                yield f"outcomes[{n}].ticks[{m}].type"
