"""What a sheet offers: all that can be done with one card or seat, asked of its system."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, is_dataclass
from typing import Any

from django.template import TemplateDoesNotExist
from django.utils.translation import gettext as _

from games.rules.commands import FLAG, parameters
from games.rules.state import CEASED, GameObject, GameState, Seat
from games.rules.system import System
from games.screens import view_models
from games.screens.templates import find

Sheet = dict[str, Any]


def of_object(
    system: System, state: GameState, thing: GameObject, names: Mapping[str, str]
) -> Sheet:
    """Everything about one object."""
    follows = view_models.derived(system, state, thing)
    kinds = state.on(thing.id)
    base = dict(getattr(thing, "base", None) or {})
    return {
        **_common(system, state, names),
        "thing": thing,
        "card": view_models.card_view(system, state, thing, follows),
        "reasons": list(reasons(system, state, thing, follows)),
        "printed": base,
        "stats": choices(system, "transform", "base") or choices(system, "create", "base"),
        "types": choices(system, "create", "types"),
        "own_types": getattr(thing, "types", ()),
        "marks": [(mark, getattr(thing, mark)) for mark in system.object.marks],
        "kinds": dict(kinds),
        **_offers(system.usual_kinds(system, thing), system, kinds),
        "holds": view_models.can_hold_counters(system, state, thing),
        "others": [
            (each.id, _label(state, each, names)) for each in _in_play(state) if each.id != thing.id
        ],
        "sources": _sources(system, state, thing, names),
        "fights": bool(state.turn and state.turn.phase == "combat"),
        "departed": [(each.id, each.name, each.had) for each in state.objects.values() if each.had],
        "changing": [("add", _("Add")), ("multiply", _("Multiply")), ("set", _("Set"))],
        "acts": sections(system, ACTS),
        "edits": sections(system, None),
        "next_level": base.get("level", 0) + 1,
        "keeper": names.get(view_models.keeper(thing), view_models.keeper(thing)),
    }


def of_seat(system: System, state: GameState, seat: Seat, names: Mapping[str, str]) -> Sheet:
    """Everything about one player."""
    kinds = state.on(seat.id)
    return {
        **_common(system, state, names),
        "player": seat,
        "steppers": (
            *_shared_dials(system, state, seat),
            *view_models.seat_steppers(system, state, seat),
        ),
        "active": bool(state.turn and seat.id in state.turn.active),
        "marks": [
            (mark, value)
            for mark in system.seat.marks
            if type(value := getattr(seat, mark)) is bool
        ],
        "numbers": [
            (mark, value) for mark in system.seat.marks if type(value := getattr(seat, mark)) is int
        ],
        "dealt": [
            (each, _label(state, state.objects[each], names) if each in state.objects else each, n)
            for each, n in getattr(seat, "commander_damage", {}).items()
        ],
        "kinds": dict(kinds),
        **_offers(system.player_kinds or list(system.kinds), system, kinds),
        "holds": view_models.can_hold_counters(system, state, seat),
        "champions": [
            (each.id, each.name)
            for each in _in_play(state)
            if "champion" in getattr(each, "types", ()) and each.controller == seat.id
        ],
    }


def _sources(
    system: System, state: GameState, target: GameObject, names: Mapping[str, str]
) -> list[Sheet]:
    """What has power to deal damage to *target* with, the attacker's own first.

    The first of those under whose turn it is is likely, if *target* is another player's.
    """
    active = state.turn.active if state.turn else ()
    able: list[Sheet] = [
        {"id": each.id, "name": _label(state, each, names), "power": power, "by": each.controller}
        for each in _in_play(state)
        if each.id != target.id
        and type(power := view_models.derived(system, state, each).get("power")) is int
        and power > 0
    ]
    able.sort(key=lambda each: each["by"] not in active)
    for each in able[:1]:
        each["likely"] = each["by"] in active and target.controller not in active
    return able


def _shared_dials(system: System, state: GameState, seat: Seat) -> Iterator[view_models.Stepper]:
    """What *seat* shares with its team."""
    for team in state.teams.values():
        if seat.id in team.seats:
            yield from view_models.team_steppers(system, state, team)


OFFERED = 8
"""Kinds that stand in plain sight; the others are a tap further."""


def _offers(usual: Sequence[str], system: System, there: Mapping[str, int]) -> Sheet:
    """The kinds to offer: those with rules first, then what cards use.

    A kind with rules stays where it is once the holder has it, for a finger may tap it again.
    """
    kinds = list(usual)
    others = [kind for kind in system.kinds if kind not in system.player_kinds] if kinds else []
    rest = [kind for kind in system.suggested if kind not in there]
    more = dict.fromkeys([*kinds[OFFERED:], *others, *rest])
    return {
        "offered": kinds[:OFFERED],
        "suggested": [kind for kind in more if kind not in kinds[:OFFERED]],
    }


def of_new_card(system: System, state: GameState, seat: str, names: Mapping[str, str]) -> Sheet:
    """What a new card may be, and the cards of this game to take as a pattern."""
    seen: dict[str, GameObject] = {}
    for thing in state.objects.values():
        seen.setdefault(thing.name, thing)
    return {
        **_common(system, state, names),
        "for_seat": seat,
        "stats": choices(system, "create", "base"),
        "types": choices(system, "create", "types"),
        "facts": [key for key in said_of(system, "create") if key != "token"],
        "patterns": json.dumps([_pattern(thing) for thing in list(seen.values())[-12:]]),
    }


def _pattern(thing: GameObject) -> Sheet:
    base = dict(getattr(thing, "base", None) or {})
    types = list(getattr(thing, "types", ()))
    return {"name": thing.name, "types": types, "base": base, **printed(thing)}


PRINTED = ("permits", "on_spell", "thresholds")
"""What a card's own text says about counters, by kind, where a system keeps that."""


