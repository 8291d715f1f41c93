"""The ids and phrases of the rules in the reader's language.

The rules use ids for phases, zones, types and verbs. A system's presentation has words for them; an
id without a word is shown as written, with spaces for dashes and underscores. A kind of counter is
shown as the game prints it in the reader's language, if it does; else as printed in English.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from typing import Any, NamedTuple

from django.utils.html import escape
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext, pgettext

from games.rules.state import Phrase, Refused, inflected
from games.rules.system import System
from games.store.demos import in_context
from games.systems import presentation_of
from games.systems.controls import Coin
from games.systems.presentation import Presentation
from games.systems.wording import Wording

IN_BRACES = re.compile(r"\{([a-z0-9-]+)\}")
"""A seat's id in a text of the rules; its name takes its place."""

SPEAKING: ContextVar[Presentation | None] = ContextVar("speaking", default=None)


@contextmanager
def speaking(system: System | None) -> Iterator[None]:
    """Use the words of *system* meanwhile, as `translation.override` does for a language."""
    before = SPEAKING.set(presentation_of(system) if system else None)
    try:
        yield
    finally:
        SPEAKING.reset(before)


def spoken() -> Presentation:
    """Words of the current system about itself."""
    own = SPEAKING.get()
    assert own is not None, "no system is speaking"
    return own


def own_text(text: str) -> str:
    """Text that people wrote in the rules of the current game, in the reader's language if it is
    a game of the library; else as written. A word that has a label is read as that."""
    own = SPEAKING.get()
    text = own.words.labels.get(text, text) if own else text
    context = own.words.written if own else ""
    return in_context(context, text) if context else text


def said(text: str) -> str:
    """A text of the system that is speaking, be it in its code or in what people wrote."""
    words = own.words if (own := SPEAKING.get()) else None
    if words and (words.written or words.labels) and (found := own_text(text)) != text:
        return found
    return gettext(text) if text else text


def word_for(name: str) -> str:
    """The word for *name* in the system that is speaking."""
    own = SPEAKING.get()
    if own and name in own.words.labels:
        return own_text(name)
    if own and name in own.words.card_types:
        return pgettext("card type", name)
    known = own.words.names.get(name) if own else None
    return said(known or spaced(str(name)))


def spaced(name: str) -> str:
    """An id as it is shown where the system has no other word for it."""
    return name.replace("-", " ").replace("_", " ")


def kind(name: str) -> str:
    """A kind of counter as printed in the reader's language; for another number, its word."""
    own = SPEAKING.get()
    if own and name in own.words.labels:
        return own_text(name)
    if word := own.words.numbers.get(name) if own else None:
        return gettext(word)
    if own and name in own.words.counters:
        return pgettext("counter", name)
    if "_" in name:  # no counter is printed with one
        return word_for(name)
    return own_text(name) if own and own.words.written else name


def coin(name: str) -> Coin | None:
    """The mark of a kind, if the system that is speaking marks its kinds by letters."""
    own = SPEAKING.get()
    if own and own.words.coins_in:
        return coins(own.words).get(name)
    return own.words.coins.get(name) if own else None


def coins(words: Wording) -> Mapping[str, Coin]:
    """The marks of kinds by letters, in the reader's language where their words are translated."""
    return _coins_in(words.coins_in, get_language()) if words.coins_in else words.coins


@lru_cache(256)
def _coins_in(
    marks: Callable[[Callable[[str], str]], Mapping[str, Coin]], language: str | None
) -> Mapping[str, Coin]:
    return marks(kind)


def of_kind(name: str) -> str:
    """A kind as it stands before "counters" in a sentence; in Spanish after it: "de veneno"."""
    shown, own = kind(name), SPEAKING.get()
    if not shown[:1].isalpha():
        return shown
    said = name
    if own and name in own.words.counters:
        said = pgettext("before “counters”", name)
    return said if said != name else pgettext("before “counters”", "%(kind)s") % {"kind": shown}


def counted(n: int, name: str) -> str:
    """The word of `kind` for so many: "one point", but "two points"."""
    own = SPEAKING.get()
    one = own.words.singular.get(name) if own and abs(n) == 1 else None
    return gettext(one) if one else kind(name)


def question(asked: str) -> str:
    """The current system's name for a prompt of the kind *asked*."""
    own = SPEAKING.get()
    known = own.words.questions.get(asked) if own else None
    return said(known) if known else word_for(asked)


def unnamed(name: str, seat: str) -> str:
    """The text for *seat*'s object while *name* is only what a preset called it; else ""."""
    own = SPEAKING.get()
    shown = own.new_game.unnamed.get(name) if own else None
    return gettext(shown) % {"seat": seat} if shown else ""


NAMED_BY_ID = frozenset({"zone", "phase", "now"})
"""Facts in phrases that are ids of the rules."""
PHRASES = frozenset({"must", "other", "keys", "thing"})
"""Facts in phrases that may be English words."""


def phrase_text(phrase: str) -> str:
    """A phrase of the rules in the active language."""
    if not isinstance(phrase, Phrase) or not phrase.facts:
        return said(phrase)
    facts = {name: _fact(name, fact) for name, fact in phrase.facts.items()}
    return inflected(gettext(phrase.template), facts).format(**facts)


