"""Cards by name: suggestions while typing, and what a Pokémon evolves into.

For the screens: nothing here decides a rule, and the list is no whitelist. Names and HP were read
in tcgdex/cards-database (from Scarlet & Violet on, the newest print of each; of classics, the one
that `card_acts` names); the fields stay open for another print. German and Spanish names are those
of the cards there, or, of a Pokémon alone, those of its kind in sindresorhus/pokemon.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from games.systems import lookup

from .card import Pokemon

PRINTED_HP: Mapping[str, int] = {
    "Accelgor": 90,
    "Alakazam": 140,
    "Alakazam ex": 310,
    "Archaludon ex": 300,
    "Banette ex": 250,
    "Bloodmoon Ursaluna ex": 260,
    "Brute Bonnet": 120,
    "Budew": 30,
    "Ceruledge ex": 270,
    "Chansey": 120,
    "Charizard ex": 330,
    "Chien-Pao ex": 220,
    "Cornerstone Mask Ogerpon ex": 210,
    "Cresselia": 120,
    "Crobat": 130,
    "Cynthia’s Garchomp ex": 330,
    "Decidueye-GX": 240,
    "Dragapult VMAX": 320,
    "Dragapult ex": 320,
    "Drakloak": 90,
    "Dreepy": 70,
    "Drifloon": 70,
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
    "Galarian Zigzagoon": 70,
    "Gardevoir ex": 310,
    "Gengar": 80,
    "Gengar ex": 310,
    "Gholdengo ex": 260,
    "Glaceon ex": 270,
    "Golbat": 70,
    "Gouging Fire ex": 230,
    "Great Tusk": 140,
    "Greninja ex": 310,
    "Hop’s Zacian ex": 230,
    "Hydrapple ex": 330,
    "Inteleon": 150,
    "Iron Crown ex": 220,
    "Iron Hands ex": 230,
    "Iron Thorns ex": 230,
    "Iron Valiant ex": 220,
    "Jolteon ex": 260,
    "Latias ex": 210,
    "Leafeon ex": 270,
    "Lillie’s Clefairy ex": 190,
    "Machamp": 100,
    "Marnie’s Grimmsnarl ex": 320,
    "Mega Absol ex": 280,
    "Mega Camerupt ex": 340,
    "Mega Gardevoir ex": 360,
    "Mega Kangaskhan ex": 300,
    "Mega Lucario ex": 340,
    "Mega Venusaur ex": 380,
    "Miraidon ex": 220,
    "Munkidori": 110,
    "N’s Zoroark ex": 280,
    "Okidogi ex": 250,
    "Pecharunt ex": 190,
    "Pidgeot ex": 280,
    "Pikachu ex": 200,
    "Radiant Alakazam": 130,
    "Radiant Greninja": 130,
    "Radiant Hisuian Sneasler": 130,
    "Raging Bolt ex": 240,
    "Reuniclus": 90,
    "Roaring Moon ex": 230,
    "Sableye": 80,
    "Scream Tail": 90,
    "Slither Wing": 140,
    "Squawkabilly ex": 160,
    "Sylveon ex": 270,
    "Teal Mask Ogerpon ex": 210,
    "Team Rocket’s Crobat ex": 310,
    "Team Rocket’s Mewtwo ex": 280,
    "Terapagos ex": 230,
    "Ting-Lu ex": 240,
    "Toxicroak ex": 250,
    "Trevenant": 110,
    "Umbreon ex": 280,
    "Vaporeon ex": 280,
    "Venusaur ex": 340,
    "Wellspring Mask Ogerpon ex": 210,
}
_EEVEE = ("Eevee", "Eevee ex")  # what evolves from the one evolves from the other, if it is an ex
BELOW: Mapping[str, tuple[str, ...]] = {
    "Accelgor": ("Shelmet",),
    "Alakazam": ("Kadabra", "Abra"),
    "Alakazam ex": ("Kadabra", "Abra"),
    "Archaludon ex": ("Duraludon",),
    "Banette ex": ("Shuppet",),
    "Charizard ex": ("Charmeleon", "Charmander"),
    "Crobat": ("Golbat", "Zubat"),
    "Decidueye-GX": ("Dartrix", "Rowlet"),
    "Dragapult VMAX": ("Dragapult V",),
    "Dragapult ex": ("Drakloak", "Dreepy"),
    "Drakloak": ("Dreepy",),
    "Dudunsparce": ("Dunsparce",),
    "Dusclops": ("Duskull",),
    "Dusknoir": ("Dusclops", "Duskull"),
    "Espeon ex": _EEVEE,
    "Flareon ex": _EEVEE,
    "Froslass": ("Snorunt",),
    "Gardevoir ex": ("Kirlia", "Ralts"),
    "Gengar": ("Haunter", "Gastly"),
    "Gengar ex": ("Haunter", "Gastly"),
    "Gholdengo ex": ("Gimmighoul",),
    "Glaceon ex": _EEVEE,
    "Golbat": ("Zubat",),
    "Greninja ex": ("Frogadier", "Froakie"),
    "Hydrapple ex": ("Dipplin", "Applin"),
    "Inteleon": ("Drizzile", "Sobble"),
    "Jolteon ex": _EEVEE,
    "Leafeon ex": _EEVEE,
    "Machamp": ("Machoke", "Machop"),
    "Mega Camerupt ex": ("Numel",),
    "Mega Gardevoir ex": ("Kirlia", "Ralts"),
    "Mega Venusaur ex": ("Ivysaur", "Bulbasaur"),
    "Pidgeot ex": ("Pidgeotto", "Pidgey"),
    "Reuniclus": ("Duosion", "Solosis"),
    "Sylveon ex": _EEVEE,
    "Team Rocket’s Crobat ex": ("Team Rocket’s Golbat", "Team Rocket’s Zubat"),
    "Toxicroak ex": ("Croagunk",),
    "Trevenant": ("Phantump",),
    "Umbreon ex": _EEVEE,
    "Vaporeon ex": _EEVEE,
    "Venusaur ex": ("Ivysaur", "Bulbasaur"),
}
"""What a card goes on: a Stage 2 on its Basic Pokémon too, by Rare Candy."""

GERMAN = {
    "Accelgor": "Hydragil",
    "Alakazam": "Simsala",
    "Alakazam ex": "Simsala-ex",
    "Applin": "Knapfel",
    "Archaludon ex": "Briduradon-ex",
    "Banette ex": "Banette-ex",
    "Bloodmoon Ursaluna ex": "Blutmond-Ursaluna-ex",
    "Brute Bonnet": "Wutpilz",
    "Budew": "Knospi",
    "Bulbasaur": "Bisasam",
    "Ceruledge ex": "Azugladis-ex",
    "Chansey": "Chaneira",
    "Charizard ex": "Glurak-ex",
    "Charmander": "Glumanda",
    "Charmeleon": "Glutexo",
    "Chien-Pao ex": "Baojian-ex",
    "Cornerstone Mask Ogerpon ex": "Fundamentmaske-Ogerpon-ex",
    "Croagunk": "Glibunkel",
    "Crobat": "Iksbat",
    "Cynthia’s Garchomp ex": "Cynthias Knakrack-ex",
    "Dartrix": "Arboretoss",
    "Decidueye-GX": "Silvarro-GX",
    "Dipplin": "Sirapfel",
    "Dragapult V": "Katapuldra-V",
    "Dragapult VMAX": "Katapuldra VMAX",
    "Dragapult ex": "Katapuldra-ex",
    "Drakloak": "Phandra",
    "Dreepy": "Grolldra",
    "Drifloon": "Driftlon",
    "Drizzile": "Phlegleon",
    "Dudunsparce": "Dummimisel",
    "Dunsparce": "Dummisel",
    "Duosion": "Mitodos",
    "Dusclops": "Zwirrklop",
    "Dusknoir": "Zwirrfinst",
    "Duskull": "Zwirrlicht",
    "Eevee": "Evoli",
    "Eevee ex": "Evoli-ex",
    "Espeon ex": "Psiana-ex",
    "Ethan’s Ho-Oh ex": "Klarins Ho-Oh-ex",
    "Fezandipiti ex": "Beatori-ex",
    "Flareon ex": "Flamara-ex",
    "Flutter Mane": "Flatterhaar",
    "Froakie": "Froxy",
    "Frogadier": "Amphizel",
    "Froslass": "Frosdedje",
    "Galarian Zigzagoon": "Galar-Zigzachs",
    "Gardevoir ex": "Guardevoir-ex",
    "Gastly": "Nebulak",
    "Gengar ex": "Gengar-ex",
    "Gholdengo ex": "Monetigo-ex",
    "Gimmighoul": "Gierspenst",
    "Glaceon ex": "Glaziola-ex",
    "Gouging Fire ex": "Keilflamme-ex",
    "Great Tusk": "Riesenzahn",
    "Greninja ex": "Quajutsu-ex",
    "Haunter": "Alpollo",
    "Hop’s Zacian ex": "Hops Zacian-ex",
    "Hydrapple ex": "Hydrapfel-ex",
    "Inteleon": "Intelleon",
    "Iron Crown ex": "Eisenhaupt-ex",
    "Iron Hands ex": "Eisenhand-ex",
    "Iron Thorns ex": "Eisendorn-ex",
    "Iron Valiant ex": "Eisenkrieger-ex",
    "Ivysaur": "Bisaknosp",
    "Jolteon ex": "Blitza-ex",
    "Leafeon ex": "Folipurba-ex",
    "Lillie’s Clefairy ex": "Lillys Piepi-ex",
    "Machamp": "Machomei",
    "Machoke": "Maschock",
    "Machop": "Machollo",
    "Marnie’s Grimmsnarl ex": "Marys Olangaar-ex",
    "Mega Absol ex": "Mega-Absol-ex",
    "Mega Camerupt ex": "Mega-Camerupt-ex",
    "Mega Gardevoir ex": "Mega-Guardevoir-ex",
    "Mega Kangaskhan ex": "Mega-Kangama-ex",
    "Mega Lucario ex": "Mega-Lucario-ex",
    "Mega Venusaur ex": "Mega-Bisaflor-ex",
    "Munkidori": "Benesaru",
    "Numel": "Camaub",
    "N’s Zoroark ex": "Ns Zoroark-ex",
    "Okidogi ex": "Boninu-ex",
    "Pecharunt ex": "Infamomo-ex",
    "Phantump": "Paragoni",
    "Pidgeot ex": "Tauboss-ex",
    "Pidgeotto": "Tauboga",
    "Pidgey": "Taubsi",
    "Radiant Alakazam": "Strahlendes Simsala",
    "Radiant Greninja": "Strahlendes Quajutsu",
    "Radiant Hisuian Sneasler": "Strahlendes Hisui-Snieboss",
    "Raging Bolt ex": "Furienblitz-ex",
    "Ralts": "Trasla",
    "Reuniclus": "Zytomega",
    "Rowlet": "Bauz",
    "Sableye": "Zobiris",
    "Scream Tail": "Brüllschweif",
    "Shelmet": "Schnuthelm",
    "Slither Wing": "Kriechflügel",
    "Snorunt": "Schneppke",
    "Sobble": "Memmeon",
    "Solosis": "Monozyto",
    "Squawkabilly ex": "Krawalloro-ex",
    "Sylveon ex": "Feelinara-ex",
    "Teal Mask Ogerpon ex": "Türkisgrüne-Maske-Ogerpon-ex",
    "Team Rocket’s Crobat ex": "Team Rockets Iksbat-ex",
    "Team Rocket’s Golbat": "Team Rockets Golbat",
    "Team Rocket’s Mewtwo ex": "Team Rockets Mewtu-ex",
    "Team Rocket’s Zubat": "Team Rockets Zubat",
    "Ting-Lu ex": "Dinglu-ex",
    "Toxicroak ex": "Toxiquak-ex",
    "Trevenant": "Trombork",
    "Umbreon ex": "Nachtara-ex",
    "Vaporeon ex": "Aquana-ex",
    "Venusaur ex": "Bisaflor-ex",
    "Wellspring Mask Ogerpon ex": "Brunnenmaske-Ogerpon-ex",
}
SPANISH = {
    "Bloodmoon Ursaluna ex": "Ursaluna Luna Carmesí ex",
    "Brute Bonnet": "Furioseta",
    "Cornerstone Mask Ogerpon ex": "Ogerpon Máscara Cimiento ex",
    "Cynthia’s Garchomp ex": "Garchomp ex de Cintia",
    "Ethan’s Ho-Oh ex": "Ho-Oh ex de Eco",
    "Flutter Mane": "Melenaleteo",
    "Galarian Zigzagoon": "Zigzagoon de Galar",
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
    "Mega Camerupt ex": "Mega-Camerupt ex",
    "Mega Gardevoir ex": "Mega-Gardevoir ex",
    "Mega Kangaskhan ex": "Mega-Kangaskhan ex",
    "Mega Lucario ex": "Mega-Lucario ex",
    "N’s Zoroark ex": "Zoroark ex de N",
    "Radiant Alakazam": "Alakazam Radiante",
    "Radiant Greninja": "Greninja Radiante",
    "Radiant Hisuian Sneasler": "Sneasler de Hisui Radiante",
    "Raging Bolt ex": "Electrofuria ex",
    "Scream Tail": "Colagrito",
    "Slither Wing": "Reptalada",
    "Teal Mask Ogerpon ex": "Ogerpon Máscara Turquesa ex",
    "Team Rocket’s Crobat ex": "Crobat ex del Team Rocket",
    "Team Rocket’s Golbat": "Golbat del Team Rocket",
    "Team Rocket’s Mewtwo ex": "Mewtwo ex del Team Rocket",
    "Team Rocket’s Zubat": "Zubat del Team Rocket",
    "Wellspring Mask Ogerpon ex": "Ogerpon Máscara Fuente ex",
}
"""By English name: what a card is called in that language, if otherwise."""
LANGUAGES: Sequence[Mapping[str, str]] = ({}, GERMAN, SPANISH)


class KnownCard(Struct, frozen=True):
    """A card of the table. zone: the Active Spot if it is free, else the Bench. english: its name
    in the tables."""

    name: str
    hp: int
    zone: str = ""
    english: str = ""

    @property
    def printed(self) -> Mapping[str, Any]:
        """Its fields for the command `create`, as JSON."""
        return {"hp": self.hp}

    @property
    def listing(self) -> dict[str, str]:
        """Its HP, as the list of cards has it."""
        return {"note": f"{self.hp} HP"}


_CARDS: Mapping[str, KnownCard] = {
    lookup.plain(called): KnownCard(called, hp, english=name)
    for language in reversed(LANGUAGES)
    for name, hp in PRINTED_HP.items()
    for called in [language.get(name, name)]
}


def offer_cards(typed: str, most: int = 8) -> list[KnownCard]:
    """The known cards whose name contains *typed*, else those spelt almost so."""
    return lookup.found(_CARDS, typed, most)


def known_as(mon: Pokemon) -> str:
    """The English name of *mon* as a known card; "" if it is none."""
    known = _CARDS.get(lookup.plain(mon.name))
    return known.english if known else ""


def evolves_into(mon: Pokemon) -> Iterator[KnownCard]:
    """The known Evolutions that go on *mon*, in the first language that calls it so."""
    now, found = lookup.plain(mon.name), dict[str, KnownCard]()
    for language in LANGUAGES:
        for name, below in BELOW.items():
            if now in (lookup.plain(language.get(each, each)) for each in below):
                found.setdefault(name, _CARDS[lookup.plain(language.get(name, name))])
    yield from found.values()
