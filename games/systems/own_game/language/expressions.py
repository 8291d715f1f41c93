"""Expressions of a definition, compiled to functions: holders, amounts and conditions.

An expression is read once, when its definition is, into a function of the course of a command and
of what its rule is about at that moment. There are no loops and no text that is run, so every one
comes to an end; nested at most six deep, each costs at most so many looks at the holders that
there are. Source: docs/OWN-GAMES.md, section 4.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Hashable, Mapping
from typing import Any, Protocol, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from games.rules.state import GameState

from .reading import SIX_DIGITS, Fault, inside, keyed, listed, one_of, whole, word

DEEPEST = 6
ANY = "any"
PLAYER = "player"
TABLE = "table"
Listed = TypeVar("Listed", bound=Collection[Any])
T = TypeVar("T")


class About(Struct, frozen=True):
    """The subject of a rule at a moment.

    it: the subject's id; None if it is not there any more, and is *gone* then. change: the amount
    of the event that set the rule off. chosen: the number given with a press. answer: what was
    answered, by *answerer*. left: a thing that left play, and the seat that controlled it until
    then.
    """

    it: str | None
    change: int = 0
    chosen: int = 0
    answer: int = 0
    presser: str | None = None
    target: str | None = None
    answerer: str | None = None
    left: tuple[str, str] | None = None
    gone: str | None = None


class Moment(Protocol):
    """The table at a moment of a command, as expressions read it (`course.Course`)."""

    state: GameState

    @property
    def round(self) -> int: ...
    def look(self, those: Listed) -> Listed: ...
    def once(self, key: Hashable, work_out: Callable[[], T]) -> T: ...
    def remaining(self) -> list[str]: ...
    def still_in(self, seat: str | None) -> list[str]: ...
    def following(self, seat: str) -> list[str]: ...
    def holder(self, about: About) -> str | None: ...
    def takes_part(self, holder: str, about: About | None = None) -> bool: ...
    def things(self, meant: frozenset[str]) -> list[str]: ...
    def may_have(self, holder: str, kind: str) -> bool: ...
    def count(self, holder: str, kind: str) -> int: ...
    def printed(self, holder: str, name: str) -> int: ...
    def had(self, holder: str, kind: str) -> int: ...


Who = Callable[[Moment, About], list[str]]
"""Holders: seats in table order, the table, objects by id. None that is out of the game."""
Amount = Callable[[Moment, About], int]
"""A whole number of up to six digits."""
Condition = Callable[[Moment, About], bool]


class Scope(Struct, frozen=True):
    """The scope of an expression: the names it may use.

    types: of things. printed: the words that some type prints. kinds: the numbers. The flags say
    whether the atom of that name is known. may_pick: whether `each` may stand here. depth: how
    many maps and comparisons are around it. compared: gets both sides of each comparison of the
    condition that is read, as Why? tells their numbers.
    """

    types: Collection[str] = ()
    printed: Collection[str] = ()
    kinds: Collection[str] = ()
    change: bool = False
    chosen: bool = False
    answer: bool = False
    presser: bool = False
    target: bool = False
    answerer: bool = False
    may_pick: bool = True
    depth: int = 0
    compared: list[Amount] | None = None


# Types of things


def types(value: Any, place: str, scope: Scope) -> frozenset[str]:
    """One type, "any", or a list of different ones; the types that are meant."""
    if value == ANY:
        return frozenset(scope.types)
    return frozenset(one_or_list(value, place, lambda each, at: known(each, at, scope.types)))


def known(value: Any, place: str, words: Collection[str]) -> str:
    """*value*, if it is one of *words*."""
    if word(value, place) not in words:
        raise Fault(place)
    return str(value)


def one_or_list(value: Any, place: str, read: Callable[[Any, str], str]) -> tuple[str, ...]:
    """One word, or a list of different ones."""
    if type(value) is list:
        return listed(value, place, read, 1, 100, different=True)
    return (read(value, place),)


# Who


def who(value: Any, place: str, scope: Scope) -> Who:
    """Read a WHO."""
    if type(value) is str:
        if value in ATOMS and getattr(scope, value, True):
            return ATOMS[value]
        raise Fault(place)
    if type(value) is not dict:
        raise Fault(place)
    if "things" in value:
        keyed(value, place, ("things",), ("of",))
        deeper(scope, place)
        return _things(value, place, scope)
    keyed(value, place, ("each", "if"))
    if not scope.may_pick:
        raise Fault(place)
    return _picked(value, place, deeper(scope, place))


def deeper(scope: Scope, place: str, **changed: Any) -> Scope:
    """*scope* for what stands inside a map or a comparison at *place*."""
    if scope.depth == DEEPEST:
        raise Fault(place)
    return narrowed(scope, depth=scope.depth + 1, **changed)


def narrowed(scope: Scope, **changed: Any) -> Scope:
    """*scope* with some of its fields changed."""
    return replace(scope, **changed)


def _it(course: Moment, about: About) -> list[str]:
    return [about.it] if about.it is not None and course.takes_part(about.it, about) else []


def _holder(course: Moment, about: About) -> list[str]:
    return course.still_in(course.holder(about))


def _active(course: Moment, about: About) -> list[str]:
    assert course.state.turn is not None
    active = course.state.turn.active
    return [seat for seat in course.remaining() if seat in active]


def _players(course: Moment, about: About) -> list[str]:
    return course.remaining()


def _opponents(course: Moment, about: About) -> list[str]:
    holder = course.holder(about)
    return [seat for seat in course.remaining() if seat != holder]


def _next(course: Moment, about: About) -> list[str]:
    holder = course.holder(about)
    return course.following(holder) if holder is not None else []


def _table(course: Moment, about: About) -> list[str]:
    return [TABLE]


def _presser(course: Moment, about: About) -> list[str]:
    return course.still_in(about.presser)


def _target(course: Moment, about: About) -> list[str]:
    target = about.target
    return [target] if target is not None and course.takes_part(target, about) else []


def _answerer(course: Moment, about: About) -> list[str]:
    return course.still_in(about.answerer)


ATOMS: Mapping[str, Who] = {
    "it": _it,
    "holder": _holder,
    "active": _active,
    "players": _players,
    "opponents": _opponents,
    "next": _next,
    "table": _table,
    "presser": _presser,
    "target": _target,
    "answerer": _answerer,
}


def _things(value: Mapping[str, Any], place: str, scope: Scope) -> Who:
    meant = types(value["things"], inside(place, "things"), scope)
    of = one_of("holder", "opponents", "all")(value.get("of", "all"), inside(place, "of"))

    def found(course: Moment, about: About) -> list[str]:
        things = course.things(meant)
        if of == "all":
            return things
        holder = course.holder(about)
        if holder is None:
            return [] if of == "holder" else things
        return course.once((of, meant, holder), lambda: those(course, things, holder))

    def those(course: Moment, things: list[str], holder: str) -> list[str]:
        objects, mine = course.state.objects, of == "holder"
        return [
            each for each in course.look(things) if (objects[each].controller == holder) is mine
        ]

    return found


def _picked(value: Mapping[str, Any], place: str, scope: Scope) -> Who:
    among = who(value["each"], inside(place, "each"), scope)
    holds = condition(value["if"], inside(place, "if"), narrowed(scope, may_pick=False))

    def found(course: Moment, about: About) -> list[str]:
        return [
            each for each in course.look(among(course, about)) if holds(course, at(about, each))
        ]

    return found


def at(about: About, it: str) -> About:
    """The same moment with another subject."""
    return replace(about, it=it)


# How many


def amount(value: Any, place: str, scope: Scope) -> Amount:
    """Read an AMOUNT."""
    if type(value) is int:
        number = whole(-SIX_DIGITS, SIX_DIGITS)(value, place)
        return lambda course, about: number
    if type(value) is str:
        return _named_amount(value, place, scope)
    if type(value) is not dict:
        raise Fault(place)
    named = [key for key in value if key in OPERATIONS]
    if len(named) != 1:
        raise Fault(place)
    read, further = OPERATIONS[named[0]]
    keyed(value, place, named, further)
    return _found_once(value, read(value, place, deeper(scope, place)))


def _found_once(value: Any, found: Callable[[Moment, About], T]) -> Callable[[Moment, About], T]:
    """*found*, the reading of *value*; if it lists things and is the same for every subject, it is
    worked out once until something happens."""
    if not (_lists_things(value) and _same_for_all(value)):
        return found
    said = json.dumps(value, sort_keys=True)  # other rules may say the same
    return lambda course, about: course.once(said, lambda: found(course, about))


def _lists_things(value: Any) -> bool:
    if type(value) is list:
        return any(map(_lists_things, value))
    return type(value) is dict and ("things" in value or any(map(_lists_things, value.values())))


def _same_for_all(value: Any, picked: bool = False) -> bool:
    """True if an expression is the same whatever its rule is about at that moment.

    picked: it stands in the `if` of an `each`, whose own subject it may name.
    """
    if type(value) is list:
        return all(_same_for_all(each, picked) for each in value)
    if type(value) is not dict:
        return value not in OF_MOMENT and (picked or value not in OF_SUBJECT)
    if "each" in value:
        return _same_for_all(value["each"], picked) and _same_for_all(value["if"], True)
    if not picked and "on" not in value and not OF_IT.isdisjoint(value):
        return False
    return all(_same_for_all(each, picked) for key, each in value.items() if key not in NAMING)


OF_MOMENT = frozenset(("change", "answer", "chosen", "presser", "target", "answerer"))
OF_SUBJECT = frozenset(("it", "holder", "opponents", "next"))
OF_IT = frozenset(("number", "print", "had", "highest", "lowest"))
"""What is of `it` if it says of nobody else."""
NAMING = OF_IT | {"things"}
"""Keys whose words are names, and no atoms."""


def _named_amount(value: str, place: str, scope: Scope) -> Amount:
    if value == "round":
        return lambda course, about: course.round
    if value not in ("change", "answer", "chosen") or not getattr(scope, value):
        raise Fault(place)
    return lambda course, about: int(getattr(about, value))


def clamped(number: int) -> int:
    """*number*, kept within six digits."""
    return max(-SIX_DIGITS, min(number, SIX_DIGITS))


def _on(value: Mapping[str, Any], place: str, scope: Scope) -> Who:
    return who(value.get("on", "it"), inside(place, "on"), scope)


def _count_of(value: Mapping[str, Any], place: str, scope: Scope) -> Amount:
    kind = known(value["number"], inside(place, "number"), scope.kinds)
    on = _on(value, place, scope)
    return lambda course, about: clamped(
        sum(course.count(each, kind) for each in course.look(on(course, about)))
    )


def _print_of(value: Mapping[str, Any], place: str, scope: Scope) -> Amount:
    name = known(value["print"], inside(place, "print"), scope.printed)
    on = _on(value, place, scope)
    return lambda course, about: clamped(
        sum(course.printed(each, name) for each in course.look(on(course, about)))
    )


def _had_of(value: Mapping[str, Any], place: str, scope: Scope) -> Amount:
    kind = known(value["had"], inside(place, "had"), scope.kinds)
    on = _on(value, place, scope)
    return lambda course, about: clamped(
        sum(course.had(each, kind) for each in course.look(on(course, about)))
    )


def _extreme_of(key: str, choose: Callable[..., int]) -> Callable[..., Amount]:
    def read(value: Mapping[str, Any], place: str, scope: Scope) -> Amount:
        kind = known(value[key], inside(place, key), scope.kinds)
        on = _on(value, place, scope)

        def found(course: Moment, about: About) -> int:
            those = course.look(on(course, about))
            return choose(
                (course.count(each, kind) for each in those if course.may_have(each, kind)),
                default=0,
            )

        return found

    return read


def _how_many(value: Mapping[str, Any], place: str, scope: Scope) -> Amount:
    counted = who(value["count"], inside(place, "count"), scope)
    return lambda course, about: len(course.look(counted(course, about)))


def _of_several(key: str, work_out: Callable[[list[int]], int]) -> Callable[..., Amount]:
    def read(value: Mapping[str, Any], place: str, scope: Scope) -> Amount:
        here = inside(place, key)
        parts = listed(value[key], here, lambda each, at: amount(each, at, scope), 2, 8)
        return lambda course, about: clamped(work_out([part(course, about) for part in parts]))

    return read


def _difference(value: Mapping[str, Any], place: str, scope: Scope) -> Amount:
    first, second = _two("-", value, place, scope)
    return lambda course, about: clamped(first(course, about) - second(course, about))


def _quotient(value: Mapping[str, Any], place: str, scope: Scope) -> Amount:
    first, second = _two("/", value, place, scope)
    up = one_of("down", "up")(value.get("round", "down"), inside(place, "round")) == "up"

    def found(course: Moment, about: About) -> int:
        dividend, divisor = first(course, about), second(course, about)
        if divisor == 0:
            return 0
        return clamped(-(-dividend // divisor) if up else dividend // divisor)

    return found


def _two(key: str, value: Mapping[str, Any], place: str, scope: Scope) -> tuple[Amount, ...]:
    return listed(value[key], inside(place, key), lambda each, at: amount(each, at, scope), 2, 2)


def _product(numbers: list[int]) -> int:
    product = 1
    for number in numbers:
        product *= number
    return product


OPERATIONS: Mapping[str, tuple[Callable[..., Amount], tuple[str, ...]]] = {
    "number": (_count_of, ("on",)),
    "print": (_print_of, ("on",)),
    "had": (_had_of, ("on",)),
    "highest": (_extreme_of("highest", max), ("on",)),
    "lowest": (_extreme_of("lowest", min), ("on",)),
    "count": (_how_many, ()),
    "+": (_of_several("+", sum), ()),
    "*": (_of_several("*", _product), ()),
    "min": (_of_several("min", min), ()),
    "max": (_of_several("max", max), ()),
    "-": (_difference, ()),
    "/": (_quotient, ("round",)),
}
"""By its key: how an amount is read, and which other keys it may have."""


# Whether


JOINED = ("all", "any", "not")
"""Connectives of conditions, by key."""


def condition(value: Any, place: str, scope: Scope) -> Condition:
    """Read a CONDITION."""
    if type(value) is list:
        return _found_once(value, _comparison(value, place, scope))
    if type(value) is not dict:
        raise Fault(place)
    if "is" in value:
        keyed(value, place, ("is", "in"))
        return _among(value, place, deeper(scope, place))
    named = [key for key in value if key in JOINED]
    if len(named) != 1:
        raise Fault(place)
    keyed(value, place, named)
    key, here, inner = named[0], inside(place, named[0]), deeper(scope, place)
    if key == "not":
        holds = condition(value[key], here, inner)
        return lambda course, about: not holds(course, about)
    parts = listed(value[key], here, lambda each, at: condition(each, at, inner), 1, 8)
    if key == "all":
        return lambda course, about: all(part(course, about) for part in parts)
    return lambda course, about: any(part(course, about) for part in parts)


COMPARED: Mapping[str, Callable[[int, int], bool]] = {
    "<": lambda first, second: first < second,
    "<=": lambda first, second: first <= second,
    "=": lambda first, second: first == second,
    "!=": lambda first, second: first != second,
    ">=": lambda first, second: first >= second,
    ">": lambda first, second: first > second,
}


def _comparison(value: list[Any], place: str, scope: Scope) -> Condition:
    if len(value) != 3:
        raise Fault(place)
    inner = deeper(scope, place, compared=None)
    first = amount(value[0], f"{place}[0]", inner)
    sign = COMPARED[one_of(*COMPARED)(value[1], f"{place}[1]")]
    second = amount(value[2], f"{place}[2]", inner)
    if scope.compared is not None:
        scope.compared.extend((first, second))
    return lambda course, about: sign(first(course, about), second(course, about))


def _among(value: Mapping[str, Any], place: str, scope: Scope) -> Condition:
    first = who(value["is"], inside(place, "is"), scope)
    second = who(value["in"], inside(place, "in"), scope)

    def holds(course: Moment, about: About) -> bool:
        those, among = first(course, about), course.look(second(course, about))
        return bool(those) and {*those} <= {*among}

    return holds
