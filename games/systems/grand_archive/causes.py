"""Reasons of automatic events, in the words of players: "life 0 after 3 debuff"."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from msgspec.structs import replace

from games.rules.modifiers import Change
from games.rules.state import Phrase
from games.rules.state import marked as _
from games.systems.log_words import Cause, Consequence, who_is_out

from .card import Card, due, life_of


def fallen(it: Consequence) -> Phrase | None:
    """The damage and the life of what died, or what left it without life; of a player, no more."""
    if it.event["kind"] == "lost":
        return Phrase(_("the champion is defeated"))
    card_id = it.event["object"]
    card = _card_then(it, card_id)
    kinds = it.event.get("had") or it.after.on(card_id)
    damage = kinds.get("damage", 0)
    if "champion" not in card.types:
        damage = sum((each["amount"] for each in it.on(card_id, "damaged")), start=card.marked)
    life = _life_then(it, card, kinds)
    if life <= 0:
        return _without_life(it, card_id, life)
    if damage < life:
        answered = any(event["kind"] == "answered" for event in it.earlier)
        return Phrase(_("wither not paid")) if answered else None
    return Phrase(_("{damage} damage on {life} life"), damage=damage, life=life)


def _card_then(it: Consequence, card_id: str) -> Card:
    """The card as it was just before, but for the damage that the command dealt to it.

    What it says is as it says now: no command changes that again once the card has fallen.
    """
    now = it.after.objects[card_id]
    card = it.before.objects.get(card_id, now)
    assert isinstance(card, Card), card
    assert isinstance(now, Card), now
    card = replace(card, base=now.base, types=now.types)
    if any(event["kind"] == "turn-ended" for event in it.earlier):
        card = card.without_temporary()
    for event in it.on(card_id, "corrected"):
        if event["counter"] == "marked":
            card = replace(card, marked=event["to"])
    made = tuple(
        Change(how, amounts)
        for event in it.on(card_id, "changed")
        for how in ("add", "multiply", "set")
        if (amounts := event.get(how))
    )
    swaps = tuple(Change("swap") for event in it.on(card_id, "changed") if event.get("swap"))
    return replace(card, changes=(*card.changes, *made, *swaps))


def _life_then(it: Consequence, card: Card, kinds: Mapping[str, int]) -> int:
    """The life of *card* with *kinds* on it."""
    state = it.before.with_object(card).with_counters(card.id, dict(kinds))
    return life_of(it.system, state, card, kinds) or 0


def _without_life(it: Consequence, card_id: str, life: int) -> Phrase:
    if n := it.put(card_id, "debuff"):
        return Phrase(
            _("life {life} after {n} {counter}"), life=_shown(life), n=n, counter="debuff"
        )
    lost = [*it.on(card_id, "removed", "spent")]
    if n := sum(each["amount"] for each in lost if each["counter"] == "buff"):
        sentence = _("life {life} after losing {n} {counter}")
        return Phrase(sentence, life=_shown(life), n=n, counter="buff")
    for event in it.on(card_id, "changed"):
        if by := (event.get("add") or {}).get("life"):
            return Phrase(_("life {life} after {by} life"), life=_shown(life), by=_shown(by))
    return Phrase(_("life {life}"), life=_shown(life))


def _shown(n: int) -> str:
    return f"{n}".replace("-", "−")


def worn(it: Consequence) -> Phrase:
    """The cause of lost durability."""
    damage = sum(each["amount"] for each in it.on(it.event["on"], "damaged"))
    return Phrase(_("{n} damage"), n=damage)


def together(it: Consequence) -> Phrase:
    """The power of each card that attacked, as a sum."""
    powers: Mapping[str, int] = it.event["powers"]
    names = {each: obj.name for each, obj in it.before.objects.items() if each in powers}
    parts = [f"{names.get(each, '')} {_shown(n)}".strip() for each, n in powers.items()]
    return Phrase("{sum}", sum=" + ".join(parts))


def withered(it: Consequence) -> Phrase | None:
    """The price of each withering object, or what was paid for."""
    if it.event["kind"] == "prompted":
        owed = due(it.system, it.after, it.event["to"])
        sentence = _("{n} reserve for {names}")
        return Phrase(sentence, n=sum(owed.values()), names=_names(it, owed)) if owed else None
    if it.event["kind"] != "reserved":
        return None
    owed = due(it.system, it.before, it.event["seat"])
    kept = [each for each in owed if it.after.objects[each].on_field]
    return Phrase(_("wither on {names}"), names=_names(it, kept))


def _names(it: Consequence, ids: Iterable[str]) -> str:
    return ", ".join(it.before.objects[each].name for each in ids)


CAUSES: Mapping[str, Cause] = {
    "Buff 4": _("they cancel out"),
    "Debuff 4": _("they cancel out"),
    "Damage 1": "",
    "Damage 3": fallen,
    "Damage 4": "",
    "Damage Step 3.1": together,
    "Attack Declaration 2.1.1": "",
    "Retaliation Step 3": "",
    "Durability 1": _("it enters with them"),
    "Durability 3": _("no durability left"),
    "Siegeable 2.1": worn,
    "Weapon 4.3.1": _("it was wielded"),
    "Bulwark 2": _("it prevented the damage"),
    "Wither 1": withered,
    "Wither 3": _("wither not paid"),
    "Wither 4": _("wither paid"),
    "Enlighten 1": "",
    "Triggered Abilities 4": "",
    "Static 1": lambda it: _static(it.event),
    "Static 1.1": _("an arcane unit dealt combat damage"),
    "Wake Up Phase": _("the turn begins"),
    "Attack 8": _("combat is over"),
    "End Phase 3": lambda it: _ends(it.event),
    "Ending the Game 5": _("no champion left"),
    "Ending the Game 5.1": who_is_out,
    "Champion, Leveling Up 7.2.1": _("champions keep their counters here"),
}


def _static(event: Mapping[str, Any]) -> Phrase | None:
    return Phrase(_("nothing is left to hit")) if event["kind"] == "voided" else None


def _ends(event: Mapping[str, Any]) -> Phrase | None:
    return Phrase(_("the turn is over")) if event["kind"] == "marked" else None
