"""The tokens that known cards make.

Only facts, each read in the card file of Forge (Card-Forge/forge) of its maker. Left out: tokens
of 0/0, whose numbers follow from the table, and those that an opponent gets.
"""

from __future__ import annotations

from typing import NamedTuple


class Token(NamedTuple):
    """A token, its power and toughness, and the cards that make it, separated by semicolons."""

    name: str
    types: str
    base: tuple[int, ...]
    makers: str


CREATURE, MACHINE, ARTIFACT = "creature", "artifact creature", "artifact"
MADE = (
    Token("Angel", CREATURE, (4, 4), "Divine Visitation; Entreat the Angels; Luminarch Ascension"),
    Token("Beast", CREATURE, (3, 3), "Garruk Wildspeaker"),
    Token("Beast", CREATURE, (4, 4), "Rampaging Baloths"),
    Token("Bird", CREATURE, (1, 1), "Emeria Angel"),
    Token("Blood", ARTIFACT, (), "Anje, Maid of Dishonor; Strefan, Maurer Progenitor"),
    Token("Cat", CREATURE, (2, 2), "White Sun’s Zenith"),
    Token("Cat Beast", CREATURE, (2, 2), "Felidar Retreat"),
    Token("Cat Soldier", CREATURE, (1, 1), "Brimaz, King of Oreskos"),
    Token(
        "Clue",
        ARTIFACT,
        (),
        "Academy Manufactor; Lonis, Cryptozoologist; Thraben Inspector; Tireless Tracker",
    ),
    Token("Dragon", CREATURE, (5, 5), "Lathliss, Dragon Queen"),
    Token("Dragon", CREATURE, (6, 6), "Utvara Hellkite"),
    Token("Drake", CREATURE, (2, 2), "Talrand, Sky Summoner"),
    Token("Eldrazi Spawn", CREATURE, (0, 1), "Awakening Zone; Pawn of Ulamog"),
    Token("Elemental", CREATURE, (1, 1), "Young Pyromancer"),
    Token("Elemental", CREATURE, (5, 3), "Titania, Protector of Argoth"),
    Token("Elemental", CREATURE, (5, 5), "Omnath, Locus of Rage"),
    Token(
        "Elf Warrior",
        CREATURE,
        (1, 1),
        "Imperious Perfect; Lys Alana Huntmaster; Rhys the Redeemed",
    ),
    Token("Faerie", CREATURE, (1, 1), "Alela, Artful Provocateur"),
    Token("Faerie Rogue", CREATURE, (1, 1), "Bitterblossom"),
    Token(
        "Food",
        ARTIFACT,
        (),
        "Academy Manufactor; Gilded Goose; Samwise Gamgee; Tireless Provisioner; Witch’s Oven",
    ),
    Token(
        "Goblin",
        CREATURE,
        (1, 1),
        "Dragon Fodder; Empty the Warrens; Goblin Rabblemaster; Krenko, Mob Boss;"
        " Krenko, Tin Street Kingpin; Legion Warboss; Mogg War Marshal; Siege-Gang Commander",
    ),
    Token("Golem", MACHINE, (3, 3), "Blade Splicer"),
    Token("Human", CREATURE, (1, 1), "Adeline, Resplendent Cathar"),
    Token("Insect", CREATURE, (1, 1), "Hornet Queen; Scute Swarm"),
    Token("Monk", CREATURE, (1, 1), "Monastery Mentor"),
    Token("Myr", MACHINE, (1, 1), "Myr Battlesphere"),
    Token("Pest", CREATURE, (1, 1), "Sedgemoor Witch"),
    Token("Plant", CREATURE, (0, 1), "Avenger of Zendikar"),
    Token("Rat", CREATURE, (1, 1), "Ogre Slumlord"),
    Token(
        "Saproling",
        CREATURE,
        (1, 1),
        "Ghave, Guru of Spores; Mycoloth; Slimefoot, the Stowaway; Tendershoot Dryad;"
        " Verdant Force",
    ),
    Token("Shapeshifter", CREATURE, (3, 2), "Black Market Connections"),
    Token("Snake", CREATURE, (1, 1), "Ophiomancer"),
    Token(
        "Soldier",
        CREATURE,
        (1, 1),
        "Elspeth, Sun’s Champion; Hero of Bladehold; Martial Coup",
    ),
    Token(
        "Spirit",
        CREATURE,
        (1, 1),
        "Kykar, Wind’s Fury; Lingering Souls; Millicent, Restless Revenant; Teysa, Orzhov Scion",
    ),
    Token(
        "Squirrel",
        CREATURE,
        (1, 1),
        "Chatterfang, Squirrel General; Deep Forest Hermit; Scurry Oak",
    ),
    Token(
        "Thopter",
        MACHINE,
        (1, 1),
        "Hangarback Walker; Sai, Master Thopterist; Thopter Spy Network",
    ),
    Token(
        "Treasure",
        ARTIFACT,
        (),
        "Academy Manufactor; Ancient Copper Dragon; Big Score; Black Market Connections;"
        " Deadly Dispute; Dockside Extortionist; Goldspan Dragon; Grim Hireling;"
        " Magda, Brazen Outlaw; Mahadi, Emporium Master; Old Gnawbone; Pitiless Plunderer;"
        " Professional Face-Breaker; Prosper, Tome-Bound; Ragavan, Nimble Pilferer;"
        " Revel in Riches; Smothering Tithe; Storm-Kiln Artist; Tireless Provisioner;"
        " Unexpected Windfall",
    ),
    Token("Vampire", CREATURE, (1, 1), "Edgar Markov; Elenda, the Dusk Rose"),
    Token("Warrior", CREATURE, (1, 1), "Secure the Wastes"),
    Token("Wolf", CREATURE, (2, 2), "Huntmaster of the Fells"),
    Token("Wurm", MACHINE, (3, 3), "Wurmcoil Engine"),
    Token(
        "Zombie",
        CREATURE,
        (2, 2),
        "Cryptbreaker; Endless Ranks of the Dead; Field of the Dead; Grave Titan;"
        " Liliana, Dreadhorde General; Sidisi, Brood Tyrant; Wilhelt, the Rotcleaver",
    ),
)
