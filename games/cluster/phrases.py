"""Phrases of the rules, serialised between processes and translated only for the reader."""

from __future__ import annotations

from typing import Any

from games.rules.state import Phrase


def packed(phrase: Phrase) -> list[Any]:
    """*phrase* as data: its template and its facts, which may be phrases themselves."""
    return [phrase.template, {name: _packed(fact) for name, fact in phrase.facts.items()}]


def _packed(fact: Any) -> Any:
    if isinstance(fact, Phrase):
        return {"phrase": packed(fact)}
    return fact if type(fact) in (int, str) else str(fact)


def unpacked(data: list[Any]) -> Phrase:
    """The phrase that `packed` made *data* of."""
    template, facts = data
    return Phrase(template, **{name: _unpacked(fact) for name, fact in facts.items()})


def _unpacked(fact: Any) -> Any:
    return unpacked(fact["phrase"]) if isinstance(fact, dict) else fact
