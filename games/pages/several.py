"""Change several cards or players at once: one command, one line of the log, one undo."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from games.pages.access import require_guest
from games.pages.sheets import sheet_over
from games.rules.commands import parameters
from games.rules.state import GameState
from games.rules.system import System
from games.screens import generated, sheets, view_models
from games.screens.boards import board_of
from games.screens.generated import Field, Forms
from games.screens.secrets import seen_state
from games.seats.guests import Guest
from games.systems import presentation_of


@require_GET
@require_guest
def several(request: HttpRequest, guest: Guest) -> HttpResponse:
    """A form for the targets, the verb and the amount."""
    system = guest.game.rules
    if board_of(system).several != "several":
        raise Http404
    state, names = seen_state(guest.game, guest.key), guest.game.names
    titles = {"place": _("Place"), "remove": _("Remove")}
    titles |= {verb: _(words) for verb, words in presentation_of(system).several.items()}
    verbs = [verb for verb in titles if verb in system.verbs]
    verb = request.GET.get("do", "")
    verb = verb if verb in verbs else verbs[0]
    mine = guest.key
    chosen = request.GET.get("who", "")
    targets = list(_targets(system, state, verb, mine, names))
    groups = _groups(targets)
    context = {
        **sheets.of_table(system, state, names),
        "verb": verb,
        "tabs": [(each, titles[each]) for each in verbs],
        "groups": groups,
        "chosen": chosen,
        "targets": [{**each, "checked": chosen in each["groups"]} for each in targets],
        "several": _several(system, verb),
        "sourced": view_models.placed_by_a_source(system) and verb == "place",
        "counted": verb in ("place", "remove"),
        "amount": _amount(system, verb),
        "kinds": _kinds(system, state, verb, targets),
    }
    return sheet_over(request, guest, "sheets/_several.html", context)


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
    """The parameter of *verb* that takes a list of targets."""
    declared = parameters(system.verbs[verb].command)
    return next(part.key for part in declared if part.reader.many and part.names)


def _amount(system: System, verb: str) -> Field | None:
    """How much, as *verb* takes it."""
    found = generated.numbers(system, verb)
    return next((each for each in found if each.label == "amount"), None)


def _targets(
    system: System, state: GameState, verb: str, mine: str | None, names: Mapping[str, str]
) -> Iterator[dict[str, Any]]:
    """The possible targets of *verb*, each with its groups."""
    theirs = {
        seat
        for seat in state.seats
        if mine is not None and system.side(state, seat) != system.side(state, mine)
    }
    places = {seat: place for place, seat in enumerate(state.seats, start=1)}
    for seat in state.standing():
        if _takes(system, state, verb, seat.id):
            groups = {"all", "all-seats"} | ({"their-seats"} if seat.id in theirs else set())
            name = names.get(seat.id, seat.id)
            yield {"id": seat.id, "name": name, "place": places[seat.id], "groups": groups}
    for obj in state.objects.values():
        if not obj.on_field or not _takes(system, state, verb, obj.id):
            continue
        groups = {"all"}
        if obj.controller == mine:
            groups.add("my-cards")
        elif obj.controller in theirs:
            groups.add("their-cards")
        place = places[obj.controller]
        name = view_models.distinct_name(state, obj, names.get(obj.controller, obj.controller))
        yield {"id": obj.id, "name": name, "place": place, "groups": groups}


def _takes(system: System, state: GameState, verb: str, holder: str) -> bool:
    """Whether a seat or a card can be a target at all; the rules check the actual command."""
    if verb == "remove":
        return any(system.held(state, holder).values())
    if verb == "place":
        found = state.objects.get(holder) or state.seats[holder]
        return view_models.can_hold_counters(system, state, found)
    first = next(iter(state.seats))
    raw = {"do": verb, _several(system, verb): [holder], "amount": 0}
    return Forms(system, state, first, str).accepts(raw)


def _kinds(system: System, state: GameState, verb: str, targets: list[dict[str, Any]]) -> list[str]:
    """The kinds to offer: those on the targets and, for placing, the usual ones."""
    there = {kind for each in targets for kind, n in system.held(state, each["id"]).items() if n}
    if verb != "place":
        return sorted(there)
    presentation = presentation_of(system)
    usual = [*presentation.player_kinds, *system.kinds, *presentation.suggested]
    return [*sorted(there), *(kind for kind in dict.fromkeys(usual) if kind not in there)][:12]