def printed(thing: GameObject) -> Sheet:
    """What the text of *thing* says about counters, as the command `create` reads it."""
    said: Sheet = {}
    for part in PRINTED:
        by_kind = getattr(thing, part, None)
        if by_kind:
            said[part] = {kind: _without_nothing(each) for kind, each in by_kind.items()}
    return said


def _without_nothing(value: Any) -> Any:
    if not is_dataclass(value) or isinstance(value, type):
        return value
    said = asdict(value)
    return {key: list(v) if type(v) is tuple else v for key, v in said.items() if v is not None}


def of_table(
    system: System, state: GameState, names: Mapping[str, str], mine: str | None = None
) -> Sheet:
    """All seats and all things in play, with their counters, for what concerns several of them.

    mine: the seat whose opponents are told apart.
    """
    things: list[Sheet] = [
        {
            "id": each.id,
            "name": _label(state, each, names),
            "keeper": each.controller,
            "keeper_name": names.get(each.controller, each.controller),
            "kinds": dict(state.on(each.id)),
            "on_spell": getattr(each, "on_spell", {}),
            "commander": getattr(each, "commander", False),
        }
        for each in state.objects.values()
        if each.on_field or getattr(each, "commander", False)
    ]
    seats: list[Sheet] = [
        {
            "id": each.id,
            "name": names.get(each.id, each.id),
            "kinds": dict(system.held(state, each.id)),
        }
        for each in state.standing()
    ]
    return {
        **_common(system, state, names),
        "state": state,
        "things": things,
        "holders": [each for each in things if each["kinds"]],
        "players": seats,
        "opponents": [
            each
            for each in seats
            if mine and system.side(state, each["id"]) != system.side(state, mine)
        ],
        "kinds_there": sorted({kind for each in things for kind in each["kinds"]}),
        "totals": system.totals(system, state) if system.totals else {},
    }


def _common(system: System, state: GameState, names: Mapping[str, str]) -> Sheet:
    return {
        "system": system,
        "verbs": set(system.verbs),
        "zones": [zone for zone in system.zones if zone != CEASED],
        "field_zones": view_models.field_zones(system),
        "all_seats": [(seat, names.get(seat, seat)) for seat in state.seats],
    }


