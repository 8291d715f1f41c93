"""The rules by number, in our own words, and how the editions differ.

Document: the Comprehensive Rules. The code names each rule by its number in the newest edition;
`here` gives its number in the edition being played. All rules that the code implements but
one (`REWORDED`) read the same in both: sections inserted before them moved rad counters from 725
to 728.
"""

from __future__ import annotations

from collections.abc import Mapping

from games.rules.commands import whole
from games.rules.system import Rule, Setting, System

DOCUMENT = "Magic: The Gathering Comprehensive Rules"
NEWEST, OLDER = "2026-08", "2024-06"

_TEXTS = {
    "104.2a": "The last player or team in the game wins.",
    "101.2": "If one effect says that something happens and another that it can't, it can't.",
    "102.3": "A player's opponents are those who are not on the same team.",
    "102.4": "“Your team” is you and your teammates.",
    "104.3a": "A player may concede at any time: that player leaves the game and loses it.",
    "104.4a": "If all remaining players lose at the same moment, the game is a draw.",
    "104.5": "A player who loses leaves the game and no longer counts for anything.",
    "107.1b": "A number of cards is a whole number, 0 or more.",
    "107.14": "A player pays energy by removing that many of their energy counters, or not at all.",
    "111.4": "A token that an effect does not name has its subtypes for a name.",
    "111.7": "A token that leaves the battlefield ceases to exist.",
    "113.8": "The controller of an ability's source controls it; the rad ability has no source.",
    "119.5": "If a life total becomes a number, the player gains or loses the difference.",
    "119.7": "Of two life totals neither is exchanged if one of them can't become the other.",
    "119.8": "A player who can't lose life loses none and can't pay any.",
    "120.1": "Damage is dealt to players, creatures, planeswalkers and battles only.",
    "120.3a": "A player who is dealt damage loses that much life.",
    "120.3b": "Damage with infect gives a player that many poison counters instead.",
    "120.3c": "A planeswalker loses as many loyalty counters as it is dealt damage.",
    "120.3d": "Damage with wither or infect puts that many -1/-1 counters on a creature.",
    "120.3e": "Other damage is marked on the creature.",
    "120.3f": "Whoever controls the source of damage with lifelink gains that much life.",
    "120.3g": "Combat damage with toxic gives a player poison counters besides.",
    "120.3h": "A battle loses as many defense counters as it is dealt damage.",
    "120.6": "Damage stays marked on a creature until the turn ends.",
    "122.1": "Counters are on objects and players; counters with the same name are the same.",
    "122.1a": "A +X/+Y or -X/-Y counter changes power and toughness by that much.",
    "122.1b": "A keyword counter gives the object that has it that keyword.",
    "122.1c": (
        "Damage that would be dealt to a permanent with a shield counter is prevented, and one of "
        "them is removed."
    ),
    "122.1d": "A permanent with a stun counter loses one of them instead of untapping.",
    "122.1e": "The loyalty of a planeswalker is the number of loyalty counters on it.",
    "122.1f": "A player with ten poison counters loses.",
    "122.1g": "The defense of a battle is the number of defense counters on it.",
    "122.1h": "A permanent with a finality counter is exiled instead of going to the graveyard.",
    "122.2": "Counters cease to exist when their object changes zones; they are not removed.",
    "122.3": "+1/+1 and -1/-1 counters on one permanent are removed in pairs.",
    "122.4": "What can't have more than some number of a kind of counters loses the others.",
    "122.5": "A moved counter is removed and put elsewhere; if it can't be both, nothing happens.",
    "122.6": "Putting counters on an object includes entering the battlefield with them.",
    "122.6a": "The player under whose control an object enters puts the counters on it.",
    "122.8": "To give an object the counters of one that left, put that many on it.",
    "122.9": "To put an object's counters elsewhere, sacrificed as a cost, put as many as it had.",
    "205.2b": "A card with several types has all of them: a land creature is a land.",
    "306.5b": "A planeswalker enters with loyalty counters equal to its printed loyalty.",
    "309.4": "A player's venture marker shows which room of their dungeon they are in.",
    "309.6": "A dungeon whose last room's ability has left the stack is removed from the game.",
    "309.7": "A player completes a dungeon as it is removed from the game.",
    "310.4b": "A battle enters with defense counters equal to its printed defense.",
    "310.11b": (
        "When the last defense counter is removed from a Siege, its controller exiles it and may "
        "then cast it as its other face."
    ),
    "400.7": "An object that changes zones becomes a new object, without the old one's counters.",
    "500.2": "A phase ends only when nothing is waiting to resolve.",
    "500.7": "An extra turn is a separate turn with all its phases.",
    "500.8": "An effect may add phases, such as another combat phase.",
    "500.11": "A skipped phase is passed over as if it did not exist.",
    "502.1": "What phased out under the active player's control phases in, before they untap.",
    "502.3": "The active player's permanents untap in the untap step.",
    "505.1a": "Only the first main phase of a turn is the precombat main phase.",
    "506.4": "What leaves the battlefield is removed from combat.",
    "508.1a": "What attacks is an untapped creature; it attacks a player, planeswalker or battle.",
    "508.1f": "What attacks is tapped.",
    "509.1": "Players who are attacked declare their blocks.",
    "509.1a": "What blocks is an untapped creature of the player who is attacked.",
    "510.1b": "A creature that is not blocked deals its damage to what it attacks.",
    "510.1c": "A creature that is blocked deals its damage to the creatures that block it.",
    "510.1d": "A creature that blocks deals its damage to the creature that it blocks.",
    "510.2": "All combat damage of one step is dealt at once.",
    "510.4": (
        "If a creature has first strike or double strike, there are two steps of combat damage."
    ),
    "514.2": "Effects that last until end of turn end together, as the turn ends.",
    "603.2b": "An ability that triggers at the beginning of a phase triggers only then.",
    "603.2c": "An ability triggers once each time what it watches for happens.",
    "603.3d": "Its player chooses what a triggered ability acts on, where its card says so.",
    "603.3": "A triggered ability waits on the stack, where it can be countered.",
    "603.4": "A condition in the trigger is checked when it triggers, and again as it resolves.",
    "604.2": "What the text of a permanent says of others counts while it is on the battlefield.",
    "606.4": "The loyalty counters that an ability puts on its planeswalker are its cost.",
    "608.2c": "Instructions are followed in the order written: mill, lose life, remove counters.",
    "608.2h": "A number that an effect needs is read once, when the effect is applied.",
    "609.1": "An effect is what a spell or an ability does; a cost and a rule are no effects.",
    "609.3": "An effect that can't be carried out in full is carried out as far as possible.",
    "611.2": "The effect of a spell or ability that has resolved lasts for as long as it says.",
    "611.3a": "What a text says of others counts, at each moment, for what it is about then.",
    "613.1f": "Effects that add abilities, and keyword counters, count before power and toughness.",
    "613.4b": "Effects that set power or toughness replace the printed value; the latest counts.",
    "613.4c": "Counters and effects that add to power or toughness, or take from it, count next.",
    "613.4d": "Effects that switch power and toughness count last.",
    "614.1a": (
        "“Instead” replaces an event: more counters may be put or more cards milled, a loss may "
        "become a gain."
    ),
    "614.5": "Each effect replaces an event only once.",
    "614.12": (
        "What an object enters with is changed by effects that look at it as it enters; not by "
        "abilities of its own about all permanents, nor of what enters with it."
    ),
    "614.16": (
        "“If an effect would put counters” also asks what another replacement effect has done: "
        "what it changed is put by an effect."
    ),
    "614.17": "An event that can't happen can't be replaced either.",
    "616.1": (
        "If several effects would replace an event, the affected player, or the controller of the "
        "affected permanent, says which comes next, until none is left."
    ),
    "701.12c": "When life totals are exchanged, each player gains or loses the difference.",
    "701.17a": "To mill N cards is to put the top N cards of the library into the graveyard.",
    "701.17b": "A player with fewer cards mills all of them; that alone does not lose the game.",
    "701.17c": "A milled card that goes to exile instead is still a milled card.",
    "701.34a": "Proliferate gives each chosen player and permanent one more of each kind it has.",
    "701.34b": "If teammates share poison, only one of them gets another poison counter.",
    "701.49a": "A player who has no dungeon enters the first room of one when venturing.",
    "701.49b": "Venturing in a dungeon leads to the next room; of several the player chooses one.",
    "701.49c": "In the last room, venturing completes the dungeon, and the player enters another.",
    "701.49d": (
        "Who ventures into a certain dungeon goes on in the dungeon they are in; without one they "
        "enter that."
    ),
    "701.54a": (
        "When the Ring tempts a player, a creature of theirs becomes their Ring-bearer, until "
        "another does or another player gains control of it."
    ),
    "701.54c": "Each time the Ring tempts a player, it gets the next of its four abilities.",
    "701.54d": "The Ring tempts a player even if there is no creature to choose.",
    "702.2c": "Of damage with deathtouch, 1 is lethal when an attacker shares its damage out.",
    "702.4b": "A creature with double strike deals its combat damage in both steps.",
    "702.7b": "A creature with first strike deals its combat damage in the first of two steps.",
    "702.12b": "An indestructible permanent isn't destroyed, whatever damage it has.",
    "702.2b": "Any damage of a source with deathtouch to a creature is lethal.",
    "702.100a": "A creature evolves when one with greater power or toughness enters on its side.",
    "702.111b": "A creature with menace is blocked by two or more creatures, or by none.",
    "702.19b": "What an attacker with trample does not need for its blockers goes on.",
    "702.20b": "A creature with vigilance attacks without being tapped.",
    "702.26b": "What is phased out is treated as though it did not exist.",
    "702.40a": "Storm counts the spells cast before this one in the turn.",
    "702.145c": "While it is night, a permanent with daybound shows its other face.",
    "702.145d": "If it is neither day nor night, a permanent with daybound makes it day.",
    "702.145f": "While it is day, a permanent with nightbound shows its front face.",
    "702.179c": (
        "When opponents lose life during the turn of a player with a speed, it goes up by 1, once "
        "each turn."
    ),
    "702.179d": "A player's speed is 4 at most.",
    "702.124d": "Partners are two commanders: tax and damage are counted for each by itself.",
    "702.184a": (
        "Station: tap another untapped creature you control and put as many charge counters on the "
        "station card as its power; only when you could cast a sorcery."
    ),
    "704.3": "State-based actions are checked all at once, when an effect has finished.",
    "704.5a": "A player with 0 or less life loses.",
    "704.5c": "A player with ten or more poison counters loses.",
    "704.5f": "A creature with toughness 0 or less is put into the graveyard.",
    "704.5g": "A creature with damage as high as its toughness is destroyed.",
    "704.5h": "A creature that was dealt damage by a source with deathtouch is destroyed.",
    "704.5i": "A planeswalker with loyalty 0 is put into the graveyard.",
    "704.5q": "+1/+1 and -1/-1 counters on one permanent remove each other.",
    "704.5r": "A permanent that can't have so many counters of a kind loses what is too much.",
    "704.5v": "A battle with defense 0 whose ability does not wait is put into the graveyard.",
    "704.6a": "A team that shares life loses at 0 or less.",
    "704.6b": "A team that shares poison loses at fifteen poison counters, or at its own limit.",
    "704.6c": "A player dealt 21 combat damage by the same commander loses.",
    "707.10": "A copy of an ability on the stack is another such ability with the same controller.",
    "712.8a": "Outside the battlefield a double-faced card has only its front face.",
    "714.2c": "A chapter ability triggers as the lore counters reach its number.",
    "714.4": (
        "A Saga with as many lore counters as chapters is sacrificed once its last chapter ability "
        "has left the stack."
    ),
    "721.2b": (
        "With as many charge counters as it says, a station card is a creature besides its other "
        "types, with its printed power and toughness."
    ),
    "725.2": "Who deals combat damage to the monarch with a creature becomes the monarch.",
    "725.3": "Only one player is the monarch; a new monarch replaces the old one.",
    "725.4": "If the monarch leaves the game, the active player becomes the monarch.",
    "726.2": (
        "Who deals combat damage with a creature to the player who has the initiative takes it. "
        "Whoever takes it ventures into Undercity, and so does who has it as their upkeep begins."
    ),
    "726.3": "Only one player has the initiative; whoever takes it takes it from that player.",
    "726.4": "If the player with the initiative leaves the game, the active player takes it.",
    "726.5": "Who takes the initiative while they have it ventures all the same.",
    "727.1": "A restarted game starts over with the players who are still in it.",
    "728.1": (
        "At the beginning of each player's precombat main phase, a player with rad counters mills "
        "that many cards and, for each nonland card milled this way, loses 1 life and one rad "
        "counter. The ability has no source; the active player controls it."
    ),
    "728.1a": "Life lost “from radiation” is life lost to the rad ability.",
    "731.1": "The game begins with neither day nor night; once it is one, it stays one of them.",
    "731.2a": "If the player of a turn cast no spell in it, day becomes night after it.",
    "731.2b": "If the player of a turn cast two spells in it, night becomes day after it.",
    "733.1": "When an action is reversed, cards moved from a library are not put back.",
    "800.4a": (
        "When a player leaves the game, all that they own leaves with them, what they controlled "
        "of others goes back, and their abilities cease to exist."
    ),
    "800.4d": "An ability that would be controlled by a player who left is not created.",
    "800.4i": "Players who left are not counted, and neither is what they have.",
    "800.4k": "The turn of a player who has left does not begin.",
    "802.4": "Defending players declare their blocks one after another, in turn order.",
    "805.4": "A team that shares turns takes one turn together.",
    "805.4a": "Each player of the team is an active player during that turn.",
    "805.4d": "An ability of the active player then triggers once for each of them it applies to.",
    "808.3": "In Team vs. Team, each player has their own life, turns and counters.",
    "810.5": "Teammates share only life and poison; each has their own rad counters.",
    "810.8a": "Players who share a life total lose together, or cannot lose.",
    "810.9": "When a player of the team loses life, the shared life goes down.",
    "810.10": "Poison counters that one player of a team gets are shared by the team.",
    "810.10c": "If a player can't get poison counters, no one of a team that shares them can.",
    "901.3a": "The planar die has a Planeswalker symbol, a chaos symbol and four blank faces.",
    "901.9": "In a main phase the active player may roll the planar die, for more mana each time.",
    "903.6": "Each commander begins the game in the command zone.",
    "903.8": (
        "A commander cast from the command zone costs {2} more for each earlier cast from there."
    ),
    "903.10a": "Combat damage from each commander to a player adds up over the whole game.",
    "904.13b": "In Archenemy Commander, the team shares 60 life; the archenemy also has 60.",
    "904.13c": "In Archenemy Commander, each player has their own poison.",
}
_OLDER_NUMBERS: Mapping[str, str | None] = {
    "701.12c": "701.10c",
    "701.17a": "701.13a",
    "701.17b": "701.13b",
    "701.17c": "701.13c",
    "701.34a": "701.27a",
    "701.34b": "701.27b",
    "701.49a": "701.46a",
    "701.49b": "701.46b",
    "701.49c": "701.46c",
    "701.49d": "701.46d",
    "701.54a": "701.52a",
    "701.54c": "701.52c",
    "701.54d": "701.52d",
    "725.2": "722.2",
    "725.3": "722.3",
    "725.4": "722.4",
    "726.2": "723.2",
    "726.3": "723.3",
    "726.4": "723.4",
    "726.5": "723.5",
    "727.1": "724.1",
    "728.1": "725.1",
    "728.1a": "725.1a",
    "731.1": "728.1",
    "731.2a": "728.2a",
    "731.2b": "728.2b",
    "733.1": "730.1",
    "702.179c": None,
    "702.179d": None,
    "702.184a": None,
    "721.2b": None,
    "904.13b": None,
    "904.13c": None,
}
"""The rules that had another number in June 2024, or none yet."""

