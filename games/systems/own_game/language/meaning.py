"""The meaning of the language: what its parts are once they are read.

A part is read once, when its definition is, into a function of the course of a command and of what
its rule is about at that moment. There are no loops and no text that is run, so every one comes to
an end. An action is a generator: it makes its events through the course, and hands on what each of
them sets off before it goes on. Source: docs/OWN-GAMES.md, sections 4 and 5.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from typing import Any, Protocol, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from games.rules.state import GameState

from .reading import SIX_DIGITS

PLAYER = "player"
TABLE = "table"
T = TypeVar("T")
Listed = TypeVar("Listed", bound=Collection[Any])
Work = Iterator[Any]
"""Makes events; yields the work that each of them sets off."""
Firing = Any
"""The rule that does something (`course.Firing`); actions only pass it on."""


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


class Doing(Moment, Protocol):
    """The course of a command, as actions drive it (`course.Course`)."""

    def add(self, firing: Firing, holder: str, kind: str, change: int) -> Work: ...
    def move(self, object_id: str, zone: str, *, firing: Firing) -> Work: ...
    def create(self, firing: Firing, kind: str, seat: str, base: Mapping[str, int]) -> Work: ...
    def name(self, firing: Firing, seat: str, *, won: bool) -> None: ...
    def ask(
        self, firing: Firing, about: About, number: int, seats: Sequence[str], total: int | None
    ) -> None: ...
    def tell(self, firing: Firing, about: About, words: str) -> None: ...


Who = Callable[[Moment, About], list[str]]
"""Holders: seats in table order, the table, objects by id. None that is out of the game."""
Amount = Callable[[Moment, About], int]
"""A whole number of up to six digits."""
Condition = Callable[[Moment, About], bool]
Action = Callable[[Doing, Firing, About], Work]


class Question(Struct, frozen=True):
    """The question of an `ask`, and the actions on its answer.

    choices: the texts to choose from; then the answer is the place of one of them, from 1.
    after: done once, when the last of those who were asked together has answered.
    """

    text: str
    least: Amount
    most: Amount
    choices: tuple[str, ...]
    then: tuple[Action, ...]
    after: tuple[Action, ...] = ()


class Cost(Struct, frozen=True):
    """The cost of a press: who pays how many of what."""

    pay: Amount
    of: str
    on: Who


class Button(Struct, frozen=True):
    """The button of a rule: when and by whom it can be pressed.

    on: "player", "table", or types. during: the phases in which it can be pressed; empty: always.
    once: in what it can be pressed once. bounds: of the number that is asked for, if one is.
    """

    label: str
    on: frozenset[str]
    by_holder: bool
    during: tuple[str, ...] = ()
    own_turn: bool = False
    once: str | None = None
    target: Who | None = None
    bounds: tuple[Amount, Amount] | None = None
    costs: tuple[Cost, ...] = ()


class When(Struct, frozen=True):
    """The moment of a rule, by the key of its `when`.

    of: the phases, the kind, or the types that it is about. up: of a change, only more (True) or
    only fewer (False). nobody: its subject can only be the table. words: what is known then.
    """

    moment: str
    of: tuple[str, ...] | frozenset[str]
    up: bool | None = None
    button: Button | None = None
    nobody: bool = False
    words: frozenset[str] = frozenset()


# Who


def _it(course: Moment, about: About) -> list[str]:
    return [about.it] if about.it is not None and course.takes_part(about.it, about) else []


def _active(course: Moment, about: About) -> list[str]:
    assert course.state.turn is not None
    active = course.state.turn.active
    return [seat for seat in course.remaining() if seat in active]


def _opponents(course: Moment, about: About) -> list[str]:
    holder = course.holder(about)
    return [seat for seat in course.remaining() if seat != holder]


def _next(course: Moment, about: About) -> list[str]:
    holder = course.holder(about)
    return course.following(holder) if holder is not None else []


def _target(course: Moment, about: About) -> list[str]:
    target = about.target
    return [target] if target is not None and course.takes_part(target, about) else []


ATOMS: Mapping[str, Who] = {
    "it": _it,
    "holder": lambda course, about: course.still_in(course.holder(about)),
    "active": _active,
    "players": lambda course, about: course.remaining(),
    "opponents": _opponents,
    "next": _next,
    "table": lambda course, about: [TABLE],
    "presser": lambda course, about: course.still_in(about.presser),
    "target": _target,
    "answerer": lambda course, about: course.still_in(about.answerer),
}
"""Holders by their word."""


def things(meant: frozenset[str], of: str) -> Who:
    """Things in play, of those types: the holder's, the opponents' or all."""

    def found(course: Moment, about: About) -> list[str]:
        all_of_them = course.things(meant)
        if of == "all":
            return all_of_them
        holder = course.holder(about)
        if holder is None:
            return [] if of == "holder" else all_of_them
        return course.once((of, meant, holder), lambda: those(course, all_of_them, holder))

    def those(course: Moment, things: list[str], holder: str) -> list[str]:
        objects, mine = course.state.objects, of == "holder"
        return [
            thing for thing in course.look(things) if (objects[thing].controller == holder) is mine
        ]

    return found


def picked(among: Who, holds: Condition) -> Who:
    """Those for whom it holds."""
    return lambda course, about: [
        one for one in course.look(among(course, about)) if holds(course, at(about, one))
    ]


def at(about: About, it: str) -> About:
    """The same moment with another subject."""
    return replace(about, it=it)


# How many


def clamped(number: int) -> int:
    """*number*, kept within six digits."""
    return max(-SIX_DIGITS, min(number, SIX_DIGITS))


def constant(number: int) -> Amount:
    return lambda course, about: number


WORDS: Mapping[str, Amount] = {
    "round": lambda course, about: course.round,
    "change": lambda course, about: about.change,
    "answer": lambda course, about: about.answer,
    "chosen": lambda course, about: about.chosen,
}
"""Amounts by their word."""


def summed(read: Callable[[Moment, str, str], int]) -> Callable[[str, Who], Amount]:
    """The sum over holders of what *read* reads of one."""

    def of(what: str, on: Who) -> Amount:
        return lambda course, about: clamped(
            sum(read(course, holder, what) for holder in course.look(on(course, about)))
        )

    return of


def count(course: Moment, holder: str, kind: str) -> int:
    return course.count(holder, kind)


def printed(course: Moment, holder: str, name: str) -> int:
    return course.printed(holder, name)


def had(course: Moment, holder: str, kind: str) -> int:
    return course.had(holder, kind)


def extreme(choose: Callable[..., int]) -> Callable[[str, Who], Amount]:
    """The highest or lowest of a number, of those who have it."""

    def of(kind: str, on: Who) -> Amount:
        def found(course: Moment, about: About) -> int:
            those = course.look(on(course, about))
            return choose(
                (course.count(holder, kind) for holder in those if course.may_have(holder, kind)),
                default=0,
            )

        return found

    return of


def how_many(who: Who) -> Amount:
    return lambda course, about: len(course.look(who(course, about)))


def worked_out(out: Callable[[list[int]], int]) -> Callable[[Sequence[Amount]], Amount]:
    """What *out* makes of several amounts."""
    return lambda parts: lambda course, about: clamped(out([part(course, about) for part in parts]))


def product(numbers: list[int]) -> int:
    found = 1
    for number in numbers:
        found *= number
    return found


def difference(numbers: list[int]) -> int:
    return numbers[0] - numbers[1]


def quotient(parts: Sequence[Amount], rounded: str) -> Amount:
    """Rounded down, or up; by nothing it is 0."""

    def found(course: Moment, about: About) -> int:
        dividend, divisor = (part(course, about) for part in parts)
        if divisor == 0:
            return 0
        return clamped(-(-dividend // divisor) if rounded == "up" else dividend // divisor)

    return found


# Whether


COMPARED: Mapping[str, Callable[[int, int], bool]] = {
    "<": lambda first, second: first < second,
    "<=": lambda first, second: first <= second,
    "=": lambda first, second: first == second,
    "!=": lambda first, second: first != second,
    ">=": lambda first, second: first >= second,
    ">": lambda first, second: first > second,
}


def comparison(first: Amount, sign: str, second: Amount) -> Condition:
    compared = COMPARED[sign]
    return lambda course, about: compared(first(course, about), second(course, about))


def among(first: Who, second: Who) -> Condition:
    """Everyone of the first is among the second, and there is at least one."""

    def holds(course: Moment, about: About) -> bool:
        those, others = first(course, about), course.look(second(course, about))
        return bool(those) and {*those} <= {*others}

    return holds


def negation(one: Condition) -> Condition:
    return lambda course, about: not one(course, about)


def joined(how: Callable[[Iterator[bool]], bool]) -> Callable[[Sequence[Condition]], Condition]:
    return lambda parts: lambda course, about: how(part(course, about) for part in parts)


# What happens


def as_said(course: Doing, holder: str, kind: str, said: int) -> int:
    return said


def up_to(course: Doing, holder: str, kind: str, said: int) -> int:
    return said - course.count(holder, kind)


def counted(
    change: Callable[[Doing, str, str, int], int],
) -> Callable[[Amount, str, Who], Action]:
    """change: by how much an amount that is said changes a kind on a holder."""

    def of(number: Amount, kind: str, on: Who) -> Action:
        def done(course: Doing, firing: Firing, about: About) -> Work:
            said = number(course, about)
            for holder in course.look(on(course, about)):
                yield from course.add(firing, holder, kind, change(course, holder, kind, said))

        return done

    return of


def moved(moving: Who, zone: str) -> Action:
    def done(course: Doing, firing: Firing, about: About) -> Work:
        for thing in course.look(moving(course, about)):
            if thing in course.state.objects:
                yield from course.move(thing, zone, firing=firing)

    return done


def created(kind: str, of: Who, base: Mapping[str, Amount]) -> Action:
    def done(course: Doing, firing: Firing, about: About) -> Work:
        printed = {name: amount(course, about) for name, amount in base.items()}
        for seat in course.look(of(course, about)):
            if seat in course.state.seats:
                yield from course.create(firing, kind, seat, printed)

    return done


def for_each(those: Who, parts: Sequence[Action]) -> Action:
    def done(course: Doing, firing: Firing, about: About) -> Work:
        for one in course.look(those(course, about)):
            for part in parts:
                yield from part(course, firing, at(about, one))

    return done


def named(*, won: bool) -> Callable[[Who], Action]:
    """Names who has won, or who is out."""

    def of(who: Who) -> Action:
        def done(course: Doing, firing: Firing, about: About) -> Work:
            for seat in who(course, about):
                course.name(firing, seat, won=won)
            yield from ()

        return done

    return of


def asked(number: int, of: Who, total: Amount | None) -> Action:
    """Asks the rule's question of that number."""

    def done(course: Doing, firing: Firing, about: About) -> Work:
        wanted = total(course, about) if total else None
        seats = [seat for seat in of(course, about) if seat in course.state.seats]
        course.ask(firing, about, number, seats, wanted)
        yield from ()

    return done


def told(words: str) -> Action:
    def done(course: Doing, firing: Firing, about: About) -> Work:
        course.tell(firing, about, words)
        yield from ()

    return done


def once(said: str, found: Callable[[Moment, About], T]) -> Callable[[Moment, About], T]:
    """*found*, worked out once until something happens, for whatever says the same."""
    return lambda course, about: course.once(said, lambda: found(course, about))
