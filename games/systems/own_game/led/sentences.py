"""What the GM's table counts, in sentences, whose words know their places if the JSON does."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from games.rules.state import Phrase
from games.rules.state import marked as _
from games.tracks.sets.plain import PLAIN

from ..language.placed import at, opposite
from ..language.saying import row

Json = Any
LOOKS = {
    "blocks": _("{name}: {n} blocks"),
    "pie": _("{name}: a pie of {n}"),
    "boxes": _("{name}: {n} boxes"),
    "bar": _("{name}: a number out of {n}"),
}
CALLED = {
    "hit": _("hit, heal"),
    "lose": _("lose, regain"),
    "spend": _("spend, restore"),
    "add": _("take off, add"),
    "fill": _("clear, fill"),
}
"""What a counter's change is called, by its type's `verbs`."""


def lines(gm: Mapping[str, Any]) -> dict[str, Phrase]:
    """What a set says, a sentence for each part, by what it is about."""
    gm = {"types": PLAIN["types"], **gm}
    found = {
        f"{key} {part.get('outcome' if key == 'outcomes' else 'type', part['name'])}": said(part)
        for key, said in SAYS.items()
        for part in gm.get(key, ())
    }
    return {**found, "turns": Phrase("There is a turn order.")} if gm.get("turns") else found


def _type(each: Json) -> Phrase:
    whole = Phrase(LOOKS[each.get("look", "blocks")], name=each["name"], n=each.get("size", 6))
    if least := each.get("least"):
        whole = Phrase("{one}, from {n} up", one=whole, n=_signed(least))
    if each.get("parts", 1) > 1:
        whole = Phrase("{one} of {n} ticks", one=whole, n=each["parts"])
    if each.get("step", 1) > 1:
        whole = Phrase("{one}, {n} with each tap", one=whole, n=each["step"])
    full = each.get("full")
    called = [CALLED[each["verbs"]]] if "verbs" in each else []
    over = [Phrase(_("when it is over: “{text}”"), text=full)] if full else []
    words = (at(word, _word(word)) for word in each.get("words", ()))
    found: Phrase = row([whole, *called, *over, *words])
    return found


def _word(word: Json) -> Phrase:
    return Phrase("“{word}” {n} %", word=word["word"], n=word["to"])


def _kit(own: Json) -> Phrase:
    return _with_amounts(own, Phrase("Every player has {name}.", name=own["name"]))


def _shared(own: Json) -> Phrase:
    return _with_amounts(own, Phrase("The table begins with {name}.", name=own["name"]))


def _with_amounts(own: Json, whole: Phrase) -> Phrase:
    """What is said of a counter that is not as large, or not as empty, as its type says."""
    size, filled = own.get("size"), own.get("filled")
    if size:
        whole = Phrase(_("{one} Its size is {n}."), one=whole, n=size)
    return Phrase(_("{one} {n} of it are filled."), one=whole, n=filled) if filled else whole


def _outcome(outcome: Json) -> Phrase:
    ticks = [at(each, _ticks(each)) for each in outcome.get("ticks", ())]
    return Phrase("Outcome {name}: {ticks}", name=outcome["name"], ticks=row(ticks or ["—"]))


def _ticks(tick: Json) -> Phrase:
    slots = tick.get("slots", 1)
    signed = _signed(opposite(slots)) if tick.get("clears") else _signed(slots)
    if kind := tick.get("type"):
        return Phrase("{name} {n}", name=kind, n=signed)
    return Phrase("any counter {ticks}", ticks=signed)


def _scale(scale: Json) -> Phrase:
    steps = row(at(step, _step(step)) for step in scale["steps"])
    whole = Phrase("{name}: {steps}", name=scale["name"], steps=steps)
    return Phrase(_("{one}, for ticks of {what}"), one=whole, what=scale["type"])


def _step(step: Json) -> Phrase:
    adds = step.get("adds", 0)
    if not adds:
        return Phrase("{name}", name=step["name"])
    return Phrase("{name} {n}", name=step["name"], n=_signed(adds))


def _signed(n: int) -> Phrase:
    return Phrase("+{n}", n=n) if n >= 0 else Phrase("−{n}", n=opposite(n))


def _condition(condition: Json) -> Phrase:
    rounds = condition.get("rounds")
    if rounds:
        return Phrase(
            "Condition {name}, for {n} {n|round|rounds}", name=condition["name"], n=rounds
        )
    return Phrase("Condition {name}", name=condition["name"])


SAYS: Mapping[str, Callable[[Json], Phrase]] = {
    "types": _type,
    "kit": _kit,
    "shared": _shared,
    "outcomes": _outcome,
    "scales": _scale,
    "conditions": _condition,
}
"""By its list in a set: how a part is said."""
