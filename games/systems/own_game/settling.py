"""Settling of an own game's command: permanent rules, losing, and the result.

The `always` rules are looked at again and again until a whole pass did nothing; then the seats that
were named out are out, all at one moment, and it settles again. Source: docs/OWN-GAMES.md, Own 6
and 7.
"""

from __future__ import annotations

from collections.abc import Mapping
from operator import attrgetter

from msgspec.structs import replace

from games.rules.events import Event, Lost, ResultWithdrawn, SatDown, SatOut
from games.rules.seating import SeatAdded
from games.rules.state import GameState
from games.rules.system import cites

from .chain import COURSE
from .course import Course
from .events import BY_RULE, Ended, Out
from .holders import OwnSystem, team_of
from .language.meaning import PLAYER, TABLE, About, Work
from .language.written_rules import Rule

LOST = frozenset({Lost, Out, SatOut})
CAME = frozenset({SeatAdded, SatDown})
RULES_CHANGED = "rules-changed"


@cites("Own 6")
def settling(course: Course) -> Work:
    """Look at what is always so until nothing changes, then take out who was named, and the
    questions that are pointless now."""
    always = [rule for rule in course.definition.rules.values() if rule.when.moment == "always"]
    while True:
        while always:
            before = _progress(course)
            for rule in always:
                for subject in _subjects(course, rule):
                    if course.is_in_play(subject):
                        yield course.fire(rule, About(subject))
            if _progress(course) == before:
                break
        leaving = [seat for seat in course.remaining() if seat in course.out]
        if not (leaving or course.state.prompts):
            return
        before = _progress(course)
        for seat in leaving:
            course.happen(Out(seat, rule=course.out[seat], compared=course.compared[seat]))
        yield course.void_the_pointless()
        if _progress(course) == before:
            return


def _progress(course: Course) -> tuple[int, int, int]:
    return len(course.events), len(course.out), len(course.winners)


def _subjects(course: Course, rule: Rule) -> list[str]:
    if PLAYER in rule.when.of:
        return [*course.remaining()]
    if TABLE in rule.when.of:
        return [TABLE]
    roles, of = course.definition.roles, rule.when.of
    played = [seat for seat in course.remaining() if course.sort_of(seat) in of] if roles else []
    return [*played, *course.look(course.things(frozenset(of)))]


@cites("Own 7")
def end(course: Course) -> None:
    """Give the game its result, if it has none, or none any more, and there is one now; a GM's game
    has none."""
    if course.led:
        return
    if course.state.result is not None and not _withdraw(course):
        return
    left = course.remaining()
    if won := {seat: course.winners[seat] for seat in left if seat in course.winners}:
        won = _with_mates(course, won)
        compared = course.compared[next(iter(won))]
        course.happen(Ended("won", tuple(won), by_rule=True, rules=won, compared=compared))
    elif not LOST.isdisjoint(map(type, course.events)):
        if not left:
            course.happen(Ended("lost" if course.definition.cooperative else "draw"))
        elif _alone(course, left) and not course.definition.cooperative:
            course.happen(Ended("won", tuple(_with_mates(course, dict.fromkeys(left, "")))))


def _alone(course: Course, left: list[str]) -> bool:
    """True if the seats that are *left* are the last of several teams."""
    both = (course.state.seats, left)
    teams, last = ({team_of(course.state, seat) for seat in seats} for seats in both)
    return len(last) == 1 < len(teams)


@cites("Pad 8")
def _with_mates(course: Course, won: Mapping[str, str]) -> dict[str, str]:
    """Who has won, by what, with the whole team, those who are out too, in table order."""
    absent = course.state.absent or ()
    found = {mate: won[seat] for seat in won for mate in team_of(course.state, seat)}
    return {
        seat: won.get(seat, found[seat])
        for seat in course.state.seats
        if seat in found and seat not in absent
    }


def _withdraw(course: Course) -> bool:
    """A guest who came late, and is still in, withdraws a win by being the last; True if so."""
    state = course.state
    withdrawn = (
        not CAME.isdisjoint(map(type, course.events))
        and (state.result == "won" and BY_RULE not in state.parts)
        and {team_of(state, seat) for seat in state.winners}
        != {team_of(state, seat) for seat in course.remaining()}
    )
    if withdrawn:
        course.happen(ResultWithdrawn())
    return withdrawn


def settle(system: OwnSystem, state: GameState, events: list[Event]) -> GameState:
    """The settled state after a command's own events, by the rules that they left."""
    if RULES_CHANGED in map(attrgetter("kind"), events):
        system = system.of_table(state.settings)
    course = Course(system, state, events)
    course.run(settling(course))
    end(course)
    if COURSE in course.state.parts:
        course.state = course.state.with_parts(**{COURSE: None})
    if not course.state.settled:
        course.state = replace(course.state, settled=True)
    return course.state
