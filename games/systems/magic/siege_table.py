"""The Sieges of March of the Machine: the printed defense, and what the other face says.

Only facts, as printed. A face whose power is counted has no numbers here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

SIEGES = """
    Alara 7 Awaken the Maelstrom: sorcery
    Amonkhet 4 Lazotep Convert: creature 4/4
    Arcavios 7 Invocation of the Founders: enchantment
    Azgol 4 Ashen Reaper: creature 2/1
    Belenon 5 Belenon War Anthem: enchantment
    Dominaria 5 Serra Faithkeeper: creature 4/4
    Eldraine 4 Prickle Faeries: creature 2/2
    Ergamon 5 Truga Cliffcharger: creature 3/4
    Fiora 4 Marchesa, Resolute Monarch: creature 3/6
    Gobakhan 3 Lightshield Array: enchantment
    Ikoria 6 Zilortha, Apex of Ikoria: creature 8/8
    Innistrad 5 Deluge of the Dead: enchantment
    Ixalan 4 Belligerent Regisaur: creature 4/3
    Kaladesh 4 Aetherwing, Golden-Scale Flagship: artifact
    Kaldheim 4 Pyre of the World Tree: enchantment
    Kamigawa 4 Rooftop Saboteurs: creature 2/3
    Karsus 4 Refraction Elemental: creature 4/4
    Kylem 5 Valor’s Reach Tag Team: sorcery
    Lorwyn 5 Winnowing Forces: creature
    Mercadia 4 Kyren Flamewright: creature 3/3
    Moag 5 Bloomwielder Dryads: creature 3/3
    Muraganda 6 Primordial Plasm: creature 4/4
    New Capenna 4 Holy Frazzle-Cannon: artifact
    New Phyrexia 6 Teferi Akosa of Zhalfir: planeswalker 4
    Pyrulea 4 Gargantuan Slabhorn: creature 4/4
    Ravnica 4 Guildpact Paragon: artifact creature 5/5
    Regatha 5 Disciples of the Inferno: creature 4/4
    Segovia 4 Caetus, Sea Tyrant of Segovia: creature 3/3
    Shandalar 4 Leyline Surge: enchantment
    Tarkir 5 Defiant Thundermaw: creature 4/4
    Theros 4 Ephara, Ever-Sheltering: enchantment creature 4/4
    Tolvada 5 The Broken Sky: enchantment
    Ulgrotha 5 Grandmother Ravi Sengir: creature 3/3
    Vryn 4 Overloaded Mage-Ring: artifact
    Xerex 4 Vertex Paladin: creature
    Zendikar 3 Awakened Skyclave: creature 4/4
"""


class Face(NamedTuple):
    """What the other face of a Siege says, as `answer` takes it."""

    name: str
    types: Sequence[str]
    base: Mapping[str, int]


class Siege(NamedTuple):
    name: str
    defense: int
    other: Face


def _read() -> list[Siege]:
    line = re.compile(r"^ +(.+?) (\d) (.+): ([a-z ]+?)(?: (\d)(?:/(\d))?)?$", re.MULTILINE)
    return [
        Siege(f"Invasion of {plane}", int(defense), Face(name, types.split(), _base(one, two)))
        for plane, defense, name, types, one, two in line.findall(SIEGES)
    ]


def _base(one: str, two: str) -> Mapping[str, int]:
    if not one:
        return {}
    return {"power": int(one), "toughness": int(two)} if two else {"loyalty": int(one)}


KNOWN = _read()
