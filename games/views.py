"""The pages: making a game, joining it, sitting down, and the board.

What changes a game's state goes through the running table (`games.live`), whatever the door.
"""

from __future__ import annotations

import io
from typing import Any
from urllib.parse import urlencode

import segno
from asgiref.sync import async_to_sync, sync_to_async
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from countersite.addresses import lan_addresses
from games import chronicle, doors, guesses, presets, rows, sheets
from games.boards import log_lines, screens_for
from games.doors import Guest, guests_only
from games.forms import NewGame, SeatName, SpokenCode
from games.forms import command as command_in
from games.live.owner import owner
from games.live.socket import TAKEN_OVER
from games.models import Game, Visitor, hashed
from games.partials import only_own, own
from games.rules.engine import refuse_served
from games.rules.state import Refused
from games.rules.systems import SYSTEMS, find
from games.screens import audience

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
        "counts": range(1, 7),
        "seats": int(chosen.get("seats") or 2),
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


# Joining


@require_GET
def join(request: HttpRequest, token: str) -> HttpResponse:
    """Let the phone in by an invitation; on to the board, in the first free seat."""
    game = Game.objects.invited_by(token)
    if game is None:
        return render(request, "games/stranger.html", {"link": True}, status=404)
    return _admitted(request, game, Visitor.Role.GUEST)


@require_GET
def host(request: HttpRequest, token: str) -> HttpResponse:
    """Let the host in; on to the board, in the host's seat, also from a new phone."""
    game = Game.objects.hosted_by(token)
    if game is None:
        return render(request, "games/stranger.html", {"link": True}, status=404)
    return _admitted(request, game, Visitor.Role.HOST)


@require_POST
def code(request: HttpRequest) -> HttpResponse:
    """Let the phone in by a spoken code."""
    context = {"code": request.POST.get("code", "")}
    if guesses.too_many(request):
        return render(request, "games/stranger.html", {**context, "wait": True}, status=429)
    form = SpokenCode(request.POST)
    game = Game.objects.by_code(form.cleaned_data["code"]) if form.is_valid() else None
    if game is None:
        guesses.note_wrong(request)
        return render(request, "games/stranger.html", context, status=404)
    return _admitted(request, game, Visitor.Role.GUEST)


def _admitted(request: HttpRequest, game: Game, role: str) -> HttpResponse:
    token = doors.device(request)
    known = hashed(token)
    visitor = game.admit(known, role)
    welcome = ""
    # A messenger that fetches the link for a preview must not take a seat.
    person = request.headers.get("User-Agent", "").startswith("Mozilla")
    if role == Visitor.Role.HOST and person and game.seat_of(known) is None:
        _take_back(game, known)
    if game.seat_of(known) is None and not game.locked and person:
        free = game.seats.filter(device_hash=None)
        order = ["-host", "order"] if visitor.role == Visitor.Role.HOST else ["host", "order"]
        if any(seat.claim(known) for seat in free.order_by(*order)):
            welcome = "?" + urlencode({"welcome": 1})
            async_to_sync(owner.refresh)(game.slug)
    return doors.remember(redirect(reverse("board", args=[game.slug]) + welcome), token)


def _take_back(game: Game, known: str) -> None:
    """Give the host's seat to another device of the host's; the one that had it is let go.

    Who holds the host's own link is the host: a GM whose phone died goes on from the next one.
    """
    hosts = game.visitors.filter(role=Visitor.Role.HOST).values("device_hash")
    seat = game.seats.filter(host=True, device_hash__in=hosts).first()
    if seat is not None and seat.device_hash:
        last = seat.device_hash
        seat.hand_to(known)
        async_to_sync(owner.hang_up)(game.slug, TAKEN_OVER, "taken over", device=last)
        async_to_sync(owner.refresh)(game.slug)


# The board


