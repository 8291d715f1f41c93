"""Sheets: everything that a system can do with one card or seat."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from django.template import Template
from msgspec import Struct
from msgspec.structs import replace

from games.rules import counting
from games.rules.commands import OBJECT, SEAT
from games.rules.state import CEASED, GameObject, GameState, Seat
from games.rules.system import System
from games.screens import generated, new_card, ticking, tiles, view_models
from games.screens.coming_back import field_of, way_back
from games.screens.generated import Form, Forms, choices, declared, object_kinds
from games.screens.stacks import Stacks
from games.screens.templates import find, find_any
from games.screens.words import Words, words_of
from games.systems import presentation_of
from games.systems.controls import AmountPreview, Stepper
from games.systems.sheets import Label, Sheets

Sheet = dict[str, Any]


def of_object(
    system: System,
    state: GameState,
    obj: GameObject,
    names: Mapping[str, str],
    by: str | None = None,
    kept: Sequence[str] = (),
) -> Sheet:
    """Everything about one object. by: the seat that opened the sheet. kept: the kinds of tiles
    that it has there already.
    """
    its = words_of(system)
    presentation, label = its.own, labels(its, state, names)
    follows = system.derived(system, state, obj)
    kinds = state.on(obj.id)
    keeper = names.get(view_models.keeper(obj), view_models.keeper(obj))
    usual = presentation.sheets.usual_kinds
    types = getattr(obj, "types", ())
    first, others = tiles.tiles(system, state, obj, by, kept)
    return {
        **_common(system, state, names),
        "object": obj,
        "card": view_models.card_view(
            its, system, state, obj, follows, keeper, partial(view_models.panel, system, state)
        ),
        "reasons": list(reasons(system, state, obj, follows)),
        "tiles": first,
        "other_steppers": others,
        "becomes": becomes([*first, *others], by),
        "headline": tiles.headline(system, types, follows),
        "printed_headline": tiles.headline(system, types, getattr(obj, "base", None) or {}),
        "printed": dict(getattr(obj, "base", None) or {}),
        "stats": choices(system, "create", "base"),
        "types": new_card.types_of(system, types),
        "own_types": getattr(obj, "types", ()),
        "marks": [(mark, getattr(obj, mark)) for mark in system.components.object.marks],
        "kinds": dict(kinds),
        **_offers(usual(system, obj) if usual else object_kinds(system), system),
        "unit": _unit(view_models.object_steppers(system, state, obj), kinds),
        "holds": view_models.can_hold_counters(system, state, obj),
        "others": [(each.id, label(each)) for each in _in_play(system, state) if each.id != obj.id],
        "departed": [
            (each.id, label(each), dict(each.had)) for each in state.objects.values() if each.had
        ],
        "moves_all": counting.moves_all(system),
        "enters_with": object_kinds(system) if "counters" in declared(system, "move") else [],
        "entering": json.dumps({"to": system.zones[0]} if system.zones else {}),
        "moves": moves(system, state, obj, by),
        "blink": _blink(system, obj),
        "acts": acts_on(system, state, obj, names, by),
        "edits": templated_sections(system, presentation.sheets.edit_verbs),
        "keeper": keeper,
        **ticking.of_holder(system, state, obj, names, by),
        **presentation.sheets.object_facts(system, state, obj, label),
    }


def _unit(steppers: Iterable[Stepper], kinds: Mapping[str, int]) -> int:
    """The least number of the first of *kinds*: damage that comes in tens is 10."""
    first = next(iter(kinds), "")
    return next((number.unit for number in steppers if number.kind == first), 1)


def becomes(shown: Iterable[Any], by: str | None) -> list[tuple[list[str], AmountPreview]]:
    """The previews of one tap of *by* on the numbers *shown*, each with the kinds that have it."""
    found: dict[AmountPreview, list[str]] = {}
    for number in shown:
        for each in getattr(number, "gives", ()):
            if each.says and each.tapped == number.stride[0] and each.seat in ("", by):
                found.setdefault(replace(each, seat=""), []).append(number.kind)
    return [(kinds, each) for each, kinds in found.items()]


def of_seat(
    system: System,
    state: GameState,
    seat: Seat,
    names: Mapping[str, str],
    by: str | None = None,
) -> Sheet:
    """Everything about one player. by: the seat that opened the sheet."""
    presentation, label = presentation_of(system), labels(words_of(system), state, names)
    kinds = state.on(seat.id)
    values = [(mark, getattr(seat, mark)) for mark in system.components.seat.marks]
    steppers = (
        *_shared_steppers(system, state, seat),
        *view_models.seat_steppers(system, state, seat),
    )
    return {
        **_common(system, state, names),
        "player": seat,
        "steppers": steppers,
        "becomes": becomes(steppers, by),
        "turns": state.turn is not None and presentation.board.turns == "one",
        "active": bool(state.turn and seat.id in state.turn.active),
        "marks": [(mark, value) for mark, value in values if type(value) is bool],
        "numbers": [
            (mark, value, system.components.seat.marks[mark])
            for mark, value in values
            if type(value) is int
        ],
        "kinds": dict(kinds),
        **_offers(presentation.board.player_kinds or list(system.rulebook.kinds), system),
        "holds": "place" in system.verbs and view_models.can_hold_counters(system, state, seat),
        "acts": acts_on(system, state, seat, names, by),
        "back": _way_back(system, state, seat.id),
        **ticking.of_holder(system, state, seat, names, by),
        **presentation.sheets.seat_facts(system, state, seat, label),
    }


def _way_back(system: System, state: GameState, seat: str) -> dict[str, Any] | None:
    """The correction of the main number of *seat* that may bring it back; None if none does."""
    number = way_back(system, state, seat)
    if number is None:
        return None
    field = field_of(system, number)
    return {
        "holder": number.holder,
        "kind": number.kind,
        "amount": number.amount,
        "counter": None if field else number.kind,
        "field": field or "to",
    }


def _shared_steppers(system: System, state: GameState, seat: Seat) -> Iterator[Stepper]:
    """The numbers that *seat* shares with its team."""
    for team in state.teams.values():
        if seat.id in team.seats:
            yield from view_models.seat_steppers(system, state, team)


# What can be done with it


class Section(Struct, frozen=True):
    """One verb in a sheet: the template that was written for it, or a generated form."""

    template: Template
    form: Form | None = None


GENERATED = "sheets/verbs/_generated.html"


def acts_on(
    system: System,
    state: GameState,
    holder: GameObject | Seat,
    names: Mapping[str, str],
    by: str | None,
) -> list[Section]:
    """The verbs to offer for an object or a player: those its system names, else all its own."""
    sheets, now = presentation_of(system).sheets, False
    verbs, kind, folder = sheets.seat_verbs, SEAT, "sheets/seat-verbs"
    if isinstance(holder, GameObject):
        verbs, kind, folder = sheets.object_verbs, OBJECT, "sheets/verbs"
        now = by not in (None, view_models.keeper(holder))
    verbs = tuple(generated.verbs_of(system, kind)) if verbs is None else verbs
    return list(_sections(system, state, verbs, folder, holder.id, names, by, now=now))


def _sections(
    system: System,
    state: GameState,
    verbs: Sequence[str],
    folder: str,
    holder: str,
    names: Mapping[str, str],
    by: str | None,
    *,
    now: bool = False,
) -> Iterator[Section]:
    """The sections for *verbs*. now: without the forms for what can't be done in this phase."""
    forms = (
        Forms(system, state, by, namer(words_of(system), state, names)) if by is not None else None
    )
    for verb in verbs:
        if template := find_any(system, f"{folder}/_{verb}.html"):
            yield Section(template)
        elif forms and (form := forms.of_verb(verb, holder, now=now)):
            yield Section(find(system, GENERATED), form)


