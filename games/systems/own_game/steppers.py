"""Numbers as a board draws them: between minus and plus, with their looks."""

from __future__ import annotations

from collections.abc import Iterator

from games.rules.state import GameState
from games.systems.controls import Stepper

from .course import Course
from .holders import OwnSystem
from .language.numbers import Number
from .language.reading import SIX_DIGITS

DRAWN = 60
"""The most parts of which a look is drawn; what has more shows its digits alone."""


def numbers_of(system: OwnSystem, state: GameState, holder: str) -> Iterator[Stepper]:
    """The numbers of a holder that are shown, in the order of the definition, at 0 too; then what
    else it has."""
    course = Course(system, state)
    for number in system.definition.numbers.values():
        if number.look != "none" and course.may_have(holder, number.kind):
            yield stepper(course, number, holder)
    for kind, amount in sorted(state.on(holder).items()):
        if kind not in system.definition.numbers:
            yield Stepper(holder, kind, amount)


def stepper(course: Course, number: Number, holder: str) -> Stepper:
    """A number of a holder between minus and plus; one that follows has no buttons."""
    follows = number.follows is not None
    most = course.most(holder, number.kind) if not follows else None
    if most == SIX_DIGITS:
        most = None
    return Stepper(
        holder,
        number.kind,
        course.count(holder, number.kind),
        decrement="" if follows else "less",
        increment="" if follows else "more",
        big=number.big,
        stride=(number.steps[0], number.steps[-1]),
        least=number.least,
        most=most,
        look=_look(number, most),
        shared=number.shared,
    )


def at_start(number: Number) -> Stepper:
    """A number that nothing on the table has yet, without buttons."""
    most = number.most if isinstance(number.most, int) and number.most < SIX_DIGITS else None
    return Stepper(
        "start", number.kind, number.start, decrement="", increment="", least=number.least,
        most=most, look=_look(number, most),
    )  # fmt: skip


def _look(number: Number, most: int | None) -> str:
    drawn = most is not None and 0 < most - number.least <= DRAWN
    return number.look if number.look != "number" and drawn else ""
