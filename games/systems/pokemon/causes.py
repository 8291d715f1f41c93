"""Reasons of automatic events, in the words of players: "120 damage on 110 HP"."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from games.rules.state import Phrase
from games.rules.state import marked as _
from games.systems.log_words import Cause, Consequence

from .card import DAMAGE, Pokemon
from .damage import LESS, RESISTANCE, WEAKNESS, taken_off


def knocked_out(it: Consequence) -> Phrase | None:
    """The damage on it, and its HP with all changes until then."""
    mon_id = it.event["object"]
    now = it.after.objects[mon_id]
    mon = it.before.objects.get(mon_id, now)
    assert isinstance(mon, Pokemon), mon
    assert isinstance(now, Pokemon), now
    damage = it.before.count(mon_id, DAMAGE) + it.put(mon_id, DAMAGE)
    hp = replace(mon, hp=now.hp).most_hp
    for event in it.on(mon_id, "hp-changed", "evolved", "devolved"):
        hp = event["hp"]
    return Phrase(_("{damage} damage on {hp} HP"), damage=damage, hp=hp)


def poisoned(it: Consequence) -> Phrase | None:
    return Phrase(_("Poisoned"))


def burned(it: Consequence) -> Phrase | None:
    """The damage; the coin and what it ends say it by themselves."""
    if it.event["kind"] == "cured":
        return Phrase(_("the coin fell heads"))
    return Phrase(_("Burned")) if it.event["kind"] in ("damaged", "placed") else None


def awake(it: Consequence) -> Phrase | None:
    return Phrase(_("the coin fell heads")) if it.event["kind"] == "cured" else None


def confused(it: Consequence) -> Phrase | None:
    """Tails hurts it and ends the turn."""
    return Phrase(_("Confused, and the coin fell tails"))


def promoted(it: Consequence) -> Phrase | None:
    """The reason, for a player who had no choice."""
    if it.event["kind"] == "promoted" and not any(e["kind"] == "answered" for e in it.earlier):
        return Phrase(_("the only one on the Bench"))
    return None


def of_an_attack(it: Consequence) -> Phrase:
    """The sum of the damage: 80 × 2 − 30."""
    more = it.event.get("more")
    weak = (f" + {more}" if more else " × 2") if it.event["rule"] == WEAKNESS else ""
    resisted = taken_off(it.event.get("resisted"))
    less = "".join(f" − {n}" for n in (resisted, it.event.get("less")) if n)
    return Phrase("{sum}", sum=f"{it.event['said']}{weak}{less}")


CAUSES: Mapping[str, Cause] = {
    "Asleep 2": awake,
    "Bench 2": lambda it: (
        Phrase(_("no room on the Bench")) if it.event["kind"] == "moved" else None
    ),
    "Burned 1": burned,
    "Checkup 2": _("Pokémon Checkup"),
    "Conditions 2": _("another condition replaces it"),
    "Conditions 3": _("it left the Active Spot"),
    "Conditions 4": _("it became another Pokémon"),
    "Conditions 5": _("it cannot be affected"),
    "Confused 1": "",
    "Confused 2": confused,
    "Damage 5": _("healed"),
    "Knocked Out 1": knocked_out,
    "Knocked Out 5": "",
    "Knocked Out 6": _("by a card’s text"),
    "Knocked Out 7": promoted,
    "Paralyzed 2": _("its turn is over"),
    "Poisoned 1": poisoned,
    "Prizes 3": "",
    "Reading 1": _("there is nothing left to ask"),
    **dict.fromkeys((f"Winning {n}" for n in range(1, 5)), ""),
    **dict.fromkeys((WEAKNESS, RESISTANCE, LESS), of_an_attack),
    "Winning 5": lambda it: Phrase(_("a tie")) if it.event["kind"] == "moved" else None,
}
