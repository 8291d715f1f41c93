"""The grammar of own games as a page, made of the tables that read it, the ready games that use it
and the sentences that the table says of them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from games.systems.own_game import fault
from games.systems.own_game.course import MOST_FIRINGS
from games.systems.own_game.holders import MOST_LOOKS
from games.systems.own_game.language.actions import ACTIONS
from games.systems.own_game.language.definition import KEYS, LARGEST, understood
from games.systems.own_game.language.expressions import ATOMS, COMPARED, DEEPEST, JOINED, OPERATIONS
from games.systems.own_game.language.numbers import LOOKS
from games.systems.own_game.language.saying import sentence
from games.systems.own_game.language.written_rules import MOMENTS

Json = Mapping[str, Any]
Rules = list[tuple[str, Any]]
HEAD = """# The grammar of own games

Written from the code each time this site is built: what a rule can be made of, an example of each
from the ready games, and how the table reads it aloud. [Your own game](own-game.md) builds one from
nothing; [Own games](OWN-GAMES.md) says exactly what each part means.
"""


def page(ready: Mapping[str, Json]) -> str:
    """The page, in Markdown. ready: definitions by name; the shortest rule is the example."""
    rules: Rules = sorted(
        (
            (f"{definition['title']}: {sentence(understood(dict(definition)), rule)}", rule)
            for definition in ready.values()
            for rule in definition.get("rules", ())
        ),
        key=lambda each: len(json.dumps(each[1])),
    )
    return "\n".join([HEAD, *_parts(rules), *_limits()]) + "\n"


def _parts(rules: Rules) -> Iterator[str]:
    yield "## When\n"
    for name, (needed, further) in MOMENTS.items():
        yield from _entry(name, needed, further, rules, lambda rule, key=name: key in rule["when"])
    yield "## If\n"
    for name in ("is", *JOINED):
        keys = ("is", "in") if name == "is" else (name,)
        yield from _entry(name, keys, (), rules, lambda rule, key=name: _has(rule.get("if"), key))
    signs = ", ".join(f"`{sign}`" for sign in COMPARED)
    yield f"A comparison is a list of three: an amount, one of {signs}, an amount.\n"
    yield "## Do\n"
    for name, (_read, needed, further) in ACTIONS.items():
        more = (*further, "choose") if name == "ask" else further
        yield from _entry(name, needed, more, rules, lambda rule, key=name: _does(rule["do"], key))
    yield "## Amounts\n"
    yield "A whole number, `round`, `change`, `answer`, `chosen`, or one of these:\n"
    for name, (_read, further) in OPERATIONS.items():
        yield from _entry(name, (name,), further, rules, lambda rule, key=name: _has(rule, key))
    yield "## Who\n"
    names = ", ".join(f"`{name}`" for name in ATOMS)
    yield f"{names}; things and a choice among others:\n"
    for name, keys in {"things": ("of",), "each": ("if",)}.items():
        yield from _entry(name, (name,), keys, rules, lambda rule, key=name: _has(rule, key))
    yield "## Looks\n"
    yield ", ".join(f"`{look}`" for look in LOOKS) + ".\n"
    yield "## A definition\n"
    yield ", ".join(f"`{key}`" for key in ("title", *KEYS)) + ".\n"


def _entry(
    name: str,
    needed: tuple[str, ...],
    further: tuple[str, ...],
    rules: Rules,
    uses: Callable[[Any], bool],
) -> Iterator[str]:
    """One part of the grammar: its keys, and the shortest rule of the ready games that has it."""
    keys = ", ".join(f"`{key}`" for key in needed)
    more = ", ".join(f"`{key}`" for key in further)
    yield f"### `{name}`\n"
    yield f"Keys: {keys}{f'; may have {more}' if more else ''}.\n"
    said, rule = next(((said, rule) for said, rule in rules if uses(rule)), ("", None))
    if rule:
        written = {key: part for key, part in rule.items() if key != "says"}
        yield f"> {said}\n\n```json\n{json.dumps(written, ensure_ascii=False)}\n```\n"


def _has(written: Any, key: str) -> bool:
    """True if *key* stands anywhere in *written*."""
    if isinstance(written, dict):
        return key in written or any(_has(each, key) for each in written.values())
    return isinstance(written, list) and any(_has(each, key) for each in written)


def _does(actions: Any, name: str) -> bool:
    """True if one of *actions*, or of those in them, is of that name."""
    return any(
        name in each or _does(each.get("do", ()), name) or _does(each.get("then", ()), name)
        for each in actions
    )


# Limits: how many there may be is tried out


def _numbers(n: int) -> Json:
    return {"numbers": [{"kind": f"n{i}", "on": "player"} for i in range(n)]}


def _things(n: int) -> Json:
    return {"things": [{"type": f"t{i}"} for i in range(n)]}


def _rules(n: int) -> Json:
    tells = {"when": {"begins": "turn"}, "do": [{"tell": "x"}]}
    return {"rules": [{"rule": f"r{i}", **tells} for i in range(n)]}


def _actions(n: int) -> Json:
    return {"rules": [{"rule": "r", "when": {"begins": "turn"}, "do": [{"tell": "x"}] * n}]}


TRIED: Mapping[str, Callable[[int], Json]] = {
    "numbers": _numbers,
    "types of things": _things,
    "rules": _rules,
    "actions of a rule": _actions,
    "zones": lambda n: {"zones": [f"z{i}" for i in range(n)]},
    "phases of a turn": lambda n: {"turns": {"phases": [f"p{i}" for i in range(n)]}},
    "players": lambda n: {"players": {"most": n}},
    "letters of a title": lambda n: {"title": "x" * n},
    "letters of a rule’s name": lambda n: {
        "rules": [{"rule": "x" * n, "when": {"begins": "turn"}, "do": [{"tell": "x"}]}]
    },
    "letters of a button": lambda n: {
        "rules": [
            {"rule": "r", "when": {"pressed": "x" * n, "on": "player"}, "do": [{"tell": "x"}]}
        ]
    },
    "parts of a clock": lambda n: {
        "numbers": [{"kind": "k", "on": "table", "most": n, "look": "clock"}]
    },
    "pips": lambda n: {"numbers": [{"kind": "k", "on": "table", "most": n, "look": "pips"}]},
}


def _limits() -> Iterator[str]:
    yield "## Limits\n"
    yield "| | at most |\n|---|---|"
    for what, made in TRIED.items():
        most = next(n for n in range(1, 1000) if fault({"title": "x", **made(n + 1)}) is not None)
        yield f"| {what} | {most} |"
    yield f"| nested parts of an expression | {DEEPEST} |"
    yield f"| bytes of a definition | {LARGEST} |"
    yield f"| what rules do in one command | {MOST_FIRINGS} |"
    yield f"| holders that a command looks at | {MOST_LOOKS} |"
