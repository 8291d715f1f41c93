"""What the rulebook itself calls things, in the reader's language.

A template's counter is stored under its English title, as a scenario writes it, and is read on each
screen in that screen's language. What people wrote themselves is left alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from django.utils.translation import gettext
from django.utils.translation import gettext_noop as later

from games.systems.stars_and_signs.counter import Counter
from games.systems.stars_and_signs.templates import TEMPLATES, TILES

LABELS = (later("Fragile"), later("Broken"))
"""The labels of the rulebook's own counters."""


def _own() -> Iterator[str]:
    for template in (*TILES.values(), *TEMPLATES.values()):
        yield template.title
    yield from LABELS


OWN = frozenset(_own())


def said(text: str) -> str:
    """A name or a label as it is read: a word of the rulebook's own is put into the language."""
    return gettext(text) if text in OWN else text


def named(counter: Counter) -> Counter:
    """*counter* with its name and its labels as they are read."""
    name = said(counter.name)
    labels = {at: said(label) for at, label in counter.thresholds.items()}
    if name == counter.name and labels == counter.thresholds:
        return counter
    return replace(counter, name=name, thresholds=labels)
