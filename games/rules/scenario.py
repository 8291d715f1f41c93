"""Scenarios: a list of commands and what must hold afterwards, played and compared.

`check` plays one scenario in one edition and returns what differs. `SpecificationError` means that
the scenario itself is malformed. Source: docs/COMMANDS.md, Scenarios 1 to 5.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from . import secrecy
from .history import History
from .input import whole_number
from .state import GameState, Refused, Turn, plain, to_facts
from .system import System

UNKNOWN = re.compile(r"[Uu]nexpected keyword argument '(\w+)'").search
WHOLE = frozenset({"counters", "had", "totals"})
"""Maps that must match in full: a kind that is not named is 0."""
PARTS: Mapping[str, tuple[type, ...]] = {
    **dict.fromkeys(
        ("seats", "objects", "slot_counters", "teams", "totals", "notes", "table"), (dict,)
    ),
    **dict.fromkeys(
        ("scenes", "standing", "ticks", "refused", "events", "views", "unseen"), (dict,)
    ),
    "turn": (dict, type(None)),
    "result": (str, type(None)),
    "entries": (int,),
    "prompts": (list,),
    "winners": (list,),
    "refused_definition": (str,),
    "refused_opening": (bool,),
}
"""The parts that `then` may have, each with its types."""
EVENTS = {"include": list, "exclude": list, "count": dict}
STATE_PARTS = (
    "seats",
    "objects",
    "slot_counters",
    "teams",
    "turn",
    "result",
    "winners",
    "table",
    "totals",
    "notes",
    "scenes",
    "standing",
    "ticks",
    "entries",
)
REQUIRED = {"id": str, "title": str, "system": str, "given": dict, "when": list, "then": dict}


class SpecificationError(ValueError):
    """The scenario is malformed; it says nothing about the rules."""


class Difference(Struct, frozen=True):
    """One thing that does not hold.

    where: a path in `then` ("objects.ally.power"), or the step ("step 3").
    """

    where: str
    expected: Any
    got: Any


def refuse_malformed(scenario: Any) -> None:
    """Refuse what cannot be a scenario of any system. Raises SpecificationError."""
    if not isinstance(scenario, dict):
        raise SpecificationError("a scenario must be a JSON object")
    for key, kind in REQUIRED.items():
        if not isinstance(scenario.get(key), kind):
            raise SpecificationError(f"“{key}” is missing or has the wrong type")
    if not isinstance(scenario.get("settings") or {}, dict):
        raise SpecificationError("“settings” must be a JSON object")
    _refuse_malformed_then(scenario)


def _refuse_malformed_then(scenario: Mapping[str, Any]) -> None:
    then = scenario["then"]
    for part, expected in then.items():
        if part not in PARTS:
            raise SpecificationError(f"“then” has no part “{part}”")
        if not isinstance(expected, PARTS[part]):
            raise SpecificationError(f"“{part}” in “then” has the wrong type")
    for step in then.get("refused", {}):
        if whole_number(step, 0, len(scenario["when"]) - 1) is None:
            raise SpecificationError(f"“refused” names step “{step}”, which does not exist")
    for part, expected in then.get("events", {}).items():
        if not isinstance(expected, EVENTS.get(part, ())):
            raise SpecificationError(f"“{part}” in “events” is unknown or has the wrong type")
    for seat, expected in then.get("unseen", {}).items():
        if not isinstance(expected, list):
            raise SpecificationError(f"“unseen” of {seat} must be a list of texts")


def play(scenario: Mapping[str, Any], system: System) -> tuple[History, dict[str, Refused]]:
    """The game after the scenario's commands, and the refusals by step."""
    history = History(system, opening(system, scenario))
    refused: dict[str, Refused] = {}
    for number, command in enumerate(scenario["when"]):
        try:
            history.give(command)
        except Refused as refusal:
            refused[str(number)] = refusal
    return history, refused


def opening(system: System, scenario: Mapping[str, Any]) -> GameState:
    """The state that the scenario begins with. Raises SpecificationError.

    Where tables write their rules, it begins by those that the scenario defines.
    """
    system = system.of_table(scenario) if "definition" in scenario else system
    settings = scenario.get("settings") or {}
    for name, value in settings.items():
        if name not in system.rulebook.settings:
            raise SpecificationError(f"{system.name} has no setting “{name}”")
        setting = system.rulebook.settings[name]
        if not setting.accepts(system, value):
            allowed = setting.reader.text if setting.reader else f"one of {list(setting.values)}"
            raise SpecificationError(f"the setting “{name}” must be {allowed}")
    given = scenario["given"]
    try:
        if (first := system.opening(system, given, settings)).seats:
            return first
        raise ValueError("nobody sits there")
    except (TypeError, KeyError, ValueError, AttributeError, StopIteration) as error:
        if not given.get("seats"):
            raise SpecificationError("“given” has no seats") from error
        if unknown := UNKNOWN(str(error)):
            sentence = (
                f"something in “given” has a “{unknown[1]}”, which {system.title} doesn’t know"
            )
            raise SpecificationError(sentence) from error
        raise SpecificationError(f"“given” does not make an opening: {error!r}") from error


def check(scenario: Mapping[str, Any], system: System) -> list[Difference]:
    """The expectations that *scenario* misses in this edition; empty if none."""
    then = scenario["then"]
    if "refused_definition" in then:
        fault = system.defined.fault(scenario.get("definition")) if system.defined else None
        return [*unlike(then["refused_definition"], fault, "definition")]
    if then.get("refused_opening"):
        return [*_unrefused(scenario, system)]
    history, refused = play(scenario, system)
    return list(_differences(scenario["then"], history, refused))


