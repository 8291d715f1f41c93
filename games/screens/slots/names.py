"""The game's own names for counters and labels, in the reader's language.

A counter made from a template is stored under its English title, as in a scenario, and each screen
shows the title in its own language. Names that people typed stay as they are.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Any

from django.utils.translation import gettext
from msgspec.structs import replace

from games.rules.state import GameState
from games.screens.words import Words
from games.systems.slot_counters import Slots
from games.tracks.counter import Counter


def translated(its: Words, text: str) -> str:
    """A name or a label in the reader's language, if it is one of the game's own."""
    slots = its.slots
    if text not in _own(slots):
        return text
    return its.said(text) if slots.written else gettext(text)


@cache
def _own(slots: Slots) -> frozenset[str]:
    return slots.own


MADE_UP = re.compile(r"c\d+|c-[0-9a-f]{6}")
"""An id that the screens made. A counter without a name has its id for one; nobody reads that."""


def nameless(counter: Counter) -> bool:
    return counter.name == counter.id and MADE_UP.fullmatch(counter.id) is not None


def name_of(its: Words, counter: Counter) -> str:
    """The name of *counter* in English; of one without a name, its type."""
    return its.slots.types[counter.type].tile.title if nameless(counter) else counter.name


def translated_counter(its: Words, counter: Counter) -> Counter:
    """*counter* with its name and labels in the reader's language."""
    name = translated(its, name_of(its, counter))
    labels = {at: translated(its, label) for at, label in counter.thresholds.items()}
    if name == counter.name and labels == counter.thresholds:
        return counter
    return replace(counter, name=name, thresholds=labels)


def outcome_word(its: Words, key: str) -> str:
    """The outcome of an Action in words; as it was given, if the game has it no more."""
    known = its.slots.outcomes.get(key)
    return its.said(known.word) if known else key


def turn_shown(its: Words, state: GameState, seat: str | None) -> Mapping[str, Any] | None:
    """The turn that *seat* is shown; None without a turn order."""
    turns = its.slots.turns
    return turns.shown(state, seat) if turns else None