REWORDED = {
    "704.5v": "A Siege with defense 0 whose ability does not wait is put into the graveyard.",
}
"""Wording that the newest edition changed: of Sieges, where the older one speaks of battles."""

RULES = {number: Rule(text, DOCUMENT, NEWEST) for number, text in {**_TEXTS, **REWORDED}.items()}
RULES_2024_06 = {
    older: Rule(text, DOCUMENT, OLDER)
    for number, text in _TEXTS.items()
    if (older := _OLDER_NUMBERS.get(number, number)) is not None
}


def here(system: System, number: str) -> str:
    """The number, in the edition being played, of the rule with *number* in the newest edition.

    Numbers move between editions: 728.1 is rad counters in one, and day and night in the other.
    """
    return number if system.edition == NEWEST else _OLDER_NUMBERS.get(number) or number


KINDS = {
    "rad": (
        "on a player: mill that many in your precombat main phase; each nonland card costs 1 life "
        "and 1 rad"
    ),
    "poison": "you lose at ten; a team that shares them loses at fifteen",
    "+1/+1": "+1 power, +1 toughness; cancels with -1/-1",
    "-1/-1": "-1 power, -1 toughness; cancels with +1/+1",
    "loyalty": "a planeswalker's loyalty; with a printed loyalty, 0 puts it into the graveyard",
    "defense": "a battle's defense; as the last one is removed, its ability triggers",
    "energy": "pay it for abilities",
    "experience": "cards count it; it stays with you",
    "ticket": "pay it for stickers",
    "shield": "prevents damage, and one is removed; instead of destruction you remove one",
    "stun": "one is removed instead of untapping it",
    "finality": "it is exiled instead of going to the graveyard",
    "lore": "one more chapter of a Saga each turn; after its last one it is sacrificed",
    "hone": "on Equipment: +1 power for the equipped creature; you apply it",
    "flying": "keyword counter: the creature has flying",
    "first strike": "keyword counter: the creature has first strike",
    "double strike": "keyword counter: the creature has double strike",
    "deathtouch": "keyword counter: any damage the creature deals to another is lethal",
    "decayed": "keyword counter: the creature has decayed",
    "exalted": "keyword counter: the permanent has exalted",
    "haste": "keyword counter: the creature has haste",
    "hexproof": "keyword counter: the permanent has hexproof",
    "indestructible": "keyword counter: lethal damage does not destroy the permanent",
    "lifelink": "keyword counter: its controller gains the damage that it deals as life",
    "menace": "keyword counter: the creature has menace",
    "reach": "keyword counter: the creature has reach",
    "shadow": "keyword counter: the creature has shadow",
    "trample": "keyword counter: the creature has trample",
    "vigilance": "keyword counter: the creature has vigilance",
}
"""Every kind that the rules mention. The system acts on the first six, and on shield, stun,
finality, lore, deathtouch, indestructible and lifelink."""

