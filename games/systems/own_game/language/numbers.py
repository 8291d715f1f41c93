"""Numbers of a definition and their owners: their kinds, and how they are read."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from msgspec import Struct

from .expressions import (
    PLAYER,
    TABLE,
    Amount,
    Scope,
    amount,
    known,
    one_or_list,
)
from .reading import (
    SIX_DIGITS,
    Fault,
    flag,
    inside,
    keyed,
    listed,
    one_of,
    text,
    whole,
    word,
    words_to,
    written,
)

LOOKS = ("number", "pips", "clock", "track", "switch")


class Thing(Struct, frozen=True):
    """A type of card, token, place or piece. prints: its printed values with their defaults."""

    type: str
    prints: Mapping[str, int]


class OwnMost(Struct, frozen=True):
    """A most of each holder's own: the value printed on it, or another of its numbers."""

    print: str | None = None
    number: str | None = None


class Number(Struct, frozen=True):
    """A number that the game counts.

    on: whom it is for: "player", "table", types of things. follows: how it is worked out, if it is
    not counted but follows from others. steps: what a tap and a held finger change it by.
    """

    kind: str
    on: frozenset[str]
    follows: Amount | None = None
    least: int = 0
    most: int | OwnMost = SIX_DIGITS
    start: int = 0
    look: str = "number"
    big: bool = False
    colour: int | None = None
    letter: str | None = None
    steps: tuple[int, ...] = (1, 10)


def read_things(value: Any) -> dict[str, Thing]:
    """The types of things, by name. Raises Fault."""
    found: dict[str, Thing] = {}

    def read_one(each: Any, place: str) -> Thing:
        keyed(each, place, ("type",), ("prints",))
        here = inside(place, "type")
        kind = word(each["type"], here)
        if kind in (PLAYER, TABLE, "any") or kind in found:
            raise Fault(here)
        printed = words_to(whole(-SIX_DIGITS, SIX_DIGITS))
        found[kind] = Thing(kind, printed(each.get("prints", {}), inside(place, "prints")))
        return found[kind]

    listed(value, "things", read_one, 0, 20)
    return found


def scope_of(things: Mapping[str, Thing], numbers: Collection[str]) -> Scope:
    """Names that an expression may use."""
    printed = {name for thing in things.values() for name in thing.prints}
    return Scope(types=tuple(things), printed=printed, kinds=numbers)


def read_numbers(value: Any, things: Mapping[str, Thing]) -> dict[str, Number]:
    """The numbers, by kind. Raises Fault."""
    found: dict[str, Number] = {}
    plain = _plain_kinds(value)

    def read_one(each: Any, place: str) -> Number:
        further = FOLLOWING if type(each) is dict and "is" in each else COUNTED
        keyed(each, place, ("kind", "on"), further)
        here = inside(place, "kind")
        kind = word(each["kind"], here)
        if kind in found:
            raise Fault(here)
        found[kind] = _number(each, place, kind, found, things, plain)
        return found[kind]

    listed(value, "numbers", read_one, 0, 40)
    return found


COUNTED = ("least", "most", "start", "look", "big", "colour", "letter", "steps")
FOLLOWING = ("is", "look", "big", "colour", "letter")


def _plain_kinds(value: Any) -> frozenset[str]:
    """The kinds of the numbers that do not follow, as far as they can be read."""
    if type(value) is not list:
        return frozenset()
    return frozenset(
        each["kind"]
        for each in value
        if type(each) is dict and "is" not in each and type(each.get("kind")) is str
    )


def _number(
    value: Mapping[str, Any],
    place: str,
    kind: str,
    earlier: Mapping[str, Number],
    things: Mapping[str, Thing],
    plain: frozenset[str],
) -> Number:
    def at(key: str) -> str:
        return inside(place, key)

    holders = (PLAYER, TABLE, *things)
    on = frozenset(one_or_list(value["on"], at("on"), lambda each, p: known(each, p, holders)))
    follows = None
    if "is" in value:
        scope = scope_of(things, plain | {name for name in earlier if name not in plain})
        follows = amount(value["is"], at("is"), scope)
    least = whole(-SIX_DIGITS, 0)(value.get("least", 0), at("least"))
    most = _most(value.get("most", SIX_DIGITS), at("most"), earlier, things)
    start = whole(-SIX_DIGITS, SIX_DIGITS)(value.get("start", 0), at("start"))
    if not least <= start <= (0 if isinstance(most, OwnMost) else most):
        raise Fault(at(next(written(value, "least", "most", "start"))))
    look = one_of(*LOOKS)(value.get("look", "number"), at("look"))
    if not _suits(look, least, most, follows):
        raise Fault(at(next(written(value, "least", "most", "look"))))
    big = flag(value.get("big", False), at("big"))
    if big and (PLAYER not in on or any(number.big for number in earlier.values())):
        raise Fault(at("big"))
    colour = whole(1, 12)(value["colour"], at("colour")) if "colour" in value else None
    letter = text(2)(value["letter"], at("letter")) if "letter" in value else None
    steps = _steps(value.get("steps", [1, 10]), at("steps"))
    return Number(kind, on, follows, least, most, start, look, big, colour, letter, steps)


def _most(
    value: Any, place: str, earlier: Mapping[str, Number], things: Mapping[str, Thing]
) -> int | OwnMost:
    if type(value) is not dict:
        return whole(0, SIX_DIGITS)(value, place)
    if "number" in value:
        keyed(value, place, ("number",))
        here = inside(place, "number")
        kind = known(value["number"], here, earlier)
        if earlier[kind].follows or isinstance(earlier[kind].most, OwnMost):
            raise Fault(here)
        return OwnMost(number=kind)
    keyed(value, place, ("print",))
    printed = scope_of(things, ()).printed
    return OwnMost(print=known(value["print"], inside(place, "print"), printed))


def _suits(look: str, least: int, most: int | OwnMost, follows: Amount | None) -> bool:
    """True if a number with these bounds can be drawn like that."""
    if look in ("number", "track"):
        return True
    if follows or isinstance(most, OwnMost):
        return False
    if look == "switch":
        return (least, most) == (0, 1)
    return most <= (30 if look == "pips" else 12)


def _steps(value: Any, place: str) -> tuple[int, ...]:
    found: list[int] = []

    def read_one(each: Any, here: str) -> int:
        step = whole(1, SIX_DIGITS)(each, here)
        if found and step <= found[-1]:
            raise Fault(here)
        found.append(step)
        return step

    return listed(value, place, read_one, 1, 6)
