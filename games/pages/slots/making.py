"""New counters: from a tile, from the rulebook, or from a typed line.

What a line would make is shown below it before it is made, and who would see it. A line is public
only if that was shown: the form brings back the preview it showed, and any other line is hidden, or
is shown first.
"""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from games.live import table_registry as tables
from games.models import Game
from games.pages.parts import by_htmx
from games.pages.slots.access import Onlooker, foreseen, give, sheet_page, slots_only
from games.rules.state import GameState, Refused
from games.screens import chairs, dice
from games.screens.slots import sheets, typed_acts
from games.screens.slots.typed import (
    Preview,
    line_templates,
    line_words,
    preview,
    scene_words,
    unknown_scene,
)
from games.screens.words import words_of
from games.store import rows
from games.systems.typed_line import TypedLine, highest, read_line
from games.tracks.counter import (
    counter_in,
    counters_in,
    game_master,
    protagonists,
    scene_state,
)

PREVIEW = "slots/sheets/_line.html"
ONLY_SHOWN = "new"
"""The id of what a line would make, as long as it is typed."""


@require_GET
@slots_only(seated=True)
def new(request: HttpRequest, asking: Onlooker) -> HttpResponse:
    """A tile for each type, a line to type in, and the game's own counters."""
    sheet = sheets.of_new(asking.table)
    return sheet_page(request, asking, "new", sheet)


@require_POST
@slots_only(seated=True)
def made(request: HttpRequest, asking: Onlooker) -> HttpResponse:
    """Create what was tapped or typed: a tile, a template, a line, or all of a protagonist."""
    posted, state = request.POST, asking.state
    key = sheets.new_id(state)
    if seat := posted.get("protagonist"):
        if seat not in protagonists(state):
            raise Http404
        ids = sheets.new_ids(state, len(asking.its.slots.kit))
        return give(request, asking, asking.its.slots.for_player(seat, ids), "")
    if template := asking.its.slots.templates.get(posted.get("template", "")):
        given: dict[str, Any] = {"owner": posted["owner"]} if posted.get("owner") else {}
        command = template.create(key, **given)
        return give(request, asking, _placed(asking, command, posted), f"slots/{key}?new=1")
    if "line" in posted:
        return _made_from_line(request, asking, key)
    kind = posted.get("type", "")
    if kind not in asking.its.slots.types:
        raise Refused("invalid", _("Tap a tile, or type a line."))
    command = asking.its.slots.types[kind].tile.create(key)
    return give(request, asking, _placed(asking, command, posted), f"slots/{key}?new=1")


def equip(game: Game, seat: str) -> None:
    """Give *seat*, which comes late, the counters that every player has, if another has them."""
    its, state = words_of(game.rules), rows.state(game)
    if its.own.slots and any(sheets.has_kit(its, state, each) for each in protagonists(state)):
        ids = sheets.new_ids(state, len(its.slots.kit))
        gm = next(each for each in state.seats if game_master(state, each))
        tables.give(game.slug, its.slots.for_player(seat, ids), gm)


def _placed(asking: Onlooker, command: dict[str, Any], posted: QueryDict) -> dict[str, Any]:
    """*command* with a place after the other counters, in the scene the GM is looking at, unless it
    says another one.
    """
    scene, hidden = posted.get("scene", ""), bool(posted.get("hidden"))
    if "scene" in command:
        hidden = _shows_nothing(asking.state, command["scene"])
    elif asking.gm and scene and "owner" not in command:
        command = {**command, "scene": scene}
    if asking.gm and hidden:
        command = {**command, "visibility": "hidden"}
    every = [counter_in(asking.state, each) for each in asking.state.slot_counters]
    owner = command.get("owner", None if asking.gm else asking.seat)
    last = [each.order for each in every if each.owner == owner]
    return {**command, "order": max(last, default=0) + 1}


def _shows_nothing(state: GameState, scene: str) -> bool:
    """True if that scene runs and only the GM sees anything of it: what is made there stays hidden.
    Of the scene whose tab is chosen, the page says it (static/js/slots/tabs.js).
    """
    there = [each for each in counters_in(state).values() if each.scene == scene]
    seen = any(each.visibility == "open" for each in there)
    known = bool(there) or scene in state.scenes  # else it is prepared first
    return known and scene_state(state, scene) == "running" and not seen


# A typed line


