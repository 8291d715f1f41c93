"""Cards by name: suggestions while typing, and the champions that one can level up into.

`known.json` has only facts. Power and life of allies that decks of 2026 play were read in the card
files of the engine of tcg.online (@tcg/grand-archive-types). Levels and lives of champions were
read in the list of Hauooo/Grand-Archive-Companion (Champion.swift, January 2025); more than thirty
of them are in the cards of MichaelGoodCSCI/GrandArchiveSim (CardDatabase.cs) too, and agree.
Elements, weapons and the effects of champions as they enter were read there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from msgspec import Struct, field

from games.systems import lookup

from .card import FIELD, Card


class KnownCard(Struct, frozen=True, forbid_unknown_fields=True):
    """A card as it is printed. enters: the counters that a champion is given as it enters, or as
    one levels up into it."""

    name: str
    types: list[str]
    base: dict[str, int]
    elements: list[str] = field(default_factory=list)
    enters: dict[str, int] = field(default_factory=dict)

    zone: ClassVar[str] = FIELD

    @property
    def printed(self) -> dict[str, Any]:
        """Its fields for the command `create`, as JSON."""
        return {"types": self.types, "base": self.base, "elements": self.elements}

    @property
    def listing(self) -> dict[str, str]:
        """Its printed numbers, as the list of cards has them."""
        return {"note": " ".join(f"{n} {stat}" for stat, n in self.base.items())}


KNOWN = lookup.Known(lookup.lines(__package__, "known.json", KnownCard))


def levels_into(card: Card) -> Iterator[Mapping[str, Any]]:
    """The known champions of the level above the printed one of *card*: name, and steps.

    A lineage keeps its first name; a spirit of level 0 may become any.
    """
    if "champion" not in card.types or not card.on_field:
        return
    first, now = _lineage(card.name), card.base.get("level")
    for known in KNOWN.values():
        name, level = known.name, known.base.get("level")
        if now is not None and level == now + 1 and (not now or _lineage(name) == first):
            up = {"do": "level-up", "object": card.id, **known.base, "name": name}
            put = {"do": "place", "on": card.id, "counters": known.enters}
            yield {"name": name, "steps": [up, *([put] if known.enters else [])]}


def _lineage(name: str) -> str:
    return name.partition(",")[0]
