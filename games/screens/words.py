"""The ids and phrases of the rules in the reader's language.

The rules use ids for phases, zones, types and verbs. A system's presentation has words for them; an
id without a word is shown as written, with spaces for dashes and underscores. A kind of counter is
shown as the game prints it in the reader's language, if it does; else as printed in English.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from django.utils.functional import SimpleLazyObject
from django.utils.html import escape
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext, pgettext

from games.rules.state import Phrase, Refused, inflected
from games.rules.system import System
from games.systems import presentation_of
from games.systems.controls import Coin
from games.systems.presentation import Presentation
from games.systems.slot_counters import Slots

if TYPE_CHECKING:
    from games.models import Game, Seat

IN_BRACES = re.compile(r"\{([a-z0-9-]+)\}")
"""A seat's id in a text of the rules; its name takes its place."""

NAMED_BY_ID = frozenset({"zone", "phase", "now"})
"""Facts in phrases that are ids of the rules."""
PHRASES = frozenset({"must", "other", "keys", "thing"})
"""Facts in phrases that may be English words."""
GAP = "……"
"""A sentence's placeholder for a fact that it does not have yet."""
SIGNS = re.compile(r"[^\s\w]+")
SIGNS_AT_END = re.compile(r"[^\s\w]+$")
MARK = "\ue000"
"""No sign of any text; around the number of a fact in a sentence."""
WORDS = re.compile(r"[^\s.,:;“”„()«»].*[^\s.,:;“”„()«»]|[^\s.,:;“”„()«»]", re.DOTALL)
"""The words of a text, without the signs around them."""


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


NO_SEATS: Mapping[str, Seat] = {}


