"""The cards that are known to change how many counters are put, each with what it says of that.

Only facts: the printed types and numbers, and each such ability as the fields of a `standing`
(docs/COMMANDS.md, Standing 1). *source* quotes at most a phrase of the Oracle text, which was read
in the card files of Forge (Card-Forge/forge) and XMage (magefree/mage).

Left out, because a standing cannot say it: "another creature" (Benevolent Hydra), creature types
(Mauhúr, Uruk-hai Captain), "minus one" (Vizier of Remedies), "one and no more this turn" (Melira,
the Living Cure), only what modular puts (Zabaz), what an Aura enchants (Blossombind), a target
(Suncleanser), until end of turn (Prairie Dog). Triggers, and what else a permanent enters with, do
not replace what is put (Cathars' Crusade, Bloodspore Thrinax, Renata).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

ONE_MORE: Mapping[str, Any] = {
    "whose": "yours",
    "types": ["creature"],
    "kinds": ["+1/+1"],
    "plus": 1,
}
TWICE: Mapping[str, Any] = {
    "whose": "yours",
    "types": ["creature"],
    "kinds": ["+1/+1"],
    "times": 2,
}

CARDS: Mapping[str, Mapping[str, Any]] = {
    "Doubling Season": {
        "types": ["enchantment"],
        "standings": [
            {"whose": "yours", "of": "permanents", "effects_only": True, "times": 2},
        ],
        "source": "Oracle text, “if an effect would put”; rulings 2020-08-07",
    },
    "Hardened Scales": {
        "types": ["enchantment"],
        "standings": [ONE_MORE],
        "source": "Oracle text, “on a creature you control, that many plus one”",
    },
    "Branching Evolution": {
        "types": ["enchantment"],
        "standings": [TWICE],
        "source": "Oracle text, “on a creature you control, twice that many”",
    },
    "Corpsejack Menace": {
        "types": ["creature"],
        "base": {"power": 4, "toughness": 4},
        "standings": [TWICE],
        "source": "Oracle text, “on a creature you control, twice that many”",
    },
    "The Earth Crystal": {
        "types": ["artifact"],
        "standings": [TWICE],
        "source": "Oracle text, “on a creature you control, twice that many”",
    },
    "Vorinclex, Monstrous Raider": {
        "types": ["creature"],
        "base": {"power": 6, "toughness": 6},
        "standings": [
            {"putter": "you", "times": 2},
            {"putter": "opponents", "half": "down"},
        ],
        "source": "Oracle text, “if you would put”, “if an opponent would put”; Release Notes",
    },
    "Winding Constrictor": {
        "types": ["creature"],
        "base": {"power": 2, "toughness": 3},
        "standings": [
            {"whose": "yours", "types": ["artifact", "creature"], "plus": 1},
            {"whose": "yours", "of": "players", "plus": 1},
        ],
        "source": "Oracle text, “an artifact or creature you control”, “if you would get”",
    },
    "Conclave Mentor": {
        "types": ["creature"],
        "base": {"power": 2, "toughness": 2},
        "standings": [ONE_MORE],
        "source": "Oracle text, “on a creature you control, that many plus one”",
    },
    "High Score": {
        "types": ["enchantment"],
        "standings": [ONE_MORE],
        "source": "Oracle text, “on a creature you control, that many plus one”",
    },
    "Yoshimaru, Beloved Companion": {
        "types": ["creature"],
        "base": {"power": 2, "toughness": 2},
        "standings": [ONE_MORE],
        "source": "Oracle text, “on a creature you control, that many plus one”",
    },
    "Pir, Imaginative Rascal": {
        "types": ["creature"],
        "base": {"power": 1, "toughness": 1},
        "standings": [{"whose": "team", "of": "permanents", "plus": 1}],
        "source": "Oracle text, “a permanent your team controls”",
    },
    "Ozolith, the Shattered Spire": {
        "types": ["artifact"],
        "standings": [
            {"whose": "yours", "types": ["artifact", "creature"], "kinds": ["+1/+1"], "plus": 1},
        ],
        "source": "Oracle text, “on an artifact or creature you control, that many plus one”",
    },
    "Kami of Whispered Hopes": {
        "types": ["creature"],
        "base": {"power": 1, "toughness": 1},
        "standings": [{"whose": "yours", "of": "permanents", "kinds": ["+1/+1"], "plus": 1}],
        "source": "Oracle text, “on a permanent you control, that many plus one”",
    },
    "Solid Ground": {
        "types": ["enchantment"],
        "standings": [{"whose": "yours", "of": "permanents", "kinds": ["+1/+1"], "plus": 1}],
        "source": "Oracle text, “on a permanent you control, that many plus one”",
    },
    "Lae’zel, Vlaakith’s Champion": {
        "types": ["creature"],
        "base": {"power": 3, "toughness": 3},
        "standings": [
            {"whose": "yours", "types": ["creature", "planeswalker"], "putter": "you", "plus": 1},
            {"whose": "yours", "of": "players", "putter": "you", "plus": 1},
        ],
        "source": "Oracle text, “if you would put”, “you control or on yourself”",
    },
    "Primal Vigor": {
        "types": ["enchantment"],
        "standings": [{"types": ["creature"], "kinds": ["+1/+1"], "times": 2}],
        "source": "Oracle text, “on a creature, twice that many”; its rulings",
    },
    "Loading Zone": {
        "types": ["enchantment"],
        "standings": [{"whose": "yours", "types": ["creature"], "times": 2}],
        "but": "Spacecraft, Planets",
        "source": "Oracle text, “a creature, Spacecraft, or Planet you control, twice that many”",
    },
    "Caradora, Heart of Alacria": {
        "types": ["creature"],
        "base": {"power": 4, "toughness": 2},
        "standings": [ONE_MORE],
        "but": "Vehicles",
        "source": "Oracle text, “on a creature or Vehicle you control, that many plus one”",
    },
    "Innkeeper’s Talent": {
        "types": ["enchantment"],
        "standings": [{"putter": "you", "times": 2}],
        "later": True,
        "source": "Oracle text, “Level 3”, “if you would put”; rulings 2024-07-26",
    },
    "Mowu, Loyal Companion": {
        "types": ["creature"],
        "base": {"power": 3, "toughness": 3},
        "standings": [{"of": "self", "kinds": ["+1/+1"], "plus": 1}],
        "source": "Oracle text, “put on Mowu”, “that many plus one”",
    },
    "Aether Refinery": {
        "types": ["artifact"],
        "standings": [{"whose": "yours", "of": "players", "kinds": ["energy"], "times": 2}],
        "source": "Oracle text, “you get twice that many”",
    },
    "Izzet Generatorium": {
        "types": ["artifact"],
        "standings": [{"whose": "yours", "of": "players", "kinds": ["energy"], "plus": 1}],
        "source": "Oracle text, “you get that many plus one”",
    },
    "Solemnity": {
        "types": ["enchantment"],
        "standings": [
            {"of": "players", "none": True},
            {"types": ["artifact", "creature", "enchantment", "land"], "none": True},
        ],
        "source": "Oracle text, “players can’t get counters”, and what they can’t be put on",
    },
    "Melira, Sylvok Outcast": {
        "types": ["creature"],
        "base": {"power": 2, "toughness": 2},
        "standings": [
            {"whose": "yours", "of": "players", "kinds": ["poison"], "none": True},
            {"whose": "yours", "types": ["creature"], "kinds": ["-1/-1"], "none": True},
        ],
        "source": "Oracle text, “you can’t get poison counters”; rulings 2011-06-01",
    },
    "Darksteel Angel": {
        "types": ["artifact", "creature"],
        "base": {"power": 4, "toughness": 4},
        "standings": [
            {"whose": "yours", "types": ["creature"], "kinds": ["-1/-1"], "none": True},
        ],
        "source": "Oracle text, “creatures you control can’t have -1/-1 counters”",
    },
    "Blightbeetle": {
        "types": ["creature"],
        "base": {"power": 1, "toughness": 1},
        "standings": [
            {"whose": "opponents", "types": ["creature"], "kinds": ["+1/+1"], "none": True},
        ],
        "source": "Oracle text, “creatures your opponents control can’t have +1/+1 counters”",
    },
    "Melira’s Keepers": {
        "types": ["creature"],
        "base": {"power": 4, "toughness": 4},
        "standings": [{"of": "self", "none": True}],
        "source": "Oracle text, “can’t have counters put on it”",
    },
    "Tatterkite": {
        "types": ["artifact", "creature"],
        "base": {"power": 2, "toughness": 1},
        "standings": [{"of": "self", "none": True}],
        "source": "Oracle text, “can’t have counters put on it”",
    },
}
"""By name. types, base: as printed. standings: its abilities about counters, each the fields of a
`standing` but its id, name and object. later: they stand only once the card says so (a Class). but:
what the text names besides, which the table does not tell apart."""
INDESTRUCTIBLE: Mapping[str, Mapping[str, tuple[int, int]]] = {
    "artifact creature": {
        "Blightsteel Colossus": (11, 11),
        "Darksteel Colossus": (11, 11),
        "Darksteel Gargoyle": (3, 3),
        "Darksteel Myr": (0, 1),
        "Darksteel Sentinel": (3, 3),
        "Stuffy Doll": (0, 1),
    },
    "creature": {
        "Avacyn, Angel of Hope": (8, 8),
        "Bontu the Glorified": (4, 6),
        "Hazoret the Fervent": (5, 4),
        "Kefnet the Mindful": (5, 5),
        "Konda, Lord of Eiganjo": (3, 3),
        "Oketra the True": (3, 6),
        "Rhonas the Indomitable": (5, 5),
        "Ulamog, the Ceaseless Hunger": (10, 10),
        "Ulamog, the Infinite Gyre": (10, 10),
    },
    "enchantment creature": {
        "Athreos, God of Passage": (5, 4),
        "Ephara, God of the Polis": (6, 5),
        "Erebos, God of the Dead": (5, 7),
        "Heliod, God of the Sun": (5, 6),
        "Heliod, Sun-Crowned": (5, 5),
        "Iroas, God of Victory": (7, 4),
        "Karametra, God of Harvests": (6, 7),
        "Keranos, God of Storms": (6, 5),
        "Klothys, God of Destiny": (4, 5),
        "Kruphix, God of Horizons": (4, 7),
        "Mogis, God of Slaughter": (7, 5),
        "Nylea, God of the Hunt": (6, 6),
        "Pharika, God of Affliction": (5, 5),
        "Phenax, God of Deception": (4, 7),
        "Purphoros, God of the Forge": (6, 5),
        "Thassa, God of the Sea": (5, 5),
        "Xenagos, God of Revels": (6, 5),
    },
}
"""By types and name: power and toughness of creatures whose Oracle text says indestructible of
themselves, each read in its card file of Forge."""
STATIONS: Mapping[str, tuple[int, int, int]] = {
    "Atmospheric Greenhouse": (5, 4, 8),
    "Dawnsire, Sunstar Dreadnought": (20, 20, 20),
    "Debris Field Crusher": (1, 5, 8),
    "Entropic Battlecruiser": (3, 10, 8),
    "Exploration Broodship": (4, 4, 8),
    "Extinguisher Battleship": (10, 10, 5),
    "Fell Gravship": (3, 2, 8),
    "Galvanizing Sawship": (6, 5, 3),
    "Hearthhull, the Worldseed": (6, 7, 8),
    "Infinite Guideline Station": (7, 15, 12),
    "Inspirit, Flagship Vessel": (5, 5, 8),
    "Larval Scoutlander": (3, 3, 7),
    "Lumen-Class Frigate": (3, 5, 12),
    "Pinnacle Kill-Ship": (7, 7, 7),
    "Rescue Skiff": (5, 6, 10),
    "Sledge-Class Seedship": (4, 5, 7),
    "Specimen Freighter": (4, 7, 9),
    "Synthesizer Labship": (4, 4, 9),
    "The Seriema": (5, 5, 7),
    "Uthros Scanship": (4, 4, 8),
    "Warmaker Gunship": (4, 3, 6),
    "Wedgelight Rammer": (3, 4, 9),
    "Wurmwall Sweeper": (2, 2, 4),
}
"""By name: power, toughness, and the charge counters from which on an artifact with station is a
creature, each read in its card file of Forge."""
SAGAS: Mapping[str, int] = {
    "Binding the Old Gods": 3,
    "Elspeth Conquers Death": 3,
    "Fall of the Thran": 3,
    "History of Benalia": 3,
    "Kiora Bests the Sea God": 3,
    "Long List of the Ents": 6,
    "Phyrexian Scriptures": 3,
    "Showdown of the Skalds": 3,
    "Song of Freyalise": 3,
    "Tale of Tinúviel": 3,
    "The Antiquities War": 3,
    "The Bears of Littjara": 3,
    "The Birth of Meletis": 3,
    "The Eldest Reborn": 3,
    "The First Eruption": 3,
    "The Mending of Dominaria": 3,
    "The War in Heaven": 3,
    "There and Back Again": 3,
    "Time of Ice": 3,
    "Urza’s Saga": 3,
}
"""By name: the chapters of a Saga that is sacrificed after the last, each read in its card file of
Forge. Those with read ahead, or with another face, are left out: their players say what happens."""
