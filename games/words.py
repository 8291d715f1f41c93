"""The rules' own words as people say them, in their language.

The rules speak in ids ("wake-up", "enlighten"); a word that has no translation here is shown as it
is, with its dashes and underscores as blanks. Kinds of counters are always shown as printed.
"""

from __future__ import annotations

from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

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
    # phases
    "wake-up": _("wake up"),
    "materialize": _("materialize"),
    "recollection": _("recollection"),
    "draw": _("draw"),
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
    # stats and states
    "power": _("power"),
    "life": _("life"),
    "durability": _("durability"),
    "level": _("level"),
    "immortal": _("immortal"),
    "defeated": _("defeated"),
    "omens": _("Omens"),
    "left": _("left"),
    # prompts
    "wither": _("wither"),
    "enlighten": _("enlighten"),
}


def spoken(name: str) -> str:
    """*name* as it is said."""
    known = WORDS.get(name)
    return gettext(known) if known else str(name).replace("-", " ").replace("_", " ")