@require_GET
@guests_only
def board(request: HttpRequest, guest: Guest) -> HttpResponse:
    """The whole table, as this phone sees it."""
    game, mine = guest.game, guest.seat.key if guest.seat else None
    # The number first: a state that is newer is shown twice, one that is older would stay.
    number, state = game.number, rows.state(game)
    screens = screens_for(game.rules, _names(game))
    drawn = screens.board(state, mine, audience(game.rules, mine), swap="")
    context = {
        "game": game,
        "guest": guest,
        "seat": guest.seat,
        "number": number,
        "board": mark_safe(drawn),
        "welcome": "welcome" in request.GET and guest.seat is not None,
        "free": game.seats.filter(device_hash=None).exists(),
    }
    return render(request, [f"games/{game.system}/table.html", "games/table.html"], context)


def _names(game: Game) -> dict[str, str]:
    return dict(game.seats.values_list("key", "name"))


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
        told = {"code": refused.code, "message": refused.message, "rule": refused.rule}
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
    sheet = sheets.of_object(guest.game.rules, state, state.objects[key], _names(guest.game))
    return _sheet(request, guest, "object", sheet)


@require_GET
@guests_only
def new_card(request: HttpRequest, guest: Guest) -> HttpResponse:
    """A card to add."""
    state, names = rows.state(guest.game), _names(guest.game)
    wanted = request.GET.get("seat") or (guest.seat.key if guest.seat else "")
    sheet = sheets.of_new_card(guest.game.rules, state, wanted, names)
    return _sheet(request, guest, "new_card", sheet)


@require_GET
@guests_only
def log(request: HttpRequest, guest: Guest) -> HttpResponse:
    """What happened, the newest first: who, before and after, and why."""
    seat = request.GET.get("seat", "")
    lines = log_lines(guest.game, guest.seat.key if guest.seat else None)
    shown = [line for line in reversed(lines) if seat in ("", line.by)]
    more = request.GET.get("more", "")
    most = int(more) if more.isdigit() else 60
    context = {
        "lines": shown[:most],
        "left": max(0, len(shown) - most),
        "most": most,
        "chosen": seat,
        "seats": guest.game.seats.all(),
    }
    return _sheet(request, guest, "log", context)


@require_GET
@guests_only
def mine(request: HttpRequest, guest: Guest) -> HttpResponse:
    """The entries that Undo and Redo of this seat mean just now."""
    if guest.seat is None:
        return JsonResponse({"undo": [], "redo": []})
    lines = log_lines(guest.game, guest.seat.key)
    return JsonResponse(chronicle.turned_back_next(lines, guest.seat.key))


def _sheet(request: HttpRequest, guest: Guest, name: str, context: dict[str, Any]) -> HttpResponse:
    """A sheet over the board for the page's script, or a page of its own."""
    part = "HX-Request" in request.headers
    template = "games/_inner.html" if part else "games/sheet.html"
    inner = own(guest.game.rules, f"_sheet_{name}")
    base = reverse("board", args=[guest.game.slug])
    around = {"inner": inner, "game": guest.game, "guest": guest, "base": base}
    return render(request, template, {**around, **context, "seat": guest.seat})


# Seats


@require_GET
@guests_only
def share(request: HttpRequest, guest: Guest) -> HttpResponse:
    """QR, link and code of the invitation."""
    path = reverse("join", args=[guest.game.invite_token])
    address = reachable(request)
    link = f"{address}{path}" if address else ""
    context = {"game": guest.game, "guest": guest, "link": link, "qr": qr(link) if link else ""}
    context["here"] = request.build_absolute_uri(path)
    return render(request, "games/share.html", context)


def reachable(request: HttpRequest) -> str:
    """The address of this site as other phones reach it; "" if they cannot.

    Somebody at the server's own screen may use its loopback name, which means nothing to a phone.
    """
    name = request.get_host()
    if name.startswith(LOOPBACK):
        found = lan_addresses()
        if not found:
            return ""
        port = name.rpartition(":")[2] if ":" in name.rstrip("]") else ""
        name = f"{found[0]}:{port}" if port else found[0]
    return f"{'https' if settings.SESSION_COOKIE_SECURE else 'http'}://{name}"


