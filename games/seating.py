"""Coming to a table and staying there: invitation and code, seats, and who is the host."""

from __future__ import annotations

import io
from urllib.parse import urlencode

import segno
from asgiref.sync import async_to_sync
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from countersite.addresses import lan_addresses
from games import doors, guesses, rows, sheets
from games.doors import Guest, guests_only
from games.forms import SeatName, SpokenCode
from games.live.owner import owner
from games.live.socket import TAKEN_OVER
from games.models import Game, Visitor, hashed
from games.partials import sheet_over
from games.rules.state import Refused

LOOPBACK = ("localhost", "127.", "[::1]")


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
    return sheet_over(request, guest, "seats", {"all_seats": places, "free": free})


@require_GET
@guests_only
def seat(request: HttpRequest, guest: Guest, key: str) -> HttpResponse:
    """One seat: the player's own numbers, and sitting down, naming or leaving it."""
    place = get_object_or_404(guest.game.seats, key=key)
    state = rows.state(guest.game)
    sheet = sheets.of_seat(guest.game.rules, state, state.seats[key], guest.game.names)
    return sheet_over(request, guest, "seat", {**sheet, "place": place})


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
