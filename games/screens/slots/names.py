"""The rulebook's own names for counters and labels, in the reader's language.

A counter made from a template is stored under its English title, as in a scenario, and each screen
shows the title in its own language. Names that people typed stay as they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from django.utils.translation import gettext
from django.utils.translation import gettext_noop as later
from msgspec.structs import replace

from games.systems.stars_and_signs.counter import Counter
from games.systems.stars_and_signs.templates import TEMPLATES, TILES

LABELS = (later("Fragile"), later("Broken"))
"""Labels on the rulebook's own counters."""


def _own() -> Iterator[str]:
    for template in (*TILES.values(), *TEMPLATES.values()):
        yield template.title
    yield from LABELS


OWN = frozenset(_own())


def translated(text: str) -> str:
    """A name or a label in the reader's language, if it is one of the rulebook's own."""
    return gettext(text) if text in OWN else text


MADE_UP = re.compile(r"c\d+|c-[0-9a-f]{6}")
"""An id that the screens made. A counter without a name has its id for one; nobody reads that."""


def nameless(counter: Counter) -> bool:
    return counter.name == counter.id and MADE_UP.fullmatch(counter.id) is not None


def name_of(counter: Counter) -> str:
    """The name of *counter* in English; of one without a name, its type."""
    return TILES[counter.type].title if nameless(counter) else counter.name


def translated_counter(counter: Counter) -> Counter:
    """*counter* with its name and labels in the reader's language."""
    name = translated(name_of(counter))
    labels = {at: translated(label) for at, label in counter.thresholds.items()}
    if name == counter.name and labels == counter.thresholds:
        return counter
    return replace(counter, name=name, thresholds=labels)
