"""Joining a game: invitations and codes, seats, and the host."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from typing import Any

import segno
from asgiref.sync import async_to_sync
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from games.live.socket import TAKEN_OVER
from games.live.table import RELOAD
from games.live.table_registry import registry
from games.models import LOOKS, Game, Seat, Visitor
from games.models.tokens import hashed
from games.pages.access import refused_page, require_guest
from games.pages.forms import SeatName, SpokenCode
from games.pages.sheets import sheet_over
from games.rules.state import Refused
from games.screens import sheets
from games.screens.looks import COLOURS, EMBLEMS
from games.screens.secrets import seen_state
from games.seats import guests, hosts, rate_limit, requests
from games.seats.guests import Guest
from games.store import rows

LOOPBACK = ("localhost", "127.", "[::1]")
WELCOME = "?welcome=1"
"""The query with which the board asks a new player's name."""


@require_GET
def join(request: HttpRequest, token: str) -> HttpResponse:
    """Let a phone in by an invitation, and redirect to the board, in the first free seat.

    With "?watch" it watches until someone takes a seat with it.
    """
    game = Game.objects.invited_by(token)
    if game is None:
        return render(request, "pages/stranger.html", {"link": True}, status=404)
    watch = "watch" in request.GET
    return _admitted(request, game, Visitor.Role.WATCHER if watch else Visitor.Role.GUEST)


@require_GET
def host(request: HttpRequest, token: str) -> HttpResponse:
    """Let the host in, from a new phone too, and redirect to the board, in the host's seat."""
    game = Game.objects.hosted_by(token)
    if game is None:
        return render(request, "pages/stranger.html", {"link": True}, status=404)
    return _admitted(request, game, Visitor.Role.HOST)


@require_POST
def code(request: HttpRequest) -> HttpResponse:
    """Let a phone in by a spoken code."""
    context = {"code": request.POST.get("code", "")}
    if rate_limit.too_many(request):
        return render(request, "pages/stranger.html", {**context, "wait": True}, status=429)
    form = SpokenCode(request.POST)
    game = Game.objects.by_code(form.cleaned_data["code"]) if form.is_valid() else None
    if game is None:
        rate_limit.note_wrong(request)
        return render(request, "pages/stranger.html", context, status=404)
    return _admitted(request, game, Visitor.Role.GUEST)


def _admitted(request: HttpRequest, game: Game, role: str) -> HttpResponse:
    token = guests.device(request)
    known = hashed(token)
    visitor = game.admit(known, role)
    welcome = ""
    # A messenger that fetches a preview of the link must not take a seat.
    person = request.headers.get("User-Agent", "").startswith("Mozilla")
    if role == Visitor.Role.HOST and person and game.seat_of(known) is None:
        _take_back(game, known)
    if game.seat_of(known) is None and person and _seated(game, visitor):
        welcome = WELCOME
        async_to_sync(registry.refresh)(game.slug)
    if role == Visitor.Role.HOST and (mine := game.seat_of(known)):
        if hosts.make_host(game, mine, tell=True):
            async_to_sync(registry.push_sidebar)(game.slug)
    return guests.remember(redirect(reverse("board", args=[game.slug]) + welcome), token)


def _seated(game: Game, visitor: Visitor) -> bool:
    """Give a new device the first seat that is free for it; return whether there was one.

    Seats that no one has named come first.

    Someone who chose to watch or was sent away gets no seat by opening a link.
    """
    owns = visitor.role == Visitor.Role.HOST
    if visitor.role == Visitor.Role.WATCHER or visitor.sent_away or (game.locked and not owns):
        return False
    order = ["-host", "order"] if owns else ["host", "order"]
    untaken = list(game.seats.filter(device_hash=None).order_by(*order))
    if not owns:  # a seat that was named waits for that player
        untaken.sort(key=lambda seat: not seat.free)
    for seat in untaken:
        if (owns or not hosts.guarded(game, seat.key)) and seat.claim(visitor.device_hash):
            return True
    return False


def _take_back(game: Game, known: str) -> None:
    """Move the host's seat to another of the host's devices, and disconnect the old one.

    Whoever has the host's link is the host: a GM whose phone died can go on with another.
    """
    links = game.visitors.filter(role=Visitor.Role.HOST).values("device_hash")
    seat = game.seats.filter(device_hash__in=links).order_by("-host", "order").first()
    for each in game.seats.exclude(device_hash=None):
        if each.key == game.rules.default_by(rows.state(game)) and hosts.guarded(game, each.key):
            seat = each
    if seat is not None and seat.device_hash:
        last = seat.device_hash
        seat.hand_to(known)
        had = game.visitors.filter(device_hash=last)
        had.update(news=Visitor.News.HANDED, about=seat.key)
        async_to_sync(registry.disconnect)(game.slug, TAKEN_OVER, "taken over", device=last)
        async_to_sync(registry.refresh)(game.slug)


# Seats


