"""The meaning of the language: what its parts are once they are read.

A part is read once, when its definition is, into a function of the course of a command and of what
its rule is about at that moment. There are no loops and no text that is run, so every one comes to
an end. An action is a generator: it makes its events through the course, and hands on what each of
them sets off before it goes on. Source: docs/OWN-GAMES.md, sections 4 and 5.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from operator import eq, ge, gt, le, lt, ne
from typing import Any, Protocol, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from games.rules.state import GameState
from games.tracks.sets.definition import ConditionOf

from .reading import SIX_DIGITS

PLAYER = "player"
TABLE = "table"
GM = "gm"
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
    def active(self) -> list[str]: ...
    def game_masters(self) -> list[str]: ...
    def still_in(self, seat: str | None) -> list[str]: ...
    def following(self, seat: str) -> list[str]: ...
    def holder(self, about: About) -> str | None: ...
    def sort_of(self, holder: str) -> str: ...
    def team(self, seat: str | None) -> list[str]: ...
    def once_a_team(self, those: Listed, kind: str) -> Listed: ...
    def takes_part(self, holder: str, about: About | None = None) -> bool: ...
    def things(self, meant: frozenset[str]) -> list[str]: ...
    def belongs(self, thing: str, of: str, holder: str | None) -> bool: ...
    def has_condition(self, holder: str, name: str) -> bool: ...
    def name_of(self, holder: str) -> str | None: ...
    def may_have(self, holder: str, kind: str) -> bool: ...
    def count(self, holder: str, kind: str) -> int: ...
    def printed(self, holder: str, name: str) -> int: ...
    def had(self, holder: str, kind: str) -> int: ...
    def is_written(self, holder: str, kind: str) -> bool: ...


class Doing(Moment, Protocol):
    """The course of a command, as actions drive it (`course.Course`)."""

    def add(self, firing: Firing, holder: str, kind: str, change: int) -> Work: ...
    def bring(self, firing: Firing, holder: str, kind: str, to: int) -> Work: ...
    def move(self, object_id: str, zone: str, *, firing: Firing) -> Work: ...
    def create(self, firing: Firing, kind: str, seat: str, base: Mapping[str, int]) -> Work: ...
    def name(self, firing: Firing, seat: str, *, won: bool) -> None: ...
    def ask(
        self, firing: Firing, about: About, number: int, seats: Sequence[str], total: int | None
    ) -> None: ...
    def tell(self, firing: Firing, about: About, words: str, to: list[str] | None) -> None: ...
    def show(self, firing: Firing, holder: str, visibility: str) -> None: ...
    def afflict(self, firing: Firing, holder: str, condition: ConditionOf) -> None: ...
    def relieve(self, firing: Firing, holder: str, name: str) -> None: ...
    def make_track(
        self,
        firing: Firing,
        kind: str,
        owner: str | None,
        name: str | None,
        slots: int | None,
        seen: str | None,
    ) -> Work: ...


Who = Callable[[Moment, About], list[str]]
"""Holders: seats in table order, the table, objects by id. None that is out of the game."""
Amount = Callable[[Moment, About], int]
"""A whole number of up to six digits."""
Condition = Callable[[Moment, About], bool]
Action = Callable[[Doing, Firing, About], Work | None]
Order = Callable[[Moment, list[str]], list[str]]
"""The seats that are not out in the order of a round, of which it gets the order before."""


class Question(Struct, frozen=True):
    """The question of an `ask` or a `roll`, and the actions on its answer.

    choices: the texts to choose from; then the answer is the place of one of them, from 1.
    after: done once, when the last of those who were asked together has answered. hidden: until
    then nobody sees the answers, and nothing follows from them. dice: they are rolled, and their
    sum is the answer. holds: it is voided once that is not so any more.
    """

    text: str
    least: Amount
    most: Amount
    choices: tuple[str, ...]
    then: tuple[Action, ...]
    after: tuple[Action, ...] = ()
    hidden: bool = False
    dice: str = ""
    holds: Condition | None = None


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


def _opponents(course: Moment, about: About) -> list[str]:
    holder = course.holder(about)
    return [seat for seat in course.remaining() if seat != holder]


def _next(course: Moment, about: About) -> list[str]:
    holder = course.holder(about)
    return course.following(holder) if holder is not None else []


def _mates(course: Moment, about: About) -> list[str]:
    holder = course.holder(about)
    return [seat for seat in course.team(holder) if seat != holder]


def _teams(course: Moment, about: About) -> list[str]:
    """The first of each team who is not out."""
    return [seat for seat in course.remaining() if course.team(seat)[0] == seat]


def _target(course: Moment, about: About) -> list[str]:
    target = about.target
    return [target] if target is not None and course.takes_part(target, about) else []


ATOMS: Mapping[str, Who] = {
    "it": _it,
    "holder": lambda course, about: course.still_in(course.holder(about)),
    "active": lambda course, about: course.active(),
    "players": lambda course, about: course.remaining(),
    "opponents": _opponents,
    "next": _next,
    "table": lambda course, about: [TABLE],
    "gm": lambda course, about: course.game_masters(),
    "presser": lambda course, about: course.still_in(about.presser),
    "target": _target,
    "answerer": lambda course, about: course.still_in(about.answerer),
    "team": lambda course, about: course.team(course.holder(about)),
    "mates": _mates,
    "teams": _teams,
}
"""Holders by their word."""


OF_TEAMS = ("team", "mates", "teams")
"""The words that only a game in teams has."""


def things(meant: frozenset[str], of: str) -> Who:
    """Things in play, of those types: the holder's, the opponents', nobody's or all."""

    def found(course: Moment, about: About) -> list[str]:
        all_of_them = course.things(meant)
        if of == "all":
            return all_of_them
        holder = course.holder(about)
        if holder is None and of == "holder":
            return []
        return course.once((of, meant, holder), lambda: those(course, all_of_them, holder))

    def those(course: Moment, things: list[str], holder: str | None) -> list[str]:
        return [thing for thing in course.look(things) if course.belongs(thing, of, holder)]

    return found


