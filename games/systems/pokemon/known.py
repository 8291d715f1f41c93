"""Cards by name: suggestions while typing, and what a Pokémon evolves into.

For the screens: nothing here decides a rule, and the list is no whitelist. Names and HP were read
in tcgdex/cards-database (from Scarlet & Violet on, the newest print of each); the fields stay open
for another print. German and Spanish names are those of the cards there, or, of a Pokémon alone,
those of its kind in sindresorhus/pokemon.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from games.systems import lookup

from .card import Pokemon

PRINTED_HP: Mapping[str, int] = {
    "Archaludon ex": 300,
    "Bloodmoon Ursaluna ex": 260,
    "Budew": 30,
    "Ceruledge ex": 270,
    "Charizard ex": 330,
    "Chien-Pao ex": 220,
    "Cornerstone Mask Ogerpon ex": 210,
    "Cynthia’s Garchomp ex": 330,
    "Dragapult ex": 320,
    "Drakloak": 90,
    "Dreepy": 70,
    "Dudunsparce": 140,
    "Dusclops": 90,
    "Dusknoir": 160,
    "Duskull": 60,
    "Eevee ex": 200,
    "Espeon ex": 270,
    "Ethan’s Ho-Oh ex": 230,
    "Fezandipiti ex": 210,
    "Flareon ex": 270,
    "Flutter Mane": 90,
    "Froslass": 90,
    "Gardevoir ex": 310,
    "Gholdengo ex": 260,
    "Glaceon ex": 270,
    "Gouging Fire ex": 230,
    "Great Tusk": 140,
    "Greninja ex": 310,
    "Hop’s Zacian ex": 230,
    "Iron Crown ex": 220,
    "Iron Hands ex": 230,
    "Iron Thorns ex": 230,
    "Iron Valiant ex": 220,
    "Jolteon ex": 260,
    "Latias ex": 210,
    "Leafeon ex": 270,
    "Lillie’s Clefairy ex": 190,
    "Marnie’s Grimmsnarl ex": 320,
    "Mega Absol ex": 280,
    "Mega Lucario ex": 340,
    "Miraidon ex": 220,
    "Munkidori": 110,
    "N’s Zoroark ex": 280,
    "Pecharunt ex": 190,
    "Pidgeot ex": 280,
    "Pikachu ex": 200,
    "Raging Bolt ex": 240,
    "Roaring Moon ex": 230,
    "Squawkabilly ex": 160,
    "Sylveon ex": 270,
    "Teal Mask Ogerpon ex": 210,
    "Team Rocket’s Mewtwo ex": 280,
    "Terapagos ex": 230,
    "Ting-Lu ex": 240,
    "Umbreon ex": 280,
    "Vaporeon ex": 280,
    "Wellspring Mask Ogerpon ex": 210,
}
_EEVEE = ("Eevee", "Eevee ex")  # what evolves from the one evolves from the other, if it is an ex
BELOW: Mapping[str, tuple[str, ...]] = {
    "Archaludon ex": ("Duraludon",),
    "Charizard ex": ("Charmeleon", "Charmander"),
    "Dragapult ex": ("Drakloak", "Dreepy"),
    "Drakloak": ("Dreepy",),
    "Dusclops": ("Duskull",),
    "Dusknoir": ("Dusclops", "Duskull"),
    "Dudunsparce": ("Dunsparce",),
    "Espeon ex": _EEVEE,
    "Flareon ex": _EEVEE,
    "Froslass": ("Snorunt",),
    "Gardevoir ex": ("Kirlia", "Ralts"),
    "Gholdengo ex": ("Gimmighoul",),
    "Glaceon ex": _EEVEE,
    "Greninja ex": ("Frogadier", "Froakie"),
    "Jolteon ex": _EEVEE,
    "Leafeon ex": _EEVEE,
    "Pidgeot ex": ("Pidgeotto", "Pidgey"),
    "Sylveon ex": _EEVEE,
    "Umbreon ex": _EEVEE,
    "Vaporeon ex": _EEVEE,
}
"""What a card goes on: a Stage 2 on its Basic Pokémon too, by Rare Candy."""

GERMAN = {
    "Archaludon ex": "Briduradon-ex",
    "Bloodmoon Ursaluna ex": "Blutmond-Ursaluna-ex",
    "Budew": "Knospi",
    "Ceruledge ex": "Azugladis-ex",
    "Charizard ex": "Glurak-ex",
    "Charmander": "Glumanda",
    "Charmeleon": "Glutexo",
    "Chien-Pao ex": "Baojian-ex",
    "Cornerstone Mask Ogerpon ex": "Fundamentmaske-Ogerpon-ex",
    "Cynthia’s Garchomp ex": "Cynthias Knakrack-ex",
    "Dragapult ex": "Katapuldra-ex",
    "Drakloak": "Phandra",
    "Dreepy": "Grolldra",
    "Dudunsparce": "Dummimisel",
    "Dunsparce": "Dummisel",
    "Dusclops": "Zwirrklop",
    "Dusknoir": "Zwirrfinst",
    "Duskull": "Zwirrlicht",
    "Eevee ex": "Evoli-ex",
    "Eevee": "Evoli",
    "Espeon ex": "Psiana-ex",
    "Ethan’s Ho-Oh ex": "Klarins Ho-Oh-ex",
    "Fezandipiti ex": "Beatori-ex",
    "Flareon ex": "Flamara-ex",
    "Flutter Mane": "Flatterhaar",
    "Froakie": "Froxy",
    "Frogadier": "Amphizel",
    "Froslass": "Frosdedje",
    "Gardevoir ex": "Guardevoir-ex",
    "Gholdengo ex": "Monetigo-ex",
    "Gimmighoul": "Gierspenst",
    "Glaceon ex": "Glaziola-ex",
    "Gouging Fire ex": "Keilflamme-ex",
    "Great Tusk": "Riesenzahn",
    "Greninja ex": "Quajutsu-ex",
    "Hop’s Zacian ex": "Hops Zacian-ex",
    "Iron Crown ex": "Eisenhaupt-ex",
    "Iron Hands ex": "Eisenhand-ex",
    "Iron Thorns ex": "Eisendorn-ex",
    "Iron Valiant ex": "Eisenkrieger-ex",
    "Jolteon ex": "Blitza-ex",
    "Leafeon ex": "Folipurba-ex",
    "Lillie’s Clefairy ex": "Lillys Piepi-ex",
    "Marnie’s Grimmsnarl ex": "Marys Olangaar-ex",
    "Mega Absol ex": "Mega-Absol-ex",
    "Mega Lucario ex": "Mega-Lucario-ex",
    "Munkidori": "Benesaru",
    "N’s Zoroark ex": "Ns Zoroark-ex",
    "Pecharunt ex": "Infamomo-ex",
    "Pidgeot ex": "Tauboss-ex",
    "Pidgeotto": "Tauboga",
    "Pidgey": "Taubsi",
    "Raging Bolt ex": "Furienblitz-ex",
    "Ralts": "Trasla",
    "Snorunt": "Schneppke",
    "Squawkabilly ex": "Krawalloro-ex",
    "Sylveon ex": "Feelinara-ex",
    "Teal Mask Ogerpon ex": "Türkisgrüne-Maske-Ogerpon-ex",
    "Team Rocket’s Mewtwo ex": "Team Rockets Mewtu-ex",
    "Ting-Lu ex": "Dinglu-ex",
    "Umbreon ex": "Nachtara-ex",
    "Vaporeon ex": "Aquana-ex",
    "Wellspring Mask Ogerpon ex": "Brunnenmaske-Ogerpon-ex",
}
SPANISH = {
    "Bloodmoon Ursaluna ex": "Ursaluna Luna Carmesí ex",
    "Cornerstone Mask Ogerpon ex": "Ogerpon Máscara Cimiento ex",
    "Cynthia’s Garchomp ex": "Garchomp ex de Cintia",
    "Ethan’s Ho-Oh ex": "Ho-Oh ex de Eco",
    "Flutter Mane": "Melenaleteo",
    "Gouging Fire ex": "Flamariete ex",
    "Great Tusk": "Colmilargo",
    "Hop’s Zacian ex": "Zacian ex de Paul",
    "Iron Crown ex": "Ferrotesta ex",
    "Iron Hands ex": "Ferropalmas ex",
    "Iron Thorns ex": "Ferropúas ex",
    "Iron Valiant ex": "Ferropaladín ex",
    "Lillie’s Clefairy ex": "Clefairy ex de Lylia",
    "Marnie’s Grimmsnarl ex": "Grimmsnarl ex de Roxy",
    "Mega Absol ex": "Mega-Absol ex",
    "Mega Lucario ex": "Mega-Lucario ex",
    "N’s Zoroark ex": "Zoroark ex de N",
    "Raging Bolt ex": "Electrofuria ex",
    "Teal Mask Ogerpon ex": "Ogerpon Máscara Turquesa ex",
    "Team Rocket’s Mewtwo ex": "Mewtwo ex del Team Rocket",
    "Wellspring Mask Ogerpon ex": "Ogerpon Máscara Fuente ex",
}
"""By English name: what a card is called in that language, if otherwise."""
LANGUAGES: Sequence[Mapping[str, str]] = ({}, GERMAN, SPANISH)


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


_CARDS: Mapping[str, KnownCard] = {
    lookup.plain(called): KnownCard(called, hp)
    for language in reversed(LANGUAGES)
    for name, hp in PRINTED_HP.items()
    for called in [language.get(name, name)]
}


def offer_cards(typed: str, most: int = 8) -> list[KnownCard]:
    """The known cards whose name contains *typed*, else those spelt almost so."""
    return lookup.found(_CARDS, typed, most)


def evolves_into(mon: Pokemon) -> Iterator[KnownCard]:
    """The known Evolutions that go on *mon*, in the first language that calls it so."""
    now, found = lookup.plain(mon.name), dict[str, KnownCard]()
    for language in LANGUAGES:
        for name, below in BELOW.items():
            if now in (lookup.plain(language.get(each, each)) for each in below):
                found.setdefault(name, _CARDS[lookup.plain(language.get(name, name))])
    yield from found.values()
