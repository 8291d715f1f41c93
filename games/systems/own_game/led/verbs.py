"""Verbs of a game with a GM: those of own games and of a table's set, which set off its rules.

Where both have one, a parameter that only one of them takes tells which is meant.
Source: docs/OWN-GAMES.md, GM 1 to 3.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import Annotated, Any

from msgspec.structs import replace

from games.rules import attribution, cards, seating
from games.rules.commands import PROMPT, WAITING, Command, Parameter, Terms, each
from games.rules.engine import names_in
from games.rules.events import Event
from games.rules.state import GameState, Refused
from games.rules.system import Verb, cites
from games.tracks import course as slot_course
from games.tracks import filling, items, play, session
from games.tracks.counter import gm_only, protagonists, refuse_strangers
from games.tracks.sets import fight, making, outcomes
from games.tracks.sets.verbs import VERBS as OF_A_SET
from games.tracks.views import seen_prompts

from .. import change_rules, turns, verbs
from ..course import Course
from ..holders import OwnSystem
from ..language.meaning import About, Work

# What sets off rules


def sets_off(verb: Verb) -> Verb:
    """A verb of the table's set, after which its events set off rules."""

    def resolve(system: OwnSystem, state: GameState, command: Any) -> Course:
        course = course_of(system, state, command)
        return course.run(course.whole([*verb.resolve(system, state, command)])).paused()

    return Verb(verb.command, resolve, verb.may, verb.served, verb.by_hand)


def course_of(system: OwnSystem, state: GameState, command: Command) -> Course:
    course = Course(system, state)
    course.command_id = command.given_as
    return course


def act(system: OwnSystem, state: GameState, command: play.Action) -> Course:
    """An Action: each timer sets off rules before the next, and at last so does the Action."""
    done = outcomes.act(system, state, command, partial(_advance, system, command))
    course = course_of(system, done.state, command)
    course.events += done.events
    if not command.reaction:
        course.run(course.acted(command.seat or command.by, command.outcome))
    return course.paused()


def _advance(system: OwnSystem, command: Command, done: slot_course.Course, timer: str) -> None:
    """A timer goes on by a slot, with all that this sets off."""
    was, known = done.state, len(done.events)
    play.advance_timer(done, timer)
    course = course_of(system, was, command)
    course.run(course.whole(done.events[known:])).paused()
    del done.events[known:]
    done.take(course.state, course.events)


def end_session(system: OwnSystem, state: GameState, command: session.EndSession) -> Course:
    done = session.end_session(system, state, command)
    course = course_of(system, done.state, command)
    course.events += done.events
    return course.run(course.each_of("ends", "session", seats=False)).paused()


# The turn order


def begin_or_end(course: Course, command: fight.Fight) -> Work:
    if command.to == "end":
        yield _turn_ends(course)
    for event in fight.fight(course.system, course.state, command):
        course.happen(event)


@cites("GM 3")
def next_turn(course: Course, command: fight.NextTurn) -> Work:
    yield _turn_ends(course)
    before = fight.turns(course.state)
    for event in fight.next_turn(course.system, course.state, command):
        course.happen(event)
    now = (fight.turns(course.state) or [])[-1]
    if not before or now["round"] != before[-1]["round"]:
        yield course.each_of("begins", "round", seats=False)
    yield _of_the_turn(course, "begins", now["on"])


def _turn_ends(course: Course) -> Work:
    if began := fight.turns(course.state):
        yield _of_the_turn(course, "ends", began[-1]["on"])


def _of_the_turn(course: Course, moment: str, track: str) -> Work:
    if track in course.state.slot_counters and course.is_in_play(track):
        yield course.set_off(moment, "turn", About(track))


# Verbs that both have


class Create(making.Create, frozen=True, kw_only=True):
    """Make a track of a type of the set, or a thing of a type of the game's things.

    Without a type it is the first of the things; without these, of the set's.
    """

    @classmethod
    def read(cls, raw: Mapping[str, Any], by: str, system: OwnSystem) -> Any:
        things = system.definition.things
        thing = raw["type"] in things if isinstance(raw.get("type"), str) else bool(things)
        return _read(verbs.Create if thing else making.Create, raw, by, system)


class Spend(filling.Spend, frozen=True, kw_only=True):
    """Pay with a track, or from a number: `counter`."""

    @classmethod
    def read(cls, raw: Mapping[str, Any], by: str, system: Terms) -> Any:
        return _read(verbs.Spend if "counter" in raw else filling.Spend, raw, by, system)


class Correct(filling.Correct, frozen=True, kw_only=True):
    """Set a track, or a number: `counter`."""

    @classmethod
    def read(cls, raw: Mapping[str, Any], by: str, system: Terms) -> Any:
        return _read(verbs.Correct if "counter" in raw else filling.Correct, raw, by, system)


class Describe(items.Describe, frozen=True, kw_only=True):
    """Say something about an item, or correct what things say: `object`."""

    @classmethod
    def read(cls, raw: Mapping[str, Any], by: str, system: Terms) -> Any:
        return _read(verbs.Describe if "object" in raw else items.Describe, raw, by, system)


