"""The cards that are known by name: what is printed on them, and the counters that they bring.

Only facts. Power and life of allies that decks of 2026 play were read in the card files of the
engine of tcg.online (@tcg/grand-archive-types). Levels and lives of champions were read in the list
of Hauooo/Grand-Archive-Companion (Champion.swift, January 2025); more than thirty of them are in
the cards of MichaelGoodCSCI/GrandArchiveSim (CardDatabase.cs) too, and agree. Elements, weapons and
the effects of champions as they enter were read there.
"""

from __future__ import annotations

from collections.abc import Mapping

CHAMPIONS: Mapping[str, tuple[int, int]] = {
    "Aithne, Spirit of Fire": (0, 15),
    "Allen, Beast Beckoner": (2, 22),
    "Arisanna, Astral Zenith": (3, 25),
    "Arisanna, Herbalist Prodigy": (1, 19),
    "Arisanna, Lucent Arbiter": (3, 25),
    "Arisanna, Master Alchemist": (2, 22),
    "Brissa, Spirit of Wind": (0, 15),
    "Diana, Cursebreaker": (3, 25),
    "Diana, Deadly Duelist": (2, 22),
    "Diana, Duskstalker": (3, 25),
    "Diana, Keen Huntress": (1, 19),
    "Fragmented Spirit of Fire": (0, 15),
    "Fragmented Spirit of Water": (0, 15),
    "Fragmented Spirit of Wind": (0, 15),
    "Gwendolyn, Spirit of Wind": (0, 15),
    "Jin, Fate Defiant": (1, 20),
    "Jin, Undying Resolve": (3, 28),
    "Jin, Zealous Maverick": (2, 24),
    "Kongming, Ascetic Vice": (2, 22),
    "Kongming, Fel Eidolon": (3, 25),
    "Kongming, Wayward Maven": (1, 19),
    "Lorraine, Blademaster": (2, 24),
    "Lorraine, Crux Knight": (3, 28),
    "Lorraine, Spirit Ruler": (3, 28),
    "Lorraine, Wandering Warrior": (1, 20),
    "Lost Spirit": (0, 15),
    "Merlin, Kingslayer": (3, 28),
    "Merlin, Memory Thief": (2, 22),
    "Minthe, Spirit of Water": (0, 15),
    "Mordred, Flawless Blade": (2, 24),
    "Morrigan, Lost Spirit": (0, 15),
    "Nameless Champion": (1, 20),
    "Nico, Rapture’s Embrace": (1, 20),
    "Nico, Whiplash Allure": (2, 25),
    "Polkhawk, Boisterous Riot": (1, 19),
    "Polkhawk, Bombastic Shot": (2, 22),
    "Priscilla, Lost Spirit": (0, 15),
    "Prismatic Spirit": (0, 15),
    "Rai, Archmage": (2, 22),
    "Rai, Mana Weaver": (3, 25),
    "Rai, Spellcrafter": (1, 19),
    "Rai, Storm Seer": (3, 25),
    "Sabrina, Spirit of Water": (0, 15),
    "Shira, Lost Spirit": (0, 15),
    "Silvie, Earth’s Tune": (3, 25),
    "Silvie, Loved by All": (3, 25),
    "Silvie, Slime Sovereign": (3, 25),
    "Silvie, Wilds Whisperer": (1, 19),
    "Silvie, With the Pack": (2, 22),
    "Spirit of Fire": (0, 15),
    "Spirit of Serene Fire": (0, 15),
    "Spirit of Serene Water": (0, 15),
    "Spirit of Serene Wind": (0, 15),
    "Spirit of Slime": (0, 15),
    "Spirit of Water": (0, 15),
    "Spirit of Wind": (0, 15),
    "Tonoris, Creation’s Will": (3, 30),
    "Tonoris, Genesis Aegis": (3, 30),
    "Tonoris, Lone Mercenary": (1, 20),
    "Tonoris, Might of Humanity": (2, 25),
    "Tristan, Grim Stalker": (2, 22),
    "Tristan, Hired Blade": (2, 22),
    "Tristan, Shadowdancer": (3, 25),
    "Tristan, Shadowreaver": (3, 25),
    "Tristan, Underhanded": (1, 19),
    "Vanitas, Convergent Ruin": (2, 22),
    "Vanitas, Dominus Rex": (3, 25),
    "Vanitas, Obliviate Schemer": (1, 19),
    "Vyra, Spirit of Fire": (0, 15),
    "Zander, Always Watching": (2, 22),
    "Zander, Blinding Steel": (3, 25),
    "Zander, Corhazi’s Chosen": (3, 25),
    "Zander, Deft Executor": (2, 22),
    "Zander, Prepared Scout": (1, 19),
}
"""By name: printed level and life."""
ARCANE_CHAMPIONS = frozenset({"Rai, Mana Weaver", "Rai, Storm Seer"})
ON_ENTER: Mapping[str, Mapping[str, int]] = {
    "Rai, Spellcrafter": {"enlighten": 2},
    "Zander, Deft Executor": {"preparation": 2},
}
"""By name: the counters that a champion is given as it enters or as one levels up into it."""
ALLIES: Mapping[str, tuple[int, int]] = {
    "Aesan Protector": (3, 4),
    "Aquifer Seneschal": (3, 4),
    "Baby Blue Slime": (1, 2),
    "Carter, Synthetic Reaper": (2, 3),
    "Cheshire Cat, Impish Grin": (1, 3),
    "Deep Sea Beastbonder": (1, 4),
    "Dewdrop Hares": (1, 3),
    "Dream Fairy": (1, 2),
    "Esteemed Knight": (2, 3),
    "Fluffy Shopkeep": (1, 3),
    "Frostsworn Paladin": (2, 3),
    "Gaia’s Songbird": (1, 2),
    "Hasty Messenger": (1, 2),
    "Honorable Vanguard": (1, 2),
    "Krustallan Archer": (1, 2),
    "Lakeside Serpent": (3, 5),
    "Library Witch": (0, 1),
    "Lunar Seer": (1, 3),
    "Lustrous Slime": (1, 5),
    "Meadowbloom Dryad": (1, 3),
    "Sadi, Blood Harvester": (2, 2),
    "Stalwart Shieldmate": (0, 2),
    "Storm Slime": (3, 1),
    "Throne-Keeper Bullfrog": (0, 4),
    "Trusty Steed": (1, 3),
    "Windmill Engineer": (1, 1),
    "Windrider Vanguard": (2, 3),
}
"""By name: power and life."""
UNIQUE = frozenset(
    {"Carter, Synthetic Reaper", "Cheshire Cat, Impish Grin", "Sadi, Blood Harvester"}
)
WEAPONS: Mapping[str, tuple[int, int]] = {
    "Clarent, Sword of Peace": (1, 2),
    "Framework Sidearm": (1, 1),
    "Malignant Athame": (1, 2),
    "Mercenary’s Blade": (1, 1),
}
"""By name: power and durability of regalia weapons."""
