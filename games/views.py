"""The pages: making a game, the board and its sheets, and what there is to read.

What changes a game's state goes through the running table (`games.live`), whatever the door.
"""

from __future__ import annotations

from typing import Any

from asgiref.sync import sync_to_async
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from games import doors, knocks, presets, rows, sheets
from games.beside import beside
from games.boards import screens_for
from games.doors import Guest, guests_only
from games.forms import NewGame
from games.forms import command as command_in
from games.fragments import audience
from games.languages import present
from games.live.owner import owner
from games.models import Game, Visitor
from games.partials import sheet_over
from games.rules.engine import refuse_served
from games.rules.state import Refused, SlotCounter
from games.rules.systems import SYSTEMS
from games.tokens import hashed
from games.words import refusal_text

LOOPBACK = ("localhost", "127.", "[::1]")

# Making a game


@require_GET
def home(request: HttpRequest) -> HttpResponse:
    """The rule systems to begin a game with, a code to join one, and the games of this phone."""
    known = hashed(request.COOKIES.get(doors.COOKIE, ""))
    mine = Game.objects.filter(visitors__device_hash=known)[:8]
    systems = [editions[0] for editions in SYSTEMS.values()]
    return render(request, "games/home.html", {"systems": systems, "games": mine})


@require_http_methods(["GET", "POST"])
def new(request: HttpRequest) -> HttpResponse:
    """Ask for edition, seats and preset; then make the game and seat its host."""
    if request.method == "POST":
        form = NewGame(request.POST)
        if form.is_valid():
            return _made(request, form)
        return render(request, "games/new.html", _choices(request.POST, form), status=422)
    return render(request, "games/new.html", _choices(request.GET, None))


def _choices(chosen: Any, form: NewGame | None) -> dict[str, Any]:
    name, _slash, edition = chosen.get("rules", "").partition("/")
    if name not in SYSTEMS:
        name = next(iter(SYSTEMS))
    system = SYSTEMS[name][0]
    return {
        "form": form,
        "system": system,
        "editions": SYSTEMS[name],
        "edition": edition or _usual(name),
        "presets": presets.presets(system),
        "preset": chosen.get("preset", ""),
        "switches": presets.switches(system),
        "life": presets.life(system),
        "gm": system.slot_counter is not SlotCounter,
        "counts": range(1, 7),
        "seats": int(chosen.get("seats") or presets.usual_seats(system)),
    }


def _usual(name: str) -> str:
    """The edition that is offered first."""
    return SYSTEMS[name][0].edition


def _made(request: HttpRequest, form: NewGame) -> HttpResponse:
    system, count = form.cleaned_data["rules"], form.cleaned_data["seats"]
    given = form.given(presets.seat_ids(count))
    first = system.opening(system, given, form.house_rules())
    game = rows.create(system, first, title=system.title)
    token = doors.device(request)
    game.admit(hashed(token), Visitor.Role.HOST)
    seat = game.seats.filter(host=True).first() or game.seats.get(order=0)
    seat.claim(hashed(token))
    if form.cleaned_data["name"]:
        seat.name = form.cleaned_data["name"]
        seat.save(update_fields=["name"])
    return doors.remember(redirect("share", slug=game.slug), token)


# The board


@require_GET
@guests_only
def board(request: HttpRequest, guest: Guest) -> HttpResponse:
    """The whole table, as this phone sees it."""
    game = guest.game
    if game.followed_by and "earlier" not in request.GET:
        return redirect("board", slug=game.newest.slug)
    templates = [f"games/{game.system}/table.html", "games/table.html"]
    return render(request, templates, _table(request, guest))


@require_GET
@guests_only
def flat(request: HttpRequest, guest: Guest) -> HttpResponse:
    """The table for one phone that lies in the middle of it: each part faces its player.

    What is tapped there is given by this phone's own seat, whoever's finger it was.
    """
    if guest.game.rules.slot_counter is not SlotCounter:
        raise Http404
    if guest.seat is None:
        return redirect("board", slug=guest.game.slug)
    if guest.game.followed_by:
        return redirect("flat", slug=guest.game.newest.slug)
    return render(request, "games/flat.html", _table(request, guest))


def _table(request: HttpRequest, guest: Guest) -> dict[str, Any]:
    """What the page of a table needs."""
    game, seat = guest.game, guest.seat
    if game.followed_by_id and game.rules.view is None:
        seat = (
            None  # nothing is turned in it any more; only where there are secrets it matters whose
        )
    mine = seat.key if seat else None
    # The number first: a state that is newer is shown twice, one that is older would stay.
    number, state = game.number, rows.state(game)
    screens = screens_for(game.rules, game.names)
    screens.around = beside(game)
    eyes = audience(game.rules, mine, present())
    drawn = screens.board(state, mine, eyes, swap="")
    return {
        "game": game,
        "guest": guest,
        "seat": seat,
        "number": number,
        "board": mark_safe(drawn),
        "beside": mark_safe(screens.beside(eyes, swap="")),
        "welcome": "welcome" in request.GET and seat is not None,
        **({} if game.followed_by_id else knocks.arrival(guest)),
    }


async def command(request: HttpRequest, slug: str) -> HttpResponse:
    """The second door: one command, as JSON or as a filled-in form."""
    if request.method != "POST":
        return HttpResponse(status=405, headers={"Allow": "POST"})
    guest = await sync_to_async(doors.guest)(request, slug)
    if guest is None or guest.seat is None:
        return await _refused(request, Refused("forbidden", _("Take a seat to play.")), 403)
    try:
        asked = command_in(request)
        refuse_served(guest.game.rules, asked)
        given = await owner.give(slug, asked, guest.seat.key)
    except Refused as refused:
        return await _refused(request, refused, 400 if refused.code == "invalid" else 422)
    if _by_script(request):
        number = str(given.entry.number) if given.entry else ""
        return HttpResponse(status=204, headers={"X-Entry": number})
    return redirect("board", slug=slug)


def _by_script(request: HttpRequest) -> bool:
    return request.content_type == "application/json" or "HX-Request" in request.headers


async def _refused(request: HttpRequest, refused: Refused, status: int) -> HttpResponse:
    if request.content_type == "application/json":
        told = {"code": refused.code, "message": refusal_text(refused), "rule": refused.rule}
        return JsonResponse({"refused": told}, status=status)
    partial = "games/_refusal.html" if _by_script(request) else "games/refused.html"
    return await sync_to_async(render)(request, partial, {"refused": refused}, status=status)


@require_GET
@guests_only
def thing(request: HttpRequest, guest: Guest, key: str) -> HttpResponse:
    """One object: its numbers with their reasons, and all that can be done with it."""
    state = rows.state(guest.game)
    if key not in state.objects:
        raise Http404
    sheet = sheets.of_object(guest.game.rules, state, state.objects[key], guest.game.names)
    return sheet_over(request, guest, "object", sheet)


@require_GET
@guests_only
def new_card(request: HttpRequest, guest: Guest) -> HttpResponse:
    """A card to add."""
    state, names = rows.state(guest.game), guest.game.names
    wanted = request.GET.get("seat") or (guest.seat.key if guest.seat else "")
    sheet = sheets.of_new_card(guest.game.rules, state, wanted, names)
    return sheet_over(request, guest, "new_card", sheet)


# To read


@require_GET
def about(request: HttpRequest) -> HttpResponse:
    """What this is, and whose work it uses."""
    return render(request, "games/about.html")
