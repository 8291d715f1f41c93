"""The pages outside a game: the home page, a new game, and about."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any

from django.conf import settings
from django.db.models import F
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from games.live.summaries import note_soon
from games.models import Game, Visitor
from games.models.tokens import hashed
from games.pages import definitions, trial
from games.pages.access import refuse_new
from games.pages.forms import MOST_SEATS, NewGame
from games.pages.parts import by_htmx, part_or_page
from games.pages.sharing import in_words
from games.rules.input import whole_number
from games.rules.names import told_apart
from games.rules.system import System
from games.screens.boards import board_of
from games.screens.glance import Glance, glance
from games.screens.library import Listed, found, library, meant, named
from games.screens.search import MOST, Words
from games.screens.shelf import Shelf, goes_on, progress
from games.screens.templates import find as find_template
from games.screens.words import words_of
from games.seats import guests
from games.store import demos, rows
from games.systems import SYSTEMS, asked_for, presentation_of, presets

EVENINGS = 5
"""Past evenings that the home page shows at first."""
FIRST = 12
"""Games of the library on the home page before one searches or asks for all."""
WATCHED = 8
PICTURED = 4
"""Games of which the home page shows how they stand; the others are only named."""
MOST_PICTURED = 200
"""Cards on a table that is pictured: more would make the page slow."""
MOST_ALIKE = 3
"""Games of the library that are named to who makes one of that name."""
NOTED_AT_ONCE = 20
"""Older games whose outcome one visit notes; the next visit goes on."""


@require_GET
def home(request: HttpRequest) -> HttpResponse:
    """The rule systems, a field for a join code, and this phone's games, those of the past too.

    Of a search only what was found, by htmx; "go" leads on if one game was meant.
    """
    games, typed = library(), request.GET.get("q", "").strip()
    if "go" in request.GET and not by_htmx(request) and (game := meant(games, typed)):
        return redirect(game.address)
    rest = [game for game in games if not game.tile]
    short = not typed and "games" not in request.GET and len(rest) > FIRST
    shown = found(games, typed) if typed else rest[: FIRST if short else None]
    ours = {"own": definitions.writable().name}
    known = [game for game in settings.GAMES if game.name not in SYSTEMS]
    others = [game for game in known if Words.typed(typed).within(game.title)]
    part = {**ours, "typed": typed[:MOST], "listed": shown, "all": len(rest) if short else 0}
    search: dict[str, Any] = {**part, "elsewhere": others}
    page = search if by_htmx(request) else {**search, **_home(request)}
    answer = part_or_page(request, "pages/_found.html", "pages/home.html", page)
    if "mine" in page:  # the worker (pages/worker.js) deletes its copies of all other boards
        answer["X-Own-Games"] = " ".join(page["mine"])
    return answer


def _home(request: HttpRequest) -> dict[str, Any]:
    known = hashed(request.COOKIES.get(guests.COOKIE, ""))
    shelf = Shelf(known)
    if unnoted := shelf.unnoted()[:NOTED_AT_ONCE]:
        note_soon(unnoted)
        shelf = Shelf(known)
    every = "all" in request.GET
    offered = [editions[0] for editions in SYSTEMS.values()]
    going_on = [(game, shelf.progress[game.pk][1]) for game in shelf.current if not game.is_demo]
    return {
        "systems": sorted(offered, key=lambda system: system.defined is not None),
        "demos": [*_demos(offered, shelf)],
        "here": in_words(request),
        "games": [
            (game, at, _glance(game, known) if i < PICTURED else None)
            for i, (game, at) in enumerate(going_on)
        ],
        "watched": list(_watched(known, shelf)),
        "evenings": shelf.evenings(None if every else EVENINGS),
        "more": 0 if every else max(0, len(shelf.past) - EVENINGS),
        "records": shelf.records(),
        "mine": shelf.slugs,
    }


def _glance(game: Game, known: str) -> Glance | None:
    """The state of *game* for the phone *known*; None if it has too many cards for that."""
    if game.game_objects.count() > MOST_PICTURED:
        return None
    seat = game.seat_of(known)
    return glance(game, seat.key if seat else None)


def _demos(offered: Sequence[System], shelf: Shelf) -> Iterator[tuple[System, Game | None]]:
    """The systems that have a demo, each with this phone's copy of it, if it has one."""
    copies = {game.system: game for game in reversed(shelf.current) if game.is_demo}
    for system in offered:
        if demos.demo(system):
            yield system, copies.get(system.name)


def _watched(known: str, shelf: Shelf) -> Iterator[tuple[Game, datetime]]:
    """The games that this phone only looks on at, while they go on, each with its last change."""
    here = Visitor.objects.filter(device_hash=known).exclude(role=Visitor.Role.BARRED)
    installed = Game.objects.filter(system__in=SYSTEMS)
    seen = installed.filter(visitors__in=here).latest_first()
    seen = seen.annotate(role=F("visitors__role"))[:WATCHED]
    for game in seen:
        _number, at = progress(game, known)
        if goes_on(game, at) and game not in shelf.current:
            yield game, at


