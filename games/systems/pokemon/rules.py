"""The rules by number, in our own words, each with its source.

The rulebooks number their sections but not their rules, so the numbers are ours; `document` names
the section. Where two texts disagree the newer one decides; what it leaves open, the Advanced
Players' Rulebook settles.
"""

from __future__ import annotations

from collections.abc import Mapping

from games.rules.system import Rule, Setting

RULEBOOK = "Pokémon TCG Rules, Paradox Rift"
ADVANCED = "Advanced Players' Rulebook 2.2"
CARDS = "Printed card texts"
COMPENDIUM = "Pokémon Rulings Compendium"
HOUSE = "Reading agreed here"
_EDITIONS = {
    RULEBOOK: "2023-07",
    ADVANCED: "2018-12",
    CARDS: "2025-11",
    COMPENDIUM: "2000-02",
    HOUSE: "2026-11",
}


def _rule(document: str, section: str, text: str) -> Rule:
    return Rule(text, f"{document}, {section}", _EDITIONS[document])


RULES: Mapping[str, Rule] = {
    # Damage
    "Damage 1": _rule(RULEBOOK, "p. 14", "One damage counter is 10 damage, so damage is in tens."),
    "Damage 2": _rule(
        ADVANCED,
        "D-15 and D-16",
        "Damage and HP are two numbers: damage stays when HP changes, and may exceed it.",
    ),
    "Damage 3": _rule(
        CARDS,
        "sv6-164 and sv7-161",
        "“Until its remaining HP is N” adds the damage needed to get there, and never removes any.",
    ),
    "Damage 4": _rule(
        ADVANCED,
        "C-08",
        "Moving damage counters never changes how many there are: all of them move, or none.",
    ),
    "Damage 5": _rule(
        ADVANCED, "C-06", "Healing removes as much damage as there is, up to its number."
    ),
    "Damage 6": _rule(
        ADVANCED,
        "C-06",
        "An undamaged Pokémon cannot be healed; of several, one with damage is enough.",
    ),
    "Damage 7": _rule(
        RULEBOOK,
        "pp. 12-14",
        "A Pokémon that takes less damage from attacks takes that much less, after Weakness and "
        "Resistance; damage counters that an effect puts on it are not less.",
    ),
    "Weakness 1": _rule(
        RULEBOOK,
        "pp. 12-14",
        "An Active Pokémon weak to the attacker’s type takes twice an attack’s damage, or as much "
        "more as an older card prints.",
    ),
    "Resistance 1": _rule(
        RULEBOOK,
        "pp. 12-14",
        "An Active Pokémon that resists the attacker’s type takes 30 less from it, after Weakness, "
        "or as much less as its card prints.",
    ),
    # Knocked Out
    "Knocked Out 1": _rule(
        RULEBOOK, "p. 8", "A Pokémon with as much damage as its HP, or more, is Knocked Out."
    ),
    "Knocked Out 2": _rule(
        ADVANCED,
        "I.D",
        "During an attack no Pokémon is Knocked Out; at its end all of them are, together.",
    ),
    "Knocked Out 3": _rule(
        ADVANCED,
        "I.D",
        "Nor is any during Pokémon Checkup; at its end all of them are, together.",
    ),
    "Knocked Out 4": _rule(ADVANCED, "I.D", "At any other time a Pokémon is Knocked Out at once."),
    "Knocked Out 5": _rule(
        ADVANCED, "I.D", "The Pokémon goes to the discard pile and loses everything on it."
    ),
    "Knocked Out 6": _rule(
        CARDS,
        "sv6pt5-20",
        "A card's text may Knock Out a Pokémon, whatever its damage.",
    ),
    "Knocked Out 7": _rule(
        ADVANCED,
        "I.D",
        "A player without an Active Pokémon chooses a Benched one, the next player first.",
    ),
    "Knocked Out 8": _rule(
        ADVANCED,
        "E-11 and I.F",
        "Cards ask whether a Pokémon was Knocked Out in the opponent's last turn; Checkup is not "
        "part of it.",
    ),
    "Knocked Out 9": _rule(
        CARDS, "base1-70", "A Clefairy Doll doesn't count as a Knocked Out Pokémon."
    ),
    # Prizes
    "Prizes 1": _rule(
        ADVANCED, "D-17", "Each player begins with 6 Prize cards, or 3 with decks of 30 cards."
    ),
    "Prizes 2": _rule(
        CARDS,
        "rule boxes",
        "A Pokémon is worth 1 Prize card; ex, GX, V and VSTAR 2; VMAX, TAG TEAM, V-UNION and "
        "Mega Evolution ex 3; some dolls none.",
    ),
    "Prizes 3": _rule(
        COMPENDIUM, "Prizes", "The owner's opponent takes them, whoever did the damage."
    ),
    "Prizes 4": _rule(
        CARDS, "sv4-166 and others", "Cards can change how many are taken, even to none."
    ),
    "Prizes 5": _rule(
        ADVANCED,
        "I.D and I.E",
        "Prize cards are taken before anyone wins and before a new Active Pokémon is chosen.",
    ),
    "Prizes 6": _rule(
        CARDS, "sv7-129", "A Pokémon that leaves play in another way is worth no Prize card."
    ),
    "Prizes 7": _rule(
        COMPENDIUM,
        "Time Control",
        "Prize cards that an effect adds do not change how many a player has taken.",
    ),
    # Winning
    "Winning 1": _rule(RULEBOOK, "p. 1", "A player who takes their last Prize card wins."),
    "Winning 2": _rule(
        ADVANCED, "I.E", "A player wins if the opponent has no Pokémon in play, however it left."
    ),
    "Winning 3": _rule(
        RULEBOOK, "p. 1", "A player who cannot draw at the start of their turn loses."
    ),
    "Winning 4": _rule(
        ADVANCED,
        "I.E",
        "If both win at the same moment, the one with more ways to win does; otherwise they tie.",
    ),
    "Winning 5": _rule(
        ADVANCED, "I.E", "A tie is settled by Sudden Death: a new game with 1 Prize card each."
    ),
    # Special Conditions
    "Conditions 1": _rule(RULEBOOK, "p. 9", "Only an Active Pokémon has Special Conditions."),
    "Conditions 2": _rule(
        RULEBOOK,
        "p. 9",
        "Asleep, Confused and Paralyzed replace each other; Poisoned and Burned combine with any.",
    ),
    "Conditions 3": _rule(
        RULEBOOK, "p. 9", "They end when the Pokémon goes to the Bench or leaves play."
    ),
    "Conditions 4": _rule(
        ADVANCED, "A-05 and C-13", "They end when the Pokémon evolves or devolves."
    ),
    "Conditions 5": _rule(
        CARDS, "sv4-159", "“Can't be affected” ends the conditions it has and prevents new ones."
    ),
    "Conditions 6": _rule(
        CARDS,
        "swsh11-210",
        "A Pokémon that a card puts in another's place keeps everything that was on it.",
    ),
    "Poisoned 1": _rule(
        RULEBOOK, "p. 6", "A Poisoned Pokémon takes 10 at each Checkup, or what its card says."
    ),
    "Poisoned 2": _rule(
        ADVANCED, "E-16", "If it is Poisoned again, the newest number counts, even if it is lower."
    ),
    "Poisoned 3": _rule(
        CARDS, "svp-149 and sv5-156", "“More” damage is added while a card says so."
    ),
    "Burned 1": _rule(
        RULEBOOK,
        "p. 6",
        "A Burned Pokémon takes 20 at each Checkup, then flips a coin: heads ends it.",
    ),
    "Burned 2": _rule(ADVANCED, "E-28", "If several numbers apply to Burned, the largest counts."),
    "Burned 3": _rule(CARDS, "swsh5-30", "A card may keep it Burned whatever the coin says."),
    "Asleep 1": _rule(RULEBOOK, "p. 9", "An Asleep Pokémon neither attacks nor retreats."),
    "Asleep 2": _rule(RULEBOOK, "p. 6", "At each Checkup a coin is flipped; heads wakes it."),
    "Asleep 3": _rule(
        CARDS, "sv2-162", "Where a card asks for two coins, both must be heads to wake it."
    ),
    "Paralyzed 1": _rule(RULEBOOK, "p. 9", "A Paralyzed Pokémon neither attacks nor retreats."),
    "Paralyzed 2": _rule(
        RULEBOOK,
        "Special Conditions",
        "It recovers at the Checkup after its owner's next turn, never in the turn it began.",
    ),
    "Confused 1": _rule(
        ADVANCED, "A-01", "A Confused Pokémon that attacks flips a coin; heads does not cure it."
    ),
    "Confused 2": _rule(
        ADVANCED, "A-01", "Tails: it takes 30, does not attack, and the turn ends."
    ),
    "Confused 3": _rule(RULEBOOK, "p. 9", "A Confused Pokémon retreats like any other."),
    # Pokémon Checkup
    "Checkup 1": _rule(
        ADVANCED, "I.F", "After every turn, for both: Poisoned, Burned, Asleep, Paralyzed."
    ),
    "Checkup 2": _rule(
        ADVANCED, "E-08", "Other effects of Checkup come before or after these, never in between."
    ),
    "Checkup 3": _rule(CARDS, "swshp-SWSH256", "There is no Checkup before an extra turn."),
    "Checkup 4": _rule(
        ADVANCED, "E-20", "What happens at the end of the turn comes before Checkup."
    ),
    # The turn
    "Turn 1": _rule(RULEBOOK, "p. 9", "The player who goes first does not attack in that turn."),
    "Turn 2": _rule(
        RULEBOOK, "p. 12", "That player cannot play a Supporter card in that turn either."
    ),
    "Turn 3": _rule(
        RULEBOOK,
        "p. 12",
        "Each turn allows one Energy, one Supporter, one Stadium and one retreat.",
    ),
    "Turn 4": _rule(
        CARDS, "rule boxes", "Each player may use one GX attack and one VSTAR Power in a game."
    ),
    "Turn 5": _rule(
        ADVANCED, "E-12", "An Ability can be used again next turn, or by a new Pokémon."
    ),
    "Turn 6": _rule(
        CARDS,
        "sm5-100",
        "A turn is one player's; another turn after it is the same player's, without Checkup.",
    ),
    "Attack 1": _rule(
        RULEBOOK, "pp. 12-14", "The Active Pokémon of the player whose turn it is attacks."
    ),
    "Attack 2": _rule(
        RULEBOOK,
        "Effects of attacks",
        "“Can't attack” and “can't retreat” end when the Pokémon leaves the Active Spot.",
    ),
    "Attack 3": _rule(
        RULEBOOK,
        "pp. 9, 12-14",
        "An attack ends the turn; Pokémon Checkup and the other player’s turn follow.",
    ),
    "Evolve 1": _rule(
        ADVANCED, "A-05", "An evolved Pokémon keeps its damage; its HP is that of the new card."
    ),
    "Evolve 2": _rule(
        RULEBOOK,
        "p. 11",
        "No one can evolve a Pokémon in their first turn, or one that came or evolved this turn.",
    ),
    "Devolve 1": _rule(
        ADVANCED, "C-13", "A devolved Pokémon keeps its damage and has the HP of the card below."
    ),
    "Devolve 2": _rule(ADVANCED, "C-13", "Only a Pokémon that has evolved can devolve."),
    "Devolve 3": _rule(ADVANCED, "C-13", "A devolved Pokémon counts as new: it evolves next turn."),
    "Retreat 1": _rule(
        ADVANCED, "A-03", "Once in your turn, the Active Pokémon retreats for a Benched one."
    ),
    "Switch 1": _rule(
        ADVANCED,
        "C-03 to C-05",
        "A switch by an effect is not a retreat: it is always allowed and never counted.",
    ),
    "Bench 1": _rule(RULEBOOK, "Zones", "One Pokémon is Active; up to five are on the Bench."),
    "Bench 2": _rule(
        CARDS,
        "sv7-131 and swsh11-215",
        "Cards change that number; a player with too many discards down to it.",
    ),
    "In play 1": _rule(
        ADVANCED,
        "E-12",
        "A Pokémon that leaves play loses everything on it; if it comes back, it is new.",
    ),
    # Ours
    "Reading 1": _rule(
        HOUSE,
        "who is asked",
        "The table stops waiting for a coin or a choice once nothing needs it.",
    ),
    "Reading 2": _rule(
        HOUSE,
        "a Bench that nobody added",
        "A player with no Pokémon left here says whether one is on the Bench before they lose.",
    ),
}

