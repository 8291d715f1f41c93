"""Cards by name: suggestions while typing, and the champions that one can level up into.

For the screens: nothing here decides a rule, and the list is no whitelist.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct, field

from games.systems import lookup

from .card import ARCANE, FIELD, Card
from .card_table import ALLIES, ARCANE_CHAMPIONS, CHAMPIONS, ON_ENTER, UNIQUE, WEAPONS


class KnownCard(Struct, frozen=True):
    """A card of the table. printed: its fields for the command `create`, as JSON."""

    name: str
    printed: Mapping[str, Any] = field(default_factory=dict)
    zone: str = FIELD

    @property
    def listing(self) -> dict[str, str]:
        """Its printed numbers, as the list of cards has them."""
        return {"note": " ".join(f"{n} {stat}" for stat, n in self.printed["base"].items())}


_CARDS = (
    {
        lookup.plain(name): KnownCard(
            name,
            {
                "types": ["champion"],
                "base": {"level": level, "life": life},
                "elements": [ARCANE] if name in ARCANE_CHAMPIONS else [],
            },
        )
        for name, (level, life) in CHAMPIONS.items()
    }
    | {
        lookup.plain(name): KnownCard(
            name,
            {"types": ["weapon", "regalia"], "base": {"power": power, "durability": durability}},
        )
        for name, (power, durability) in WEAPONS.items()
    }
    | {
        lookup.plain(name): KnownCard(
            name,
            {
                "types": ["ally", *(["unique"] if name in UNIQUE else [])],
                "base": {"power": power, "life": life},
            },
        )
        for name, (power, life) in ALLIES.items()
    }
)


def offer_cards(typed: str, most: int = 8) -> list[KnownCard]:
    """The known cards whose name contains *typed*, else those spelt almost so."""
    return lookup.found(_CARDS, typed, most)


def levels_into(card: Card) -> Iterator[Mapping[str, Any]]:
    """The known champions of the level above the printed one of *card*: name, and steps.

    A lineage keeps its first name; a spirit of level 0 may become any.
    """
    if "champion" not in card.types or not card.on_field:
        return
    first, now = _lineage(card.name), card.base.get("level")
    for name, (level, life) in CHAMPIONS.items():
        if now is not None and level == now + 1 and (not now or _lineage(name) == first):
            up = {"do": "level-up", "object": card.id, "level": level, "life": life, "name": name}
            counters = ON_ENTER.get(name, {})
            put = {"do": "place", "on": card.id, "counters": counters}
            yield {"name": name, "steps": [up, *([put] if counters else [])]}


def _lineage(name: str) -> str:
    return name.partition(",")[0]