@require_http_methods(["GET", "POST"])
def new(request: HttpRequest) -> HttpResponse:
    """Ask for edition, seats and preset; then create the game and seat its host."""
    if request.method == "POST":
        form = NewGame(request.POST)
        if form.is_valid():
            refuse_new(request)
            return _made(request, form)
        return _offered(request, _choices(request, request.POST, form=form), status=422)
    return _offered(request, _choices(request, request.GET))


@require_POST
def write(request: HttpRequest) -> HttpResponse:
    """The draft of a table's own rules with a change to it: nothing is kept of it here.

    With scripts only what the page shows of it, else the whole page for a new game.
    """
    choices = _choices(request, *trial.sent(request.POST))
    if choices["draft"] is None or not by_htmx(request):
        return _offered(request, choices)
    return _offered(request, choices, page="pages/_writing.html")


def _offered(
    request: HttpRequest, choices: dict[str, Any], status: int = 200, page: str = "pages/new.html"
) -> HttpResponse:
    found = str(find_template(choices["system"], page).name)
    its = words_of(choices["system"])
    return render(request, found, {**choices, "its": its}, status=status)


def _choices(
    request: HttpRequest,
    chosen: QueryDict,
    given: QueryDict | None = None,
    form: NewGame | None = None,
) -> dict[str, Any]:
    """The context of the page with the fields *chosen* there. given: of a tap on its board."""
    name, edition, ready = asked_for(chosen.get("rules", ""), chosen.get("ready", ""))
    if name not in SYSTEMS:
        name = next(iter(SYSTEMS))
    system = SYSTEMS[name][0]
    written = presentation_of(system).new_game.draft
    games = demos.ready_games(name) if written else {}
    fields, draft = trial.named(chosen), None
    if written:
        draft = written(fields, games.get(ready))
        system = system.of_table(draft.settings)
        if tap := trial.tap(system, chosen, chosen if given is None else given):
            fields |= {"tap": tap}
            draft = written(fields, games.get(ready))
    least, most = presets.presets(system)[0].seats
    count = whole_number(chosen.get("seats", ""), 1, MOST_SEATS)
    return {
        "form": form,
        "system": system,
        "draft": draft,
        "trial": trial.board(request, draft, fields),
        "ready": ready if ready in games else "",
        "kept": " ".join(filter(None, (name, ready, request.GET.get("title")))),
        "shown": bool(demos.ready_demo(name, ready)),
        "games": sorted(games.items(), key=lambda each: each[0] != ready),  # the chosen one is seen
        "alike": [*_alike(system, chosen.get("title", ""))],
        "editions": SYSTEMS[name],
        "edition": edition or SYSTEMS[name][0].edition,
        "presets": presets.presets(system),
        "house": [
            (name, setting, presets.presets(system)[0].settings.get(name, setting.values[0]))
            for name, setting in system.rulebook.settings.items()
            if len(setting.values) > 1 and presentation_of(system).board.kind != "slots"
        ],
        "preset": chosen.get("preset", ""),
        "switches": presets.switches(system),
        "life": presets.life(system),
        "others_label": presentation_of(system).new_game.others_label,
        "others": chosen.get("others", ""),
        "name": chosen.get("name", ""),
        "flat": board_of(system).flat,
        "phones": chosen.get("phones", ""),
        "counts": range(least, min(most, MOST_SEATS) + 1) if draft else range(1, 7),
        "seats": count or presets.usual_seats(system),
    }


def _alike(system: System, title: str) -> Iterator[Listed]:
    """The games of the library with a name like the *title* of one of the table's own; of one with
    a GM not the game that is for any."""
    led = presentation_of(system).new_game.others_label
    for game in named(library(), title)[:MOST_ALIKE] if len(title.strip()) > 1 else ():
        if (game.ready or game.system.name != system.name) and not (led and game.played):
            yield game


def _made(request: HttpRequest, form: NewGame) -> HttpResponse:
    token = guests.device(request)
    game = created(form, opener=guests.host(request, token))
    one = form.cleaned_data["phones"] == "one" and board_of(game.rules).flat
    return guests.renew(request, redirect("flat" if one else "share", slug=game.slug), token)


def created(form: NewGame, *, title: str = "", opener: Visitor | None = None) -> Game:
    """The game that a valid *form* asks for. title: in place of its system's."""
    system, count = form.cleaned_data["rules"], form.cleaned_data["seats"]
    given = form.given(presets.seat_ids(count))
    first = system.opening(system, given, form.house_rules())
    host = system.seating.default_by(first)
    others = [seat for seat in first.seats if seat != host]
    typed = zip(
        [host, *others], [form.cleaned_data["name"], *form.cleaned_data["others"]], strict=False
    )
    names = dict.fromkeys(first.seats, "")
    for seat, name in typed:
        names[seat] = told_apart(name, names.values())
    title = title or words_of(system).own_text(system.title)
    return rows.create(system, first, title=title, names=names, host=opener)


@require_GET
def about(request: HttpRequest) -> HttpResponse:
    """About this site: its purpose, and the projects that it uses."""
    return render(request, "pages/about.html")