def templated_sections(system: System, verbs: Sequence[str]) -> list[Section]:
    """The verbs that have a template."""
    found = (
        find_any(system, f"sheets/verbs/_{verb}.html") for verb in verbs if verb in system.verbs
    )
    return [Section(template) for template in found if template]


def moves(system: System, state: GameState, obj: GameObject, by: str | None) -> list[str]:
    """The zones to which the rules would let *obj* move now."""
    if "move" not in system.verbs:
        return []
    forms = Forms(system, state, by or obj.owner, str)
    return [
        zone
        for zone in system.zones
        if zone not in (CEASED, obj.zone)
        and forms.accepts({"do": "move", "object": obj.id, "to": zone})
    ]


def _blink(system: System, obj: GameObject) -> Sheet | None:
    """The commands by which *obj* leaves and comes straight back, and the zone between."""
    away, knows = (
        presentation_of(system).sheets.blinks_through,
        presentation_of(system).board.previews,
    )
    if not away or not obj.on_field or getattr(obj, "token", False):
        return None
    zones = (away, obj.zone)
    return {
        "zone": away,
        "steps": [
            {"do": "move", "object": obj.id, "to": zone, **({"known": True} if knows else {})}
            for zone in zones
        ],
    }


def labels(its: Words, state: GameState, names: Mapping[str, str]) -> Label:
    """A function from objects and players to their names in a list of several players' cards."""
    named = namer(its, state, names)
    return lambda each: named(each.id)


def namer(its: Words, state: GameState, names: Mapping[str, str]) -> Callable[[str], str]:
    """A function from the ids of objects and seats to their names."""

    def name(each: str) -> str:
        obj = state.objects.get(each)
        return _label(its, state, obj, names) if obj else names.get(each, each)

    return name


# Counters to offer


OFFERED = 8
"""Kinds that are visible at once; the others are one more tap away."""


def _offers(usual: Sequence[str], system: System) -> Sheet:
    """The kinds to offer: those with rules first, then those that cards use.

    A kind stays in place once the holder has it, because a finger may tap it again.
    """
    kinds = list(usual)
    others = object_kinds(system) if kinds else []
    more = dict.fromkeys([*kinds[OFFERED:], *others, *presentation_of(system).sheets.suggested])
    return {
        "offered": kinds[:OFFERED],
        "suggested": [kind for kind in more if kind not in kinds[:OFFERED]],
    }


