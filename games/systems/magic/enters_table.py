"""The planeswalkers that are known by name, and the cards that enter with counters on them.

Only facts, each read in its card file of Forge (Card-Forge/forge). How many X is, their players
say.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from .ticking import FADING, VANISHING


class Enters(NamedTuple):
    """How a card enters: its types, power and toughness, and the counters on it.

    amount: 0 if it is X. ticks: what changes them by itself from then on. tapped: it enters so.
    """

    types: str
    base: tuple[int, ...]
    kind: str
    amount: int
    ticks: Sequence[Mapping[str, Any]] = ()
    tapped: bool = False


CREATURE, ROBOT = "creature", "artifact creature"
PLUS = "+1/+1"
X = 0
ENTERS: Mapping[str, Enters] = {
    "Arcbound Bruiser": Enters(ROBOT, (0, 0), PLUS, 3),
    "Arcbound Crusher": Enters(ROBOT, (0, 0), PLUS, 1),
    "Arcbound Javelineer": Enters(ROBOT, (0, 1), PLUS, 1),
    "Arcbound Ravager": Enters(ROBOT, (0, 0), PLUS, 1),
    "Arcbound Reclaimer": Enters(ROBOT, (0, 0), PLUS, 2),
    "Arcbound Slith": Enters(ROBOT, (0, 0), PLUS, 1),
    "Arcbound Stinger": Enters(ROBOT, (0, 0), PLUS, 1),
    "Arcbound Worker": Enters(ROBOT, (0, 0), PLUS, 1),
    "Astral Cornucopia": Enters("artifact", (), "charge", X),
    "Blastoderm": Enters(CREATURE, (5, 5), "fade", 3, [FADING]),
    "Calciderm": Enters(CREATURE, (5, 5), "time", 4, [VANISHING]),
    "Chalice of the Void": Enters("artifact", (), "charge", X),
    "Chronozoa": Enters(CREATURE, (3, 3), "time", 3, [VANISHING]),
    "Cytoplast Root-Kin": Enters(CREATURE, (0, 0), PLUS, 4),
    "Dark Depths": Enters("land", (), "ice", 10),
    "Deadwood Treefolk": Enters(CREATURE, (3, 6), "time", 3, [VANISHING]),
    "Endless One": Enters(CREATURE, (0, 0), PLUS, X),
    "Everflowing Chalice": Enters("artifact", (), "charge", X),
    "Fertilid": Enters(CREATURE, (0, 0), PLUS, 2),
    "Gemstone Mine": Enters("land", (), "mining", 3),
    "Genesis Hydra": Enters(CREATURE, (0, 0), PLUS, X),
    "Ghave, Guru of Spores": Enters(CREATURE, (0, 0), PLUS, 5),
    "Hangarback Walker": Enters(ROBOT, (0, 0), PLUS, X),
    "Heroes’ Bane": Enters(CREATURE, (0, 0), PLUS, 4),
    "Hungering Hydra": Enters(CREATURE, (0, 0), PLUS, X),
    "Iron Apprentice": Enters(ROBOT, (0, 0), PLUS, 1),
    "Hydroid Krasis": Enters(CREATURE, (0, 0), PLUS, X),
    "Kalonian Hydra": Enters(CREATURE, (0, 0), PLUS, 4),
    "Keldon Marauders": Enters(CREATURE, (3, 3), "time", 2, [VANISHING]),
    "Llanowar Reborn": Enters("land", (), PLUS, 1, tapped=True),
    "Lost Auramancers": Enters(CREATURE, (3, 3), "time", 3, [VANISHING]),
    "Mikaeus, the Lunarch": Enters(CREATURE, (0, 0), PLUS, X),
    "Mossborn Hydra": Enters(CREATURE, (0, 0), PLUS, 1),
    "Parallax Tide": Enters("enchantment", (), "fade", 5, [FADING]),
    "Parallax Wave": Enters("enchantment", (), "fade", 5, [FADING]),
    "Pentavus": Enters(ROBOT, (0, 0), PLUS, 5),
    "Plaxcaster Frogling": Enters(CREATURE, (0, 0), PLUS, 3),
    "Polukranos, Unchained": Enters(CREATURE, (0, 0), PLUS, 6),
    "Primordial Hydra": Enters(CREATURE, (0, 0), PLUS, X),
    "Reyhan, Last of the Abzan": Enters(CREATURE, (0, 0), PLUS, 3),
    "Saproling Burst": Enters("enchantment", (), "fade", 7, [FADING]),
    "Serrated Arrows": Enters("artifact", (), "arrowhead", 3),
    "Servant of the Scale": Enters(CREATURE, (0, 0), PLUS, 1),
    "Sphere of the Suns": Enters("artifact", (), "charge", 3, tapped=True),
    "Spike Feeder": Enters(CREATURE, (0, 0), PLUS, 2),
    "Spike Weaver": Enters(CREATURE, (0, 0), PLUS, 3),
    "Stonecoil Serpent": Enters(ROBOT, (0, 0), PLUS, X),
    "Tangle Wire": Enters("artifact", (), "fade", 4, [FADING]),
    "Tendo Ice Bridge": Enters("land", (), "charge", 1),
    "Thing in the Ice": Enters(CREATURE, (0, 4), "ice", 4),
    "Triskelion": Enters(ROBOT, (1, 1), PLUS, 3),
    "Vastwood Hydra": Enters(CREATURE, (0, 0), PLUS, X),
    "Vigean Graftmage": Enters(CREATURE, (0, 0), PLUS, 2),
    "Vivid Crag": Enters("land", (), "charge", 2, tapped=True),
    "Vivid Creek": Enters("land", (), "charge", 2, tapped=True),
    "Vivid Grove": Enters("land", (), "charge", 2, tapped=True),
    "Vivid Marsh": Enters("land", (), "charge", 2, tapped=True),
    "Vivid Meadow": Enters("land", (), "charge", 2, tapped=True),
    "Walking Ballista": Enters(ROBOT, (0, 0), PLUS, X),
    "Workhorse": Enters(ROBOT, (0, 0), PLUS, 4),
    "Yorvo, Lord of Garenbrig": Enters(CREATURE, (0, 0), PLUS, 4),
}
LOYALTY: Mapping[str, int] = {
    "Chandra, Torch of Defiance": 4,
    "Dack Fayden": 3,
    "Elspeth, Sun’s Champion": 4,
    "Garruk Wildspeaker": 3,
    "Gideon, Ally of Zendikar": 4,
    "Jace, the Mind Sculptor": 3,
    "Karn Liberated": 6,
    "Karn, the Great Creator": 5,
    "Liliana of the Veil": 3,
    "Liliana, Dreadhorde General": 6,
    "Narset, Parter of Veils": 5,
    "Nicol Bolas, Dragon-God": 4,
    "Nissa, Who Shakes the World": 5,
    "Oko, Thief of Crowns": 4,
    "Teferi, Hero of Dominaria": 4,
    "Teferi, Time Raveler": 4,
    "Ugin, the Spirit Dragon": 7,
    "Wrenn and Six": 3,
}
"""By name: the printed loyalty of a planeswalker."""
