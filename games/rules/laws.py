"""The laws that every rule system keeps, each with its reason.

They are checked on the cases of one system, and on games of their commands at random, always the
same ones. What a law finds is a sentence for the author of the system.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from random import Random
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from . import scenario
from .engine import read, step
from .history import Applied, History, fold
from .snapshot import as_json, from_json
from .state import GameState, Refused
from .system import CITED, System

Case = Mapping[str, Any]
GAMES, COMMANDS = 1000, 12
"""The games at random that each law looks at unless told, always the same ones, and the commands
of each."""
MOST_TOLD = 3
"""The findings of one law that are told; the others are like them."""
SHARED = f"{__package__}."
"""Modules that games share, which may cite their rules, too."""
JUNK: tuple[Any, ...] = (None, True, -1, 10**7, 0.5, "", "all", "x" * 200, "\u202e", [], {}, [[]])


class Kept(Struct, frozen=True):
    """A system to check, the package of its code, and its cases, the demo first."""

    system: System
    package: str
    cases: Sequence[Case]
    games: int = GAMES


class Law(Struct, frozen=True):
    """A law, the reason for it, and what breaks it, in sentences."""

    says: str
    why: str
    broken: Callable[[Kept], Iterator[str]]


LAWS: list[Law] = []


def law(says: str, why: str) -> Callable[[Callable[[Kept], Iterator[str]]], Callable[..., Any]]:
    """Add a law, which the decorated function checks."""

    def add(broken: Callable[[Kept], Iterator[str]]) -> Callable[[Kept], Iterator[str]]:
        LAWS.append(Law(says, why, broken))
        return broken

    return add


def findings(kept: Kept) -> Iterator[tuple[Law, list[str]]]:
    """Each law, with the first of what breaks it; nothing if it is kept."""
    for law in LAWS:
        yield law, [*islice(dict.fromkeys(law.broken(kept)), MOST_TOLD)]


# Cases and rules


@law("Every case holds.", "A case is what you say that the rules do.")
def cases_hold(kept: Kept) -> Iterator[str]:
    for case in kept.cases:
        for found in scenario.check(case, kept.system.of_table(case)):
            yield f"{case['id']}, {found.where}: expected {found.expected}, got {found.got}"


@law(
    "Every verb of your own is in a case.",
    "The games at random are made of the commands of your cases: nothing else is tried.",
)
def verbs_are_used(kept: Kept) -> Iterator[str]:
    used = {name for case in kept.cases for name in _verbs_in(case["when"])}
    for name, verb in kept.system.verbs.items():
        own = verb.resolve.__module__.startswith(kept.package)
        if own and not verb.served and name not in used:
            yield f"No case gives “{name}”."


def _verbs_in(commands: Sequence[Case]) -> Iterator[str]:
    for command in commands:
        yield str(command.get("do"))
        yield from _verbs_in([part for part in command.get("steps", ()) if isinstance(part, dict)])


@law(
    "Every rule is cited by code and by a case, or left to the players with a reason.",
    "The page of rules says what is tracked; a rule that nobody cites is one that nobody wrote.",
)
def rules_are_cited(kept: Kept) -> Iterator[str]:
    rulebook = kept.system.rulebook
    code = (f"{kept.package}.", SHARED)
    modules = [module for module in CITED if f"{module}.".startswith(code)]
    cited = {number for module in modules for number in CITED[module]}
    shown = {number for case in kept.cases for number in case.get("cites", ())}
    for number in rulebook.rules:
        if number not in rulebook.not_tracked:
            if number not in cited:
                yield f"No function cites {number}."
            if number not in shown:
                yield f"No case cites {number}."
    yield from (
        f"{n} is left out without a reason."
        for n, why in rulebook.not_tracked.items()
        if not why.strip()
    )


# Games at random


@law(
    "A refused command changes nothing, and says why in a sentence.",
    "The sentence stands on the phone of the player who tapped.",
)
def refusals_are_sentences(kept: Kept) -> Iterator[str]:
    for history, command in _commands(kept):
        before = history.state, history.number
        refused = _given(history, command)
        if isinstance(refused, Refused):
            if (history.state, history.number) != before:
                yield f"{command} was refused, and changed the game."
            if refused.message[-1:] not in (".", "?", "!"):
                yield f"“{refused.message}” is no sentence ({command})."


@law(
    "A command of nonsense is refused, whatever it is made of.",
    "Anything may arrive from outside, and an error would stop the table.",
)
def nonsense_is_refused(kept: Kept) -> Iterator[str]:
    random = Random(1)
    for history, command in _commands(kept):
        raw = {**command, random.choice([*command, "by", "note"]): random.choice(JUNK)}
        try:
            history.give(raw)
        except Refused:
            pass
        except Exception as error:  # whatever it is, it is what an author wants to know
            yield f"{raw} ended in {type(error).__name__}: {error}"


@law(
    "A command does the same each time, and changes no state in place.",
    "Undo, retries and screens keep earlier states, and resolve commands again.",
)
def steps_are_pure(kept: Kept) -> Iterator[str]:
    for history, raw in _commands(kept):
        state = history.state
        if str(raw.get("do")) not in history.system.verbs:
            continue  # an undo depends on the log, not on the state alone
        described = as_json(state)
        once, twice = _done(history, raw), _done(history, raw)
        if as_json(state) != described:
            yield f"{raw} changed a state in place."
        elif once != twice:
            yield f"{raw} did something else the second time."
        _given(history, raw)


def _done(history: History, raw: Case) -> tuple[GameState, list[dict[str, Any]]] | str:
    """The state after a command, with its events; the code of its refusal."""
    system, state = history.system, history.state
    try:
        command = read(system, raw, system.seating.default_by(state))
        after, events = step(system, state, command)
    except Refused as refused:
        return refused.code
    return after, [event.to_json() for event in events]


@law("Events alone lead from a state to the next.", "Screens and rows change by what they say.")
def events_lead_there(kept: Kept) -> Iterator[str]:
    for history, raw in _commands(kept):
        before = history.state
        given = _given(history, raw)
        if isinstance(given, Applied) and given.entry and given.touched is not None:
            command = read(history.system, given.entry.command, given.entry.by)
            after, events = step(history.system, before, command)
            for event in events:
                before = event.evolve(before)
            if replace(before, settled=True) != after:
                yield f"{raw} did more than its events say."


@law("The log leads from the opening to the state.", "Undo resolves the commands of it again.")
def log_leads_there(kept: Kept) -> Iterator[str]:
    for history in _games(kept):
        if history.state != fold(history.system, history.opening, history.entries):
            yield f"The log of {_last(history)} leads to another state."


@law("A game that is stored and loaded is the same.", "Servers restart in the middle of a game.")
def storing_changes_nothing(kept: Kept) -> Iterator[str]:
    for history in _games(kept):
        stored = json.loads(json.dumps(as_json(history.state)))
        if from_json(history.system, stored) != history.state:
            yield f"After {_last(history)} the state was another one once stored."


@law("Undo and redo lead back.", "Players undo all the time, and anything.")
def undo_leads_back(kept: Kept) -> Iterator[str]:
    for history in _games(kept):
        before, by = history.state, history.system.seating.default_by(history.state)
        undone = _given(history, {"do": "undo", "by": by})
        if isinstance(undone, Applied):
            _given(history, {"do": "redo", "by": by})
            if history.state != before:
                yield f"Undo and redo of {_last(history)} lead to another state."


@law(
    "The order of effects does not matter.",
    "They are a tuple in your System; players would have to know its order.",
)
def effects_have_no_order(kept: Kept) -> Iterator[str]:
    if len(kept.system.automatic.effects) < 2:
        return
    for history in _games(kept):
        automatic = history.system.automatic
        turned = replace(automatic, effects=automatic.effects[::-1])
        again = History(replace(history.system, automatic=turned), history.opening)
        for entry in history.entries:
            _given(again, {**entry.command, "by": entry.by})
        if again.state != history.state:
            yield f"With the effects reversed, {_last(history)} ends in another state."


def _commands(kept: Kept) -> Iterator[tuple[History, dict[str, Any]]]:
    """Games at random, each of its commands before it is given."""
    random = Random(kept.system.name)
    played = [case for case in kept.cases if case["when"]]
    pool = [(case, command) for case in played for command in case["when"]]
    for _game in range(kept.games if played else 0):
        case = random.choice(played)
        system = kept.system.of_table(case)
        history = History(system, scenario.opening(system, case))
        for n in range(COMMANDS):
            own = random.choice(case["when"]), case
            command, of = own if n % 2 else random.choice(pool)[::-1]
            yield history, _meant(random, history.state, command, of)


def _games(kept: Kept) -> Iterator[History]:
    """Games at random, each when all its commands have been given."""
    last: History | None = None
    for history, command in _commands(kept):
        if last is not None and history is not last and last.number:
            yield last
        last = history
        _given(history, command)


def _meant(random: Random, state: GameState, command: Case, case: Case) -> dict[str, Any]:
    """A command of a case, with ids of this game in place of some of its own."""
    here = [*state.seats, *state.objects, *(prompt.id for prompt in state.prompts)]
    said = {*case["given"]["seats"], *case["given"].get("objects", {})}

    def other(value: Any) -> Any:
        if isinstance(value, list):
            return [other(part) for part in value]
        known = isinstance(value, str) and value in said
        return random.choice([value, *here]) if known and random.random() < 0.5 else value

    kept = ("do", "id", "as")
    made = {key: value if key in kept else other(value) for key, value in command.items()}
    made.pop("id", None)
    return made


def _given(history: History, command: Case) -> Applied | Refused:
    try:
        return history.give(command)
    except Refused as refused:
        return refused


def _last(history: History) -> str:
    return json.dumps([entry.command for entry in history.entries][-3:], ensure_ascii=False)
