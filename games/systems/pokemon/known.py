"""Cards by name: suggestions while typing, and what a Pokémon evolves into.

For the screens: nothing here decides a rule, and the list is no whitelist. Names and HP were read
in tcgdex/cards-database (Scarlet & Violet, the newest print of each); the fields stay open for
another print.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct

from games.systems import lookup

from .card import Pokemon

PRINTED_HP: Mapping[str, int] = {
    "Budew": 30,
    "Charizard ex": 330,
    "Dragapult ex": 320,
    "Drakloak": 90,
    "Dreepy": 70,
    "Dusclops": 90,
    "Dusknoir": 160,
    "Duskull": 60,
    "Eevee ex": 200,
    "Espeon ex": 270,
    "Flareon ex": 270,
    "Froslass": 90,
    "Gardevoir ex": 310,
    "Gholdengo ex": 260,
    "Glaceon ex": 270,
    "Jolteon ex": 260,
    "Leafeon ex": 270,
    "Miraidon ex": 220,
    "Munkidori": 110,
    "Pidgeot ex": 280,
    "Raging Bolt ex": 240,
    "Roaring Moon ex": 230,
    "Sylveon ex": 270,
    "Teal Mask Ogerpon ex": 210,
    "Terapagos ex": 230,
    "Umbreon ex": 280,
    "Vaporeon ex": 280,
}
_EEVEE = ("Eevee", "Eevee ex")  # what evolves from the one evolves from the other, if it is an ex
BELOW: Mapping[str, tuple[str, ...]] = {
    "Charizard ex": ("Charmeleon", "Charmander"),
    "Dragapult ex": ("Drakloak", "Dreepy"),
    "Drakloak": ("Dreepy",),
    "Dusclops": ("Duskull",),
    "Dusknoir": ("Dusclops", "Duskull"),
    "Espeon ex": _EEVEE,
    "Flareon ex": _EEVEE,
    "Froslass": ("Snorunt",),
    "Gardevoir ex": ("Kirlia", "Ralts"),
    "Gholdengo ex": ("Gimmighoul",),
    "Glaceon ex": _EEVEE,
    "Jolteon ex": _EEVEE,
    "Leafeon ex": _EEVEE,
    "Pidgeot ex": ("Pidgeotto", "Pidgey"),
    "Sylveon ex": _EEVEE,
    "Umbreon ex": _EEVEE,
    "Vaporeon ex": _EEVEE,
}
"""What a card goes on: a Stage 2 on its Basic Pokémon too, by Rare Candy."""


class KnownCard(Struct, frozen=True):
    """A card of the table. zone: the Active Spot if it is free, else the Bench."""

    name: str
    hp: int
    zone: str = ""

    @property
    def printed(self) -> Mapping[str, Any]:
        """Its fields for the command `create`, as JSON."""
        return {"hp": self.hp}

    @property
    def listing(self) -> dict[str, str]:
        """Its HP, as the list of cards has it."""
        return {"note": f"{self.hp} HP"}


_CARDS = {lookup.plain(name): KnownCard(name, hp) for name, hp in PRINTED_HP.items()}


def offer_cards(typed: str, most: int = 8) -> list[KnownCard]:
    """The known cards whose name contains *typed*, else those spelt almost so."""
    return lookup.found(_CARDS, typed, most)


def evolves_into(mon: Pokemon) -> Iterator[KnownCard]:
    """The known Evolutions that go on *mon*."""
    now = lookup.plain(mon.name)
    for name, below in BELOW.items():
        if now in map(lookup.plain, below):
            yield _CARDS[lookup.plain(name)]
