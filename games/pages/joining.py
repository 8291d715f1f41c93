"""Joining a game: by the invitation, the watch link, the host's own link, or a spoken code."""

from __future__ import annotations

import re
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET, require_http_methods

from games.live import table_registry as tables
from games.live.closing import TAKEN_OVER
from games.models import Game, Setup, Visitor
from games.models.tokens import CODE_LENGTH, CROCKFORD, hashed, normalized_code
from games.pages.access import TooBusy
from games.pages.seats import WELCOME
from games.seats import guests, hosts, links, rate_limit, renewal, requests
from games.seats.guests import Guest
from games.seats.rate_limit import VISITING
from games.store import rows

LINK = re.compile(r"(?:[a-z]+://)?[^/\s]+(/(?:[jhws]/[\w-]+|r/[\w-]+/[\w-]+|g/[\w-]+/))", re.I)
"""A link that someone kept, with the part that says where it leads on any server's address."""
ADDRESS = re.compile(r"\S*(?:[:/]|\.\S*\.|\.local)\S*")
"""The address that stands beside a code on every screen."""
SPOKEN = re.compile(r"\b\w{4}[-\u2010-\u2015\u2212]\w{4}\b")
"""A code as it is shown, among other words."""
MOST_TYPED = 300
AGAIN = "again"
"""The query of a second try, so that there is never a third."""


@require_GET
def join(request: HttpRequest, token: str) -> HttpResponse:
    """Let a phone in by an invitation, and redirect to the board, in the first free seat.

    "?watch" was the watch link of earlier versions.
    """
    game = Game.objects.invited_by(token)
    if game and "watch" in request.GET:
        return redirect("watch", token=game.watch_token)
    return _admitted(request, game, Visitor.Role.GUEST)


@require_GET
def watch(request: HttpRequest, token: str) -> HttpResponse:
    """Let a phone look on, and redirect to the board; this link never leads to a seat."""
    return _admitted(request, Game.objects.watched_by(token), Visitor.Role.ONLOOKER)


def stranger(request: HttpRequest) -> HttpResponse:
    """The page for a link that no longer works (404)."""
    return render(request, "pages/stranger.html", {"link": True}, status=404)


@require_GET
def host(request: HttpRequest, token: str) -> HttpResponse:
    """Let the host in, from a new phone too, and redirect to the board, in the host's seat."""
    return _admitted(request, Game.objects.hosted_by(token), Visitor.Role.HOST)


@require_http_methods(["GET", "POST"])
def seat(request: HttpRequest) -> HttpResponse:
    """Let a phone in by a seat's own link, to that seat.

    Its token is the fragment of the address, which the page's script gives: no log has it, and no
    page that frames this one learns it from the address that it is led to.
    """
    if request.method != "POST":
        return render(request, "pages/seat.html")
    place = links.read(request.POST.get("token", "")[:MOST_TYPED])
    if place is None:
        return stranger(request)
    return _admitted(request, place.game, Visitor.Role.GUEST, place.key)


@require_http_methods(["GET", "POST"])
def code(request: HttpRequest) -> HttpResponse:
    """Ask for a code; let a phone in by a spoken code, to sit or to watch, or lead it to a set-up.

    It takes a link of this site too, or a message with one: made at an address that the server no
    longer has, it leads to the same place here. Beside a code, the address may stand, as every
    screen shows them.
    """
    if request.method != "POST":
        return render(request, "pages/code.html")
    typed = request.POST.get("code", "")[:MOST_TYPED]
    if path := path_of_link(typed):
        return redirect(path)
    if rate_limit.too_many(request):
        return _wrong(request, typed, wait=True, status=429)
    said = ADDRESS.sub(" ", typed).replace("·", " ")
    said = found[0] if (found := SPOKEN.search(said)) else said
    if why := why_no_code(said, typed):
        return _wrong(request, typed, why=why, status=422)
    if game := Game.objects.by_code(said):
        return _admitted(request, game, Visitor.Role.GUEST)
    if setup := Setup.objects.by_code(said):
        return redirect("setup", token=setup.token)
    if game := Game.objects.watched_by_code(said):
        return _admitted(request, game, Visitor.Role.ONLOOKER)
    rate_limit.note_wrong(request)
    return _wrong(request, typed, status=404)


def _wrong(request: HttpRequest, typed: str, *, status: int, **context: Any) -> HttpResponse:
    return render(
        request, "pages/code.html", {"typed": typed, "wrong": True, **context}, status=status
    )


def path_of_link(text: str) -> str:
    """The path of the first link to this site in *text*, whatever its address; "" without one."""
    path = LINK.search(text)
    return path[1] if path else ""