SUGGESTED = (
    "charge, time, quest, age, level, oil, verse, fade, ice, spore, storage, study, page, brick, "
    "blood, bounty, depletion, divinity, doom, egg, fate, fuse, growth, hatchling, hour, "
    "incubation, ki, luck, mining, muster, omen, pressure, slime, soul, tower, training, void, wish"
).split(", ")
"""Kinds that cards use and the rules do not mention."""

_ALWAYS = {
    "Libraries": "Only you can see your library, so you report what was milled.",
    "Priority": "The players decide who may respond and in which order triggers resolve.",
    "Other triggers": (
        "If a card triggers on milling, resolve it yourself; so one that the table does not know "
        "by name or from you, or that dies at the same moment as what it watches. Of “one or more "
        "counters” of any kind, each kind is one time."
    ),
    "704.5b": "If you draw from an empty library, leave the game.",
    "701.19": "Regeneration is not tracked: take back the death of a creature that regenerates.",
    "Other keyword counters": (
        "The table applies deathtouch, indestructible and lifelink, and in combat as one act first "
        "strike, double strike, trample and vigilance; the players the others."
    ),
    "Shields and destruction": (
        "If an effect would destroy a permanent with a shield counter, remove the counter instead. "
        "Damage that several sources deal to it at once is one amount."
    ),
    "122.1i": "Rad counters act on players only; on a permanent they are shown and do nothing.",
    "122.7": (
        "You watch for “the third counter” and the like: it is put on when the number goes from "
        "below three to three or more."
    ),
    "Replacement effects on counters": (
        "You say which abilities change counters, and when their effects end. A copy of such a "
        "card is said by itself. Counters of another kind put instead, and doubled tokens, are "
        "put by hand."
    ),
    "Lords and anthems": (
        "You say the types of a creature that is not known by name; until then it is of none. What "
        "a card adds to a color or to a chosen type, you change yourself, or say on its sheet."
    ),
    "Sagas": "The players do what the chapters say; a Saga with “chapters” ends by itself.",
    "Teammates": (
        "“Can't lose life” and “can't get counters” affect everyone who shares them: mark each "
        "player. A card that says who can't get poison counts for the team by itself. "
        "“Can't lose the game” counts for a whole team that shares life."
    ),
    "Monarch and initiative": (
        "Combat damage of a creature on the table takes them; otherwise you set who has them. You "
        "draw the cards."
    ),
    "Day and night": (
        "In a turn in which nobody counted a spell, you say whether it changes. Cards with "
        "daybound that are known by name turn over; what the other face does is yours."
    ),
    "The Ring and dungeons": "The table keeps the level and the room; you do what they say.",
    "Speed": "You say that a player has one; life lost in their turn makes it go up.",
    "Planes": "Keep the plane as a note; you do what it says and pay for the planar die.",
    "Schemes and stickers": "If you need them, add them to the table as objects.",
}
NOT_TRACKED = {
    **_ALWAYS,
    "704.5v": (
        "Every battle with a printed defense is taken for a Siege. Give another sort of battle its "
        "defense counters by hand, and it stays when they are gone."
    ),
    "122.1j": "Hone counters are shown; which creature is equipped is not tracked.",
    "733.1": "Undo restores only the numbers; you decide what to do with cards already milled.",
}
NOT_TRACKED_2024_06 = {
    **_ALWAYS,
    "730.1": "Undo restores only the numbers; you decide what to do with cards already milled.",
}
KINDS_2024_06 = {kind: meaning for kind, meaning in KINDS.items() if kind != "hone"}

DEATHS = "creatures_die"
SETTINGS = {
    "poison_loses": Setting(
        (10, 15, 20),
        "How many poison counters make a player lose? Some Commander tables play with 15; a team "
        "that shares poison has its own limit.",
        whole(1, 999),
    ),
    "commander_damage_loses": Setting(
        (21, 15, 30),
        "How much combat damage from one commander makes a player lose?",
        whole(1, 999),
    ),
    DEATHS: Setting(
        (False, True),
        "Does a creature with lethal damage, or without toughness, go to the graveyard by itself?",
    ),
}
