"""Slot counters in words: what a command asks for, what a roll adds up to, what would happen."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext
from msgspec.structs import replace

from games.rules.engine import head, read, step
from games.rules.events import Event
from games.rules.state import GameState, Prompt, Refused
from games.rules.system import System
from games.screens.slots.names import name_of, translated
from games.screens.slots.view_models import SEEN_BY
from games.screens.words import Words, words_of
from games.tracks.counter import Counter, game_master
from games.tracks.facts import Filled
from games.tracks.filling import rounded_up
from games.tracks.play import AMOUNT

FIELDS: Mapping[str, str] = {
    "visibility": gettext_noop("who can see it"),
    "seats": gettext_noop("which seats can see it"),
    "slots": gettext_noop("how many slots"),
    "worth": gettext_noop("points per slot"),
    "name": gettext_noop("its name"),
    "links": gettext_noop("links"),
    "permissions": gettext_noop("who may act"),
    "scene": gettext_noop("scene"),
    "order": gettext_noop("position"),
    "owner": gettext_noop("owner"),
    "loop": gettext_noop("looping"),
    "paused": gettext_noop("pause"),
    "thresholds": gettext_noop("labels"),
    "completes": gettext_noop("what completing it means"),
    "gm_note": gettext_noop("the GM’s note"),
    "look": gettext_noop("how it is drawn"),
    "words": gettext_noop("its words"),
    "initiative": gettext_noop("initiative"),
    "bonus": gettext_noop("initiative"),
    "item_texts": gettext_noop("a line about an item"),
    "item_secrets": gettext_noop("a secret of an item"),
}
"""The fields of a counter that can be changed, in words."""


def slots(n: int) -> str:
    """*n* slots, in words."""
    return ngettext("%(n)s slot", "%(n)s slots", n) % {"n": n}


def in_points(n: int) -> str:
    """*n* points, in words."""
    return ngettext("%(n)s point", "%(n)s points", n) % {"n": n}


def worth(n: int) -> str:
    """The value of a slot, in words."""
    return ngettext("%(n)s point per slot", "%(n)s points per slot", n) % {"n": n}


def reading(counter: Counter) -> str:
    """The filled slots of a counter: "3/8", or of a resource the rest: "5 left"."""
    if counter.resource and counter.adds_temporary:
        return _("%(n)s left") % {"n": counter.unfilled}
    return f"{counter.figure}/{counter.top}"


def points(command: Mapping[str, Any]) -> int | None:
    """The points of a command: as given, or its dice plus a bonus, halved if it says so."""
    if "dice" in command:
        total: int = sum(command["dice"]) + command.get("add", 0)
        return (total + 1) // 2 if command.get("halve") else total
    given: int | None = command.get("points")
    return given


def reckoned(command: Mapping[str, Any]) -> str:
    """The sum of the points: "(7 + 3 + 2) ÷ 2 = 6"."""
    dice = command.get("dice")
    if not dice:
        return ""
    parts = [str(die) for die in dice] + ([str(command["add"])] if command.get("add") else [])
    text = " + ".join(parts)
    if command.get("halve"):
        text = f"({text}) ÷ 2" if len(parts) > 1 else f"{text} ÷ 2"
    return f"{text} = {points(command)}" if text != str(dice[0]) else text


def needed(command: Mapping[str, Any], counter: Counter) -> int | None:
    """The number of slots that a command needs."""
    total = points(command)
    return command.get("slots") if total is None else rounded_up(total, counter.worth)


def dry_run(
    system: System, state: GameState, seat: str, command: Mapping[str, Any]
) -> tuple[list[Event], Refused | None]:
    """The events of *command* if it were given now, or its refusal. Nothing changes."""
    try:
        top = head(system, state, {**command, "by": seat})
        return step(system, state, read(system, command, top.by))[1], None
    except Refused as refused:
        return [], refused


def preview(
    its: Words, command: Mapping[str, Any], counter: Counter, events: Iterable[Event]
) -> str:
    """The result in one line: "7 → 2 slots → completes, 3 over".

    counter: as its reader sees it; a label that it does not show is not in the preview.
    """
    total, parts, ends = points(command), [], []
    moved = 0
    for event in events:
        fact = event.to_json()
        kind = fact["kind"]
        if fact.get("on") == counter.id and kind in ("filled", "temporary-lost", "cleared"):
            moved += fact["slots"]
        if kind == "wounded":
            ends.append(_("a Wound of rank %(rank)s") % {"rank": fact["rank"]})
        elif fact.get("on") != counter.id:
            continue
        elif kind == "threshold-reached":
            label = translated(its, fact["threshold"])
            if label in counter.thresholds.values() or fact["threshold"] in (
                counter.thresholds.values()
            ):
                ends.append(label)
        elif kind == "completed":
            ends.append(_("completes"))
        elif kind == "overflowed":
            over = fact.get("points") if fact.get("points") is not None else fact["slots"]
            ends.append(_("%(n)s left over") % {"n": over})
        elif kind == "gained-while-full":
            ends.append(_("it’s already full"))
    if total is not None:
        taken = command.get("moods", [])
        left = " − ".join(str(each) for each in (total, *taken))
        parts.append(f"{left} = {max(0, total - sum(taken))}" if taken else left)
    parts.append(
        _("%(slots)s cleared") % {"slots": slots(moved)}
        if command["do"] == "clear"
        else slots(moved)
    )
    if ends:
        parts.append(", ".join(ends))
    return " → ".join(parts)


def too_little(command: Mapping[str, Any], counter: Counter) -> str:
    """The reason why a cost cannot be paid: "rolled 7 → needs 2 slots, you have 1"."""
    total, needs = points(command), slots(needed(command, counter) or 0)
    have = counter.unfilled
    if total is None:
        return _("That needs %(needs)s, you have %(have)s.") % {"needs": needs, "have": have}
    rolled = {"n": total, "needs": needs, "have": have}
    if "dice" in command:
        return _("Rolled %(n)s → needs %(needs)s, you have %(have)s.") % rolled
    return _("%(n)s → needs %(needs)s, you have %(have)s.") % rolled


WISHES: Mapping[str, str] = {
    "fill": gettext_noop("fill %(what)s of %(name)s"),
    "suffer": gettext_noop("suffer %(what)s on %(name)s"),
    "spend": gettext_noop("spend %(what)s of %(name)s"),
    "clear": gettext_noop("clear %(what)s of %(name)s"),
    "add-temporary": gettext_noop("add %(what)s to %(name)s, temporary"),
    "restart": gettext_noop("restart %(name)s"),
    "put": gettext_noop("put %(item)s into %(name)s"),
    "take": gettext_noop("take %(item)s out of %(name)s"),
    "swap": gettext_noop("swap %(out)s for %(item)s in %(name)s"),
    "give": gettext_noop("have %(item)s from %(name)s"),
    "describe": gettext_noop("write about %(item)s of %(name)s"),
    "edit": gettext_noop("change %(name)s: %(what)s"),
    "resolve": gettext_noop("resolve %(name)s"),
}


def wish(its: Words, command: Mapping[str, Any], counter: Counter) -> str:
    """The wish of a proposal, as the end of "Ana wants to ..."."""
    total = points(command)
    if total is not None:
        what = f"{total} ({slots(needed(command, counter) or 0)})"
    elif command.get("all"):
        what = _("all")
    elif command["do"] == "edit":
        what = ", ".join(_changes(command))
    else:
        what = slots(command.get("slots", 0))
    if hit(its, command, counter):
        facts = {"n": command.get("slots", 0), "name": translated(its, name_of(its, counter))}
        return _("hit %(name)s for %(n)s") % facts
    facts = {
        "what": what,
        "name": translated(its, name_of(its, counter)),
        "item": command.get("item", ""),
    }
    return _(WISHES[command["do"]]) % {**facts, "out": command.get("out", "")}


def hit(its: Words, command: Mapping[str, Any], counter: Counter) -> bool:
    """True for damage to a creature."""
    return command["do"] == "fill" and bool(its.slots.foe) and counter.type == its.slots.foe


def after(its: Words, counter: Counter, events: Iterable[Event]) -> str:
    """What is left of a creature after a hit, in its number and its word: "→ 0, down"."""
    filled = sum(e.slots for e in events if isinstance(e, Filled) and e.on == counter.id)
    then = replace(counter, filled=counter.filled + filled)
    said = [str(then.figure), its.said(then.by_name.get("word", ""))]
    return f"→ {', '.join(filter(None, said))}"


def _changes(command: Mapping[str, Any]) -> Iterator[str]:
    """The changes of an edit: "who can see it (open)", "slots (8)"."""
    for field, value in command.items():
        if field in FIELDS:
            shown = SEEN_BY[value] if field == "visibility" else value
            plain = isinstance(value, str | int) and type(value) is not bool
            yield f"{_(FIELDS[field])} ({shown})" if plain else _(FIELDS[field])


def proposal(system: System, state: GameState, seat: str | None, prompt: Prompt) -> dict[str, Any]:
    """The content of a waiting proposal: the wish, the rolls before it, and the GM's reply.

    For the GM also its result, whether part of it can be paid, and in what unit another number can
    be accepted ("" if it has none).
    """
    its = words_of(system)
    command, facts = prompt.facts["command"], prompt.facts
    counter = state.slot_counters.get(command["on"])
    if not isinstance(counter, Counter) or seat is None:
        return {"wish": "", "outcome": "", "partial": False}
    shown = {
        "wish": wish(its, command, counter),
        "on": counter.id,
        "rolled": before_it(facts.get("rolled", ()), command),
        "reply": facts.get("reply", ""),
        "hits": command.get("slots", 0) if hit(its, command, counter) else 0,
    }
    if not game_master(state, seat):
        return shown
    events, refused = dry_run(system, state, seat, command)
    unit = "points" if command["do"] == "suffer" else "slots"
    counts = command["do"] != "edit" and {*AMOUNT} & {*command}
    outcome = preview(its, command, counter, events) if counts else ""
    if hit(its, command, counter):
        outcome = after(its, counter, events)
    return {
        **shown,
        "counter": counter,
        "outcome": its.refusal(refused) if refused else outcome,
        "partial": bool(refused and refused.code == "not-enough" and counter.unfilled),
        "left": counter.unfilled,
        "impossible": refused is not None,
        "unit": unit if {*AMOUNT} & {*command} else "",
        "asked": points(command) if unit == "points" else needed(command, counter),
        "secret": counter.item_secrets.get(command.get("item", "")),
    }


def taken(its: Words, hits: int, word: str) -> str:
    """What a hit did to a creature that is known in words: "9 taken: bloodied"."""
    return _("%(hits)s taken: %(word)s") % {"hits": hits, "word": its.said(word)}


def before_it(rolls: Iterable[Sequence[int] | int], command: Mapping[str, Any]) -> str:
    """The unused rolls before a proposal: "Rolled 10, cancelled; 5, asked"."""
    before = [_("%(rolled)s, cancelled") % {"rolled": _rolled(each)} for each in rolls]
    if not before:
        return ""
    asked = reckoned(command) or ("points" in command and _rolled(command["points"]))
    now = [_("%(rolled)s, asked") % {"rolled": asked}] if asked else []
    return _("Rolled %(rolls)s") % {"rolls": "; ".join(before + now)}


def _rolled(roll: Sequence[int] | int) -> str:
    """Dice of ours, or points that were rolled at the table."""
    if isinstance(roll, int):
        return _("%(n)s at the table") % {"n": roll}
    return reckoned({"dice": list(roll)})


def decided(event: Mapping[str, Any], wish: str, wished: str, reply: str) -> str:
    """The GM's decision on *wished*, for the seat that asked; "" if it was plainly yes.

    wish: its verb. That an item came is told, as nothing on a board's first screen shows it.
    """
    if not event.get("accepted"):
        return _("The GM declined: %(wish)s") % {"wish": wished}
    facts = {"wish": wished}
    if (n := event.get("points")) is not None:
        return _("The GM allowed %(points)s: %(wish)s") % {"wish": wished, "points": in_points(n)}
    if (n := event.get("slots")) is not None:
        return _("The GM allowed %(n)s: %(wish)s") % {"wish": wished, "n": n}
    return _("The GM allowed it: %(wish)s") % facts if reply or wish == "give" else ""