def _unrefused(scenario: Mapping[str, Any], system: System) -> Iterator[Difference]:
    try:
        opening(system, scenario)
    except SpecificationError:
        return
    yield Difference("opening", "refused", "accepted")


def _differences(
    then: Mapping[str, Any], history: History, refused: Mapping[str, Refused]
) -> Iterator[Difference]:
    codes = {step: refusal.code for step, refusal in refused.items()}
    expected = then.get("refused", {})
    for step in sorted({*codes, *expected}, key=int):
        if codes.get(step) != expected.get(step):
            refusal = refused.get(step)
            got = f"{refusal.code}: {refusal.message}" if refusal else "accepted"
            yield Difference(f"step {step}", expected.get(step, "accepted"), got)
    state = whole(history)
    for part in STATE_PARTS:
        if part in then:
            yield from unlike(then[part], state.get(part), part)
    if "prompts" in then:
        yield from unlike(then["prompts"], state["prompts"], "prompts")
    events = [event for entry in history.entries for event in entry.events]
    yield from _unlike_events(then.get("events", {}), events)
    for part in ("views", "unseen"):
        for seat in then.get(part, {}).keys() - history.state.seats.keys():
            raise SpecificationError(f"“{part}” names “{seat}”, which is not a seat")
    for seat, view in then.get("views", {}).items():
        yield from unlike(view, seen(history, seat), f"views.{seat}")
    for seat, texts in then.get("unseen", {}).items():
        text = json.dumps(seen(history, seat), ensure_ascii=False)
        for secret in texts:
            if secret in text:
                yield Difference(f"unseen.{seat}", f"no “{secret}”", "it is there")


def whole(history: History) -> dict[str, Any]:
    """Everything that a scenario can match, as JSON values."""
    return {**whole_state(history.system, history.state), "entries": history.number}


def whole_state(system: System, state: GameState) -> dict[str, Any]:
    """Everything in *state* and what follows from it, as JSON values."""

    def described(obj: Any, holder: str) -> dict[str, Any]:
        out = {**to_facts(obj), "counters": dict(state.on(holder))}
        return out | system.derived(system, state, obj)

    def described_turn(turn: Turn | None) -> dict[str, Any] | None:
        return {**to_facts(turn), **system.derived(system, state, turn)} if turn else None

    return {
        "seats": {i: described(seat, i) for i, seat in state.seats.items()},
        "objects": {i: described(obj, i) for i, obj in state.objects.items()},
        "slot_counters": {i: described(counter, i) for i, counter in state.slot_counters.items()},
        "teams": {i: described(team, f"team:{i}") for i, team in state.teams.items()},
        "turn": described_turn(state.turn),
        "prompts": [
            {**to_facts(prompt, {"facts"}), **prompt.facts, **system.derived(system, state, prompt)}
            for prompt in state.prompts
        ],
        "result": state.result,
        "winners": [*state.winners],
        "totals": {},
        "notes": {i: to_facts(note) for i, note in state.notes.items()},
        "scenes": dict(state.scenes),
        "standing": {
            i: {**to_facts(standing), **system.derived(system, state, standing)}
            for i, standing in state.standings.items()
        },
        "ticks": plain(state.ticks),
        **system.further(system, state),
    }


def seen(history: History, seat: str) -> dict[str, Any]:
    """The view of *seat*, including the log, as JSON values."""
    system = history.system
    view = secrecy.view(system, history.state, seat, history.entries)
    if view is not None:
        return view
    log = [event for entry in history.entries for event in entry.events]
    held = system.held(history.state).items()
    answers = {prompt: number for prompt, (by, number) in held if by == seat}
    mine = {"answers": answers} if system.revises else {}
    return {"seat": seat, **whole(history), **mine, "log": log}


def unlike(expected: Any, got: Any, where: str) -> Iterator[Difference]:
    """The mismatches of *got* and *expected* (docs/COMMANDS.md, Scenarios 4)."""
    if isinstance(expected, dict) and isinstance(got, Mapping):
        exact = where.rpartition(".")[2] in WHOLE
        for key in (*expected, *(key for key in got if exact and key not in expected)):
            inner = f"{where}.{key}"
            missing = 0 if exact else None
            yield from unlike(expected.get(key, missing), got.get(key, missing), inner)
    elif isinstance(expected, list) and isinstance(got, Sequence) and not isinstance(got, str):
        if len(expected) != len(got):
            yield Difference(where, expected, got)
            return
        for number, (one, other) in enumerate(zip(expected, got, strict=True)):
            yield from unlike(one, other, f"{where}.{number}")
    elif isinstance(expected, str) and isinstance(got, Mapping):
        if expected != got.get("id", got.get("name")):
            yield Difference(where, expected, got)
    elif type(expected) is not type(got) or expected != got:
        yield Difference(where, expected, got)


def _unlike_events(
    expected: Mapping[str, Any], events: Sequence[Mapping[str, Any]]
) -> Iterator[Difference]:
    kinds = [event["kind"] for event in events]
    at = 0
    for wanted in expected.get("include", []):
        while at < len(events) and any(unlike(wanted, events[at], "")):
            at += 1
        if at == len(events):
            yield Difference("events", wanted, kinds)
            return
        at += 1
    for kind in expected.get("exclude", []):
        if kind in kinds:
            yield Difference("events", f"no “{kind}”", kinds)
    for kind, number in expected.get("count", {}).items():
        if kinds.count(kind) != number:
            yield Difference("events", f"{number} × {kind}", f"{kinds.count(kind)} ×")
