"""The planeswalkers that are known by name, and the cards that enter with counters on them.

Only facts, each read in its card file of Forge (Card-Forge/forge). Left out: cards that enter with
X counters, which their players say.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from .ticking import FADING, VANISHING


class Enters(NamedTuple):
    """How a card enters: its types, power and toughness, and the counters on it.

    tick: what changes them by itself from then on. tapped: it enters so.
    """

    types: str
    base: tuple[int, ...]
    kind: str
    amount: int
    tick: Mapping[str, Any] | None = None
    tapped: bool = False


CREATURE, ROBOT = "creature", "artifact creature"
PLUS = "+1/+1"
ENTERS: Mapping[str, Enters] = {
    "Arcbound Ravager": Enters(ROBOT, (0, 0), PLUS, 1),
    "Arcbound Reclaimer": Enters(ROBOT, (0, 0), PLUS, 2),
    "Arcbound Worker": Enters(ROBOT, (0, 0), PLUS, 1),
    "Blastoderm": Enters(CREATURE, (5, 5), "fade", 3, FADING),
    "Calciderm": Enters(CREATURE, (5, 5), "time", 4, VANISHING),
    "Chronozoa": Enters(CREATURE, (3, 3), "time", 3, VANISHING),
    "Cytoplast Root-Kin": Enters(CREATURE, (0, 0), PLUS, 4),
    "Deadwood Treefolk": Enters(CREATURE, (3, 6), "time", 3, VANISHING),
    "Fertilid": Enters(CREATURE, (0, 0), PLUS, 2),
    "Gemstone Mine": Enters("land", (), "mining", 3),
    "Ghave, Guru of Spores": Enters(CREATURE, (0, 0), PLUS, 5),
    "Kalonian Hydra": Enters(CREATURE, (0, 0), PLUS, 4),
    "Keldon Marauders": Enters(CREATURE, (3, 3), "time", 2, VANISHING),
    "Lost Auramancers": Enters(CREATURE, (3, 3), "time", 3, VANISHING),
    "Parallax Tide": Enters("enchantment", (), "fade", 5, FADING),
    "Parallax Wave": Enters("enchantment", (), "fade", 5, FADING),
    "Pentavus": Enters(ROBOT, (0, 0), PLUS, 5),
    "Plaxcaster Frogling": Enters(CREATURE, (0, 0), PLUS, 3),
    "Saproling Burst": Enters("enchantment", (), "fade", 7, FADING),
    "Serrated Arrows": Enters("artifact", (), "arrowhead", 3),
    "Servant of the Scale": Enters(CREATURE, (0, 0), PLUS, 1),
    "Sphere of the Suns": Enters("artifact", (), "charge", 3, tapped=True),
    "Spike Feeder": Enters(CREATURE, (0, 0), PLUS, 2),
    "Tangle Wire": Enters("artifact", (), "fade", 4, FADING),
    "Tendo Ice Bridge": Enters("land", (), "charge", 1),
    "Triskelion": Enters(ROBOT, (1, 1), PLUS, 3),
    "Vigean Graftmage": Enters(CREATURE, (0, 0), PLUS, 2),
    "Vivid Crag": Enters("land", (), "charge", 2, tapped=True),
    "Vivid Creek": Enters("land", (), "charge", 2, tapped=True),
    "Vivid Grove": Enters("land", (), "charge", 2, tapped=True),
    "Vivid Marsh": Enters("land", (), "charge", 2, tapped=True),
    "Vivid Meadow": Enters("land", (), "charge", 2, tapped=True),
    "Workhorse": Enters(ROBOT, (0, 0), PLUS, 4),
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