def _fact(name: str, fact: Any) -> Any:
    if isinstance(fact, Phrase) or (name in PHRASES and isinstance(fact, str)):
        return phrase_text(fact)
    if name == "question":
        return question(fact)
    if name == "kind" and isinstance(fact, str):
        return of_kind(fact)
    if name in NAMED_BY_ID:
        return word_for(fact)
    return own_text(fact) if isinstance(fact, str) else fact


GAP = "……"
"""A sentence's placeholder for a fact that it does not have yet."""


def hued(phrase: str) -> SafeString:
    """A phrase in the active language, each of its kinds in the kind's hue, its gaps as boxes."""
    own, text = SPEAKING.get(), phrase_text(phrase)
    marks = {kind(each): mark for each, mark in coins(own.words).items()} if own else {}
    named = "|".join(map(re.escape, sorted(marks, key=len, reverse=True)))
    parts = re.split(rf"({GAP})|(?<!\w)({named})(?!\w)" if named else f"({GAP})", text)

    def drawn(part: str) -> str:
        if part == GAP:
            return f'<span class="gap">{GAP}</span>'
        if part not in marks:
            return escape(part)
        return f'<span class="hued" data-hue="{marks[part].hue}">{escape(part)}</span>'

    return SafeString("".join(drawn(part) for part in parts if part))


class Spoken(NamedTuple):
    """Words of a sentence. place: what they stand for, as JSON; "" if they only join others.

    before, after: signs that no line may part from them.
    """

    text: str
    place: str = ""
    hue: int | None = None
    gap: bool = False
    before: str = ""
    after: str = ""


def worded(phrase: str) -> list[Spoken]:
    """A phrase in the active language, taken apart where its words stand for something else."""
    found: list[Spoken] = []
    for each in _worded(phrase):
        last = found[-1] if found else None
        if last and last.place and not each.place:
            signs = SIGNS.match(each.text)
            found[-1] = last._replace(after=last.after + (signs[0] if signs else ""))
            each = each._replace(text=each.text[signs.end() :] if signs else each.text)
        elif last and not last.place and each.place and (signs := SIGNS_AT_END.search(last.text)):
            found[-1] = last._replace(text=last.text[: signs.start()])
            each = each._replace(before=signs[0])
        if last and not last.place and not each.place:
            found[-1] = last._replace(text=found[-1].text + each.text)
        elif each.text:
            found.append(each)
    return [each for each in found if each.text]


SIGNS = re.compile(r"[^\s\w]+")
SIGNS_AT_END = re.compile(r"[^\s\w]+$")


def _worded(phrase: str) -> Iterator[Spoken]:
    place = getattr(phrase, "place", None)
    if not isinstance(phrase, Phrase) or not phrase.facts:
        yield from _around(said(phrase) if isinstance(phrase, Phrase) else phrase, place)
        return
    shown = {name: _fact(name, fact) for name, fact in phrase.facts.items()}
    names = [*phrase.facts]
    template = inflected(gettext(phrase.template), shown)
    text = template.format(**{name: f"{MARK}{n}{MARK}" for n, name in enumerate(names)})
    for n, part in enumerate(text.split(MARK)):
        if n % 2 == 0:
            yield from _around(part, place)
            continue
        name = names[int(part)]
        fact = phrase.facts[name]
        if isinstance(fact, Phrase):
            yield from _worded(fact)
        else:
            yield _leaf(fact, str(shown[name]))


MARK = "\ue000"
"""No sign of any text; around the number of a fact in a sentence."""
WORDS = re.compile(r"[^\s.,:;“”„()«»].*[^\s.,:;“”„()«»]|[^\s.,:;“”„()«»]", re.DOTALL)
"""The words of a text, without the signs around them."""


def _around(text: str, place: Any) -> Iterator[Spoken]:
    """The words between the facts of a phrase, which stand for its own place."""
    found = WORDS.search(text)
    if place is None or not found:
        yield Spoken(text)
        return
    yield Spoken(text[: found.start()])
    yield Spoken(found.group(), json.dumps(place, separators=(",", ":")))
    yield Spoken(text[found.end() :])


def _leaf(fact: Any, text: str) -> Spoken:
    own, place = SPEAKING.get(), getattr(fact, "place", None)
    at = "" if place is None else json.dumps(place, separators=(",", ":"))
    mark = coins(own.words).get(fact) if own and isinstance(fact, str) else None
    return Spoken(text, at, mark.hue if mark else None, text == GAP)


def refusal_text(refused: Refused) -> str:
    """The reason for a refusal in the active language."""
    return phrase_text(refused.message)


def refusal_facts(refused: Refused) -> dict[str, Any]:
    """A refusal as a page's script gets it, in the active language.

    lines: the entries that can only be undone together, if it is an undo that was refused.
    """
    facts = {"code": refused.code, "message": refusal_text(refused), "rule": refused.rule}
    lines = str(refused.facts.get("lines", ""))
    return {**facts, "lines": [int(each) for each in lines.split()]} if lines else facts


def answer_text(value: Any) -> str:
    """The value of a house rule, as the answer to its question."""
    if type(value) is bool:
        return gettext("yes") if value else gettext("no")
    if isinstance(value, (list, tuple)):
        return ", ".join(map(str, value)) or gettext("none")
    if isinstance(value, dict):
        parts = [f"{word_for(key)}: {answer_text(part)}" for key, part in value.items() if part]
        return "; ".join(parts) or gettext("none")
    return gettext(value) if isinstance(value, str) else str(value)