def _asked(state: GameState, prompt: str, by: str) -> bool:
    return any(each.id == prompt and "rule" in each.facts for each in seen_prompts(state, by))


QUESTION = replace(WAITING, known=_asked)
"""A question of a rule that the seat may know of."""


class AnswerQuestion(turns.Answer, frozen=True, kw_only=True):
    """Answer a question of a rule."""

    prompt: Annotated[str, Parameter(PROMPT, names=QUESTION)]


class Answer(play.Answer, frozen=True, kw_only=True):
    """Answer a proposal, or a question of a rule: `number`, or the `result` of dice."""

    @classmethod
    def read(cls, raw: Mapping[str, Any], by: str, system: Terms) -> Any:
        return _read(
            AnswerQuestion if {"number", "result"} & raw.keys() else play.Answer, raw, by, system
        )


class Void(cards.Void, frozen=True, kw_only=True):
    """Dismiss a question of a rule."""

    prompt: Annotated[str, Parameter(PROMPT, names=QUESTION)]


def _read(command: type[Command], raw: Mapping[str, Any], by: str, system: Terms) -> Command:
    return command.read(raw, by, system)


def either(command: type[Command], own: Verb, gms: Verb) -> Verb:
    """A verb that own games and sets have. command: reads that of one of them."""

    def meant(given: Command) -> Verb:
        return gms if isinstance(given, gms.command) else own

    def resolve(system: OwnSystem, state: GameState, given: Any) -> Iterable[Event]:
        return meant(given).resolve(system, state, given)

    def may(system: OwnSystem, state: GameState, given: Any) -> None:
        if refuses := meant(given).may:
            refuses(system, state, given)

    return Verb(command, resolve, may)


# Permissions


def may_change(system: OwnSystem, state: GameState, command: Command) -> None:
    """Refuse a number of a track that the seat may not act on."""
    named = [each for _names, ids in names_in(command) for each in ids]
    refuse_strangers(state, command.by, tuple(i for i in named if i in state.slot_counters))


def on_tracks(verb: Verb) -> Verb:
    return Verb(verb.command, verb.resolve, may_change)


@cites("GM 1")
def add_seat(system: OwnSystem, state: GameState, command: seating.AddSeat) -> Iterator[Event]:
    """A guest sits down late, if one more player fits."""
    most = system.definition.players[1]
    if len(protagonists(state)) >= most:
        sentence = "There {n|is|are} at most {n} {n|seat|seats} at this table."
        raise Refused("over-maximum", sentence, "GM 1", n=most)
    yield from seating.add_seat(system, state, command)


# The verbs

NUMBERS = {verb: on_tracks(verbs.VERBS[verb]) for verb in ("place", "remove", "transfer")}
OF_TEAMS = {"team-up": verbs.VERBS["team-up"]}
"""The verbs of a game in teams."""
OF_PLAYERS = {verb: each for verb, each in verbs.VERBS.items() if verb not in OF_TEAMS}
"""The verbs of every game without a GM."""
OWN: Mapping[str, Verb] = {**OF_PLAYERS, **turns.VERBS, **change_rules.VERBS, **NUMBERS}
STEPS = play.STEPS | {*OF_PLAYERS, "press", "afflict", "relieve"} - {"leave", "sit-down"}
"""The verbs that can be a step of another command."""


class Together(play.Together, frozen=True, kw_only=True):
    """Give several commands as one: all or nothing, one entry, one undo."""

    steps: Annotated[
        tuple[Mapping[str, Any], ...],
        Parameter(each(play.inner(STEPS), 1, play.MOST_STEPS, distinct=False)),
    ]


COMPOSED = {verb: OF_A_SET[verb] for verb in ("answer", "propose", "together")}
"""The verbs whose steps set off rules themselves."""
GMS = {**{verb: sets_off(each) for verb, each in OF_A_SET.items()}, **COMPOSED}
VERBS: Mapping[str, Verb] = {
    **OWN,
    **GMS,
    "create": either(Create, OWN["create"], GMS["create"]),
    "spend": either(Spend, on_tracks(OWN["spend"]), GMS["spend"]),
    "correct": either(Correct, on_tracks(OWN["correct"]), GMS["correct"]),
    "describe": either(Describe, OWN["describe"], GMS["describe"]),
    "answer": either(
        Answer,
        Verb(AnswerQuestion, verbs.resolved(turns.answer), cards.may_answer),
        COMPOSED["answer"],
    ),
    "void": Verb(Void, verbs.resolved(turns.void)),
    "together": Verb(Together, play.together),
    "action": Verb(play.Action, act, play.may_act),
    "end-session": Verb(session.EndSession, end_session, gm_only),
    "fight": Verb(fight.Fight, verbs.resolved(begin_or_end), gm_only),
    "next-turn": Verb(fight.NextTurn, verbs.resolved(next_turn), gm_only),
    "add-seat": Verb(seating.AddSeat, add_seat),
    "sit-down": seating.VERBS["sit-down"],
    **attribution.VERBS,
}