def qr(link: str) -> str:
    """A QR of *link* as inline SVG without styles of its own."""
    out = io.BytesIO()
    code = segno.make(link, error="m", micro=False)
    code.save(out, kind="svg", xmldecl=False, svgns=True, omitsize=True, border=2, svgclass="qr")
    return mark_safe(out.getvalue().decode())


@require_POST
@guests_only
def rotate(request: HttpRequest, guest: Guest) -> HttpResponse:
    """A new link and a new code; the old ones let nobody in."""
    if guest.host:
        guest.game.rotate_invitation()
    return redirect("share", slug=guest.game.slug)


@require_GET
@guests_only
def seats(request: HttpRequest, guest: Guest) -> HttpResponse:
    """All seats: which are free, which is mine."""
    places = list(guest.game.seats.all())
    free = any(not place.taken for place in places)
    return _sheet(request, guest, "seats", {"all_seats": places, "free": free})


@require_GET
@guests_only
def seat(request: HttpRequest, guest: Guest, key: str) -> HttpResponse:
    """One seat: the player's own numbers, and sitting down, naming or leaving it."""
    place = get_object_or_404(guest.game.seats, key=key)
    state = rows.state(guest.game)
    sheet = sheets.of_seat(guest.game.rules, state, state.seats[key], _names(guest.game))
    return _sheet(request, guest, "seat", {**sheet, "place": place})


@require_POST
@guests_only
def claim(request: HttpRequest, guest: Guest, key: str) -> HttpResponse:
    """Sit down on a free seat; of two phones, the first gets it."""
    place = get_object_or_404(guest.game.seats, key=key)
    if guest.game.locked and not guest.host:
        return _told(request, Refused("forbidden", _("The table is locked.")), 403)
    if not place.claim(guest.visitor.device_hash):
        taken = _("%(name)s’s seat is taken by another phone.") % {"name": place.name}
        return _told(request, Refused("taken", taken), 409)
    return _moved(guest, "?" + urlencode({"welcome": 1}))


@require_POST
@guests_only
def rename(request: HttpRequest, guest: Guest, key: str) -> HttpResponse:
    """Call a seat by another name: one's own, or as the host anyone's."""
    place = get_object_or_404(guest.game.seats, key=key)
    form = SeatName(request.POST)
    if not (guest.host or guest.seat == place):
        return _told(request, Refused("forbidden", _("That is not your seat.")), 403)
    if not form.is_valid():
        return _told(request, Refused("invalid", _("A name has 1 to 40 letters.")), 422)
    place.name = form.cleaned_data["name"]
    place.save(update_fields=["name"])
    return _moved(guest)


@require_POST
@guests_only
def leave(request: HttpRequest, guest: Guest, key: str) -> HttpResponse:
    """Stand up; or, as the host, send a phone away from its seat."""
    place = get_object_or_404(guest.game.seats, key=key)
    if guest.seat != place and not guest.host:
        return _told(request, Refused("forbidden", _("That is not your seat.")), 403)
    gone = place.device_hash
    place.release()
    if gone:
        async_to_sync(owner.hang_up)(guest.game.slug, TAKEN_OVER, "left", gone)
    return _moved(guest)


def _moved(guest: Guest, query: str = "") -> HttpResponse:
    """Back to the board, after every screen has heard of it."""
    async_to_sync(owner.refresh)(guest.game.slug)
    return redirect(reverse("board", args=[guest.game.slug]) + query)


def _told(request: HttpRequest, refused: Refused, status: int) -> HttpResponse:
    return render(request, "games/refused.html", {"refused": refused}, status=status)


# To read


@require_GET
def rules_help(request: HttpRequest, system: str) -> HttpResponse:
    """What this site knows of a rule system: each rule in our words, and what it leaves to you."""
    if system not in SYSTEMS:
        raise Http404
    wanted = request.GET.get("edition")
    try:
        chosen = find(system, wanted)
    except KeyError:
        raise Http404 from None
    context = {"system": chosen, "editions": SYSTEMS[system], "more": only_own(chosen, "_help")}
    return render(request, "games/help.html", context)


@require_GET
def about(request: HttpRequest) -> HttpResponse:
    """What this is, and whose work it uses."""
    return render(request, "games/about.html")
