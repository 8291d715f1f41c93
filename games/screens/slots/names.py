"""The game's own names for counters and labels, in the reader's language.

A counter made from a template is stored under its English title, as in a scenario, and each screen
shows the title in its own language. Names that people typed stay as they are.
"""

from __future__ import annotations

import re
from functools import cache

from django.utils.translation import gettext
from msgspec.structs import replace

from games.screens.slots.current_game import its
from games.screens.words import said
from games.systems.slot_counters import Slots
from games.tracks.counter import Counter


def translated(text: str) -> str:
    """A name or a label in the reader's language, if it is one of the game's own."""
    slots = its()
    if text not in _own(slots):
        return text
    return said(text) if slots.written else gettext(text)


@cache
def _own(slots: Slots) -> frozenset[str]:
    return slots.own


MADE_UP = re.compile(r"c\d+|c-[0-9a-f]{6}")
"""An id that the screens made. A counter without a name has its id for one; nobody reads that."""


def nameless(counter: Counter) -> bool:
    return counter.name == counter.id and MADE_UP.fullmatch(counter.id) is not None


def name_of(counter: Counter) -> str:
    """The name of *counter* in English; of one without a name, its type."""
    return its().types[counter.type].tile.title if nameless(counter) else counter.name


def translated_counter(counter: Counter) -> Counter:
    """*counter* with its name and labels in the reader's language."""
    name = translated(name_of(counter))
    labels = {at: translated(label) for at, label in counter.thresholds.items()}
    if name == counter.name and labels == counter.thresholds:
        return counter
    return replace(counter, name=name, thresholds=labels)