def why_no_code(text: str, typed: str) -> str:
    """The reason why *text*, of all that was *typed*, cannot be a code, in words; "" if it can
    be one.
    """
    code = normalized_code(text)
    if not code and typed.strip():
        return _("That’s only the address. The code stands after it.")
    if strange := " ".join(sorted(set(code) - set(CROCKFORD) - {"U"})):
        return _("A code has only letters and digits. Look again at: %(signs)s") % {
            "signs": strange
        }
    if "U" in code:
        return _("A code never has the letter U. Perhaps it’s a V?")
    if len(code) != CODE_LENGTH:
        return ngettext(
            "A code has %(length)s letters and digits; this is %(n)s.",
            "A code has %(length)s letters and digits; these are %(n)s.",
            len(code),
        ) % {"length": CODE_LENGTH, "n": len(code)}
    return ""


def _admitted(request: HttpRequest, game: Game | None, role: str, key: str = "") -> HttpResponse:
    """Let a phone in, to the seat *key* if it is free and the phone has none; without a game, its
    link no longer works."""
    if game is None:
        return stranger(request)
    if renewal.over(request.COOKIES.get(guests.COOKIE, "")) and AGAIN not in request.GET:
        return redirect(f"{request.path}?{AGAIN}")  # the phone has its new token by now
    token = guests.device(request)
    known = hashed(token)
    if role != Visitor.Role.HOST and game.barred(known):
        return render(request, "pages/stranger.html", {"barred": True}, status=403)
    if role != Visitor.Role.HOST and game.admitted(known) is None and not VISITING.take(request):
        raise TooBusy
    visitor, before = game.admit(known, role, guests.kind(request)), game.seat_of(known)
    welcome = ""
    # A messenger that fetches a preview of the link must not take a seat.
    person = request.headers.get("User-Agent", "").startswith("Mozilla")
    if role == Visitor.Role.HOST and person:
        _take_back(game, visitor)
    if game.seat_of(known) is None and person and _seated(game, visitor, key):
        mine = game.seat_of(known)
        named = mine is not None and mine.given_name and game.has_party
        welcome = "" if named else WELCOME
        tables.refresh(game.slug)
    if role == Visitor.Role.HOST and (mine := game.seat_of(known)):
        if hosts.make_host(game, mine):
            tables.push_sidebar(game.slug)
    guest = Guest(game, visitor, game.seat_of(known))
    page = _first_page(guest) if person and not visitor.watches else "board"
    if page != "board":
        welcome = WELCOME  # there a browser without cookies is told what it lacks
    answer = redirect(reverse(page, args=[game.slug]) + welcome)
    if game.seat_of(known) == before:
        return guests.remember(answer, token)
    return guests.renew(request, answer, token)


def _first_page(guest: Guest) -> str:
    """The name of the page that a person comes to: what it asks is asked there, else the board."""
    if hosts.may_bring_chair(guest):
        return "chair"
    return "who" if hosts.may_say_who(guest) else "board"


def _seated(game: Game, visitor: Visitor, key: str) -> bool:
    """Give a new device the first seat that is free for it; return whether there was one.

    key: the only one that it came for, "" for any.

    Where a seat was named for someone who has not come yet, nobody guesses who comes: they say so.

    Someone who chose to watch or was sent away gets no seat by opening a link.
    """
    owns = visitor.role == Visitor.Role.HOST
    if visitor.watches or visitor.sent_away or (game.locked and not owns):
        return False
    order = ["-host", "order"] if owns else ["host", "order"]
    untaken = list(game.seats.filter(device_hash=None).order_by(*order))
    if key:
        untaken = [seat for seat in untaken if seat.key == key]
    elif not owns and hosts.names_wait(game):
        return False
    for seat in untaken:
        if (owns or not hosts.guarded(game, seat.key)) and seat.claim(visitor.device_hash):
            return True
    return False


def _take_back(game: Game, visitor: Visitor) -> None:
    """Bring one of the host's devices to the host's seat.

    The holder of the host's link is the host: a GM whose phone died can go on with another. The
    GM's seat may have several devices; any other host's seat moves, and the old device is
    disconnected.
    """
    known, know = visitor.device_hash, hosts.knowing(game)
    seat, gm = game.seat_of(known), game.rules.seating.default_by(rows.state(game))
    if gm in know and (seat is None or seat.key not in know):
        place = game.seats.get(key=gm)
        if place.taken:
            place.join(known)
            requests.forget(visitor)
            tables.refresh(game.slug)
    elif seat is None:
        _move_here(game, known)


def _move_here(game: Game, known: str) -> None:
    """Move the host's seat to this device of theirs."""
    links = game.visitors.filter(role=Visitor.Role.HOST).values("device_hash")
    seat = game.seats.filter(device_hash__in=links).order_by("-host", "order").first()
    if seat is not None and seat.device_hash:
        last = seat.device_hash
        seat.hand_to(known)
        had = game.visitors.filter(device_hash=last)
        had.update(news=Visitor.News.HANDED, about=seat.key)
        tables.disconnect(game.slug, TAKEN_OVER, "taken over", device=last)
        tables.refresh(game.slug)
