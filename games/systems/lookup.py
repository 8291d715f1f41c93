"""Finding a card by what somebody types: the names that contain it, else those spelt nearly so."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from difflib import SequenceMatcher
from typing import TypeVar

Card = TypeVar("Card")

NEAR = 0.75
"""The likeness of two spellings, of 1, from which one is offered for the other."""
LEAST = 4
"""Shorter words are like too many names."""


def plain(name: str) -> str:
    """*name* as a key: its letters and digits, however its spaces, commas and apostrophes are."""
    return re.sub(r"[^a-z0-9]", "", name.lower())


def found(cards: Mapping[str, Card], typed: str, most: int) -> list[Card]:
    """The *cards* (by plain name) whose name contains *typed*, those that start with it first.

    If there are none, those whose name or its beginning is spelt almost so, the likest first.
    """
    wanted = plain(typed)
    if not wanted:
        return []
    inside = sorted((not key.startswith(wanted), key) for key in cards if wanted in key)
    keys = [key for _, key in inside] or _near(cards, wanted)
    return [cards[key] for key in keys[:most]]


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
