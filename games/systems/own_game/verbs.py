"""Verbs of a table with its own rules: change numbers, bring things in, move and describe.

Several targets, and several kinds by name, are checked and done one after another, with what each
sets off in between; a refusal refuses all. Source: docs/OWN-GAMES.md, Own 1 to 3.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Annotated, Any, ClassVar

from games.rules import cards, counting, seating
from games.rules.commands import (
    HOLDER,
    ID,
    KIND,
    SEAT,
    Command,
    Names,
    Parameter,
    Reader,
    invalid,
    one_or_more,
    table,
    whole,
)
from games.rules.events import Event, Left, Lost, SatOut
from games.rules.seating import refuse_taken
from games.rules.state import MOST, GameState, Refused, refuse_ceased
from games.rules.system import System, Verb, cites
from games.tracks.counter import COUNTER
from games.tracks.counter import GM as GM_SEAT

from .course import Course
from .events import SCORES, Corrected, Removed, RoundCorrected, Spent, TeamedUp
from .holders import OwnSystem, team_of
from .language.meaning import GM, TABLE, Work
from .language.reading import SIX_DIGITS

Does = Callable[[Course, Any], Work | None]


def resolved(does: Does) -> Callable[[OwnSystem, GameState, Any], Course]:
    """A verb that does its work on the course of its command."""

    def resolve(system: OwnSystem, state: GameState, command: Any) -> Course:
        course = Course(system, state)
        course.command_id = command.given_as
        return course.run(does(course, command) or iter(())).paused()

    return resolve


# Holders

ANYTHING = Names(
    "seat, object or the table",
    lambda state, i, by: i == TABLE or HOLDER.known(state, i, by) or COUNTER.known(state, i, by),
    lambda state, i: i != TABLE and i not in state.slot_counters and HOLDER.gone(state, i),
)


def _type(value: Any, system: OwnSystem) -> str:
    if type(value) is str and value in system.definition.things:
        return value
    raise ValueError


TYPE = Reader("a type of the game’s things", _type, schema={"type": "string"})
PRINTED = table(KIND, whole(-SIX_DIGITS, SIX_DIGITS))


# Numbers


class Place(counting.PlaceGiven, frozen=True, kw_only=True):
    """Add to a number of a holder, or of each of several: for all or for none.

    had_by: as much as that thing had when it last left play.
    counters: several kinds at once, instead of one kind and amount.
    """

    on: Annotated[tuple[str, ...], Parameter(one_or_more(ID), names=ANYTHING)]


def place(course: Course, command: Place) -> Work:
    wanted = command.wanted(course.state)
    for holder in command.on:
        for kind, asked in wanted:
            if holder not in course.once_a_team(command.on, kind):
                continue
            amount = max(asked, 0)
            course.refuse_placing(holder, kind, amount)
            if amount:
                yield course.up(holder, kind, amount)
            else:
                course.write(holder, kind)


class Spend(counting.Spend, frozen=True, kw_only=True):
    """Take from a number as a cost: all or nothing."""

    on: Annotated[str, Parameter(ID, names=ANYTHING)]


def spend(course: Course, command: Spend) -> Work:
    course.refuse_taking(command.on, command.counter, command.amount)
    if command.amount:
        yield course.down(Spent, command.on, command.counter, command.amount)
    course.write(command.on, command.counter)


class Remove(counting.Remove, frozen=True, kw_only=True):
    """Take from a number of a holder, or of each of several, as much as there is above the least.

    With “all” it is 0 afterwards; without `counter`, every kind.
    """

    on: Annotated[tuple[str, ...], Parameter(one_or_more(ID), names=ANYTHING)]


def remove(course: Course, command: Remove) -> Work:
    for holder in command.on:
        kinds = [command.counter] if command.counter else sorted(course.state.on(holder))
        for kind in kinds:
            course.refuse_kind(holder, kind)
            course.refuse_final(holder, kind)
            if holder not in course.once_a_team(command.on, kind):
                continue
            held = course.state.count(holder, kind)
            if command.amount == counting.ALL:
                amount = held
            else:
                amount = min(int(command.amount), held - course.least(kind))
            if amount > 0:
                yield course.down(Removed, holder, kind, amount)
            course.write(holder, kind)


class Transfer(counting.TransferOne, frozen=True, kw_only=True):
    """Move a number from one holder to another: all or nothing."""

    from_: Annotated[str, Parameter(ID, names=ANYTHING)]
    to: Annotated[str, Parameter(ID, names=ANYTHING)]


def transfer(course: Course, command: Transfer) -> Work:
    kind, amount = command.counter, command.amount
    course.refuse_taking(command.from_, kind, amount)
    course.refuse_placing(command.to, kind, amount)
    if amount:
        yield course.down(Removed, command.from_, kind, amount)
        course.refuse_placing(command.to, kind, amount)
        yield course.up(command.to, kind, amount)
    for holder in (command.from_, command.to):
        course.write(holder, kind)


class Correct(counting.Correct, frozen=True, kw_only=True):
    """Set a number, as a judge does; the log shows it as a correction.

    round: what that round of the score sheet brought is set instead.
    """

    on: Annotated[str, Parameter(ID, names=ANYTHING)]
    to: Annotated[int, Parameter(whole(-MOST, MOST))]
    round: Annotated[int | None, Parameter(whole(1, MOST))] = None


def correct(course: Course, command: Correct) -> None:
    on, kind, to = command.on, command.counter, command.to
    course.refuse_kind(on, kind)
    before = course.state.count(on, kind)
    if command.round is not None:
        brought = _brought(course, command, command.round)
        _refuse_out_of_bounds(course, on, kind, before + to - brought)
        team = team_of(course.state, on) if kind in course.definition.shared else ()
        seats = team if len(team) > 1 else None
        course.happen(RoundCorrected(on, kind, command.round, brought, to, seats))
    else:
        _refuse_out_of_bounds(course, on, kind, to)
        course.happen(Corrected(on=on, counter=kind, from_=before, to=to))


@cites("Pad 11")
def _brought(course: Course, command: Correct, number: int) -> int:
    """The amount that a round of the score sheet brought. Raises Refused."""
    marks, on = course.state.parts.get(SCORES, ()), command.on
    n = number - course.round + len(marks) - 1
    counted = command.counter == course.definition.scored and 0 <= n < len(marks)
    if not counted or on not in marks[n]:
        raise Refused("wrong-target", "No such round counted that.", "Pad 11")
    after = marks[n + 1][on] if n + 1 < len(marks) else course.state.count(on, command.counter)
    return int(after - marks[n][on])


def _refuse_out_of_bounds(course: Course, on: str, kind: str, to: int) -> None:
    if to > course.most(on, kind):
        raise course.over_the_most(on, kind)
    if to < course.least(kind):
        sentence = "{what} is never below {least} there."
        raise Refused("not-enough", sentence, "Own 2", least=course.least(kind), what=kind)


# Things


class Create(cards.Create, frozen=True, kw_only=True):
    """Bring a new thing into the game. In play it gets its starts, then what `counters` say.

    The owner is, unless given, the controller, or else the seat that creates it.
    """

    type: Annotated[str | None, Parameter(TYPE)] = None
    base: Annotated[Mapping[str, int] | None, Parameter(PRINTED)] = None

    def check(self, system: OwnSystem) -> None:
        if not system.definition.things:
            raise invalid("This game has no things.")


def create(course: Course, command: Create) -> Work:
    state, definition = course.state, course.definition
    refuse_taken(state, command.as_, course.system.components.reserved)
    zone = command.zone or definition.zones[0]
    enters = zone == definition.zones[0]
    refuse_counters(command.counters, enters=enters)
    owner = command.owner or command.controller or command.by
    piece = course.new_piece(
        command.as_,
        command.type or next(iter(definition.things)),
        command.base or {},
        name=command.name or command.as_,
        zone=zone,
        owner=owner,
        controller=(command.controller or owner) if enters else owner,
        token=command.token,
    )
    return course.entered(piece, command.counters or {})


def refuse_counters(counters: Mapping[str, int] | None, *, enters: bool) -> None:
    """Refuse counters on what does not enter play."""
    if counters is not None and not enters:
        sentence = "Only an object that enters the field can bring counters."
        raise Refused("wrong-target", sentence, "Own 1")


def move(course: Course, command: cards.Move) -> Work:
    for each in command.object:
        piece = course.piece(each)
        refuse_ceased(piece)
        enters = command.to in piece.field_zones and not piece.on_field
        refuse_counters(command.counters, enters=enters)
        yield course.move(
            each, command.to, controller=command.controller, counters=command.counters
        )


class Describe(cards.Describe, frozen=True, kw_only=True):
    """Correct what things say: the name, or all that is printed; no number comes or goes with it.

    What `base` leaves out is as the type has it.
    """

    base: Annotated[Mapping[str, int] | None, Parameter(PRINTED)] = None


def describe(course: Course, command: Describe) -> None:
    for each in command.object:
        said = command.said()
        if command.base is not None:
            kind = course.definition.things[course.piece(each).type]
            said["base"] = {**kind.prints, **command.base}
        for event in cards.described(course.state.objects[each], said):
            course.happen(event)


def _with(
    events: Callable[[System, GameState, Any], Iterable[Event]],
) -> Does:
    """A verb of all card games, applied to the course of a command."""

    def does(course: Course, command: Any) -> None:
        for event in events(course.system, course.state, command):
            course.happen(event)

    return does


# Seats


def leave(course: Course, command: seating.Leave) -> Work:
    if command.seat == GM_SEAT and course.led:
        raise Refused("wrong-target", "The GM does not leave the game.", "GM 1")
    course.happen(Left(command.seat))
    course.happen(Lost(command.seat))
    yield course.void_the_pointless()


@cites("Pad 5")
def sit_out(course: Course, command: seating.SitOut) -> Work:
    course.happen(SatOut(command.seat))
    yield course.void_the_pointless()


class TeamUp(Command, frozen=True, kw_only=True):
    """A player joins the team of another; without one it plays for itself."""

    verb: ClassVar[str] = "team-up"
    seat: Annotated[str, Parameter(ID, names=SEAT)]
    with_: Annotated[str | None, Parameter(ID, names=SEAT)] = None


@cites("Pad 8")
def team_up(course: Course, command: TeamUp) -> None:
    seat, mate = command.seat, command.with_
    if not course.definition.teams:
        raise Refused("wrong-facts", "This game is not played in teams.", "Pad 8")
    if GM in map(course.sort_of, filter(None, (seat, mate))):
        raise Refused("wrong-target", "The GM is on no team.", "GM 1")
    if mate == seat:
        raise Refused("wrong-target", "Nobody is their own teammate.", "Pad 8")
    now = team_of(course.state, seat)
    if mate in now or (mate is None and len(now) == 1):
        raise Refused("wrong-target", "That is the team already.", "Pad 8")
    course.happen(TeamedUp(seat, mate))
    for kind in sorted(course.definition.shared):
        if mate is not None:
            _as_the_team(course, seat, mate, kind)


def _as_the_team(course: Course, seat: str, mate: str, kind: str) -> None:
    """A number that a team shares is for *seat* what it is for its *mate*."""
    was, to = course.state.count(seat, kind), course.state.count(mate, kind)
    writes = course.is_written(mate, kind) and not course.is_written(seat, kind)
    if was != to or writes:
        course.happen(Corrected(on=seat, counter=kind, from_=was, to=to))


VERBS: Mapping[str, Verb] = {
    "team-up": Verb(TeamUp, resolved(team_up)),
    "place": Verb(Place, resolved(place)),
    "spend": Verb(Spend, resolved(spend)),
    "remove": Verb(Remove, resolved(remove)),
    "transfer": Verb(Transfer, resolved(transfer)),
    "correct": Verb(Correct, resolved(correct)),
    "create": Verb(Create, resolved(create)),
    "move": Verb(cards.Move, resolved(move)),
    "control": Verb(cards.Control, resolved(_with(cards.control))),
    "describe": Verb(Describe, resolved(describe)),
    "leave": Verb(seating.Leave, resolved(leave)),
    "sit-out": Verb(seating.SitOut, resolved(sit_out)),
}
