"""Reasons of automatic events, in the words of players: "no loyalty left"."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from games.rules.state import GameObject, Phrase
from games.rules.state import marked as _
from games.systems.log_words import Cause, Consequence, who_is_out

from .creatures import lords, power_and_toughness
from .player import BATTLEFIELD, Card
from .replacement_effects import called


def passed_on(it: Consequence) -> Phrase:
    """The seat whose end, or whose act, moved the crown or the initiative."""
    if out := who_is_out(it):
        return out
    mark = it.event["mark"]
    now = [seat.id for seat in it.after.seats.values() if getattr(seat, mark, False)]
    return Phrase(_("{who} is now"), who="".join(f"{{{each}}}" for each in now))


def in_combat(it: Consequence) -> Phrase | None:
    """Combat damage, said once: with the new holder."""
    return Phrase(_("combat damage")) if it.event.get("value") else None


def bearer(it: Consequence) -> Phrase:
    """Another creature was chosen, or another player controls this one."""
    if any(it.on(it.event["on"], "controlled")):
        return Phrase(_("another player controls it"))
    return Phrase(_("another creature bears the Ring"))


def radiation(it: Consequence) -> Phrase | None:
    """The counters that came off; what was milled says it by itself."""
    if it.event["kind"] == "prompted":
        n = it.before.count(it.event["to"], "rad")
        return Phrase(_("{n} rad"), n=n) if n else None
    if it.event["kind"] != "removed":
        return None
    return Phrase(_("{n} nonland {n|card|cards} milled"), n=it.event["amount"])


def destroyed(it: Consequence) -> Phrase:
    """The damage and the toughness, where the command dealt the damage or ended what other cards
    said of it, and changed nothing else."""
    card_id = it.event["object"]
    card = it.before.objects.get(card_id)
    dealt = sum(each["amount"] for each in it.on(card_id, "damaged"))
    if not isinstance(card, Card) or any(it.on(card_id, "changed", "described")):
        return Phrase(_("lethal damage"))
    gone, _takes = _other_cards(it, card)
    if not dealt and not gone:
        return Phrase(_("lethal damage"))
    state = it.after.with_object(card).with_counters(card_id, dict(it.event["had"]))
    toughness = power_and_toughness(state, card)["toughness"]
    sentence = _("{damage} damage on {toughness} toughness")
    found = Phrase(sentence, damage=card.marked + dealt, toughness=toughness)
    return Phrase(_("{found} without {names} (613.4c)"), found=found, names=gone) if gone else found


def without_toughness(it: Consequence) -> Phrase:
    """No toughness, and the cards that take it, or no longer add to it."""
    card_id = it.event["object"]
    card = it.before.objects.get(card_id) or it.after.objects[card_id]
    gone, takes = _other_cards(it, replace(card, zone=BATTLEFIELD))
    if gone:
        return Phrase(_("no toughness left without {names} (613.4c)"), names=gone)
    if takes:
        return Phrase(_("no toughness left with {names} (613.4c)"), names=takes)
    return Phrase(_("no toughness left"))


def _other_cards(it: Consequence, card: GameObject) -> tuple[str, str]:
    """The names of those that say nothing of *card* any more, and that take toughness from it."""
    assert isinstance(card, Card), card
    then, now = (lords(state.with_object(card), card) for state in (it.before, it.after))
    gone = [called(it.before, each) for each in then if each not in now]
    takes = [each for each in now if (each.adds or {}).get("toughness", 0) < 0]
    return ", ".join(gone), ", ".join(called(it.after, each) for each in takes)


def charged(it: Consequence) -> Phrase | None:
    """The charge counters, and those that it needs."""
    card = it.after.objects[it.event["object"]]
    least = card.base.get("station", 0) if isinstance(card, Card) else 0
    return Phrase(_("{n} of {least} charge"), n=it.after.count(card.id, "charge"), least=least)


SAID = dict.fromkeys(
    "104.2a 104.3a 104.4a 614.1a 614.17 616.1 704.5a 704.5c 704.6a 704.6b 704.6c 728.1a"
    " 725.1a 727.1 724.1".split(),
    "",
)
"""The rules of which the sentence of the event, or why a player is out, says all."""
CAUSES: Mapping[str, Cause] = {
    **SAID,
    "508.1f": "",
    "509.1": "",
    "603.2c": "",
    "120.3b": _("infect"),
    "120.3c": _("damage"),
    "120.3d": _("wither or infect"),
    "120.3f": _("lifelink"),
    "120.3g": _("toxic"),
    "120.3h": _("damage"),
    "122.1c": _("its shield"),
    "122.1d": _("it is stunned"),
    "122.1h": _("a finality counter"),
    "306.5b": _("it enters with them"),
    "310.4b": _("it enters with them"),
    "309.7": _("its last room was left"),
    "310.11b": _("its last defense counter was removed"),
    "502.1": _("the untap step"),
    "502.3": _("the untap step"),
    "514.2": lambda it: Phrase(_("the turn is over")) if it.event["kind"] == "marked" else None,
    "701.54a": bearer,
    "701.52a": bearer,
    "704.5f": without_toughness,
    "704.5g": destroyed,
    "704.5h": _("deathtouch"),
    "704.5i": _("no loyalty left"),
    "704.5q": _("they cancel out"),
    "704.5r": _("it can’t have more"),
    "704.5v": _("no defense left"),
    "702.145c": _("it is night"),
    "702.145d": _("a card with daybound"),
    "702.145f": _("it is day"),
    "702.179c": _("an opponent lost life"),
    "712.8a": "",
    "714.2c": "",
    "721.2b": charged,
    "714.4": _("its last chapter is read"),
    **dict.fromkeys("725.2 726.2 722.2 723.2".split(), in_combat),
    **dict.fromkeys("731.2a 728.2a".split(), _("no spell was cast in that turn")),
    **dict.fromkeys("731.2b 728.2b".split(), _("two spells were cast in that turn")),
    **dict.fromkeys("725.3 725.4 726.3 726.4 722.3 722.4 723.3 723.4".split(), passed_on),
    "728.1": radiation,
    "725.1": radiation,
    "800.4a": who_is_out,
    "810.8a": _("a teammate has lost"),
}
