"""The rules by number, in our own words, and how the editions differ.

Document: Grand Archive Comprehensive Rules, page Game Mechanics, "Counters", unless a rule names
another. "Counters 1" to "Counters 6" are its opening paragraphs, "Buff 1" and so on its numbered
lines. Numbers and texts change between editions; each rule names its own.
"""

from __future__ import annotations

from collections.abc import Mapping

from games.rules.system import Rule, Setting

COUNTERS = "Grand Archive Comprehensive Rules, Game Mechanics, Counters"


def _rules(edition: str, document: str, texts: Mapping[str, str]) -> dict[str, Rule]:
    return {number: Rule(text, document, edition) for number, text in texts.items()}


def _elsewhere(edition: str, texts: Mapping[str, tuple[str, str]]) -> dict[str, Rule]:
    """The rules of other pages; *texts* has the page and text by number."""
    return {
        number: Rule(text, f"Grand Archive Comprehensive Rules, {page}", edition)
        for number, (page, text) in texts.items()
    }


_ALWAYS = {
    "Counters 1": "Counters have a kind and a number, and are on a card or an object.",
    "Counters 2": "A kind may have effects of its own or enable abilities.",
    "Counters 3": "Tokens, dice or anything else that players agree on may represent them.",
    "Counters 4": "They are gained, spent as a cost (all or nothing), or removed by an effect.",
    "Counters 5": "They stay while the card stays in its zone; changing zones loses them.",
    "Counters 6": "A kind that is not listed is generic: it does nothing by itself.",
    "Buff 1": "Each buff counter gives +1 power and +1 life.",
    "Buff 2": "It does not give a stat to an object that lacks it.",
    "Buff 3": "It counts before any other change to power and life.",
    "Buff 4": "Buff and debuff counters on one object cancel out, one for one.",
    "Damage 1": "A champion that is dealt damage gets that many damage counters; they stay.",
    "Damage 2": "Their number is a whole number, 0 or more.",
    "Damage 3": (
        "With as much damage as its life, a champion is defeated and an ally dies; a player whose "
        "champions are all defeated loses."
    ),
    "Damage 4": "Recovering removes them.",
    "Debuff 1": "Each debuff counter gives -1 power and -1 life.",
    "Debuff 2": "It does not give a stat to an object that lacks it.",
    "Debuff 3": "It counts before any other change to power and life.",
    "Debuff 4": "Debuff and buff counters on one object cancel out, one for one.",
    "Durability 1": "A card with a durability stat enters the field with that many counters.",
    "Durability 2": "There may be more of them than the printed number.",
    "Durability 3": "A weapon whose durability is 0 is destroyed.",
    "Durability 4": "Durability counters give no durability to a card without the stat.",
    "Enlighten 1": "Three enlighten counters can be removed from an object to draw a card.",
    "Level 1": "Each level counter on a champion gives it +1 level.",
}
_BESIDE = {
    "Ending the Game 5": (
        "Ending the Game",
        "A player who had a champion and no longer controls one loses.",
    ),
    "Continuous Effects, Layer E": (
        "Continuous Effects",
        "Changes to power, life and level apply in the order they were made; swaps come last.",
    ),
    "Supertypes, Regalia 4": (
        "Supertypes; Card Types, Champion 8",
        "A regalia or champion that would go to the graveyard, from anywhere, is banished instead.",
    ),
    "Supertypes, Regalia 5": (
        "Supertypes",
        "A regalia that would go from the field to hand, deck or memory goes to the material deck.",
    ),
    "Champion, Leveling Up 7.2": (
        "Card Types, Champion",
        "Leveling up does not change zones: the champion keeps its counters.",
    ),
    "Champion, Deleveling 1": (
        "Card Types, Champion",
        "Deleveling goes to a lower printed level; the champion keeps its counters.",
    ),
    "Class Bonus 1": (
        "Card texts: “Apply this effect only if your champion’s class matches this card’s class”",
        "A class bonus counts while your champion is of a class of that card.",
    ),
    "Class Bonus 2": (
        "Card texts: “[Class Bonus] [Level 2+]” and “+LV POWER”",
        "It may need a level of your champion, or count each of its levels.",
    ),
    "Weapon 4.3.1": (
        "Card Types, Weapon",
        "A weapon that attacked loses one durability counter in the damage step.",
    ),
    "Damage Step 3.1": (
        "Turn Order, Combat Phase",
        "The power of the attacker, its weapons and the cards in the intent is one sum.",
    ),
    "Attack Declaration 2.1.1": (
        "Turn Order, Combat Phase",
        "A unit rests as it attacks.",
    ),
    "Retaliation Step 3": (
        "Turn Order, Combat Phase",
        "A unit that retaliates rests, and deals its power to the attacker at the same moment.",
    ),
    "Game Terms, Transform 2": (
        "Game Terms",
        "A transformed object is the same object: its counters stay.",
    ),
    "Triggered Abilities 4": (
        "Abilities, Triggered Abilities",
        "An ability such as On Enter, On Attack or On Death happens each time what it names does.",
    ),
    "Triggered Abilities 5.1": (
        "Abilities, Triggered Abilities",
        "Its player chooses what it acts on, if its text has a target.",
    ),
    "Wake Up Phase": (
        "Turn Order, Wake Up Phase",
        "What the turn player controls wakes up.",
    ),
    "End Phase 3": (
        "Turn Order, End Phase",
        "Damage marked on allies and effects that last until end of turn end together.",
    ),
}
_SIEGE = {
    "Durability 3": "A weapon or Siegeable object whose durability is 0 is destroyed.",
}
_SIEGE_BESIDE = {
    "Siegeable 2.1": (
        "Functional Subtypes",
        "Damage to a Siegeable object removes that many durability counters.",
    ),
}
_CARRIED_BESIDE = {
    "Champion, Leveling Up 7.2.1": (
        "Card Types, Champion",
        "A champion leaves and enters the field with its counters. Counters 5 says otherwise; the "
        "table decides at the start, and without a decision Counters 5 holds.",
    ),
}
_OMEN_AND_WITHER = {
    "Omen 1": "A banished card with an omen counter is an Omen.",
    "Omen 2": "Each such card is one Omen, however many omen counters it has.",
    "Wither 1": (
        "As your main phase begins, for each object you control with wither counters, pay 1 "
        "reserve per counter or sacrifice it."
    ),
    "Wither 2": "The source of this trigger is the game, not the objects with wither counters.",
    "Wither 3": "An object is paid for in full, or it is sacrificed.",
    "Wither 4": "All objects that were paid for lose their wither counters at the same time.",
    "Wither 5": "A turn has only one main phase: returning from combat does not trigger it again.",
}
_NEWEST = {
    "Counters 1.1": (
        "Activations may hold counters too: such a card or token is in the zone “stack”."
    ),
    "Counters 5.1": "Masteries can hold counters too.",
    "Bulwark 1": "Bulwark counters protect units: champions and allies.",
    "Bulwark 2": "Combat damage to a unit with bulwark removes one counter instead.",
    "Bulwark 3": "0 damage does not use a counter.",
    "Bulwark 4.1": "Unpreventable damage is dealt, and still uses one counter.",
    "Static 1": (
        "When an arcane unit deals combat damage, its controller may remove a static counter from "
        "each object they control that has some; it deals 1 damage to what was dealt that damage."
    ),
    "Static 1.1": "It triggers once for each such object.",
    "Static 1.2": (
        "It triggers once for each object and each instance of combat damage, however many static "
        "counters the object has."
    ),
}
_NEWEST_BESIDE = {
    "Ending the Game 5.1": (
        "General Rules, Ending the Game",
        "In a game of three or more, what a player who loses owns leaves the game without dying, "
        "and what they controlled of others goes back.",
    ),
    "Attack 8": (
        "Card Types, Attack; Game Zones, Intent 2.1",
        "Attack cards go from the intent to the graveyard as combat ends; copies cease to exist.",
    ),
    "Intent 1": (
        "Game Zones, Intent",
        "Attack cards are in the intent during combat; it is not the field.",
    ),
    "Champion, Leveling Up 2": (
        "Card Types, Champion",
        "The next level is one above the printed level, whatever effects add to it.",
    ),
    "Champion, Leveling Up 4": (
        "Card Types, Champion",
        "A champion that levels up stays rested or awake.",
    ),
    "Supertypes, Regalia 5": (
        "Supertypes",
        "A regalia that would go to hand, deck or memory goes to the material deck, from anywhere.",
    ),
    "Game Terms, Recover": (
        "Game Terms",
        "Recovering more than 0 counts as recovering even if there was no damage.",
    ),
}


