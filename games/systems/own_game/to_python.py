"""An own game as Python: its definition written out, and cases that it passes as it is."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from textwrap import wrap
from typing import Any

from msgspec.structs import replace

from games.rules import scenario
from games.rules.history import History
from games.rules.state import Refused
from games.rules.system import System
from games.systems.presets import seat_ids

from . import compiled
from .holders import OwnSystem
from .language.meaning import GM
from .language.saying import sentence

WIDE = 100
"""The columns of a line of Python."""
TURNS = 3
"""The turns that the longest case goes on for."""
Case = dict[str, Any]


def words(definition: Mapping[str, Any], title: str, name: str) -> dict[str, str]:
    """The input of the skeleton: the definition in Python, a demo and cases. Raises Fault."""
    system = compiled(dict(definition))
    cases = list(_cases(replace(system, name=name, defined=None), name))
    demo = {**cases[-1], "id": f"demo-{name}", "title": f"A demo of {title}"}
    return {
        "definition": _python(system, definition),
        "demo": json.dumps(demo, ensure_ascii=False, indent=1),
        "cases": json.dumps(cases, ensure_ascii=False, indent=1),
    }


# Python


def _python(system: OwnSystem, definition: Mapping[str, Any]) -> str:
    """The definition as Python, each rule below the sentence that it says."""
    lines = ["{"]
    for key, value in definition.items():
        if key != "rules":
            lines.append(f"    {_text(key)}: {_literal(value, 1, len(_text(key)) + 2)},")
            continue
        lines.append('    "rules": [')
        for rule in value:
            says = wrap(sentence(system.definition, rule), WIDE - 10, break_long_words=False)
            lines += [f"        # {line}" for line in says]
            lines.append(f"        {_literal(rule, 2, 0)},")
        lines.append("    ],")
    return "\n".join([*lines, "}"])


def _text(value: str) -> str:
    return json.dumps(value, ensure_ascii=False)


def _literal(value: Any, depth: int, before: int) -> str:
    """A JSON value as Python, broken where its line would be too wide. before: columns taken."""
    flat, parts = _flat(value), _parts(value)
    if len(flat) + 4 * depth + before + 1 <= WIDE or not parts:
        return flat
    inner, outer = "    " * (depth + 1), "    " * depth
    lines = [f"{inner}{key}{_literal(each, depth + 1, len(key))},\n" for key, each in parts]
    return f"{flat[0]}\n{''.join(lines)}{outer}{flat[-1]}"


def _flat(value: Any) -> str:
    inside = ", ".join(f"{key}{_flat(each)}" for key, each in _parts(value))
    if isinstance(value, dict | list):
        return f"{{{inside}}}" if isinstance(value, dict) else f"[{inside}]"
    return _text(value) if isinstance(value, str) else repr(value)


def _parts(value: Any) -> list[tuple[str, Any]]:
    """The parts of a map or list, each with what stands before it."""
    if isinstance(value, dict):
        return [(f"{_text(key)}: ", each) for key, each in value.items()]
    return [("", each) for each in value] if isinstance(value, list) else []


# Cases


def _cases(system: OwnSystem, name: str) -> Iterator[Case]:
    """The opening, what each button does that asks nothing, and some turns."""
    players = seat_ids(max(2, system.definition.players[0]))
    seats = [*([GM] if system.definition.led else []), *players]
    first = [] if system.definition.order == "none" else [{"do": "begin-turn"}]
    yield _case(system, f"{name}-opening", "The opening", seats, [])
    for rule in system.definition.rules.values():
        button = rule.button
        if button and not button.target and not button.bounds and button.on & {"player", "table"}:
            on = players[0] if "player" in button.on else "table"
            press = {"do": "press", "rule": rule.name, "on": on, "by": players[0]}
            yield _case(system, f"{name}-rule-{rule.place}", rule.name, seats, [*first, press])
    yield _case(system, f"{name}-turns", "Some turns", seats, first * TURNS)


def _case(
    system: System, id: str, title: str, seats: Iterable[str], commands: list[dict[str, Any]]
) -> Case:
    """The result of the commands, without those that are refused."""
    given: dict[str, Any] = {"seats": {seat: {} for seat in seats}}
    history = History(system, scenario.opening(system, {"given": given, "settings": {}}))
    accepted = [each for each in commands if _is_accepted(history, each)]
    then = {part: value for part, value in scenario.whole(history).items() if value not in ({}, [])}
    return {
        "id": id,
        "title": title,
        "system": system.name,
        "edition": system.edition,
        "given": given,
        "when": accepted,
        "then": then,
    }


def _is_accepted(history: History, command: dict[str, Any]) -> bool:
    try:
        history.give(command)
    except Refused:
        return False
    return True
