"""Search by typed words: all of them, whatever their case and accents."""

from __future__ import annotations

import re
from collections.abc import Iterator
from unicodedata import combining, normalize

from django.utils.html import conditional_escape, format_html
from django.utils.safestring import SafeString, mark_safe
from msgspec import Struct

MOST = 80
"""Characters of the typed text that count."""
MINUS = str.maketrans("−–", "--")


class Words(Struct, frozen=True):
    """The words that were typed."""

    words: tuple[str, ...] = ()

    @classmethod
    def typed(cls, text: str) -> Words:
        """The words in *text*."""
        return cls(tuple(folded(text[:MOST]).split()))

    def __bool__(self) -> bool:
        return bool(self.words)

    def within(self, text: str) -> bool:
        """True if *text* contains every word."""
        there = folded(text)
        return all(word in there for word in self.words)

    def marked(self, text: str) -> SafeString:
        """*text* as HTML, with every place marked where a word stands."""
        if not self.words:
            return conditional_escape(text)
        pieces = []
        last = 0
        for start, end in self._places(text):
            pieces += [conditional_escape(text[last:start])]
            pieces += [format_html("<mark>{}</mark>", text[start:end])]
            last = end
        return mark_safe("".join([*pieces, conditional_escape(text[last:])]))

    def _places(self, text: str) -> Iterator[tuple[int, int]]:
        """The places of words in *text*; places that touch are one."""
        letters = [folded(letter) for letter in text]
        at = [place for place, letter in enumerate(letters) for _each in letter]
        pattern = "|".join(map(re.escape, sorted(self.words, key=len, reverse=True)))
        for found in re.finditer(f"(?:{pattern})+", "".join(letters)):
            yield at[found.start()], at[found.end() - 1] + 1


def folded(text: str) -> str:
    """*text* without case and accents."""
    apart = normalize("NFD", text.casefold().translate(MINUS))
    return "".join(letter for letter in apart if not combining(letter))
