"""The pages outside a game: the home page, a new game, and about."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_http_methods

from games.models import Game, Visitor
from games.models.tokens import hashed
from games.pages.forms import NewGame
from games.seats import guests
from games.store import rows
from games.systems import SYSTEMS, presentation_of, presets

LOOPBACK = ("localhost", "127.", "[::1]")


@require_GET
def home(request: HttpRequest) -> HttpResponse:
    """The rule systems, a field for a join code, and this phone's games."""
    known = hashed(request.COOKIES.get(guests.COOKIE, ""))
    mine = Game.objects.filter(visitors__device_hash=known)[:8]
    systems = [editions[0] for editions in SYSTEMS.values()]
    return render(request, "pages/home.html", {"systems": systems, "games": mine})


@require_http_methods(["GET", "POST"])
def new(request: HttpRequest) -> HttpResponse:
    """Ask for edition, seats and preset; then create the game and seat its host."""
    if request.method == "POST":
        form = NewGame(request.POST)
        if form.is_valid():
            return _made(request, form)
        return render(request, "pages/new.html", _choices(request.POST, form), status=422)
    return render(request, "pages/new.html", _choices(request.GET, None))


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
        "seats_label": presentation_of(system).seats_label,
        "name": chosen.get("name", ""),
        "counts": range(1, 7),
        "seats": int(chosen.get("seats") or presets.usual_seats(system)),
    }


def _usual(name: str) -> str:
    """The edition to offer first."""
    return SYSTEMS[name][0].edition


def _made(request: HttpRequest, form: NewGame) -> HttpResponse:
    system, count = form.cleaned_data["rules"], form.cleaned_data["seats"]
    given = form.given(presets.seat_ids(count))
    first = system.opening(system, given, form.house_rules())
    game = rows.create(system, first, title=system.title, names=dict.fromkeys(first.seats, ""))
    token = guests.device(request)
    game.admit(hashed(token), Visitor.Role.HOST)
    seat = game.seats.filter(host=True).first() or game.seats.get(order=0)
    seat.claim(hashed(token))
    seat.given_name = form.cleaned_data["name"]
    seat.save(update_fields=["given_name"])
    return guests.remember(redirect("share", slug=game.slug), token)


@require_GET
def about(request: HttpRequest) -> HttpResponse:
    """What this site is, and whose work it uses."""
    return render(request, "pages/about.html")
