"""The JSON of a definition whose parts know their place, and sentences that keep those places.

`placed` gives the same values, each with the keys and indexes that lead to it; a null is a gap. A
sentence made of them knows for every word which place it stands for.
"""

from __future__ import annotations

from typing import Any, Self, TypeVar

from games.rules.state import Phrase

from .grammar import Json, Place

GAP = "……"
"""The word for what is missing."""


class Placed:
    """A value at a place."""

    place: Place


class Map(dict[str, Any], Placed):
    """A map at a place."""


class List(list[Any], Placed):
    """A list at a place."""


class Word(str, Placed):
    """A word at a place."""


class Whole(int, Placed):
    """A whole number at a place."""


class Gap(Word):
    """A place where something is missing."""


class Part(Phrase, Placed):
    """A phrase that stands for a place: its own words are those of the place itself."""

    @classmethod
    def of(cls, phrase: Phrase, place: Place) -> Self:
        made = cls(phrase.template, **phrase.facts)
        made.place = place
        return made


def placed(value: Json, place: Place) -> Any:
    """*value* with the place of each of its parts; flags are too small to know theirs."""
    made: Any
    if value is None:
        made = Gap(GAP)
    elif isinstance(value, dict):
        made = Map({key: placed(part, (*place, key)) for key, part in value.items()})
    elif isinstance(value, list):
        made = List(placed(part, (*place, index)) for index, part in enumerate(value))
    elif isinstance(value, str):
        made = Word(value)
    elif type(value) is int:
        made = Whole(value)
    else:
        return value
    made.place = place
    return made


def opposite(number: int) -> int:
    """*number* below 0 as it is said where it is taken."""
    if not isinstance(number, Placed):
        return -number
    made = Whole(-number)
    made.place = number.place
    return made


Said = TypeVar("Said")


def at(value: Json, said: Said) -> Said | Part:
    """*said*, as the words for the place of *value*; a part of it that has one keeps it."""
    if isinstance(value, Placed) and isinstance(said, Phrase) and not isinstance(said, Part):
        return Part.of(said, value.place)
    return said


def spot(holder: Json, key: str, said: Phrase) -> Phrase:
    """*said*, as the words for what stands under a key of *holder*."""
    return Part.of(said, (*holder.place, key)) if isinstance(holder, Placed) else said


def missing(value: Json) -> bool:
    return value is None or isinstance(value, Gap)