def _edition(
    edition: str, here: Mapping[str, str], sidebar: Mapping[str, tuple[str, str]]
) -> dict[str, Rule]:
    return {**_rules(edition, COUNTERS, here), **_elsewhere(edition, sidebar)}


_HERE_2025 = {**_ALWAYS, **_SIEGE, **_OMEN_AND_WITHER}
_BESIDE_2025 = {**_BESIDE, **_SIEGE_BESIDE, **_CARRIED_BESIDE}

RULES_2024 = _edition("2024", _ALWAYS, _BESIDE)
RULES_2025_07 = _edition("2025-07", _HERE_2025, _BESIDE_2025)
RULES = _edition("2026-08", {**_HERE_2025, **_NEWEST}, {**_BESIDE_2025, **_NEWEST_BESIDE})

KINDS_2024 = {
    "buff": "+1 power and +1 life for each",
    "damage": "damage on a champion; a number equal to its life defeats it",
    "debuff": "-1 power and -1 life for each",
    "durability": "how long a weapon lasts",
    "enlighten": "remove 3 to draw a card",
    "level": "+1 level for each, on a champion",
}
KINDS_2025_07 = {
    **KINDS_2024,
    "durability": "how long a weapon or Siegeable object lasts",
    "omen": "makes a banished card an Omen",
    "wither": "pay 1 reserve for each in your main phase, or sacrifice it",
}
KINDS = {
    **KINDS_2025_07,
    "bulwark": "prevents combat damage to a champion or ally once",
    "static": "deals 1 damage to what your arcane unit hits in combat",
}