@require_GET
@require_guest
def share(request: HttpRequest, guest: Guest) -> HttpResponse:
    """The invitation: QR, link and code. The host also gets the host's link, hidden at first."""
    path = reverse("join", args=[guest.game.invite_token])
    address = reachable(request)
    link = f"{address}{path}" if address else ""
    owns = guest.visitor.role == Visitor.Role.HOST
    here = address or request.build_absolute_uri("/").rstrip("/")
    context = {
        "game": guest.game,
        "guest": guest,
        "board_url": reverse("board", args=[guest.game.slug]),
        "link": link or f"{here}{path}",
        "here": here.partition("://")[2],
        "qr": qr(link) if link else "",
        "host_link": f"{here}{reverse('host', args=[guest.game.host_token])}" if owns else "",
        "free": guest.game.seats.filter(device_hash=None).exists(),
    }
    return render(request, "pages/share.html", context)


def reachable(request: HttpRequest) -> str:
    """The address of this site for other phones; "" if they cannot reach it.

    Someone at the server's own screen may use its loopback name, which means nothing to a phone.
    """
    name = request.get_host()
    if name.startswith(LOOPBACK):
        if not settings.LAN_ADDRESSES:
            return ""
        port = name.rpartition(":")[2] if ":" in name.rstrip("]") else ""
        address = settings.LAN_ADDRESSES[0]
        name = f"{address}:{port}" if port else address
    return f"{'https' if settings.SESSION_COOKIE_SECURE else 'http'}://{name}"


def qr(link: str) -> str:
    """A QR of *link* as inline SVG without styles."""
    out = io.BytesIO()
    code = segno.make(link, error="m", micro=False)
    code.save(out, kind="svg", xmldecl=False, svgns=True, omitsize=True, border=2, svgclass="qr")
    return mark_safe(out.getvalue().decode())


@require_POST
@require_guest
def rotate(request: HttpRequest, guest: Guest) -> HttpResponse:
    """Make a new link and code; the old ones stop working."""
    if guest.host:
        guest.game.rotate_invitation()
    return redirect("share", slug=guest.game.slug)


@require_GET
@require_guest
def seats(request: HttpRequest, guest: Guest) -> HttpResponse:
    """The list of seats: who is present, what is free, and what this phone may do with each."""
    here = async_to_sync(registry.present)(guest.game.slug)
    places = [_place(guest, each, here) for each in guest.game.seats.all()]
    free = any(not each["place"].taken for each in places)
    return sheet_over(request, guest, "sheets/_seats.html", {"places": places, "free": free})


def _place(guest: Guest, each: Seat, here: set[str]) -> dict[str, Any]:
    """The context of one seat in the list, for *guest*."""
    mine, asks = guest.seat == each, requests.must_ask(guest, each)
    return {
        "place": each,
        "here": each.key in here,
        "mine": mine,
        "guarded": hosts.guarded(guest.game, each.key),
        "asking": guest.visitor.news == Visitor.News.ASKING and guest.visitor.about == each.key,
        "asks": asks,
        "may_free": guest.host and not mine and hosts.may_answer(guest, each),
        "may_lead": each.taken and not each.host and (guest.host or (mine and _owns(guest))),
    }


def _owns(guest: Guest) -> bool:
    """Whether the phone came by the host's link, and so may become host again."""
    return bool(guest.visitor.role == Visitor.Role.HOST)


@require_GET
@require_guest
def seat(request: HttpRequest, guest: Guest, key: str) -> HttpResponse:
    """One seat: the player's own numbers, and forms to take, rename or leave it."""
    place = get_object_or_404(guest.game.seats, key=key)
    state = seen_state(guest.game, guest.key)
    sheet = sheets.of_seat(guest.game.rules, state, state.seats[key], guest.game.names, guest.key)
    sits = _place(guest, place, async_to_sync(registry.present)(guest.game.slug))
    return sheet_over(
        request,
        guest,
        "sheets/_seat.html",
        {
            **sheet,
            "place": place,
            "alone": True,
            "sits": sits,
            "colours": list(_choices(place, "colour", COLOURS)),
            "emblems": list(_choices(place, "emblem", EMBLEMS)),
        },
    )


def _choices(place: Seat, part: str, words: Sequence[str]) -> Iterator[dict[str, Any]]:
    """All colours or emblems for a seat: whether it has each, and who else does."""
    others = Seat.objects.filter(game=place.game_id).exclude(pk=place.pk)
    worn = {getattr(each, part): each.name for each in others if not each.free}
    for number, word in enumerate(words, 1):
        yield {
            "number": number,
            "word": _(word),
            "mine": getattr(place, part) == number,
            "whose": worn.get(number, ""),
        }


