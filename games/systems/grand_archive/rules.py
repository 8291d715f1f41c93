"""The rules by number, in our own words, and how the editions differ.

Document: Grand Archive Comprehensive Rules, page Game Mechanics, "Counters", if nothing else is
said. "Counters 1" to "Counters 6" are its opening paragraphs, "Buff 1" and so on its numbered
lines. Numbers and texts move between editions; each rule names its own.
"""

from __future__ import annotations

from collections.abc import Mapping

from games.rules.system import Rule, Setting

COUNTERS = "Grand Archive Comprehensive Rules, Game Mechanics, Counters"


def _rules(edition: str, document: str, texts: Mapping[str, str]) -> dict[str, Rule]:
    return {number: Rule(text, document, edition) for number, text in texts.items()}


def _elsewhere(edition: str, texts: Mapping[str, tuple[str, str]]) -> dict[str, Rule]:
    """Rules of other pages: number to page and text."""
    return {
        number: Rule(text, f"Grand Archive Comprehensive Rules, {page}", edition)
        for number, (page, text) in texts.items()
    }


_ALWAYS = {
    "Counters 1": "A counter has a kind and a number, and lies on a card or an object.",
    "Counters 2": "A kind may have effects of its own or allow abilities.",
    "Counters 3": "Tokens, dice or any agreed means may show them.",
    "Counters 4": "They are gained, spent as a cost (all or nothing), or removed by an effect.",
    "Counters 5": "They stay while the card stays in its zone; a change of zone loses them.",
    "Counters 6": "A kind that is not listed is generic: it does nothing by itself.",
    "Buff 1": "Each buff counter gives +1 power and +1 life.",
    "Buff 2": "It gives no stat that the object does not have.",
    "Buff 3": "It counts before any other change to power and life.",
    "Buff 4": "Buff and debuff counters on one object remove each other, one for one.",
    "Damage 1": "A champion that is dealt damage gets as many damage counters; they stay.",
    "Damage 2": "They count in whole numbers from 0.",
    "Damage 3": (
        "With as many damage counters as its life, a champion is defeated; a player whose "
        "champions are all defeated loses."
    ),
    "Damage 4": "Recovering removes them.",
    "Debuff 1": "Each debuff counter gives -1 power and -1 life.",
    "Debuff 2": "It gives no stat that the object does not have.",
    "Debuff 3": "It counts before any other change to power and life.",
    "Debuff 4": "Debuff and buff counters on one object remove each other, one for one.",
    "Durability 1": "A card with a durability stat enters the field with that many counters.",
    "Durability 2": "There may be more of them than are printed.",
    "Durability 3": "A weapon whose durability is 0 is destroyed.",
    "Durability 4": "Durability counters give no durability to what has none printed.",
    "Enlighten 1": "Three enlighten counters can be removed from an object to draw a card.",
    "Level 1": "Each level counter on a champion gives it +1 level.",
}
_BESIDE = {
    "Ending the Game 5": (
        "Ending the Game",
        "A player who had a champion and controls none any more loses.",
    ),
    "Continuous Effects, Layer E": (
        "Continuous Effects",
        "Changes of power and life apply in the order they were made; a swap comes last.",
    ),
    "Supertypes, Regalia 4": (
        "Supertypes; Card Types, Champion 8",
        "A regalia or champion that would go from the field to the graveyard is banished.",
    ),
    "Champion, Leveling Up 7.2.1": (
        "Card Types, Champion",
        "Leveling up is no change of zone: the champion keeps its counters.",
    ),
    "Champion, Deleveling 1": (
        "Card Types, Champion",
        "Deleveling goes to a lower printed level; the champion keeps its counters.",
    ),
    "Weapon 4.3.1": (
        "Card Types, Weapon",
        "A weapon that attacked loses one durability counter in the damage step.",
    ),
    "Game Terms, Transform 2": (
        "Game Terms",
        "A transformed object is the same object: its counters stay.",
    ),
    "End Phase 3": (
        "Turn Order, End Phase",
        "Damage marked on allies and effects until end of turn end together.",
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
_OMEN_AND_WITHER = {
    "Omen 1": "A banished card with an omen counter is an Omen.",
    "Omen 2": "Omens are counted by card, however many counters lie on it.",
    "Wither 1": (
        "As a main phase begins, its player pays 1 reserve for each wither counter on each own "
        "object, or sacrifices that object."
    ),
    "Wither 2": "The game is the source of this trigger, not the withered objects.",
    "Wither 3": "What is due for an object is paid in full, or the object is sacrificed.",
    "Wither 4": "The wither counters of all that was paid for come off at the same time.",
    "Wither 5": "A turn has one main phase: coming back from combat sets off nothing.",
}
_NEWEST = {
    "Counters 5.1": "Masteries hold counters too.",
    "Bulwark 2": "Combat damage to an object with bulwark removes one counter instead.",
    "Bulwark 3": "Damage of 0 uses none.",
    "Bulwark 4.1": "Damage that cannot be prevented is dealt, and still uses just one.",
    "Static": "Static counters do something when combat damage is dealt.",
}
_NEWEST_BESIDE = {
    "Game Terms, Recover": (
        "Game Terms",
        "Recovering an amount above 0 is recovering even if no damage was there.",
    ),
}


def _edition(
    edition: str, here: Mapping[str, str], sidebar: Mapping[str, tuple[str, str]]
) -> dict[str, Rule]:
    return {**_rules(edition, COUNTERS, here), **_elsewhere(edition, sidebar)}


_HERE_2025 = {**_ALWAYS, **_SIEGE, **_OMEN_AND_WITHER}
_BESIDE_2025 = {**_BESIDE, **_SIEGE_BESIDE}

RULES_2024 = _edition("2024", _ALWAYS, _BESIDE)
RULES_2025_07 = _edition("2025-07", _HERE_2025, _BESIDE_2025)
RULES = _edition("2026-08", {**_HERE_2025, **_NEWEST}, {**_BESIDE_2025, **_NEWEST_BESIDE})

KINDS_2024 = {
    "buff": "+1 power and +1 life for each",
    "damage": "damage on a champion; as much as its life defeats it",
    "debuff": "-1 power and -1 life for each",
    "durability": "how long a weapon or Siegeable object lasts",
    "enlighten": "remove 3 to draw a card",
    "level": "+1 level for each, on a champion",
}
KINDS_2025_07 = {
    **KINDS_2024,
    "omen": "makes a banished card an Omen",
    "wither": "pay 1 reserve for each in your main phase, or sacrifice it",
}
KINDS = {**KINDS_2025_07, "bulwark": "prevents combat damage once"}

SUGGESTED = (
    "preparation, sheen, quest, refinement, age, charge, haunt, training, glimmer, lash, page"
).split(", ")
"""Generic kinds that cards use, the most frequent first."""

NOT_TRACKED_ALWAYS = {
    "Counters 3": "How you show counters is up to the table; this is one way to do it.",
    "Hands": "Hands, memory and decks are not tracked, so the players say what they paid or drew.",
    "Priority": "Who may respond, and when, is up to the players; what waits can be negated.",
    "Unique": "The players watch for two objects with the same unique name.",
    "Bans on placing": "If a card forbids counters, simply place none.",
    "Players who lost": "What happens to the objects of a player who lost is up to the table.",
}
NOT_TRACKED = {
    **NOT_TRACKED_ALWAYS,
    "Static": "Its text was rewritten twice in August 2026; count static counters by hand.",
}

SETTINGS = {
    "counters_apply": Setting(
        ("first", "last"),
        "Do buff and debuff counters count before other changes (Counters page) or after them "
        "(Continuous Effects page)?",
    ),
    "no_champion_loses": Setting(
        (True, False),
        "Does a player whose last champion leaves the field without being defeated lose?",
    ),
}