class Words:
    """The words of one game about itself, in the language that is active, and the looks of its
    seats: what every function that words something is given, and every template as `its`.

    own: the game's presentation. seats: by id, in table order, where some are shown.
    """

    __slots__ = ("own", "seats")

    def __init__(self, own: Presentation, seats: Mapping[str, Seat] = NO_SEATS) -> None:
        self.own, self.seats = own, seats

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Words) and self.own is other.own

    def __hash__(self) -> int:
        return id(self.own)

    @property
    def slots(self) -> Slots:
        """The game's slot counters, where it has them."""
        assert self.own.slots is not None, "this game has no slot counters"
        return self.own.slots

    def own_text(self, text: str) -> str:
        """Text that people wrote in the rules of the game, in the reader's language if it is a game
        of the library; else as written. A word that has a label is read as that."""
        words = self.own.words
        text = words.labels.get(text, text)
        return in_context(words.written, text) if words.written else text

    def said(self, text: str) -> str:
        """A text of the game, be it in its code or in what people wrote."""
        words = self.own.words
        if (words.written or words.labels) and (found := self.own_text(text)) != text:
            return found
        return gettext(text) if text else text

    def word(self, name: str) -> str:
        """The game's word for *name*."""
        words = self.own.words
        if name in words.labels:
            return self.own_text(name)
        if name in words.card_types:
            return pgettext("card type", name)
        return self.said(words.names.get(name) or spaced(str(name)))

    def kind(self, name: str) -> str:
        """A kind of counter as printed in the reader's language; for another number, its word."""
        words = self.own.words
        if name in words.labels:
            return self.own_text(name)
        if word := words.numbers.get(name):
            return gettext(word)
        if name in words.counters:
            return pgettext("counter", name)
        if "_" in name:  # no counter is printed with one
            return self.word(name)
        return self.own_text(name) if words.written else name

    def coins(self) -> Mapping[str, Coin]:
        """The marks of kinds by letters, in the reader's language where their words are
        translated."""
        words = self.own.words
        return (
            _coins_in(words.coins_in, Words(self.own), get_language())
            if words.coins_in
            else words.coins
        )

    def of_kind(self, name: str) -> str:
        """A kind as it stands before "counters" in a sentence; in Spanish after it: "de veneno"."""
        shown, said = self.kind(name), name
        if not shown[:1].isalpha():
            return shown
        if name in self.own.words.counters:
            said = pgettext("before “counters”", name)
        return said if said != name else pgettext("before “counters”", "%(kind)s") % {"kind": shown}

    def counted(self, n: int, name: str) -> str:
        """The word of `kind` for so many: "one point", but "two points"."""
        one = self.own.words.singular.get(name) if abs(n) == 1 else None
        return gettext(one) if one else self.kind(name)

    def question(self, asked: str) -> str:
        """The game's name for a prompt of the kind *asked*."""
        known = self.own.words.questions.get(asked)
        return self.said(known) if known else self.word(asked)

    def unnamed(self, name: str, seat: str) -> str:
        """The text for *seat*'s object while *name* is only what a preset called it; else ""."""
        shown = self.own.new_game.unnamed.get(name)
        return gettext(shown) % {"seat": seat} if shown else ""

    def phrase(self, phrase: str) -> str:
        """A phrase of the rules in the active language."""
        if not isinstance(phrase, Phrase) or not phrase.facts:
            return self.said(phrase)
        facts = {name: self._fact(name, fact) for name, fact in phrase.facts.items()}
        return inflected(gettext(phrase.template), facts).format(**facts)

    def _fact(self, name: str, fact: Any) -> Any:
        if isinstance(fact, Phrase) or (name in PHRASES and isinstance(fact, str)):
            return self.phrase(fact)
        if name == "question":
            return self.question(fact)
        if name == "kind" and isinstance(fact, str):
            return self.of_kind(fact)
        if name in NAMED_BY_ID:
            return self.word(fact)
        return self.own_text(fact) if isinstance(fact, str) else fact

    def hued(self, phrase: str) -> SafeString:
        """A phrase in the active language, each of its kinds in the kind's hue, its gaps as
        boxes."""
        marks = {self.kind(each): mark for each, mark in self.coins().items()}
        named = "|".join(map(re.escape, sorted(marks, key=len, reverse=True)))
        at = rf"({GAP})|(?<!\w)({named})(?!\w)" if named else f"({GAP})"

        def drawn(part: str) -> str:
            if part == GAP:
                return f'<span class="gap">{GAP}</span>'
            if part not in marks:
                return escape(part)
            return f'<span class="hued" data-hue="{marks[part].hue}">{escape(part)}</span>'

        return SafeString("".join(drawn(p) for p in re.split(at, self.phrase(phrase)) if p))

    def worded(self, phrase: str) -> list[Spoken]:
        """A phrase in the active language, taken apart where its words stand for something else."""
        found: list[Spoken] = []
        for each in self._worded(phrase):
            last = found[-1] if found else None
            if last and last.place and not each.place:
                signs = SIGNS.match(each.text)
                found[-1] = last._replace(after=last.after + (signs[0] if signs else ""))
                each = each._replace(text=each.text[signs.end() :] if signs else each.text)
            elif (
                last and not last.place and each.place and (signs := SIGNS_AT_END.search(last.text))
            ):
                found[-1] = last._replace(text=last.text[: signs.start()])
                each = each._replace(before=signs[0])
            if last and not last.place and not each.place:
                found[-1] = last._replace(text=found[-1].text + each.text)
            elif each.text:
                found.append(each)
        return [each for each in found if each.text]

    def _worded(self, phrase: str) -> Iterator[Spoken]:
        place = getattr(phrase, "place", None)
        if not isinstance(phrase, Phrase) or not phrase.facts:
            yield from _around(self.said(phrase) if isinstance(phrase, Phrase) else phrase, place)
            return
        shown = {name: self._fact(name, fact) for name, fact in phrase.facts.items()}
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
                yield from self._worded(fact)
            else:
                yield self._leaf(fact, str(shown[name]))

    def _leaf(self, fact: Any, text: str) -> Spoken:
        place = getattr(fact, "place", None)
        at = "" if place is None else json.dumps(place, separators=(",", ":"))
        mark = self.coins().get(fact) if isinstance(fact, str) else None
        return Spoken(text, at, mark.hue if mark else None, text == GAP)

    def refusal(self, refused: Refused) -> str:
        """The reason for a refusal in the active language."""
        return self.phrase(refused.message)

    def refusal_facts(self, refused: Refused) -> dict[str, Any]:
        """A refusal as a page's script gets it, in the active language.

        lines: the entries that can only be undone together, if it is an undo that was refused.
        """
        facts = {"code": refused.code, "message": self.refusal(refused), "rule": refused.rule}
        lines = str(refused.facts.get("lines", ""))
        return {**facts, "lines": [int(each) for each in lines.split()]} if lines else facts

    def answer(self, value: Any) -> str:
        """The value of a house rule, as the answer to its question."""
        if type(value) is bool:
            return gettext("yes") if value else gettext("no")
        if isinstance(value, (list, tuple)):
            return ", ".join(map(str, value)) or gettext("none")
        if isinstance(value, dict):
            parts = [
                f"{self.word(key)}: {self.answer(part)}" for key, part in value.items() if part
            ]
            return "; ".join(parts) or gettext("none")
        return gettext(value) if isinstance(value, str) else str(value)


def words_of(system: System, seats: Mapping[str, Seat] = NO_SEATS) -> Words:
    """The words of *system*, at a table with these *seats*."""
    return Words(presentation_of(system), seats)


def words_at(game: Game) -> Words:
    """Those of a page about *game*, which reads its seats if it shows any."""
    return words_of(game.rules, SimpleLazyObject(lambda: game.places))  # type: ignore[arg-type]


PLAIN = Words(Presentation())
"""The words where no game is meant."""


def in_context(title: str, text: str) -> str:
    """A text of the ready game of that title in the reader's language: as its own, or as all's."""
    found = pgettext(title, text)
    return found if found != text else gettext(text)


def spaced(name: str) -> str:
    """An id as it is shown where the system has no other word for it."""
    return name.replace("-", " ").replace("_", " ")


@lru_cache(256)
def _coins_in(
    marks: Callable[[Callable[[str], str]], Mapping[str, Coin]], its: Words, language: str | None
) -> Mapping[str, Coin]:
    return marks(its.kind)


def _around(text: str, place: Any) -> Iterator[Spoken]:
    """The words between the facts of a phrase, which stand for its own place."""
    found = WORDS.search(text)
    if place is None or not found:
        yield Spoken(text)
        return
    yield Spoken(text[: found.start()])
    yield Spoken(found.group(), json.dumps(place, separators=(",", ":")))
    yield Spoken(text[found.end() :])