@require_POST
@require_guest
def claim(request: HttpRequest, guest: Guest, key: str) -> HttpResponse:
    """Take a free seat; of two phones, the first gets it. A closed seat must be requested.

    The phone's other pages, which show its last seat, reload.
    """
    place = get_object_or_404(guest.game.seats, key=key)
    if requests.must_ask(guest, place):
        return request_seat(request, slug=guest.game.slug, key=key)
    if not place.claim(guest.visitor.device_hash):
        taken = _("Another phone is using %(name)s’s seat.") % {"name": place.name}
        return refused_page(request, Refused("taken", taken), 409)
    _sits(guest.visitor)
    if guest.host:
        hosts.make_host(guest.game, place)
    disconnect(guest.game, RELOAD, guest.visitor.device_hash)
    named = guest.seat is not None and guest.seat.given_name
    return refresh_and_return(request, guest, "" if named else WELCOME)


def _sits(visitor: Visitor) -> None:
    if visitor.role == Visitor.Role.WATCHER:
        visitor.role = Visitor.Role.GUEST
        visitor.save(update_fields=["role"])
    requests.forget(visitor)


@require_POST
@require_guest
def request_seat(request: HttpRequest, guest: Guest, key: str) -> HttpResponse:
    """Request a seat that is taken or closed, and redirect to the board to wait for the answer."""
    place = get_object_or_404(guest.game.seats, key=key)
    if guest.seat != place:
        try:
            requests.ask(guest, place)
        except Refused as refused:
            return refused_page(request, refused, 429)
        async_to_sync(registry.push_sidebar)(guest.game.slug)
    return redirect("board", slug=guest.game.slug)


@require_POST
@require_guest
def all_right(request: HttpRequest, guest: Guest) -> HttpResponse:
    """Withdraw this phone's request and dismiss its notice; without a seat, stay a watcher."""
    requests.forget(guest.visitor)
    if guest.seat is None:
        _watches(guest.visitor)
    async_to_sync(registry.push_sidebar)(guest.game.slug)
    return redirect("board", slug=guest.game.slug)


def _watches(visitor: Visitor) -> None:
    if visitor.role == Visitor.Role.GUEST:
        visitor.role = Visitor.Role.WATCHER
        visitor.save(update_fields=["role"])


@require_POST
@require_guest
def rename(request: HttpRequest, guest: Guest, key: str) -> HttpResponse:
    """Rename a seat: one's own, or any seat as the host."""
    place = get_object_or_404(guest.game.seats, key=key)
    form = SeatName(request.POST)
    if not (guest.host or guest.seat == place):
        return refused_page(request, Refused("forbidden", _("That’s not your seat.")), 403)
    if not form.is_valid():
        message = _("A name must have 1 to 40 characters.")
        return refused_page(request, Refused("invalid", message), 422)
    place.given_name = form.cleaned_data["name"]
    place.save(update_fields=["given_name"])
    return refresh_and_return(request, guest)


@require_POST
@require_guest
def look(request: HttpRequest, guest: Guest, key: str) -> HttpResponse:
    """Choose the colour or the emblem of one's own seat, or of any seat as the host."""
    place = get_object_or_404(guest.game.seats, key=key)
    if not (guest.host or guest.seat == place):
        return refused_page(request, Refused("forbidden", _("That’s not your seat.")), 403)
    part = "colour" if "colour" in request.POST else "emblem"
    chosen = request.POST.get(part, "")
    if not (chosen.isdecimal() and 1 <= int(chosen) <= LOOKS):
        message = _("Choose one of the colours and shapes offered.")
        return refused_page(request, Refused("invalid", message), 422)
    if not place.choose(part, int(chosen)):
        message = _("Someone else has that already. Choose another.")
        return refused_page(request, Refused("taken", message), 409)
    return refresh_and_return(request, guest)


@require_POST
@require_guest
def leave(request: HttpRequest, guest: Guest, key: str) -> HttpResponse:
    """Leave one's seat and watch; or, as the host, free another phone's seat."""
    place = get_object_or_404(guest.game.seats, key=key)
    mine = guest.seat == place
    if not mine and not (guest.host and hosts.may_answer(guest, place)):
        return refused_page(request, Refused("forbidden", _("That’s not your seat.")), 403)
    gone = place.device_hash
    place.release()
    if mine:
        _watches(guest.visitor)
        if guest.host:
            others = async_to_sync(registry.present)(guest.game.slug) - {key}
            hosts.succeed(guest.game.pk, others, [guest.visitor.device_hash])
        disconnect(guest.game, RELOAD, guest.visitor.device_hash)
    elif gone:
        away = guest.game.visitors.filter(device_hash=gone)
        away.update(news=Visitor.News.FREED, about=key, sent_away=True)
        disconnect(guest.game, TAKEN_OVER, gone)
    return refresh_and_return(request, guest)


def disconnect(game: Game, code: int, device: str) -> None:
    """Close the connections of a device, so that its pages reload."""
    async_to_sync(registry.disconnect)(game.slug, code, "reload", device)


def refresh_and_return(request: HttpRequest, guest: Guest, query: str = "") -> HttpResponse:
    """Redraw every screen, then redirect to the board; a script stays where it is."""
    async_to_sync(registry.refresh)(guest.game.slug)
    if "HX-Request" in request.headers:
        return HttpResponse(status=204)
    return redirect(reverse("board", args=[guest.game.slug]) + query)
