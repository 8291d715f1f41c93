"""Creatures: their power, toughness and keywords, with what counters and effects make of them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from typing import Any, ClassVar

from msgspec.structs import replace

from games.rules.state import GameObject, GameState
from games.rules.system import System, cites

from . import player
from .player import POWER_AND_TOUGHNESS, Card, commander_tax
from .replacement_effects import (
    GIVEN,
    IT,
    SELF,
    Standing,
    alike,
    counted,
    number,
    reaches,
    standings,
    you,
)
from .tokens import NON, is_a

CHANGE = re.compile(r"([+-]\d{1,6})/([+-]\d{1,6})").fullmatch


class Lords:
    """What stands and is about creatures, in one state. Of a thousand creatures and two hundred
    abilities, like ones are looked up once."""

    last: ClassVar[Lords | None] = None

    def __init__(self, state: GameState) -> None:
        self.state = state
        found = [one for one in standings(state) if one.for_creatures]
        self._all = [one for one in found if one.of != SELF]
        self._own: dict[str | None, list[Standing]] = {}
        for one in found:
            if one.others or one.of == SELF:
                self._own.setdefault(one.object, []).append(one)
        self._by_counters = any(one.per and one.per.get("of") == IT for one in found)
        self._numbers: dict[str, int] = {}
        self._of_such: dict[tuple[Any, ...], tuple[list[Standing], Counter[str]]] = {}

    @classmethod
    def of(cls, state: GameState) -> Lords:
        """Those of *state*, kept until another is looked at."""
        found = cls.last
        if found is None or found.state is not state:
            found = cls.last = cls(state)
        return found

    def each(self, card: Card) -> list[Standing]:
        """Those that say something of *card*, in the order they were said."""
        own = self._own.get(card.id, ())
        found = [one for one in self._about(card)[0] if one not in own]
        return found + [one for one in own if one.of == SELF and self._reaches(one, card)]

    def say(self, card: Card) -> Counter[str]:
        """What they add to power and toughness of *card*, and how many give it each keyword."""
        those, said = self._about(card)
        for one in self._own.get(card.id, ()):
            said = said.copy()
            if one in those:
                said.subtract(self._says(one, card))
            elif one.of == SELF and self._reaches(one, card):
                said.update(self._says(one, card))
        return said

    def number(self, one: Standing, card: Card) -> int:
        """How many times *one* adds to *card*."""
        if one.per is None or one.per.get("of") == IT:
            return number(self.state, one, card)
        if one.id not in self._numbers:
            self._numbers[one.id] = number(self.state, one, card)
        return self._numbers[one.id]

    @cites("604.2", "611.3a")
    def _about(self, card: Card) -> tuple[list[Standing], Counter[str]]:
        """Those about creatures in play such as *card*, as if it were none of their objects."""
        key = alike(card)
        if self._by_counters:
            key += (*self.state.on(card.id).items(),)
        if key not in self._of_such:
            those = [one for one in self._all if self._reaches(one, card)]
            said = Counter[str]()
            for one in those:
                said.update(self._says(one, card))
            self._of_such[key] = those, said
        return self._of_such[key]

    def _reaches(self, one: Standing, card: Card) -> bool:
        """True if *one* is about *card*, if not its own object, and says something of it."""
        mine = you(self.state, one) if card.on_field and "creature" in card.types else None
        there = mine is not None and reaches(self.state, one, card.id, mine)
        return there and self.number(one, card) > 0

    def _says(self, one: Standing, card: Card) -> dict[str, int]:
        n = self.number(one, card)
        added = {stat: n * by for stat, by in (one.adds or {}).items()}
        return {**added, **dict.fromkeys(one.gives or (), 1)}


def lords(state: GameState, card: Card) -> list[Standing]:
    """What stands and says something of *card* while it is a creature in play."""
    return Lords.of(state).each(card) if state.standings else []


def unknown_types(state: GameState, card: Card) -> list[str]:
    """The creature types that what stands asks of *card*, and of which nobody has said whether it
    is one."""
    found: dict[str, None] = {}
    said_of = standings(state) if "creature" in card.types else ()
    for each in (one for said in said_of for one in (said, counted(said)) if one):
        mine = you(state, each)
        itself = each.others and each.object == card.id
        any_sort = replace(each, sorts=None)
        if each.sorts and mine and not itself and reaches(state, any_sort, card.id, mine):
            said = {sort: is_a(card, sort) for sort in each.sorts}
            if not any(said.values()):
                found |= {sort.removeprefix(NON): None for sort in said if said[sort] is None}
    return [*found]


@cites("122.1b", "613.1f")
def has(state: GameState, card: GameObject | None, keyword: str) -> bool:
    """True if a counter on *card* gives that keyword, or what stands does."""
    if not isinstance(card, Card):
        return False
    return keyword in state.on(card.id) or keyword in given(state, card)


def given(state: GameState, card: Card) -> list[str]:
    """The keywords that *card* is given by what stands."""
    if not state.standings:
        return []
    said = Lords.of(state).say(card)
    return [keyword for keyword in GIVEN if said[keyword]]


@cites("122.1a", "613.4b", "613.4c", "613.4d")
def power_and_toughness(state: GameState, card: Card) -> dict[str, int]:
    """Power and toughness: printed or set, then counters, lords and additions, then switched.

    What is absent stays absent. Effects count only if the table says them.
    """
    stats = {}
    for stat in POWER_AND_TOUGHNESS:
        value = card.latest(stat, card.base.get(stat))
        if value is not None:
            stats[stat] = value
    if stats:
        for kind, amount in state.on(card.id).items():
            if change := CHANGE(kind):
                for stat, by in zip(POWER_AND_TOUGHNESS, change.groups(), strict=True):
                    if stat in stats:
                        stats[stat] += int(by) * amount
        if state.standings:
            said = Lords.of(state).say(card)
            stats = {stat: value + said[stat] for stat, value in stats.items()}
        stats = {stat: card.adjusted(stat, value) for stat, value in stats.items()}
    if card.swapped and len(stats) == len(POWER_AND_TOUGHNESS):
        stats = {"power": stats["toughness"], "toughness": stats["power"]}
    return stats


@cites("704.5f", "704.5g", "704.5h")
def lethal(card: Card, numbers: Mapping[str, int]) -> dict[str, bool]:
    """True if a creature has lethal damage, any from a source with deathtouch, or no toughness."""
    toughness = numbers.get("toughness")
    if toughness is None or not card.on_field or "creature" not in card.types:
        return {}
    return {"lethal": toughness <= 0 or toughness <= card.marked or card.deathtouched}


@cites("702.12b")
def indestructible(state: GameState, card: Card) -> bool:
    """True if *card* has the mark or a counter, or another card says so."""
    return card.indestructible or has(state, card, "indestructible")


def derived(system: System, state: GameState, obj: Any) -> dict[str, Any]:
    """Derived values of a standing, a card, or of anything else, beside its own fields."""
    if isinstance(obj, Standing):
        return {"you": you(state, obj)}
    if isinstance(obj, Card):
        numbers = power_and_toughness(state, obj)
        keywords = {"given": words} if (words := given(state, obj)) else {}
        return {**numbers, **commander_tax(obj), **lethal(obj, numbers), **keywords}
    return player.derived(system, state, obj)
