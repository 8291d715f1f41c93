"""Parts of a screen, and the frame that leads from some of them to others.

What draws returns parts. A part says what it shows apart from drawing it, so two states are
compared by facts, and only what differs is drawn: the innermost part.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from operator import ne
from types import MappingProxyType
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from games.screens.fragments import DELETE, MORPH, OOB, amount, amount_id
from games.systems.controls import Stepper


class Part(Struct, frozen=True):
    """An element with an id.

    facts: all that it shows besides the parts within. A number in them (`Stepper`), by itself or in
    tuples, has an element of its own. draw: its HTML. within: by id, in order; None for one that
    nothing has changed of. how: it is swapped.
    """

    id: str
    facts: Any = None
    draw: Callable[[], str] = str
    within: Mapping[str, Part | None] = MappingProxyType({})
    how: str = MORPH


class Several(Part, frozen=True):
    """Elements that stand for the same, and are no element together."""


nothing = lru_cache(maxsize=1_024)(Part)
"""A part of a screen that the game does without, by its id."""


def once(draw: Callable[[], str], kept: list[str]) -> str:
    """What *draw* draws the first time, *kept* from then on."""
    if not kept:
        kept.append(draw())
    return kept[0]


def frame(before: Iterable[Part], after: Iterable[Part]) -> str:
    """The fragments that make a screen of the parts *after* of one of those *before*."""
    known, differences = {part.id: part for part in before}, Differences()
    for part in after:
        differences.add(known.get(part.id), part)
    return "".join([*differences.gone.values(), *differences.drawn.values()])


class Differences:
    """The fragments of the innermost parts that differ, each once. gone: those that take one away;
    they come first, for it may be elsewhere."""

    def __init__(self) -> None:
        self.gone: dict[str, str] = {}
        self.drawn: dict[str, str] = {}

    def add(self, was: Part | None, now: Part) -> None:
        """Add what differs between two parts of one id."""
        if was is now:
            return
        numbers: list[Stepper] = []
        if (
            was is None
            or (was.facts != now.facts and not alike(was.facts, now.facts, numbers))
            or ([*was.within] != [*now.within] and not self._fewer(was, now))
        ):
            self._draw(now)
            return
        for each in numbers:
            key = amount_id(each.holder, each.kind)
            self.drawn[key] = amount(each.holder, each.kind, each.amount, OOB)
        for key, part in now.within.items():
            if part is not None and part is not (last := was.within[key]):
                if part.within or last is None or part.facts != last.facts:
                    self.add(last, part)

    def _draw(self, part: Part) -> None:
        if isinstance(part, Several):
            for each in part.within.values():
                if each is not None:
                    self._draw(each)
        elif html := part.draw():
            self.drawn[part.id] = swapped(html, part.how)

    def _fewer(self, was: Part, now: Part) -> bool:
        """True if nothing differs between the ids within but that some are gone."""
        if [key for key in was.within if key in now.within] != [*now.within]:
            return False
        for key in was.within:
            if key not in now.within:
                self.gone[key] = f'<b id="{key}"{DELETE}></b>'
        return True


def swapped(html: str, how: str) -> str:
    """An element that takes the place of the one with its id. how: `MORPH` or `OOB`."""
    return html.replace(">", f"{how}>", 1)


def alike(was: Any, now: Any, numbers: list[Stepper]) -> bool:
    """True if two facts that differ do so in nothing but amounts; these *numbers* are added."""
    if type(was) is not type(now):
        return False
    if type(now) is Stepper:
        numbers.append(now)
        return bool(replace(was, amount=now.amount) == now)
    return (
        type(now) is tuple
        and len(was) == len(now)
        and all(not ne(*pair) or alike(*pair, numbers) for pair in zip(was, now, strict=True))
    )
