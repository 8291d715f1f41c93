"""One phone for all: what its page asks for beside the board."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_GET

from games.models import Seat
from games.pages.access import require_guest
from games.pages.sharing import address, invitation, qr, refuse_outsiders
from games.seats import links
from games.seats.guests import Guest

GONE = timedelta(seconds=45)
"""A phone that is here says so every 30 seconds (`games.live.watch`)."""


@require_GET
@require_guest
def gone(request: HttpRequest, guest: Guest) -> HttpResponse:
    """The seats whose own phones have not been here for a while, to be played in the middle."""
    before = timezone.now() - GONE
    away = [each.key for each in guest.game.seats.all() if each.taken and _last(each) < before]
    return JsonResponse({"gone": away})


def _last(seat: Seat) -> datetime:
    """The moment when a phone of *seat* was last here, or sat down."""
    return max(filter(None, (seat.seen, *[each.since for each in seat.devices])))


@require_GET
@require_guest
def codes(request: HttpRequest, guest: Guest) -> HttpResponse:
    """A code for each seat without a phone of its own, by which exactly that seat is taken over."""
    refuse_outsiders(guest)
    way = invitation(request, guest)
    free = {each.key for each in guest.game.seats.all() if not each.taken}
    to = f"{address(request)}{reverse('seat-link')}#"
    pictured = {
        key: qr(f"{to}{token}") if way.reachable else ""
        for key, token in links.given(guest.game).items()
        if key in free
    }
    return render(request, "board/_codes.html", {"codes": pictured, "invitation": way})