def playing(roles: tuple[str, ...]) -> Who:
    """The players who have one of these roles and are not out."""
    return lambda course, about: [
        seat for seat in course.remaining() if course.sort_of(seat) in roles
    ]


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
            sum(read(course, holder, what) for holder in _counted(course, about, what, on))
        )

    return of


def _counted(course: Moment, about: About, kind: str, on: Who) -> list[str]:
    """The holders, of each team that shares the number one."""
    return course.once_a_team(course.look(on(course, about)), kind)


counted = summed(lambda course, holder, kind: course.count(holder, kind))
printed = summed(lambda course, holder, name: course.printed(holder, name))
had = summed(lambda course, holder, kind: course.had(holder, kind))


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


def whichever(holds: Condition, then: Amount, otherwise: Amount) -> Amount:
    return lambda course, about: (then if holds(course, about) else otherwise)(course, about)


def size(one: Amount) -> Amount:
    """An amount without its sign."""
    return lambda course, about: abs(one(course, about))


def looked_up(row: Sequence[int], at: Amount) -> Amount:
    """The number at that place of a row, from 1; below it 0, beyond the last the last."""

    def found(course: Moment, about: About) -> int:
        place = at(course, about)
        return row[min(place, len(row)) - 1] if place > 0 else 0

    return found


def ranked(kinds: tuple[str, ...], on: Who, best: str) -> Amount:
    """1 and how many players have more, or less, of the first kind in which they differ.

    Of several holders the smallest; of whoever is no player, or has none of it, 0.
    """
    sign = -1 if best == "highest" else 1

    def standing(course: Moment) -> dict[str, int]:
        sums = {
            seat: [sign * course.count(seat, kind) for kind in kinds] for seat in course.remaining()
        }
        others = [sums[seat] for seat in course.once_a_team([*sums], kinds[0])]
        return {
            seat: 1 + sum(other < own for other in course.look(others))
            for seat, own in sums.items()
        }

    def place(course: Moment, holder: str) -> int:
        if not any(course.may_have(holder, kind) for kind in kinds):
            return 0
        return course.once(("rank", kinds, best), lambda: standing(course)).get(holder, 0)

    return lambda course, about: min(
        (place(course, holder) for holder in course.look(on(course, about))), default=0
    )


# In which order


def sorted_by(kinds: tuple[str, ...], best: str) -> Order:
    """By the first kind in which they differ; equal ones as they were."""
    sign = -1 if best == "highest" else 1
    return lambda course, seats: sorted(
        course.look(seats), key=lambda seat: [sign * course.count(seat, kind) for kind in kinds]
    )


def from_the_most(kind: str) -> Order:
    """Round the table, from the first who has the most; as they were if nobody has any."""

    def found(course: Moment, seats: list[str]) -> list[str]:
        has = {seat: course.count(seat, kind) for seat in course.look(course.remaining())}
        most = max(has.values(), default=0)
        if most <= 0:
            return seats
        order = [*has]
        at = [*has.values()].index(most)
        return [*order[at:], *order[:at]]

    return found


# Whether


