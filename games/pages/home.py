"""The pages outside a game: the home page, a new game, and about."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from django.db.models import F
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from games.live.summaries import note_soon
from games.models import Game, Visitor
from games.models.tokens import hashed
from games.pages.access import too_busy
from games.pages.forms import MOST_SEATS, NewGame
from games.pages.parts import by_htmx
from games.pages.sharing import in_words
from games.rules.numbers import whole_number
from games.screens.shelf import Shelf, goes_on, heard
from games.screens.templates import find as find_template
from games.screens.words import speaking
from games.seats import guests
from games.seats.rate_limit import MAKING
from games.store import demos, rows
from games.systems import SYSTEMS, presentation_of, presets

EVENINGS = 5
"""Past evenings that the home page shows at first."""
WATCHED = 8
NOTED_AT_ONCE = 20
"""Older games whose outcome one visit notes; the next visit goes on."""


@require_GET
def home(request: HttpRequest) -> HttpResponse:
    """The rule systems, a field for a join code, and this phone's games, those of the past too."""
    known = hashed(request.COOKIES.get(guests.COOKIE, ""))
    shelf = Shelf(known)
    if unnoted := shelf.unnoted()[:NOTED_AT_ONCE]:
        note_soon(unnoted)
        shelf = Shelf(known)
    every = "all" in request.GET
    context = {
        "systems": sorted(
            (
                editions[0]
                for editions in SYSTEMS.values()
                if presentation_of(editions[0]).new_game.offered
            ),
            key=lambda system: system.defined is not None,
        ),
        "own": next((name for name, each in SYSTEMS.items() if each[0].defined), ""),
        "ready_games": [
            (name, ready, {**game, "seats": _how_many(game)})
            for name in SYSTEMS
            for ready, game in demos.ready_games(name).items()
        ],
        "here": in_words(request),
        "games": [(game, shelf.heard[game.pk][1]) for game in shelf.current],
        "watched": list(_watched(known, shelf)),
        "evenings": shelf.evenings(None if every else EVENINGS),
        "more": 0 if every else max(0, len(shelf.past) - EVENINGS),
        "records": shelf.records(),
    }
    return render(request, "pages/home.html", context)


def _how_many(game: Mapping[str, Any]) -> str:
    """For how many players a ready game is: "3–6"."""
    least, most = (
        game.get("players", {}).get(end, usual) for end, usual in (("least", 1), ("most", 8))
    )
    return f"{least}" if least == most else f"{least}–{most}"


def _watched(known: str, shelf: Shelf) -> Iterator[tuple[Game, datetime]]:
    """The games that this phone only looks on at, while they go on, each with its last change."""
    here = Visitor.objects.filter(device_hash=known).exclude(role=Visitor.Role.BARRED)
    installed = Game.objects.filter(system__in=SYSTEMS)
    seen = installed.filter(visitors__in=here).latest_first()
    seen = seen.annotate(role=F("visitors__role"))[:WATCHED]
    for game in seen:
        _number, at = heard(game, known)
        if goes_on(game, at) and game not in shelf.current:
            yield game, at


@require_http_methods(["GET", "POST"])
def new(request: HttpRequest) -> HttpResponse:
    """Ask for edition, seats and preset; then create the game and seat its host."""
    if request.method == "POST":
        form = NewGame(request.POST)
        if form.is_valid():
            return _made(request, form) if MAKING.take(request) else too_busy(request)
        return _offered(request, _choices(request.POST, form), status=422)
    return _offered(request, _choices(request.GET, None))


@require_POST
def write(request: HttpRequest) -> HttpResponse:
    """The draft of a table's own rules with a change to it: nothing is kept of it here.

    With scripts only what the page shows of it, else the whole page for a new game.
    """
    choices = _choices(request.POST, None)
    if choices["draft"] is None or not by_htmx(request):
        return _offered(request, choices)
    return _offered(request, choices, page="pages/_writing.html")


def _offered(
    request: HttpRequest, choices: dict[str, Any], status: int = 200, page: str = "pages/new.html"
) -> HttpResponse:
    with speaking(choices["system"]):
        found = str(find_template(choices["system"], page).name)
        return render(request, found, choices, status=status)


def _choices(chosen: Any, form: NewGame | None) -> dict[str, Any]:
    name, _slash, edition = chosen.get("rules", "").partition("/")
    if name not in SYSTEMS:
        name = next(iter(SYSTEMS))
    system = SYSTEMS[name][0]
    written = presentation_of(system).new_game.draft
    ready = chosen.get("ready", "")
    games = demos.ready_games(name) if written else {}
    draft = written(chosen, games.get(ready)) if written else None
    if draft:
        system = system.of_table(draft.settings)
    least, most = presets.presets(system)[0].seats
    count = whole_number(chosen.get("seats", ""), 1, MOST_SEATS)
    return {
        "form": form,
        "system": system,
        "draft": draft,
        "ready": ready if ready in games else "",
        "alike": [*_alike(games, chosen.get("title", ""))],
        "editions": SYSTEMS[name],
        "edition": edition or _usual(name),
        "presets": presets.presets(system),
        "preset": chosen.get("preset", ""),
        "switches": presets.switches(system),
        "life": presets.life(system),
        "seats_label": presentation_of(system).new_game.seats_label,
        "others_label": presentation_of(system).new_game.others_label,
        "others": chosen.get("others", ""),
        "name": chosen.get("name", ""),
        "counts": range(least, min(most, MOST_SEATS) + 1) if draft else range(1, 7),
        "seats": count or presets.usual_seats(system),
    }


def _alike(games: Mapping[str, Mapping[str, Any]], title: str) -> Iterator[tuple[str, str]]:
    """The ready *games* in whose titles what was typed stands: name and title."""
    typed = title.strip().lower()
    for name, game in games.items():
        if len(typed) > 1 and typed in game["title"].lower():
            yield name, game["title"]


def _usual(name: str) -> str:
    """The edition to offer first."""
    return SYSTEMS[name][0].edition


def _made(request: HttpRequest, form: NewGame) -> HttpResponse:
    system, count = form.cleaned_data["rules"], form.cleaned_data["seats"]
    given = form.given(presets.seat_ids(count))
    first = system.opening(system, given, form.house_rules())
    host = system.default_by(first)
    others = [seat for seat in first.seats if seat != host]
    named = zip(others, form.cleaned_data["others"], strict=False)
    names = {**dict.fromkeys(first.seats, ""), host: form.cleaned_data["name"], **dict(named)}
    token = guests.device(request)
    opener = guests.host(request, token)
    game = rows.create(system, first, title=system.title, names=names, host=opener)
    return guests.renew(request, redirect("share", slug=game.slug), token)


@require_GET
def about(request: HttpRequest) -> HttpResponse:
    """What this site is, and whose work it uses."""
    return render(request, "pages/about.html")