@require_POST
@slots_only(seated=True)
def line(request: HttpRequest, asking: Onlooker) -> HttpResponse:
    """A preview of the line typed so far; nothing is made."""
    if not request.POST.get("line", "").strip():
        return HttpResponse()
    try:
        shown = _previewed(asking, request.POST, ONLY_SHOWN)
    except Refused as refused:
        return render(request, PREVIEW, {"refused": refused})
    return render(request, PREVIEW, {"preview": shown})


def _made_from_line(request: HttpRequest, asking: Onlooker, key: str) -> HttpResponse:
    """Create what the line says if it has a type and was previewed, or if nobody else sees it.

    A page that may send a line twice gives it an id, by which it happens once.
    """
    shown = _previewed(asking, request.POST, key)
    previewed = request.POST.get("previewed", "") == shown.token
    secret = by_htmx(request) and not shown.seen
    offered = shown.offers and request.POST.get("prepare") != shown.offers
    if shown.untyped or offered or not (previewed or secret):
        return _asked(request, asking, shown)
    once = {"id": given} if (given := request.POST.get("id")) else {}
    return give(request, asking, {**shown.command, **once}, "")


def _previewed(asking: Onlooker, posted: QueryDict, key: str) -> Preview:
    """The preview of the posted line, under the id *key*. Raises Refused.

    A line that is an act shows no more than a tap does: it needs no preview.
    """
    text = posted.get("instead") or posted.get("line", "")
    fall = highest if key == ONLY_SHOWN else dice.fall
    empty = chairs.empty(asking.system, asking.game.places, asking.state)
    away = {*empty, *chairs.absent(asking.state)}
    at = typed_acts.Typist(
        asking.its, asking.system, asking.state, asking.by, asking.names, fall, away
    )
    if act := typed_acts.read_act(at, text):
        after, refused = foreseen(asking, [act], asking.by)
        if refused:
            raise refused
        return typed_acts.preview(at, after, act, text)
    if instead := typed_acts.setting(at, text):
        return instead
    shown = _counters(asking, posted, key, text)
    if shown.untyped:
        typed_acts.refuse_nobodys(at, text)
    return shown


def _counters(asking: Onlooker, posted: QueryDict, key: str, text: str) -> Preview:
    """The preview of what a line makes: counters, and the scene that they name. Raises Refused."""
    typed, new = _read(asking, text), ""
    kind = posted.get("type", "")
    if typed.type is None and asking.gm and (split := unknown_scene(text)):
        there = _read(asking, split[0])
        typed, new = (there, split[1]) if there.type else (typed, "")
    untyped = typed.type is None and kind not in asking.its.slots.types
    ids = [key, *sheets.new_ids(asking.state, typed.count - 1)]
    taken = [counter_in(asking.state, each).name for each in asking.state.slot_counters]
    commands = [
        _placed(asking, {**command, **({"scene": new} if new else {})}, posted)
        for command in typed.several(
            ids, kind if kind in asking.its.slots.types else "", dice.fall, taken
        )
    ]
    first = commands[0].get("order", 1)
    commands = [{**each, "order": first + n} for n, each in enumerate(commands)]
    if new:
        commands.insert(0, {"do": "scene", "scene": new, "to": "prepared"})
    after, refused = foreseen(asking, commands, asking.by)
    if refused:
        raise refused
    return preview(
        asking.its,
        after,
        asking.by,
        commands,
        asking.names,
        typed=typed,
        untyped=untyped,
        offers=new,
    )


def _read(asking: Onlooker, text: str) -> TypedLine:
    """What a line says. Raises Refused."""
    named = {seat: seat for seat in asking.state.seats}
    named |= {name: seat for seat, name in asking.names.items()}
    scenes = sheets.scenes(asking.table) if asking.gm else []
    there = [each for each in scenes if scene_state(asking.state, each) != "over"]
    said = {**scene_words(there), **line_words(asking.its)}
    return read_line(
        text, named, asking.its.slots, said, line_templates(asking.its), leads=asking.gm
    )


def _asked(request: HttpRequest, asking: Onlooker, shown: Preview) -> HttpResponse:
    """The preview to be confirmed, with the types if the line has none.

    For a script it goes to the line, else it is a page with the line in it.
    """
    posted = {name: request.POST.get(name, "") for name in ("line", "scene", "hidden")}
    context = {
        "preview": shown,
        "tiles": sheets.tiles(asking.its),
        "posted": posted,
        "is_gm": asking.gm,
    }
    if by_htmx(request):
        return render(request, PREVIEW, context)
    return sheet_page(request, asking, "typed", context)