COMPARED: Mapping[str, Callable[[int, int], bool]] = {
    "<": lt, "<=": le, "=": eq, "!=": ne, ">=": ge, ">": gt,
}  # fmt: skip


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


def filled_in(kinds: tuple[str, ...], on: Who) -> Condition:
    """Each of them has each of these numbers written that it may have, and there is one."""

    def holds(course: Moment, about: About) -> bool:
        those = course.look(on(course, about))
        cells = [(one, kind) for one in those for kind in kinds if course.may_have(one, kind)]
        return bool(cells) and all(course.is_written(*cell) for cell in cells)

    return holds


# What happens


def added(number: Amount, kind: str, on: Who) -> Action:
    """As many more or fewer of a kind."""

    def done(course: Doing, firing: Firing, about: About) -> Work:
        said = number(course, about)
        for holder in _counted(course, about, kind, on):
            yield from course.add(firing, holder, kind, said)

    return done


def brought(number: Amount, kind: str, on: Who) -> Action:
    """As near to a number of a kind as it may come."""

    def done(course: Doing, firing: Firing, about: About) -> Work:
        said = number(course, about)
        for holder in _counted(course, about, kind, on):
            yield from course.bring(firing, holder, kind, said)

    return done


def doing(those: Who, does: Callable[[Doing, Firing, str], Work | None]) -> Action:
    """The same to each of those."""

    def done(course: Doing, firing: Firing, about: About) -> Work:
        for one in course.look(those(course, about)):
            yield from does(course, firing, one) or ()

    return done


def moved(moving: Who, zone: str) -> Action:
    return doing(
        moving,
        lambda course, firing, thing: (
            course.move(thing, zone, firing=firing) if thing in course.state.objects else None
        ),
    )


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
                yield from part(course, firing, at(about, one)) or ()

    return done


def named(*, won: bool) -> Callable[[Who], Action]:
    """Names who has won, or who is out."""

    def of(who: Who) -> Action:
        def done(course: Doing, firing: Firing, about: About) -> None:
            for seat in who(course, about):
                course.name(firing, seat, won=won)

        return done

    return of


def asked(number: int, of: Who, total: Amount | None) -> Action:
    """Asks the rule's question of that number."""

    def done(course: Doing, firing: Firing, about: About) -> None:
        wanted = total(course, about) if total else None
        seats = [seat for seat in of(course, about) if seat in course.state.seats]
        course.ask(firing, about, number, seats, wanted)

    return done


def told(words: str, to: Who | None) -> Action:
    def done(course: Doing, firing: Firing, about: About) -> None:
        course.tell(firing, about, words, to(course, about) if to else None)

    return done


# What happens at a GM's table


def afflicted(name: str, on: Who) -> Condition:
    """One of them is in that condition."""
    return lambda course, about: any(
        course.has_condition(holder, name) for holder in course.look(on(course, about))
    )


def called(name: str, on: Who) -> Condition:
    """Each of them has that name, and there is at least one."""
    meant = name.strip().casefold()

    def holds(course: Moment, about: About) -> bool:
        names = [course.name_of(holder) for holder in course.look(on(course, about))]
        return {(name or "").strip().casefold() for name in names} == {meant}

    return holds


def shown(visibility: str) -> Callable[[Who], Action]:
    """Tracks are open to all from now on, or hidden."""

    return lambda who: doing(
        who, lambda course, firing, holder: course.show(firing, holder, visibility)
    )


def afflicting(condition: ConditionOf, on: Who, rounds: Amount | None) -> Action:
    """rounds: in place of what the condition usually lasts."""

    def done(course: Doing, firing: Firing, about: About) -> None:
        lasting = condition
        if rounds is not None:
            lasting = replace(condition, rounds=max(1, min(rounds(course, about), 99)))
        for holder in course.look(on(course, about)):
            course.afflict(firing, holder, lasting)

    return done


def relieved(name: str, on: Who) -> Action:
    return doing(on, lambda course, firing, holder: course.relieve(firing, holder, name))


def track_made(
    kind: str, of: Who | None, name: str | None, slots: Amount | None, seen: str | None
) -> Action:
    """A track for each of these seats; without them one for nobody."""

    def done(course: Doing, firing: Firing, about: About) -> Work:
        size = slots(course, about) if slots else None
        owners = course.look(of(course, about)) if of else [None]
        for owner in owners:
            if owner is None or owner in course.state.seats:
                yield from course.make_track(firing, kind, owner, name, size, seen)

    return done


def once(said: str, found: Callable[[Moment, About], T]) -> Callable[[Moment, About], T]:
    """*found*, worked out once until something happens, for whatever says the same."""
    return lambda course, about: course.once(said, lambda: found(course, about))