SUGGESTED = (
    "preparation, sheen, quest, refinement, age, charge, haunt, training, glimmer, lash, page"
).split(", ")
"""Generic kinds that cards use, the most common first."""

NOT_TRACKED_ALWAYS = {
    "Counters 3": "You decide how to represent counters; this table is one way.",
    "Hands": "Hands, memory and decks are not tracked; the players say what they paid or drew.",
    "Priority": "The players decide who may respond and when; a waiting question can be negated.",
    "Unique": "The players check that no one controls two unique objects with the same name.",
    "Bans on placing": "If a card forbids counters, do not place any.",
    "Retaliation": "The players decide whether a unit retaliates, and say so at the attack.",
    "Other bonuses": (
        "What a card has only against some targets, once prepared, or by its graveyard is not "
        "worked out: say it as more power."
    ),
    "Distant and taunt": "These marks are shown; what they mean for attacks is up to the players.",
}
NOT_TRACKED_ONCE = {
    **NOT_TRACKED_ALWAYS,
    "Players who lost": "When a player loses, you decide what to do with their objects.",
}
NOT_TRACKED = {
    **NOT_TRACKED_ALWAYS,
    "Bulwark 1.1": (
        "If several effects would replace the same damage, the owner of what is dealt it chooses "
        "the order: give the damage that is left."
    ),
    "Champion, Leveling Up 7.2.3": (
        "A new champion that takes the place of the old one and its lineage gets none of their "
        "counters: add it as a new card."
    ),
}

SETTINGS_2024 = {
    "counters_apply": Setting(
        ("first", "last"),
        "Do buff and debuff counters apply before other changes (Counters page) or after them "
        "(Continuous Effects page)?",
    ),
    "no_champion_loses": Setting(
        (True, False),
        "Does a player lose if their last champion leaves the field without being defeated?",
    ),
}
SETTINGS = {
    **SETTINGS_2024,
    "champion_carries_counters": Setting(
        (False, True),
        "Does a champion that leaves or enters the field keep its counters (Champion, Leveling Up "
        "7.2.1)? Counters 5 says that it loses them.",
    ),
}