def of_new_card(
    system: System, state: GameState, seat: str, names: Mapping[str, str], first: str
) -> Sheet:
    """Choices for a new card of *seat*, and the cards of this table as patterns."""
    return {**_common(system, state, names), **new_card.of_seat(system, state, seat, first)}


def of_table(
    system: System, state: GameState, names: Mapping[str, str], mine: str | None = None
) -> Sheet:
    """All seats and all things in play with their counters, for sheets about several of them.

    mine: the seat whose opponents are listed.
    """
    stacks = Stacks(system)
    things: list[Sheet] = [
        {
            "id": each.id,
            "name": _label(words_of(system), state, each, names),
            "keeper": each.controller,
            "keeper_name": names.get(each.controller, each.controller),
            "kinds": dict(state.on(each.id)),
            "object": each,
            "row": stacks.row(state, each.id),
        }
        for each in state.objects.values()
        if each.listed
    ]
    seats: list[Sheet] = [
        {
            "id": each.id,
            "name": names.get(each.id, each.id),
            "kinds": dict(system.counters.held(state, each.id)),
        }
        for each in state.remaining()
    ]
    opponents = [
        each
        for each in seats
        if mine and system.seating.side(state, each["id"]) != system.seating.side(state, mine)
    ]
    return {
        **_common(system, state, names),
        "state": state,
        "things": things,
        "holders": [each for each in things if each["kinds"]],
        "players": seats,
        "opponents": opponents,
        "opponent_ids": [each["id"] for each in opponents],
        "kinds_there": sorted({kind for each in things for kind in each["kinds"]}),
        "further": system.further(system, state),
    }


def facts_of_seat(
    system: System, state: GameState, seat: str | None, names: Mapping[str, str]
) -> Mapping[str, Any]:
    """The context of the system's own sheets for *seat*, or for the first seat if there is none
    such.
    """
    found = state.seats.get(seat or "") or next(iter(state.seats.values()))
    facts = presentation_of(system).sheets.seat_facts
    return {"names": names, **facts(system, state, found, labels(words_of(system), state, names))}


def attacked(
    system: System, state: GameState, raw: Sheet, seat: str, names: Mapping[str, str]
) -> Sheet:
    """What *seat* may attack by *raw*, complete or not, with what would come of it; nothing of what
    is no attack. All that a preview is drawn from."""
    board, do = presentation_of(system).board, raw.get("do")
    whom = board.previews.whom.get(do) if board.previews and type(do) is str else None
    label = labels(words_of(system), state, names)
    targets = [*whom(system, state, raw, seat, label)] if whom and seat in state.seats else []
    return {**_common(system, state, names), "targets": targets}


def attack_said(
    system: System, state: GameState, raw: Sheet, key: str, n: int, names: Mapping[str, str]
) -> Sheet:
    """The attack number *n* on the sheet of the object *key*, with what would come of it by *raw*,
    its form as it is filled in. Raises LookupError if there is none."""
    obj, label = state.objects[key], labels(words_of(system), state, names)
    facts = presentation_of(system).sheets.object_facts(system, state, obj, label)
    form = facts.get("attacks", ())[n].said(raw)
    found = {"form": form, "targets": form.targets, "object": obj, "card": obj}
    return {**_common(system, state, names), **found}


def _common(system: System, state: GameState, names: Mapping[str, str]) -> Sheet:
    presentation = presentation_of(system)
    return {
        "system": system,
        "its": words_of(system),
        "presentation": presentation,
        "completes": _completes(presentation.sheets) or None,
        "previews": presentation.board.previews is not None and bool(state.standings),
        "verbs": set(system.verbs),
        "zones": [zone for zone in system.zones if zone != CEASED],
        "field_zones": view_models.field_zones(system),
        "all_seats": [(seat, names.get(seat, seat)) for seat in state.seats],
    }


def _completes(sheets: Sheets) -> bool:
    """True if a command that names a known card, or moves it, means what its text says, too."""
    return sheets.known_cards is not None and type(sheets).completed is not Sheets.completed


def _label(its: Words, state: GameState, obj: GameObject, names: Mapping[str, str]) -> str:
    """The name of *obj* in a list of several players' cards."""
    keeper = view_models.keeper(obj)
    return view_models.distinct_name(its, state, obj, names.get(keeper, keeper))


def _in_play(system: System, state: GameState) -> list[GameObject]:
    """The objects on the field; of those that share a row, one."""
    row = Stacks(system).row
    return [obj for key, obj in state.objects.items() if obj.on_field and row(state, key)[0] == key]


def reasons(
    system: System, state: GameState, obj: GameObject, follows: Mapping[str, Any]
) -> Iterator[Sheet]:
    """For each stat: its printed value, what changes it, and its value now."""
    base = getattr(obj, "base", None) or {}
    steps = presentation_of(system).sheets.steps
    for name, now in follows.items():
        if type(now) is int:
            found = list(steps(system, state, obj, name))
            yield {"name": name, "printed": base.get(name), "steps": found, "now": now}
