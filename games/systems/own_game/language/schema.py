"""The language as a JSON Schema, with its sentences as descriptions.

An editor, a script or an assistant that keeps to it writes definitions that are read but for what
no schema can say: names that the definition itself gives, and laws between several places.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import UNSET

from .definition import understood
from .forms import GRAMMAR
from .grammar import Form, Grammar, Key, Sort
from .saying import Saying
from .sorts import of

DIALECT = "https://json-schema.org/draft/2020-12/schema"


def schema(grammar: Grammar = GRAMMAR) -> Mapping[str, Any]:
    """The schema of a definition."""
    return {
        "$schema": DIALECT,
        "title": "A game with its own rules",
        **of("definition"),
        "$defs": {name: _sort(name, sort) for name, sort in grammar.sorts.items()},
    }


def _sort(name: str, sort: Sort) -> Mapping[str, Any]:
    plain = [sort.schema] if sort.schema else []
    ways = [*plain, *(_form(name, form) for form in sort.forms)]
    return ways[0] if len(ways) == 1 else {"anyOf": ways}


def _form(sort: str, form: Form) -> Mapping[str, Any]:
    needed = [name for name, key in form.keys.items() if key.usual is UNSET]
    says = sentence(sort, form)
    return {
        "type": "object",
        **({"description": says} if says else {}),
        "properties": {name: _key(key) for name, key in form.keys.items()},
        "required": needed,
        "additionalProperties": False,
    }


def _key(key: Key) -> Mapping[str, Any]:
    usual = {} if key.usual is UNSET or key.usual is None else {"default": key.usual}
    if key.many is None:
        return {**of(key.sort), **usual}
    least, most = key.many
    different = {"uniqueItems": True} if key.different else {}
    items = {"type": "array", "items": of(key.sort), "minItems": least, "maxItems": most}
    return {**items, **different, **usual}


def sentence(sort: str, form: Form) -> str:
    """The sentence of a form, with a gap wherever something must be said; "" if it has none."""
    gaps = {
        name: [None] * min(2, key.many[1]) if key.many else None
        for name, key in form.keys.items()
        if key.usual is UNSET or key.sort == "who"
    }
    if sort not in SAID:
        return ""
    rule = {"when": gaps, "if": None, "do": [None]} if sort == "when" else {}
    saying = Saying(understood({"title": "A game"}), rule)
    return str(saying.of_sort(sort, gaps) or saying.whole())


SAID = ("who", "amount", "condition", "action", "when", "cost")
"""The sorts whose forms have sentences."""
