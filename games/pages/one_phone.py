"""One phone for all: what its page asks for beside the board."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_GET

from games.pages.access import require_guest
from games.pages.sharing import address, invitation, qr, refuse_outsiders
from games.seats import links
from games.seats.guests import Guest


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