KINDS: Mapping[str, str] = {
    "damage": "damage in tens: one damage counter is 10; as much as its HP Knocks Out a Pokémon",
    "prizes": "Prize cards left; the player who takes their last one wins",
}
SUGGESTED = ("char", "lightning rod", "coloring", "imprison", "shock-wave", "lost zone", "energy")
"""Markers that cards use, and what else players like to count."""

NOT_TRACKED: Mapping[str, str] = {
    "Weakness and Resistance": (
        "You say which count, and another number than × 2 and − 30 if the card is not known, once "
        "for each two names."
    ),
    "Energy": "Attached Energy, attack costs and retreat costs are in front of you.",
    "Hands and decks": "The table cannot see them, so say when a player cannot draw.",
    "Knock Out effects": "Do what the cards say, in the owner's order, before you take Prizes.",
    "Order of taking Prizes": "Both players take theirs; who draws first is up to you.",
    "Order of other Checkup effects": "The sum is the same; the affected player orders them.",
    "Tools and Stadiums": "Their cards lie on the table; change the HP when they say so.",
    "Healed this turn": "Few cards ask; the log shows when a Pokémon was healed.",
    "Effects with an end": (
        "A mark ends with this turn, with the opponent’s next turn or your own, or it stays; the "
        "Bench and evolving end it too. What no mark says, write as a note."
    ),
    "Abilities of one name": "The players keep track of “only 1 each turn” limits by name.",
    "Stages": "The cards say what evolves from what.",
    "Confused GX and VSTAR attacks": "Tails means the attack was not used: remove the mark.",
    "Changing sides": "As far as we know, no card gives a Pokémon to the other player.",
    "More than two players": "These rules are for two; other seats can watch and count.",
    "Pokémon TCG Pocket": "That is a different game, with different numbers.",
}

SETTINGS: Mapping[str, Setting] = {
    "prize_cards": Setting((6, 3), "How many Prize cards does each player begin with?"),
    "tie": Setting(
        ("sudden-death", "tiebreaker", "nothing"),
        "What settles a tie: Sudden Death with 1 Prize card, a new game with 6, or nothing?",
    ),
    "first_supporter": Setting(
        (False, True), "May the player who goes first play a Supporter card in that turn?"
    ),
    "bench_asked": Setting(
        (False, True), "Ask players with no Pokémon left here about their Bench before they lose?"
    ),
}
