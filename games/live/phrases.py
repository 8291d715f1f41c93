"""What the rules say, on its way between processes: each says it in its own reader's language."""

from __future__ import annotations

from typing import Any

from games.rules.state import Phrase


def packed(phrase: Phrase) -> list[Any]:
    """A phrase as another process gets it: its template and its facts, phrases among them."""
    return [phrase.template, {name: _packed(fact) for name, fact in phrase.facts.items()}]


def _packed(fact: Any) -> Any:
    if isinstance(fact, Phrase):
        return {"said": packed(fact)}
    return fact if type(fact) in (int, str) else str(fact)


def unpacked(said: list[Any]) -> Phrase:
    """The phrase that was packed."""
    template, facts = said
    return Phrase(template, **{name: _unpacked(fact) for name, fact in facts.items()})


def _unpacked(fact: Any) -> Any:
    return unpacked(fact["said"]) if isinstance(fact, dict) else fact
