"""The cards that a game knows by name, and finding one by what somebody types.

A game has them as the lines of a JSON file in its folder, with what is printed on each. For the
screens: nothing here decides a rule, and the list is no whitelist.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from difflib import SequenceMatcher
from importlib.resources import files
from typing import Protocol, TypeVar

import msgspec


class Named(Protocol):
    """What is found by its name."""

    @property
    def name(self) -> str: ...


Line = TypeVar("Line")
Card = TypeVar("Card", bound=Named)

NEAR = 0.75
"""The likeness of two spellings, of 1, from which one is offered for the other."""
LEAST = 4
"""Shorter words are like too many names."""


def plain(name: str) -> str:
    """*name* as a key: its letters and digits, however its spaces, commas and apostrophes are."""
    return re.sub(r"[^a-z0-9]", "", name.lower())


def lines(package: str, file: str, line: type[Line]) -> list[Line]:
    """The lines of a JSON *file* in a game's folder; a field that *line* lacks is a mistake."""
    written = files(package).joinpath(file).read_bytes()
    return msgspec.json.decode(written, type=list[line])  # type: ignore[valid-type]


class Known(dict[str, Card]):
    """The cards of a game, by plain name."""

    def __init__(self, cards: Iterable[Card]) -> None:
        super().__init__((plain(card.name), card) for card in cards)

    def called(self, name: str) -> Card | None:
        """The card of that name, however its spaces, commas and apostrophes are typed."""
        return self.get(plain(name))

    def offer(self, typed: str, most: int = 8) -> list[Card]:
        """The cards whose name contains *typed*, those that start with it first.

        If there are none, those whose name or its beginning is spelt almost so, the likest first.
        """
        wanted = plain(typed)
        if not wanted:
            return []
        inside = sorted((not key.startswith(wanted), key) for key in self if wanted in key)
        keys = [key for _, key in inside] or _near(self, wanted)
        return [self[key] for key in keys[:most]]


def _near(keys: Iterable[str], wanted: str) -> list[str]:
    if len(wanted) < LEAST:
        return []
    matcher = SequenceMatcher(b=wanted, autojunk=False)
    alike = {key: max(_ratio(matcher, key[: len(wanted)]), _ratio(matcher, key)) for key in keys}
    near = [(-ratio, key) for key, ratio in alike.items() if ratio >= NEAR]
    return [key for _, key in sorted(near)]


def _ratio(matcher: SequenceMatcher[str], key: str) -> float:
    """Their likeness; 0 if a cheap bound is below `NEAR`."""
    matcher.set_seq1(key)
    if matcher.real_quick_ratio() < NEAR or matcher.quick_ratio() < NEAR:
        return 0
    return matcher.ratio()
