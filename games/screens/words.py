"""The rules' own words as people say them, in their language.

The rules speak in ids ("wake-up", "enlighten"). How a system says its ids is in its presentation;
an id without a word is said as it is written, with blanks for dashes and underscores. Kinds of
counters are always shown as printed.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from django.utils.translation import gettext

from games.rules.state import Phrase, Refused
from games.rules.system import System
from games.systems import presentation_of

_SPEAKING: ContextVar[System | None] = ContextVar("speaking", default=None)


@contextmanager
def speaking(system: System | None) -> Iterator[None]:
    """Say words as *system* does meanwhile, as `translation.override` does for the language."""
    before = _SPEAKING.set(system)
    try:
        yield
    finally:
        _SPEAKING.reset(before)


def spoken(name: str) -> str:
    """*name* as it is said by the system that is speaking."""
    system = _SPEAKING.get()
    known = presentation_of(system).words.get(name) if system else None
    return gettext(known) if known else str(name).replace("-", " ").replace("_", " ")


def kind(name: str) -> str:
    """A kind of counter as printed, or the word for a number that is none."""
    system = _SPEAKING.get()
    word = presentation_of(system).numbers.get(name) if system else None
    return gettext(word) if word else name


def question(asked: str) -> str:
    """How a prompt of the kind *asked* is called by the system that is speaking."""
    system = _SPEAKING.get()
    known = presentation_of(system).questions.get(asked) if system else None
    return gettext(known) if known else spoken(asked)


NAMED_BY_ID = frozenset({"zone", "phase", "now"})
"""Facts of the rules' phrases that are ids of the rules."""
PHRASES = frozenset({"must", "other", "keys", "thing"})
"""Facts of the rules' phrases that may be English words themselves."""


def phrase_text(phrase: str) -> str:
    """What the rules say, in the language that is active: any word that stands in their code."""
    if not isinstance(phrase, Phrase) or not phrase.facts:
        return gettext(phrase) if phrase else ""
    facts = {name: _fact(name, fact) for name, fact in phrase.facts.items()}
    return gettext(phrase.template).format(**facts)


def _fact(name: str, fact: Any) -> Any:
    if isinstance(fact, Phrase) or (name in PHRASES and type(fact) is str):
        return phrase_text(fact)
    if name == "question":
        return question(fact)
    return spoken(fact) if name in NAMED_BY_ID else fact


def refusal_text(refused: Refused) -> str:
    """Why something was refused, in the language that is active."""
    return phrase_text(refused.message)


def answer_text(value: Any) -> str:
    """What a house rule is set to, as its question is answered."""
    if type(value) is bool:
        return gettext("yes") if value else gettext("no")
    if isinstance(value, (list, tuple)):
        return ", ".join(map(str, value)) or gettext("none")
    return gettext(value) if isinstance(value, str) else str(value)
