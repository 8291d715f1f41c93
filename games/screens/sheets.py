"""Sheets: everything that a system can do with one card or seat."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

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
from games.systems.sheets import Sheets

Sheet = dict[str, Any]


class Table(NamedTuple):
    """What a sheet is about. names: of the seats. seat: that opened it; state: as it sees it."""

    system: System
    state: GameState
    names: Mapping[str, str]
    seat: str | None = None

    @property
    def its(self) -> Words:
        return words_of(self.system)

    def name(self, each: str) -> str:
        """The name of an object in a list of several players' cards, or of a seat."""
        if (obj := self.state.objects.get(each)) is None:
            return self.names.get(each, each)
        return view_models.distinct_name(self.its, self.state, obj, self.keeper(obj))

    def named(self, seats: Iterable[str]) -> list[tuple[str, str]]:
        """Each of *seats*, and its name."""
        return [(each, self.name(each)) for each in seats]

    def label(self, each: GameObject | Seat) -> str:
        return self.name(each.id)

    def keeper(self, obj: GameObject) -> str:
        """The name of the seat on whose part of the table *obj* is."""
        return self.name(view_models.keeper(obj))


def of_object(table: Table, obj: GameObject, kept: Sequence[str] = ()) -> Sheet:
    """Everything about one object. kept: the kinds of tiles that the sheet has already."""
    system, state, names, by = table
    its, keeper, label = table.its, table.keeper(obj), table.label
    presentation = its.own
    follows = system.derived(system, state, obj)
    kinds = state.on(obj.id)
    usual = presentation.sheets.usual_kinds
    types = getattr(obj, "types", ())
    first, others = tiles.tiles(system, state, obj, by, kept)
    return {
        **_common(table),
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
        "moves": moves(table, obj),
        "blink": _blink(system, obj),
        "acts": acts_on(table, obj),
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


def of_seat(table: Table, seat: Seat) -> Sheet:
    """Everything about one player."""
    system, state, names, by = table
    presentation = presentation_of(system)
    kinds = state.on(seat.id)
    values = [(mark, getattr(seat, mark)) for mark in system.components.seat.marks]
    steppers = (
        *_shared_steppers(system, state, seat),
        *view_models.seat_steppers(system, state, seat),
    )
    return {
        **_common(table),
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
        "acts": acts_on(table, seat),
        "back": _way_back(system, state, seat.id),
        **ticking.of_holder(system, state, seat, names, by),
        **presentation.sheets.seat_facts(system, state, seat, table.label),
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


def acts_on(table: Table, holder: GameObject | Seat) -> list[Section]:
    """The verbs to offer for an object or a player: those its system names, else all its own."""
    sheets, now = presentation_of(table.system).sheets, False
    verbs, kind, folder = sheets.seat_verbs, SEAT, "sheets/seat-verbs"
    if isinstance(holder, GameObject):
        verbs, kind, folder = sheets.object_verbs, OBJECT, "sheets/verbs"
        now = table.seat not in (None, view_models.keeper(holder))
    verbs = tuple(generated.verbs_of(table.system, kind)) if verbs is None else verbs
    return list(_sections(table, verbs, folder, holder.id, now=now))


def _sections(
    table: Table, verbs: Sequence[str], folder: str, holder: str, *, now: bool
) -> Iterator[Section]:
    """The sections for *verbs*. now: without the forms for what can't be done in this phase."""
    system, state, _names, by = table
    forms = Forms(system, state, by, table.name) if by is not None else None
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


def moves(table: Table, obj: GameObject) -> list[str]:
    """The zones to which the rules would let *obj* move now."""
    system, state, _names, by = table
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


def of_new_card(table: Table, seat: str, first: str) -> Sheet:
    """Choices for a new card of *seat*, and the cards of this table as patterns."""
    return {**_common(table), **new_card.of_seat(table.system, table.state, seat, first)}


def of_table(table: Table) -> Sheet:
    """All seats, the opponents of the table's seat, and all things in play with their counters, for
    sheets about several of them.
    """
    system, state, names, mine = table
    stacks = Stacks(system)
    things: list[Sheet] = [
        {
            "id": each.id,
            "name": table.label(each),
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
        **_common(table),
        "state": state,
        "things": things,
        "holders": [each for each in things if each["kinds"]],
        "players": seats,
        "opponents": opponents,
        "opponent_ids": [each["id"] for each in opponents],
        "kinds_there": sorted({kind for each in things for kind in each["kinds"]}),
        "further": system.further(system, state),
    }


def facts_of_seat(table: Table, seat: str | None) -> Mapping[str, Any]:
    """The context of the system's own sheets for *seat*, or for the first seat if there is none
    such.
    """
    system, state, names, _by = table
    found = state.seats.get(seat or "") or next(iter(state.seats.values()))
    facts = presentation_of(system).sheets.seat_facts
    return {"names": names, **facts(system, state, found, table.label)}


def attacked(table: Table, raw: Sheet, seat: str) -> Sheet:
    """What *seat* may attack by *raw*, complete or not, with what would come of it; nothing of what
    is no attack. All that a preview is drawn from."""
    system, state, _names, _by = table
    board, do = presentation_of(system).board, raw.get("do")
    whom = board.previews.whom.get(do) if board.previews and type(do) is str else None
    targets = [*whom(system, state, raw, seat, table.label)] if whom and seat in state.seats else []
    return {**_common(table), "targets": targets}


def attack_said(table: Table, raw: Sheet, key: str, n: int) -> Sheet:
    """The attack number *n* on the sheet of the object *key*, with what would come of it by *raw*,
    its form as it is filled in. Raises LookupError if there is none."""
    system, state, _names, _by = table
    obj = state.objects[key]
    facts = presentation_of(system).sheets.object_facts(system, state, obj, table.label)
    form = facts.get("attacks", ())[n].said(raw)
    found = {"form": form, "targets": form.targets, "object": obj, "card": obj}
    return {**_common(table), **found}


def _common(table: Table) -> Sheet:
    system, state, _names, _by = table
    presentation = presentation_of(system)
    return {
        "system": system,
        "its": table.its,
        "presentation": presentation,
        "completes": _completes(presentation.sheets) or None,
        "previews": presentation.board.previews is not None and bool(state.standings),
        "verbs": set(system.verbs),
        "zones": [zone for zone in system.zones if zone != CEASED],
        "field_zones": view_models.field_zones(system),
        "all_seats": table.named(state.seats),
    }


def _completes(sheets: Sheets) -> bool:
    """True if a command that names a known card, or moves it, means what its text says, too."""
    return sheets.known_cards is not None and type(sheets).completed is not Sheets.completed


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
