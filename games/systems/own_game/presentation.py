"""How a game with its own rules presents itself: everything from its definition."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from games.rules.state import GameState, Seat
from games.rules.state import marked as _
from games.rules.system import System
from games.systems.pieces import Act, Panel, Place, Stat, Stepper, Tap
from games.systems.presentation import (
    Deed,
    NewCard,
    Presentation,
    Preset,
    Sentence,
    Tile,
)

from .course import Course, OwnSystem, Piece
from .definition import KEPT, Definition, Number, Rule
from .expressions import PLAYER


def stepper(course: Course, number: Number, holder: str) -> Stepper:
    """A number of a holder between minus and plus; one that follows has no buttons."""
    follows = number.follows is not None
    most = course.most(holder, number.kind) if not follows else None
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
    )


def numbers_of(system: System, state: GameState, holder: str) -> Iterator[Stepper]:
    """All numbers of a holder in the order of the definition, at 0 too; then what else it has."""
    assert isinstance(system, OwnSystem)
    course = Course(system, state)
    for number in system.definition.numbers.values():
        if course.may_have(holder, number.kind):
            yield stepper(course, number, holder)
    for kind, amount in sorted(state.on(holder).items()):
        if kind not in system.definition.numbers:
            yield Stepper(holder, kind, amount)


def panel(system: System, state: GameState, seat: Seat, numbers: Sequence[Stepper]) -> Panel:
    """The big number, or the first; the others each in its place; then the buttons of rules."""
    assert isinstance(system, OwnSystem)
    every = list(numbers_of(system, state, seat.id))
    hero = next((each for each in every if each.big), every[0] if every else None)
    places: list[Place] = [each for each in every if each is not hero]
    places += [
        Act("press", rule.button.label, f"{seat.id}.{rule.name}")
        for rule in buttons_on(system, PLAYER)
        if rule.button
    ]
    return Panel(hero, places=tuple(places))


def numbers_on(system: System, state: GameState, piece: Any) -> Iterator[Stepper]:
    """The numbers of a thing in play."""
    return numbers_of(system, state, piece.id)


def printed_on(
    system: System, state: GameState, piece: Any, derived: Mapping[str, Any]
) -> Iterator[Stat]:
    """What is printed on a thing."""
    assert isinstance(piece, Piece)
    for name, value in piece.base.items():
        yield Stat(name, value, value)


def tiles(system: System, state: GameState, piece: Any) -> Iterator[Tile]:
    """The numbers of a thing, the buttons of rules on it, and where else it can go."""
    assert isinstance(system, OwnSystem)
    if piece.on_field:
        yield from numbers_on(system, state, piece)
        for rule in buttons_on(system, piece.type):
            assert rule.button is not None
            if rule.button.target is None and rule.button.bounds is None:
                yield Deed(rule.button.label, "press", {"rule": rule.name}, holder="on")
        yield from (Deed("", "move", {"to": zone}) for zone in system.zones[1:2])


def buttons_on(system: OwnSystem, sort: str) -> Iterator[Rule]:
    """The rules with a button on a player ("player"), the table, or things of a type."""
    for rule in system.definition.rules.values():
        if rule.button and sort in rule.button.on:
            yield rule


SENTENCES = {
    "pressed": Sentence(_("pressed %(rule)s")),
    "told": Sentence("%(text)s"),
    "seat-added": Sentence(_("%(seat)s sat down")),
    "rules-changed": Sentence(_("changed the rules")),
}

SHARED = Presentation(
    taps={"press": Tap("press", "on", kind="rule")},
    sentences=SENTENCES,
    news=frozenset({"told", "rules-changed"}),
    panel=panel,
    object_steppers=numbers_on,
    stats=printed_on,
    tiles=tiles,
    counted_as=(_("thing"), _("things")),
)


@lru_cache(KEPT)
def of_definition(definition: Definition) -> Presentation:
    """How the game of a definition presents itself."""
    least, most = definition.players
    hero = next((each.kind for each in definition.numbers.values() if each.big), "")
    preset = Preset(
        "empty",
        definition.title,
        definition.about or _("Add things as you play them."),
        lambda seats: {"seats": {seat: {} for seat in seats}},
        seats=(least, most),
    )
    return Presentation(
        taps=SHARED.taps,
        sentences=SENTENCES,
        news=SHARED.news,
        panel=panel,
        object_steppers=numbers_on,
        stats=printed_on,
        tiles=tiles,
        counted_as=SHARED.counted_as,
        presets=(preset,),
        types=tuple(definition.things),
        new_cards={
            kind: NewCard(stats=dict(thing.prints)) for kind, thing in definition.things.items()
        },
        always_shown=tuple(
            number.kind for number in definition.numbers.values() if PLAYER in number.on
        ),
        hero=hero,
    )


def of_table(system: System) -> Presentation:
    """How a table with its own rules presents itself."""
    assert isinstance(system, OwnSystem)
    return of_definition(system.definition)


PRESENTATION = SHARED
