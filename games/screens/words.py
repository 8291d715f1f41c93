"""The rules' own words as people say them, in their language.

The rules speak in ids ("wake-up", "enlighten"); a word that has no translation here is shown as it
is, with its dashes and underscores as blanks. Kinds of counters are always shown as printed.
"""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

from games.rules.state import Phrase, Refused

WORDS = {
    # zones
    "field": _("field"),
    "deck": _("deck"),
    "material": _("material"),
    "hand": _("hand"),
    "memory": _("memory"),
    "graveyard": _("graveyard"),
    "banishment": _("banishment"),
    "mastery": _("mastery"),
    "table": _("table"),
    "aside": _("aside"),
    "monster": _("Monster Zone"),
    "spell-trap": _("Spell & Trap Zone"),
    "field-zone": _("Field Zone"),
    "pendulum": _("Pendulum Zone"),
    "extra-deck": _("Extra Deck"),
    "banished": _("banished"),
    "battlefield": _("battlefield"),
    "library": _("library"),
    "exile": _("exile"),
    "stack": _("stack"),
    "command": _("command zone"),
    # phases
    "draw": _("draw"),
    "standby": _("standby"),
    "main-1": _("main 1"),
    "main-2": _("main 2"),
    "untap": _("untap"),
    "upkeep": _("upkeep"),
    "precombat-main": _("precombat main"),
    "postcombat-main": _("postcombat main"),
    "cleanup": _("cleanup"),
    "wake-up": _("wake up"),
    "materialize": _("materialize"),
    "recollection": _("recollection"),
    "main": _("main"),
    "combat": _("combat"),
    "end": _("end"),
    "turn": _("turn"),
    # types
    "champion": _("champion"),
    "ally": _("ally"),
    "weapon": _("weapon"),
    "item": _("item"),
    "domain": _("domain"),
    "phantasia": _("phantasia"),
    "action": _("action"),
    "siegeable": _("siegeable"),
    "regalia": _("regalia"),
    "unique": _("unique"),
    "artifact": _("artifact"),
    "battle": _("battle"),
    "creature": _("creature"),
    "enchantment": _("enchantment"),
    "instant": _("instant"),
    "kindred": _("kindred"),
    "land": _("land"),
    "planeswalker": _("planeswalker"),
    "sorcery": _("sorcery"),
    # stats and states
    "power": _("power"),
    "life": _("life"),
    "life points": _("life points"),
    "damage": _("damage"),
    "durability": _("durability"),
    "level": _("level"),
    "immortal": _("immortal"),
    "defeated": _("defeated"),
    "omens": _("Omens"),
    "left": _("left"),
    "toughness": _("toughness"),
    "loyalty": _("loyalty"),
    "defense": _("defense"),
    "face_down": _("face-down"),
    "negated": _("negated"),
    "unusable": _("cannot be used"),
    "unaffected": _("unaffected"),
    "activating": _("being activated"),
    "summoning": _("being Summoned"),
    "doomed": _("being destroyed"),
    "prohibited": _("may not place counters"),
    "monarch": _("the monarch"),
    "initiative": _("the initiative"),
    "citys_blessing": _("the city’s blessing"),
    "tax": _("tax"),
    "cannot_lose_life": _("cannot lose life"),
    "gains_from_radiation": _("gains life from radiation"),
    "cannot_get_counters": _("cannot get counters"),
    "mills_times": _("mills ×"),
    "commander_damage": _("commander damage"),
    "commander": _("commander"),
    "shared_turns": _("turns"),
    "shared_life": _("life"),
    "shared_poison": _("poison"),
    "shared_counters": _("counters"),
    "poison_limit": _("poison that loses, if they share it"),
    # prompts
    "rad": _("radiation"),
    "wither": _("wither"),
    "enlighten": _("enlighten"),
}


def spoken(name: str) -> str:
    """*name* as it is said."""
    known = WORDS.get(name)
    return gettext(known) if known else str(name).replace("-", " ").replace("_", " ")


NO_COUNTERS = {"damage": "damage", "life": "life", "marked": "damage"}
"""Numbers that are turned as counters are, and are none, with the words for them."""


def kind(name: str) -> str:
    """A kind of counter as printed, or one of the numbers beside them as it is said.

    In English it is the name itself, also where the style sheet has another word for it.
    """
    word = NO_COUNTERS.get(name)
    said = spoken(word) if word else name
    return name if said == word else said


NAMED_BY_ID = frozenset({"zone", "phase", "now", "question"})
"""Facts of the rules' phrases that are ids of the rules."""
PHRASES = frozenset({"must", "other", "keys", "thing"})
"""Facts of the rules' phrases that may be English words themselves."""


def phrase_text(phrase: str) -> str:
    """What the rules say, in the language that is active: any word that stands in their code."""
    if not isinstance(phrase, Phrase) or not phrase.facts:
        return gettext(phrase) if phrase else ""
    facts = {name: _fact(name, fact) for name, fact in phrase.facts.items()}
    return gettext(phrase.template).format(**facts)


def _fact(name: str, fact: Any) -> Any:
    if isinstance(fact, Phrase) or (name in PHRASES and type(fact) is str):
        return phrase_text(fact)
    return spoken(fact) if name in NAMED_BY_ID else fact


def refusal_text(refused: Refused) -> str:
    """Why something was refused, in the language that is active."""
    return phrase_text(refused.message)


def answer_text(value: Any) -> str:
    """What a house rule is set to, as its question is answered."""
    if type(value) is bool:
        return gettext("yes") if value else gettext("no")
    if isinstance(value, (list, tuple)):
        return ", ".join(map(str, value)) or gettext("none")
    return gettext(value) if isinstance(value, str) else str(value)