def _label(state: GameState, thing: GameObject, names: Mapping[str, str]) -> str:
    """The name of *thing* in a list of several players' cards."""
    keeper = view_models.keeper(thing)
    return view_models.told_apart(state, thing, names.get(keeper, keeper))


def _in_play(state: GameState) -> list[GameObject]:
    return [thing for thing in state.objects.values() if thing.on_field]


ACTS = ("activate", "cast", "wield", "damage", "recover", "level-up", "transform")
"""What is done with an object most often stands above the rest of its sheet, in this order."""
EDITS = ("change", "mark", "control", "copy", "place")


def sections(system: System, verbs: Sequence[str] | None) -> list[Any]:
    """The partials for *verbs* (None: all others), the system's own before the shared ones."""
    if verbs is None:
        rest = sorted(verb for verb in system.verbs if verb not in (*ACTS, *EDITS))
        verbs = (*EDITS, *rest)
    found = []
    for verb in verbs:
        if verb not in system.verbs:
            continue
        try:
            found.append(find(system, f"sheets/verbs/_{verb}.html"))
        except TemplateDoesNotExist:
            continue
    return found


def choices(system: System, verb: str, key: str) -> tuple[str, ...]:
    """The words that a parameter of *verb* accepts; none if there is no such parameter."""
    if verb not in system.verbs:
        return ()
    for part in parameters(system.verbs[verb].command):
        if part.key == key:
            return part.reader.choices
    return ()


def said_of(system: System, verb: str) -> list[str]:
    """The parameters of *verb* that are true or not."""
    if verb not in system.verbs:
        return []
    return [part.key for part in parameters(system.verbs[verb].command) if part.reader is FLAG]


def reasons(
    system: System, state: GameState, thing: GameObject, follows: Mapping[str, Any]
) -> Iterator[Sheet]:
    """For each stat that exists: what is printed, what changes it, and what it is now."""
    base = getattr(thing, "base", None) or {}
    for name, now in follows.items():
        if type(now) is not int:
            continue
        yield {
            "name": name,
            "printed": base.get(name),
            "steps": list(_steps(system, state, thing, name)),
            "now": now,
        }


COUNTED = {
    "power": (("buff", 1, "Buff 1"), ("debuff", -1, "Debuff 1")),
    "life": (("buff", 1, "Buff 1"), ("debuff", -1, "Debuff 1")),
    "level": (("level", 1, "Level 1"),),
    "durability": (("durability", 0, "Durability 2"),),
}
"""Which counters enter which stat, in what direction (0: they are the stat), by which rule."""


CHANGE = re.compile(r"([+-]\d{1,6})/([+-]\d{1,6})").fullmatch
CHANGED, CHANGES_BOTH = {"power": 1, "toughness": 2}, "122.1a"
"""Counters whose name says what they change, where that is a rule, and which part of the name."""


def _steps(
    system: System, state: GameState, thing: GameObject, name: str
) -> Iterator[tuple[str, str, str]]:
    """(what it does, by what, the rule's number), in the order of the rules."""
    kinds = state.on(thing.id)
    for kind, sign, rule in COUNTED.get(name, ()):
        n = kinds.get(kind, 0)
        if n and kind in system.kinds and rule in system.rules:
            yield (f"{sign * n:+d}" if sign else f"= {n}", kind, rule)
    if name in CHANGED and CHANGES_BOTH in system.rules:
        for kind, n in kinds.items():
            if change := CHANGE(kind):
                yield (f"{int(change[CHANGED[name]]) * n:+d}", kind, CHANGES_BOTH)
    for change in getattr(thing, "changes", ()):
        amount = change.amounts.get(name)
        if change.how == "swap" and name in ("power", "life"):
            yield ("⇄", change.how, "")
        elif amount is not None:
            signs = {"add": f"{amount:+d}", "multiply": f"× {amount}", "set": f"= {amount}"}
            yield (signs[change.how], change.how, "")
