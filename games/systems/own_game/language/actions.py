"""Actions of a definition, compiled to functions.

An action is a generator. It makes its events through the course of the command, and hands on what
each event sets off before it goes on. Source: docs/OWN-GAMES.md, section 5.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any, Protocol

from msgspec import Struct
from msgspec.structs import replace

from .expressions import About, Amount, Moment, Scope, Who, amount, at, known, narrowed, who
from .reading import Fault, inside, keyed, listed, text, words_to

Work = Iterator[Any]
"""Makes events; yields the work that each of them sets off."""
Firing = Any
"""The rule that does something (`course.Firing`); actions only pass it on."""


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


Action = Callable[[Doing, Firing, About], Work]

MOST_ASKED = 9999
"""The largest answer to a question that says no other."""


class Place(Struct, frozen=True):
    """The scope of actions: their place, and what may stand there.

    zones: those of the game. always: the rule is looked at when the table settles. later: in the
    `then` or `after` of a question. inner: in the `each` of an action. nobody: `it` can only be the
    table. questions: those of the rule, in the order they are read.
    """

    scope: Scope
    zones: Collection[str]
    nobody: bool
    always: bool = False
    later: bool = False
    inner: bool = False
    questions: tuple[()] | list[Question] = ()


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


Reads = Callable[[Mapping[str, Any], str, Place], Action]
"""Reads an action of one kind at a place. Raises Fault."""


def actions(value: Any, place: str, most: int, where: Place) -> tuple[Action, ...]:
    """Read a list of 1 to *most* actions."""
    return listed(value, place, lambda each, here: action(each, here, where), 1, most)


def action(value: Any, place: str, where: Place) -> Action:
    """Read one action."""
    if type(value) is not dict:
        raise Fault(place)
    named = [key for key in value if key in ACTIONS]
    if len(named) != 1:
        raise Fault(place)
    read, needed, further = ACTIONS[named[0]]
    if named[0] == "ask" and "choose" in value:
        further = ("of", "choose", "after")
    keyed(value, place, needed, further)
    if not _may_stand(named[0], value, where):
        raise Fault(place)
    return read(value, place, where)


def _may_stand(name: str, value: Mapping[str, Any], where: Place) -> bool:
    if where.always and name in ("ask", "tell", "create"):
        return False
    if where.inner and name in ("each", "ask"):
        return False
    return name != "ask" or (not where.later and ("of" in value or not where.nobody))


def _who(value: Mapping[str, Any], key: str, place: str, where: Place, default: str = "it") -> Who:
    return who(value.get(key, default), inside(place, key), where.scope)


def _counted(key: str, change: Callable[[Doing, str, str, int], int]) -> Reads:
    """Reads `add` or `set`. change: by how much that changes a kind on a holder."""

    def read(value: Mapping[str, Any], place: str, where: Place) -> Action:
        number = amount(value[key], inside(place, key), where.scope)
        kind = known(value["of"], inside(place, "of"), where.scope.kinds)
        on = _who(value, "on", place, where)

        def done(course: Doing, firing: Firing, about: About) -> Work:
            said = number(course, about)
            for holder in course.look(on(course, about)):
                yield from course.add(firing, holder, kind, change(course, holder, kind, said))

        return done

    return read


def _as_said(course: Doing, holder: str, kind: str, said: int) -> int:
    return said


def _up_to(course: Doing, holder: str, kind: str, said: int) -> int:
    return said - course.count(holder, kind)


def _move(value: Mapping[str, Any], place: str, where: Place) -> Action:
    moving = _who(value, "move", place, where)
    zone = known(value["to"], inside(place, "to"), where.zones)

    def done(course: Doing, firing: Firing, about: About) -> Work:
        for each in course.look(moving(course, about)):
            if each in course.state.objects:
                yield from course.move(each, zone, firing=firing)

    return done


def _create(value: Mapping[str, Any], place: str, where: Place) -> Action:
    kind = known(value["create"], inside(place, "create"), where.scope.types)
    of = _who(value, "of", place, where, "holder")
    read = words_to(lambda each, here: amount(each, here, where.scope))
    base = read(value.get("base", {}), inside(place, "base"))

    def done(course: Doing, firing: Firing, about: About) -> Work:
        printed = {name: each(course, about) for name, each in base.items()}
        for seat in course.look(of(course, about)):
            if seat in course.state.seats:
                yield from course.create(firing, kind, seat, printed)

    return done


def _each(value: Mapping[str, Any], place: str, where: Place) -> Action:
    those = _who(value, "each", place, where)
    inner = replace(where, inner=True)
    parts = actions(value["do"], inside(place, "do"), 6, inner)

    def done(course: Doing, firing: Firing, about: About) -> Work:
        for each in course.look(those(course, about)):
            for part in parts:
                yield from part(course, firing, at(about, each))

    return done


def _naming(key: str) -> Reads:
    """Reads `out` or `win`."""

    def read(value: Mapping[str, Any], place: str, where: Place) -> Action:
        named = _who(value, key, place, where)

        def done(course: Doing, firing: Firing, about: About) -> Work:
            for seat in named(course, about):
                course.name(firing, seat, won=key == "win")
            yield from ()

        return done

    return read


def _ask(value: Mapping[str, Any], place: str, where: Place) -> Action:
    words = text()(value["ask"], inside(place, "ask"))
    of = _who(value, "of", place, where, "holder")
    least = amount(value.get("least", 0), inside(place, "least"), where.scope)
    most = amount(value.get("most", MOST_ASKED), inside(place, "most"), where.scope)
    choices: tuple[str, ...] = ()
    if "choose" in value:
        choices = listed(value["choose"], inside(place, "choose"), text(), 2, 6)
    total = None
    if "total" in value:
        total = amount(value["total"], inside(place, "total"), where.scope)
    known_then = narrowed(where.scope, answer=True, answerer=True)
    then = replace(where, scope=known_then, later=True, questions=())
    parts = actions(value["then"], inside(place, "then"), 6, then)
    after: tuple[Action, ...] = ()
    if "after" in value:
        at_last = replace(then, scope=narrowed(where.scope, answerer=True))
        after = actions(value["after"], inside(place, "after"), 6, at_last)
    assert isinstance(where.questions, list)
    number = len(where.questions)
    where.questions.append(Question(words, least, most, choices, parts, after))

    def done(course: Doing, firing: Firing, about: About) -> Work:
        sum_wanted = total(course, about) if total else None
        seats = [each for each in of(course, about) if each in course.state.seats]
        course.ask(firing, about, number, seats, sum_wanted)
        yield from ()

    return done


def _tell(value: Mapping[str, Any], place: str, where: Place) -> Action:
    words = text()(value["tell"], inside(place, "tell"))

    def done(course: Doing, firing: Firing, about: About) -> Work:
        course.tell(firing, about, words)
        yield from ()

    return done


ACTIONS: Mapping[str, tuple[Reads, tuple[str, ...], tuple[str, ...]]] = {
    "add": (_counted("add", _as_said), ("add", "of"), ("on",)),
    "set": (_counted("set", _up_to), ("set", "of"), ("on",)),
    "move": (_move, ("move", "to"), ()),
    "create": (_create, ("create",), ("of", "base")),
    "each": (_each, ("each", "do"), ()),
    "out": (_naming("out"), ("out",), ()),
    "win": (_naming("win"), ("win",), ()),
    "ask": (_ask, ("ask", "then"), ("of", "least", "most", "total", "after")),
    "tell": (_tell, ("tell",), ()),
}
"""By its key: how an action is read, the keys that it must have, and those that it may have."""
