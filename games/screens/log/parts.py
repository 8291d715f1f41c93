"""Parts of the log's lines: a sentence with its number, and the names in it.

Of several cards or players: "22 creatures to exile".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from operator import attrgetter
from typing import Any

from django.utils.text import capfirst, get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from msgspec import Struct
from msgspec.structs import replace

from games.rules.state import CEASED, GameObject, GameState, inflected
from games.rules.system import System
from games.screens import view_models
from games.screens.words import IN_BRACES, PLAIN, Words, words_of
from games.systems import presentation_of

A_WORD = re.compile(r"[a-z]+(?:[-_][a-z]+)*").fullmatch
"""A system's text for an id of its own: a zone, a choice, a condition."""
ANY = "{#}"
ANY_FORM = "{#|"
TIMES = "{×}"


class Part(Struct, frozen=True):
    """One event in a line.

    words: the sentence, with "{#}" in place of its number, so that quick taps can be added up, and
    "{×}" after the name of the object that it is about.
    times: of how many objects of that name it tells the same.
    rule: the number of the rule that caused it; why: the text of that rule.
    holder, number: whose number went from `before` to `after`, and which; on: its holder's name.
    aside: it says only with what the rest was done, such as dice or a question.
    note: what the log says of it besides, in brackets. because: what made it happen, if it happened
    by itself: "life 0 after 3 debuff".
    """

    words: str
    n: int | None = None
    before: int | None = None
    after: int | None = None
    rule: str = ""
    why: str = ""
    holder: str = ""
    number: str = ""
    on: str = ""
    times: int = 1
    aside: bool = False
    note: str = ""
    because: str = ""
    its: Words = PLAIN
    """For the name of its number."""
    acts: bool = False
    """True if its words continue the name of who acted: "took back line 3"."""

    def named(self, names: Mapping[str, str]) -> Part:
        """The part with names in place of the seats' ids in braces. Names change: this is last."""
        words, on, because = (
            IN_BRACES.sub(lambda found: names.get(found[1], found[0]), text)
            for text in (self.words, self.on, self.because)
        )
        return replace(self, words=words, on=on, because=because)

    @property
    def plain(self) -> str:
        """The event without brackets: "Squire died"."""
        return self.counting(f"{self.n}")

    def counting(self, n: str) -> str:
        """The event with *n* in place of the number."""
        words = self.words
        if self.n == 0 and self.on:  # taps that took each other back
            kind = capfirst(self.its.kind(self.number))
            words = _("%(kind)s on %(on)s as before") % {"kind": kind, "on": self.on}
        elif self.n is not None:
            words = inflected(words.replace(ANY_FORM, "{n|"), {"n": self.n})
        return words.replace(ANY, n).replace(TIMES, times(self.times))

    @property
    def text(self) -> str:
        """The event: "Squire died (lost 1 debuff)"."""
        return f"{self.plain} ({self.note})" if self.note else self.plain

    @property
    def full_text(self) -> str:
        """All that the log says: "2 debuff on Squire, 0 → 2"."""
        said = f"{self.text}, {self.change}" if self.change else self.text
        return f"{said}: {self.because}" if self.because else said

    @property
    def aloud(self) -> str:
        """The event as a player would say it: "Squire died: life 0 after 3 debuff"."""
        return f"{self.plain}: {self.because}" if self.because else self.plain

    @property
    def change(self) -> str:
        """The number before and after; "" if it is about none."""
        if self.after is None:
            return ""
        ends = (None if self.n == 0 else self.before, self.after)
        shown = [f"{n}".replace("-", "−") for n in ends if n is not None]
        return " → ".join(shown)


def news_of(parts: tuple[Part, ...]) -> tuple[Part, ...]:
    """What is read of a line across the room."""
    return (tuple(each for each in parts if not each.aside) or parts)[:3]


def times(n: int) -> str:
    """The number of like cards: " ×20"; nothing for one."""
    return f" ×{n}" if n > 1 else ""


def signed(n: int) -> str:
    """*n* with its sign: "−3", "+2"."""
    return f"{'−' if n < 0 else '+' if n else '±'}{abs(n)}"


def counters(its: Words, n: str, counter: str) -> str:
    """So many counters: "2 debuff", but "2 × +1/+1", so that two signs never meet.

    n: a number, perhaps with its sign, or "{#}" for one that is not known yet.
    """
    shown = its.counted(0 if n == ANY else int(n.lstrip("+−±-")), counter)
    if n == ANY and (one := its.counted(1, counter)) != shown:
        return f"{n} {{#|{one}|{shown}}}"
    return f"{n} {shown}" if shown[:1].isalpha() else f"{n} × {shown}"


def namer(its: Words, before: GameState, after: GameState) -> Callable[[Any], str]:
    """The name of an object, a seat or a word in a sentence; seats are ids in braces."""
    return partial(_name, its, before, after)


def _name(its: Words, before: GameState, after: GameState, each: Any) -> str:
    if isinstance(each, list):
        return get_text_list([_name(its, before, after, one) for one in each], _("and"))
    obj = after.objects.get(each) or before.objects.get(each)
    if obj:
        state = after if obj.id in after.objects else before
        name = view_models.token_name(its, obj) if obj.token else obj.name
        plain = replace(obj, name=name.replace("{", "(").replace("}", ")"))
        return view_models.distinct_name(its, state, plain, "{" + view_models.keeper(obj) + "}")
    word = str(each)
    if word.startswith("team:") and (team := after.teams.get(word.removeprefix("team:"))):
        return " + ".join(_name(its, before, after, seat) for seat in team.seats)
    if word in after.seats:
        return "{" + word + "}"
    return its.word(word) if A_WORD(word) else word


def called(system: System, cards: Sequence[GameObject]) -> Iterator[str]:
    """Names for *cards*, the most specific first: a name, "Zombie ×20", "22 creatures"."""
    own, names = presentation_of(system), set(map(attrgetter("name"), cards))
    if len(names) == 1:
        yield f"{names.pop()}{times(len(cards))}"
    for sort, word in own.words.sorts.items():
        if all(sort in (*getattr(card, "types", ()), card.zone) for card in cards):
            yield f"{len(cards)} {_(word)}"
    yield f"{len(cards)} {_(own.words.counted_as[len(cards) != 1])}"
    yield ngettext("%(n)s card", "%(n)s cards", len(cards)) % {"n": len(cards)}


def players(n: int) -> str:
    return ngettext("%(n)s player", "%(n)s players", n) % {"n": n}


def sent(system: System, cards: Sequence[GameObject], ends: Sequence[str]) -> str:
    """A move in words: "22 creatures to the graveyard".

    ends: the zones they went to. Of tokens among other cards, people say the same.
    """
    zones = [end for end in ends if end != CEASED]
    to = max(zones, key=zones.count) if zones else CEASED
    if where := presentation_of(system).words.into.get(to):
        words = _(where)
    elif to == CEASED:
        words = _("gone")
    else:
        words = _("to %(zone)s") % {"zone": words_of(system).word(to)}
    return f"{next(called(system, cards))} {words}"
