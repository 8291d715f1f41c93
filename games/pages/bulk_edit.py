"""Change several cards or players at once: one command, one line of the log, one undo."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from games.pages.access import require_guest
from games.pages.sheets import sheet_over, table_of
from games.rules import counting
from games.rules.commands import parameters
from games.rules.state import GameObject, GameState
from games.rules.system import System
from games.screens import generated, sheets, view_models
from games.screens.boards import board_of
from games.screens.generated import Field, Forms, object_kinds
from games.screens.sheets import Table
from games.screens.stacks import Stacks
from games.screens.templates import find_any
from games.seats.guests import Guest
from games.systems import presentation_of
from games.systems.sheets import CardAction

CARDS = ("on", "object")
"""The parameters that may list cards."""


@require_GET
@require_guest
def several(request: HttpRequest, guest: Guest) -> HttpResponse:
    """A form for the targets, the verb and the amount.

    `?who=` and `?what=` name a group of targets that is chosen at first, such as all my cards that
    are creatures; `?on=` lists ids instead, and then nothing else is shown. `?source=` is the card
    whose effect it is, `?amount=` what the form proposes.
    """
    system = guest.game.rules
    if not board_of(system).several:
        raise Http404
    table, tabs = table_of(guest), titles(system)
    state = table.state
    verb = request.GET.get("do", "")
    verb = verb if verb in tabs else next(iter(tabs))
    asked = request.GET
    on = {*asked.get("on", "").split()}
    targets = list(_targets(table, verb))
    source = state.objects.get(asked.get("source", ""))
    by = _by(table, verb, source) if source else {}
    further = {key: asked[key] for key in ("source", "amount") if by and key in asked}
    chosen = _chosen(targets, asked.get("who", ""), asked.get("what", ""), on)
    context = {
        **sheets.of_table(table),
        "verb": verb,
        "tabs": [*tabs.items()],
        "groups": [] if on else _groups(targets),
        "sorts": [] if on else _sorts(system, targets),
        "who": asked.get("who", ""),
        "what": asked.get("what", ""),
        "on": " ".join(sorted(on)),
        "targets": [
            {**each, "checked": each["id"] in chosen}
            for each in targets
            if not on or each["id"] in chosen
        ],
        "card_verbs": [key for key, _words in _for_cards(system)],
        "asks": find_any(system, f"sheets/several/_{verb}.html"),
        "marks": [*system.components.object.marks],
        "several": _several(system, verb),
        "sourced": view_models.placed_by_a_source(system) and verb == "place",
        "counted": verb in ("place", "remove"),
        "doubles": verb == "place" and counting.doubles(system),
        "amount": _amount(system, verb),
        "proposed": asked.get("amount", ""),
        "by": by,
        "address": f"several?{urlencode({'do': verb, **further})}",
        "kinds": _kinds(
            system, state, verb, [each for each in targets if each["id"] in chosen] or targets
        ),
        "zones": _away(system) if verb == "move" else (),
        "losses": _losses(system, state) if verb == "move" else {},
    }
    return sheet_over(request, guest, "sheets/_several.html", context)


def _by(table: Table, verb: str, source: GameObject) -> dict[str, Any]:
    """Facts about the card whose effect it is, if *verb* takes one."""
    system = table.system
    if all(part.key != "source" for part in parameters(system.verbs[verb].command)):
        return {}
    facts = presentation_of(system).sheets.object_facts(system, table.state, source, table.label)
    return {"source": source, **facts}


@require_GET
@require_guest
def choosing(request: HttpRequest, guest: Guest) -> HttpResponse:
    """The bar that says what can be done with the cards that are chosen on the stage."""
    if not board_of(guest.game.rules).several:
        raise Http404
    return render(request, "sheets/_choosing.html", {"tabs": _for_cards(guest.game.rules)})


def titles(system: System) -> dict[str, str]:
    """By verb: what can be done to several at once."""
    found = {"place": _("Place"), "remove": _("Remove"), "move": _("Move"), "mark": _("Mark")}
    found |= {verb: _(words) for verb, words in presentation_of(system).words.several.items()}
    if not system.components.object.marks:
        del found["mark"]
    return {
        verb: words
        for verb, words in found.items()
        if verb in system.verbs and _several(system, verb)
    }


def _for_cards(system: System) -> list[tuple[str, str]]:
    """The `titles` of what can be done to cards."""
    found = titles(system)
    return [(verb, words) for verb, words in found.items() if _several(system, verb) in CARDS]


def _chosen(targets: list[dict[str, Any]], who: str, what: str, on: set[str]) -> set[str]:
    """The ids of the targets that are chosen at first."""
    if on:
        return {each["id"] for each in targets if on & {each["id"], *each.get("row", ())}}
    return {
        each["id"]
        for each in targets
        if (who or what)
        and (who or "all") in each["groups"]
        and (not what or what in each["sorts"])
    }


def _sorts(system: System, targets: list[dict[str, Any]]) -> list[tuple[str, str]]:
    """The sorts of cards among *targets*, each with what all of its sort are called."""
    sorts = presentation_of(system).words.sorts
    there = {sort for each in targets for sort in each["sorts"]}
    return [(sort, _(words)) for sort, words in sorts.items() if sort in there]


def _away(system: System) -> list[str]:
    """The zones out of play, to which cards on the field can move together."""
    return [zone for zone in system.zones if zone not in system.components.object.field_zones]


def _losses(system: System, state: GameState) -> dict[str, str]:
    """By zone: what it is called to move there, where the sheets of cards have a word for that."""
    tiles = presentation_of(system).sheets.tiles
    if tiles is None:
        return {}
    on_field = (obj for obj in state.objects.values() if obj.on_field)
    found_tiles = (tile for obj in on_field for tile in tiles(system, state, obj))
    found = (
        tile
        for tile in found_tiles
        if isinstance(tile, CardAction) and tile.loss and tile.do == "move"
    )
    first = next(found, None)
    return {str(first.facts["to"]): _(first.label)} if first and first.label else {}


def _groups(targets: list[dict[str, Any]]) -> list[tuple[str, str]]:
    """The groups among *targets*; of two with the same members, the first."""
    listed = {
        "my-cards": _("All my cards"),
        "their-cards": _("All their cards"),
        "all-seats": _("Everyone"),
        "their-seats": _("Each opponent"),
        "all": _("All"),
    }
    members = {
        key: tuple(each["id"] for each in targets if key in each["groups"]) for key in listed
    }
    firsts = {ids: key for key, ids in reversed(members.items()) if ids}
    return [(key, words) for key, words in listed.items() if key in firsts.values()]


def _several(system: System, verb: str) -> str:
    """The parameter of *verb* that takes a list of targets; "" if none does."""
    declared = parameters(system.verbs[verb].command)
    return next((part.key for part in declared if part.reader.many and part.names), "")


def _amount(system: System, verb: str) -> Field | None:
    """The amount, or the new number, as *verb* takes it."""
    found = generated.numbers(system, verb)
    return next((each for each in found if each.label in ("amount", "to")), None)


def _targets(table: Table, verb: str) -> Iterator[dict[str, Any]]:
    """The possible targets of *verb*, each with its groups; cards that share a row are one."""
    system, state, _names, mine = table
    theirs = {
        seat
        for seat in state.seats
        if mine is not None and system.seating.side(state, seat) != system.seating.side(state, mine)
    }
    places = {seat: place for place, seat in enumerate(state.seats, start=1)}
    for seat in state.remaining():
        if _takes(system, state, verb, seat.id):
            groups = {"all", "all-seats"} | ({"their-seats"} if seat.id in theirs else set())
            facts = {"name": table.label(seat), "place": places[seat.id]}
            yield {"id": seat.id, **facts, "groups": groups, "sorts": ()}
    stacks = Stacks(system)
    for obj in state.objects.values():
        row = stacks.row(state, obj.id)
        if row[0] != obj.id or not obj.on_field or not _takes(system, state, verb, obj.id):
            continue
        groups = {"all"}
        if obj.controller == mine:
            groups.add("my-cards")
        elif obj.controller in theirs:
            groups.add("their-cards")
        facts = {"name": table.label(obj), "place": places[obj.controller]}
        sorts = (*getattr(obj, "types", ()), obj.zone)
        yield {"id": obj.id, **facts, "groups": groups, "sorts": sorts, "row": row}


def _takes(system: System, state: GameState, verb: str, holder: str) -> bool:
    """True if a seat or a card can be a target at all; the rules check the actual command."""
    if verb == "mark" or _several(system, verb) == "object":
        return holder in state.objects
    if verb == "remove":
        return any(system.counters.held(state, holder).values())
    if verb == "place":
        found = state.objects.get(holder) or state.seats[holder]
        return view_models.can_hold_counters(system, state, found)
    first = next(iter(state.seats))
    number = _amount(system, verb)
    raw = {"do": verb, _several(system, verb): [holder], number.label if number else "amount": 0}
    return Forms(system, state, first, str).accepts(raw)


def _taken(
    system: System, state: GameState, verb: str, there: set[str], targets: list[dict[str, Any]]
) -> list[str]:
    """The kinds that the rules let *verb* name about at least one of *targets*, by name."""
    if not any(part.key == "counter" for part in parameters(system.verbs[verb].command)):
        return []
    forms, several = Forms(system, state, next(iter(state.seats)), str), _several(system, verb)

    def is_taken(kind: str) -> bool:
        raw = {"do": verb, "counter": kind}
        return any(forms.refused({**raw, several: [each["id"]]}) is None for each in targets)

    return [kind for kind in sorted({*there, *system.rulebook.kinds}) if is_taken(kind)]


def _kinds(system: System, state: GameState, verb: str, targets: list[dict[str, Any]]) -> list[str]:
    """The kinds to offer: those on the targets and, for placing, the usual ones of what they are;
    for a verb of the system's own, those that it takes about one of the targets."""
    held = system.counters.held
    there = {kind for each in targets for kind, n in held(state, each["id"]).items() if n}
    if verb == "remove":
        return sorted(there)
    if verb != "place":
        return _taken(system, state, verb, there, targets)
    presentation = presentation_of(system)
    usual = [kind for each in targets for kind in _usual(system, state, each["id"])]
    usual += [*presentation.board.player_kinds, *system.rulebook.kinds]
    usual += presentation.sheets.suggested
    return [*sorted(there), *(kind for kind in dict.fromkeys(usual) if kind not in there)][:12]


def _usual(system: System, state: GameState, holder: str) -> Sequence[str]:
    """The kinds to offer first for a player or a card."""
    presentation, obj = presentation_of(system), state.objects.get(holder)
    if obj is None:
        return presentation.board.player_kinds
    return (
        presentation.sheets.usual_kinds(system, obj)
        if presentation.sheets.usual_kinds
        else object_kinds(system)
    )
