"""Slot counters in words: what a command asks for, what a roll adds up to, what would happen."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from games.rules.engine import head, read, step
from games.rules.events import Event
from games.rules.state import GameState, Refused
from games.rules.system import System
from games.screens.slots.names import translated
from games.screens.words import refusal_text
from games.systems.stars_and_signs.counter import Counter, game_master
from games.systems.stars_and_signs.slots import rounded_up


def slots(n: int) -> str:
    """*n* slots, in words."""
    return ngettext("%(n)s slot", "%(n)s slots", n) % {"n": n}


def points(command: Mapping[str, Any]) -> int | None:
    """The points of a command: as given, or its dice plus a bonus, halved if it says so."""
    if "dice" in command:
        total: int = sum(command["dice"]) + command.get("add", 0)
        return (total + 1) // 2 if command.get("halve") else total
    given: int | None = command.get("points")
    return given


def reckoned(command: Mapping[str, Any]) -> str:
    """How the points add up: "(7 + 3 + 2) ÷ 2 = 6"."""
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


def preview(command: Mapping[str, Any], counter: Counter, events: Iterable[Event]) -> str:
    """The result in one line: "7 → 2 slots → completes, 3 over"."""
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
            ends.append(translated(fact["threshold"]))
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
    """Why a cost cannot be paid: "rolled 7 → needs 2 slots, you have 1"."""
    total, needs = points(command), slots(needed(command, counter) or 0)
    have = counter.unfilled
    if total is None:
        return _("That needs %(needs)s, you have %(have)s.") % {"needs": needs, "have": have}
    rolled = {"n": total, "needs": needs, "have": have}
    if "dice" in command:
        return _("Rolled %(n)s → needs %(needs)s, you have %(have)s.") % rolled
    return _("%(n)s → needs %(needs)s, you have %(have)s.") % rolled


OUTCOMES: Mapping[str, str] = {
    "miss": gettext_noop("Miss"),
    "graze": gettext_noop("Graze"),
    "hit": gettext_noop("Hit"),
    "critical": gettext_noop("Critical"),
}
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
    "edit": gettext_noop("change %(name)s"),
    "resolve": gettext_noop("resolve %(name)s"),
}


def wish(command: Mapping[str, Any], counter: Counter) -> str:
    """What a proposal asks for, as the end of "Ana wants to ..."."""
    total = points(command)
    if total is not None:
        what = f"{total} ({slots(needed(command, counter) or 0)})"
    elif command.get("all"):
        what = _("all")
    else:
        what = slots(command.get("slots", 0))
    facts = {"what": what, "name": translated(counter.name), "item": command.get("item", "")}
    return _(WISHES[command["do"]]) % {**facts, "out": command.get("out", "")}


def proposal(
    system: System, state: GameState, seat: str | None, command: Mapping[str, Any]
) -> dict[str, Any]:
    """What a waiting proposal shows: the wish, its result, and whether part of it can be paid."""
    counter = state.slot_counters.get(command["on"])
    if not isinstance(counter, Counter) or seat is None:
        return {"wish": "", "outcome": "", "partial": False}
    if not game_master(state, seat):
        return {"wish": wish(command, counter)}
    events, refused = dry_run(system, state, seat, command)
    return {
        "wish": wish(command, counter),
        "outcome": refusal_text(refused) if refused else preview(command, counter, events),
        "partial": bool(refused and refused.code == "not-enough" and counter.unfilled),
        "left": counter.unfilled,
        "impossible": refused is not None,
    }
