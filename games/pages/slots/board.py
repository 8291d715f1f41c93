"""The board of slot counters as a whole: seen as another seat, by seat, by scene, and as a file."""

from __future__ import annotations

import json
import re
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _
from django.views.decorators.clickjacking import xframe_options_sameorigin
from django.views.decorators.http import require_GET, require_POST

from games.pages.forms import NameField
from games.pages.parts import download
from games.pages.slots.access import Onlooker, foreseen, give, sheet_page, slots_only
from games.rules.state import Refused
from games.screens import boards
from games.screens.drawing import Drawing
from games.screens.fragments import audience
from games.screens.languages import active_language
from games.screens.slots import board, sets, sheets, view_models
from games.tracks.counter import GM, Player, game_master, protagonists

CHAIRS = ["co-gm", *(f"co-gm-{n}" for n in range(2, 100))]
"""The ids of seats for co-GMs without a protagonist; `Seat.name` knows them."""
NOT_IN_FILE_NAMES = re.compile(r'[\\/:*?"<>|]')
ROW_ID = re.compile(r' id="?k-[^\s">]*"?')
"""That of a counter's row on the board, and of its numbers."""
MOST_BYTES = 64 * 1024
"""The longest file to import."""


@require_GET
@slots_only(seated=True, gm=True)
def tools(request: HttpRequest, asking: Onlooker) -> HttpResponse:
    """Milestones, who may act, co-GMs, sets."""
    state = asking.state
    players = [
        {"seat": each, "name": asking.names.get(each, each), "co_gm": game_master(state, each)}
        for each in protagonists(state)
    ]
    chairs = [
        {"seat": each, "name": asking.names.get(each, each)}
        for each, player in state.seats.items()
        if isinstance(player, Player) and player.chair
    ]
    new = next(key for key in CHAIRS if key not in {*state.seats, *state.slot_counters})
    context = {
        "players": players,
        "chairs": chairs,
        "new_chair": new,
        "owns": asking.seat == GM,
        "allowed": sheets.allowed(asking.its, state),
        "hits": sheets.hits(asking.its, state),
        "permitted": sheets.ASKED,
        "milestones": [*asking.its.slots.checklists],
    }
    return sheet_page(request, asking, "board", context)


@require_GET
@slots_only()
def protagonist_sheet(request: HttpRequest, asking: Onlooker, key: str) -> HttpResponse:
    """The counters of one seat, to act for an absent player."""
    if key not in asking.state.seats:
        raise Http404
    seen = [
        each
        for each in view_models.counter_views(asking.its, asking.state, asking.seat)
        if not each.masked and each.counter.owner == key
    ]
    drawing = Drawing(asking.system, asking.names)
    drawn = "".join(board.counter(drawing, asking.state, each).draw() for each in seen)
    context = {
        "name": asking.names.get(key, key),
        "who": key,
        "counters": mark_safe(ROW_ID.sub("", drawn)),  # those are on the board
    }
    return sheet_page(request, asking, "of", context)


@require_GET
@slots_only(seated=True, gm=True)
def scene(request: HttpRequest, asking: Onlooker) -> HttpResponse:
    """Begin, reveal, hide or end a whole scene at once. Without a name: prepare a new scene."""
    if "name" not in request.GET:
        return sheet_page(request, asking, "next", {})
    name = request.GET["name"]
    sheet = sheets.of_scene(asking.table, name)
    return sheet_page(request, asking, "scene", {"name": name or _("The table"), **sheet})


@require_GET
@slots_only(seated=True, gm=True)
def see_as(request: HttpRequest, asking: Onlooker) -> HttpResponse:
    """The seats as which the GM may see the board."""
    places = list(asking.state.seats)
    players = [
        {"seat": each, "name": asking.names.get(each, each), "place": places.index(each) + 1}
        for each in protagonists(asking.state)
    ]
    return sheet_page(request, asking, "as", {"players": players})


@require_GET
@xframe_options_sameorigin
@slots_only(seated=True, gm=True)
def seen_by(request: HttpRequest, asking: Onlooker, key: str) -> HttpResponse:
    """The board as another seat sees it, read-only: a phone drawn `within` this page."""
    watching = key == "watcher"
    if not watching and key not in asking.state.seats:
        raise Http404
    eyes = None if watching else key
    drawing = Drawing(asking.system, asking.names)
    drawn = boards.board(
        drawing, asking.state, eyes, audience(asking.system, eyes, active_language())
    )
    name = _("A watcher") if watching else asking.names.get(key, key)
    within = "within" in request.GET
    context = {"board": mark_safe(drawn), "name": name, "game": asking.game, "within": within}
    return render(request, "slots/pages/as_seat.html", context)


@require_GET
@slots_only(seated=True, gm=True)
def export(request: HttpRequest, asking: Onlooker) -> HttpResponse:
    """The board's counters as a file, under the name that the set was given."""
    title = NameField(max_length=80, required=False).clean(request.GET.get("title", "")[:80])
    kept = sets.as_set(asking.its, asking.state, asking.seat, title or asking.game.title)
    name = NOT_IN_FILE_NAMES.sub(" ", title).strip(" .") or f"counters-{asking.game.slug}"
    written = json.dumps(kept, indent=1, ensure_ascii=False)
    return download(written, f"{name}.json", "application/json")


@require_POST
@slots_only(seated=True, gm=True)
def bring_in(request: HttpRequest, asking: Onlooker) -> HttpResponse:
    """Create all counters of a file, or none."""
    upload = request.FILES.get("file")
    if upload is not None and (upload.size or 0) > MOST_BYTES:
        raise Refused("invalid", _("That file is too big."))
    try:
        text = upload.read().decode() if upload else request.POST.get("text", "")
        command = sets.from_set(asking.state, text)
    except UnicodeDecodeError:
        raise Refused("invalid", _("That file isn’t text.")) from None
    except sets.BadSet as bad:
        message = _("Nothing was imported: %(why)s.") % {"why": bad}
        raise Refused("invalid", message) from None
    _after, refused = foreseen(asking, command["steps"])
    if refused:
        where = _first_refused(asking, command["steps"])
        message = _("Nothing was imported. Counter %(n)s: %(why)s") % {
            "n": where + 1,
            "why": asking.its.refusal(refused),
        }
        raise Refused("invalid", message)
    return give(request, asking, command, "")


def _first_refused(asking: Onlooker, steps: list[dict[str, Any]]) -> int:
    """The index of the first step that is refused."""
    for last in range(len(steps)):
        if foreseen(asking, steps[: last + 1])[1]:
            return last
    return 0
