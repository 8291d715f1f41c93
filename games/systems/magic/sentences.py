"""The events of Magic in the sentences of its log."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from games.rules.state import marked as _
from games.systems.log_words import Sentence, SentenceRule

LOST = {
    "radiation": _("%(seat)s lost %(amount)s life (radiation)"),
    "commander": _("%(seat)s lost %(amount)s life (commander damage)"),
    "damage": _("%(seat)s lost %(amount)s life (damage)"),
    None: _("%(seat)s lost %(amount)s life"),
}
GAINED = {
    "radiation": _("%(seat)s gained %(amount)s life (radiation)"),
    None: _("%(seat)s gained %(amount)s life"),
}


def lost(event: Mapping[str, Any]) -> Sentence:
    return Sentence(LOST.get(event.get("cause"), LOST[None]), number="life", sign=-1)


def gained(event: Mapping[str, Any]) -> Sentence:
    return Sentence(GAINED.get(event.get("cause"), GAINED[None]), number="life", sign=1)


def corrected(event: Mapping[str, Any]) -> Sentence | None:
    if "counter" in event:
        return None
    if "commander" in event:
        return Sentence(_("damage by %(commander)s on %(on)s corrected"), "commander", holder="on")
    return Sentence(_("%(on)s: life corrected"), "life", holder="on")


def changed(event: Mapping[str, Any]) -> Sentence | None:
    if not event.get("swap"):
        return None
    lasting = _("%(object)s: power and toughness switched")
    turn = _("%(object)s: power and toughness switched until end of turn")
    return Sentence(lasting if event.get("lasting") else turn)


def daytime(event: Mapping[str, Any]) -> Sentence:
    return Sentence(_("It becomes day") if event["to"] == "day" else _("It becomes night"))


def spells(event: Mapping[str, Any]) -> Sentence:
    """Those of known types came with a card that was added or cast, which says what was done."""
    said, aside = _("%(seat)s: spells cast this turn"), bool(event.get("types"))
    return Sentence(said, number="spells_cast", sign=1, aside=aside)


def began(event: Mapping[str, Any]) -> Sentence:
    return Sentence(_("%(name)s: %(what)s"))


def stationed(event: Mapping[str, Any]) -> Sentence:
    if event["creature"]:
        return Sentence(_("%(object)s is now a creature"))
    return Sentence(_("%(object)s is no creature now"))


def replaced(event: Mapping[str, Any]) -> Sentence:
    if event["rule"] == "614.17":
        return Sentence(_("%(on)s can’t get %(counter)s counters: %(text)s"))
    return Sentence(_("%(counter_name)s on %(on)s: %(was)s becomes %(now)s (%(signs)s)"))


def attacking(event: Mapping[str, Any]) -> Sentence | None:
    """That an attack begins the combat phase, and taps, needs no word."""
    return Sentence("") if event.get("rule") == "508.1f" else None


SENTENCES: Mapping[str, SentenceRule] = {
    "attacked": Sentence(_("attacks %(on)s with %(with)s")),
    "marked": attacking,
    "phase-began": attacking,
    "damaged": Sentence(_("%(amount)s damage to %(on)s")),
    "life-lost": lost,
    "life-gained": gained,
    "drawn": Sentence(_("%(seat)s draws %(amount)s {amount|card|cards}")),
    "corrected": corrected,
    "changed": changed,
    "turn-ended": Sentence(_("Damage wears off and “until end of turn” is over for %(objects)s")),
    # Without the total, which would make a line of its own of each tap.
    "commander-damaged": Sentence(_("%(from)s dealt %(amount)s combat damage to %(seat)s")),
    "commander-cast": Sentence(
        _("%(object)s was cast from the command zone (casts so far: %(times)s)")
    ),
    "milled": Sentence(_("%(seat)s milled %(amount)s of %(due)s {due|card|cards}")),
    "nonland-milled": Sentence(_("%(amount)s of them nonland")),
    "daytime-changed": daytime,
    "spells-cast": spells,
    "spells-reset": Sentence(""),
    "proliferated": Sentence(""),
    "stationed": stationed,
    "turned-over": Sentence(_("%(name)s → %(object)s")),
    "sped-up": Sentence(_("%(seat)s: speed %(to)s")),
    "ring-tempted": Sentence(_("The Ring tempts %(seat)s: level %(level)s")),
    "ventured": Sentence(_("%(seat)s entered %(into)s (%(dungeon)s)")),
    "dungeon-completed": Sentence(_("%(seat)s completed %(dungeon)s (dungeons so far: %(times)s)")),
    "standing-began": began,
    "standing-ended": Sentence(_("%(name)s no longer counts")),
    "replaced": replaced,
    "left": Sentence(_("%(seat)s left the game")),
    "restarted": Sentence(_("The game starts over")),
}

MARKS = {
    "monarch": (_("%(on)s is the monarch"), _("%(on)s is no longer the monarch")),
    "initiative": (_("%(on)s has the initiative"), _("%(on)s no longer has the initiative")),
    "citys_blessing": (
        _("%(on)s has the city’s blessing"),
        _("%(on)s no longer has the city’s blessing"),
    ),
    "cannot_lose_life": (_("%(on)s can’t lose life"), _("%(on)s can lose life again")),
    "gains_from_radiation": (
        _("%(on)s gains life from radiation"),
        _("%(on)s no longer gains life from radiation"),
    ),
    "cannot_get_counters": (_("%(on)s can’t get counters"), _("%(on)s can get counters again")),
    "speed": (_("%(on)s: speed %(value)s"), _("%(on)s has no speed")),
    "mills_times": (_("%(on)s mills × %(value)s"), ""),
    "mills_more": (_("%(on)s mills %(value)s more"), _("%(on)s mills no more than usual")),
    "cannot_lose": (_("%(on)s can’t lose the game"), _("%(on)s can lose the game again")),
    "ring_bearer": (_("%(on)s is the Ring-bearer"), _("%(on)s is no longer the Ring-bearer")),
    "attacking": (_("%(on)s is attacking"), _("%(on)s is no longer attacking")),
    "tapped": (_("%(on)s is tapped"), _("%(on)s untaps")),
    "phased_out": (_("%(on)s phases out"), _("%(on)s phases in")),
    "indestructible": (
        _("%(on)s is indestructible"),
        _("%(on)s is no longer indestructible"),
    ),
}
