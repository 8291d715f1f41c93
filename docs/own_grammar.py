"""The grammar of own games as a page, made of the table that reads it, the ready games that use it
and the sentences that the table says of them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from msgspec import UNSET

from games.systems.own_game import fault
from games.systems.own_game.chain import MOST_FIRINGS
from games.systems.own_game.holders import MOST_LOOKS
from games.systems.own_game.language.definition import LARGEST, understood
from games.systems.own_game.language.forms import GRAMMAR
from games.systems.own_game.language.grammar import DEEPEST, Form
from games.systems.own_game.language.meaning import COMPARED
from games.systems.own_game.language.saying import sentence
from games.systems.own_game.language.schema import sentence as gapped

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


TITLES: Mapping[str, str] = {
    "when": "When",
    "condition": "If",
    "action": "Do",
    "amount": "Amounts",
    "who": "Who",
    "cost": "Costs",
    "rule": "Rules",
    "number": "Numbers",
    "thing": "Things",
    "definition": "A definition",
}
"""The sorts that are shown, and what each is called."""


def _parts(rules: Rules) -> Iterator[str]:
    for sort, title in TITLES.items():
        meant = GRAMMAR.sorts[sort]
        yield f"## {title}\n"
        if plain := _words(meant.schema or {}):
            yield f"{plain}\n"
        for form in meant.forms:
            yield from _entry(sort, form, rules)


def _words(schema: Json) -> str:
    """What may stand there besides forms."""
    if "enum" in schema:
        return ", ".join(f"`{each}`" for each in schema["enum"]) + "."
    if "prefixItems" in schema:
        signs = ", ".join(f"`{sign}`" for sign in COMPARED)
        return f"A list of three: an amount, one of {signs}, an amount."
    words = [_words(each) for each in schema.get("anyOf", ()) if "enum" in each]
    return " ".join(["A whole number, or one of these words:", *words]) if words else ""


def _entry(sort: str, form: Form, rules: Rules) -> Iterator[str]:
    """A form: its sentence, its keys, and the shortest rule of the ready games that has it."""
    needed = ", ".join(f"`{key}`" for key, each in form.keys.items() if each.usual is UNSET)
    more = ", ".join(f"`{key}`" for key, each in form.keys.items() if each.usual is not UNSET)
    yield f"### `{form.head}`\n"
    if says := gapped(sort, form):
        yield f"*{says}*\n"
    yield f"Keys: {needed}{f'; may have {more}' if more else ''}.\n"
    said, rule = next(((said, rule) for said, rule in rules if _uses(rule, sort, form)), ("", None))
    if rule and sort != "rule":
        written = {key: part for key, part in rule.items() if key != "says"}
        yield f"> {said}\n\n```json\n{json.dumps(written, ensure_ascii=False)}\n```\n"


def _uses(rule: Json, sort: str, form: Form) -> bool:
    """True if the form stands anywhere in the rule."""
    return any(
        found == sort and GRAMMAR.form(sort, value) is form
        for _place, found, value in GRAMMAR.walk("rule", rule)
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
