"""Reads the JSON of a definition, and says where its first fault is.

A fault is a place, `rules[3].do[0].of`. A map's own fault (a key that is missing or unknown) comes
before everything in it; then keys are read in the order in which docs/OWN-GAMES.md lists them, and
lists by index.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, TypeVar

from games.rules.input import UNPRINTABLE

T = TypeVar("T")
Reader = Callable[[Any, str], T]
"""Reads a JSON value at a place. Raises Fault."""

SIX_DIGITS = 999_999
PATTERN = r"^(?![/'.: ])[a-z0-9 +\-/'.:]{1,40}(?<! )$"
WORD = re.compile(PATTERN).fullmatch
"""Names of numbers, types, zones, phases and printed values: the kinds of docs/COMMANDS.md."""


class Fault(ValueError):
    """A definition cannot be played.

    place: where its first fault is; "" is the whole of it. stray: the key there that is unknown.
    """

    def __init__(self, place: str, stray: str = "") -> None:
        super().__init__(place)
        self.place, self.stray = place, stray


def inside(place: str, key: str) -> str:
    """The place of *key* in the map at *place*."""
    return f"{place}.{key}" if place else key


def listed(
    value: Any, place: str, read: Reader[T], least: int, most: int, *, different: bool = False
) -> tuple[T, ...]:
    """*value* as a list of *least* to *most*. different: none may be there twice."""
    if type(value) is not list or not least <= len(value) <= most:
        raise Fault(place)
    found: list[T] = []
    for index, item in enumerate(value):
        here = f"{place}[{index}]"
        one = read(item, here)
        if different and one in found:
            raise Fault(here)
        found.append(one)
    return tuple(found)


def whole(least: int, most: int) -> Reader[int]:
    """A whole number from *least* to *most*; true and 2.0 are none."""

    def read(value: Any, place: str) -> int:
        if type(value) is int and least <= value <= most:
            return value
        raise Fault(place)

    return read


def text(most: int = 200) -> Reader[str]:
    """1 to *most* characters, without control characters and spaces at either end."""

    def read(value: Any, place: str) -> str:
        if not isinstance(value, str) or not 1 <= len(value) <= most:
            raise Fault(place)
        if UNPRINTABLE.search(value) or value != value.strip():
            raise Fault(place)
        return value

    return read


def word(value: Any, place: str) -> str:
    """A word that names something."""
    if type(value) is str and WORD(value):
        return value
    raise Fault(place)


def flag(value: Any, place: str) -> bool:
    """True or false."""
    if type(value) is bool:
        return value
    raise Fault(place)
