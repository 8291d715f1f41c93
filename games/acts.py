"""Sheets of what one rule system has and others do not: paying from the whole field, proliferating.

Such a sheet is a template "games/<system>/acts/_<name>.html"; none is named here.
"""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_GET

from games import rows, sheets
from games.doors import Guest, guests_only
from games.partials import only_own


@require_GET
@guests_only
def act(request: HttpRequest, guest: Guest, name: str) -> HttpResponse:
    """What concerns more than one card or seat, over the board."""
    system = guest.game.rules
    inner = only_own(system, f"acts/_{name}")
    if inner is None:
        raise Http404
    state = rows.state(guest.game)
    names = guest.game.names
    base = reverse("board", args=[guest.game.slug])
    context = {
        **sheets.of_table(system, state, names, guest.seat.key if guest.seat else None),
        "game": guest.game,
        "guest": guest,
        "seat": guest.seat,
        "base": base,
        "inner": inner,
    }
    part = "HX-Request" in request.headers
    return render(request, "games/_inner.html" if part else "games/sheet.html", context)


@require_GET
@guests_only
def known(request: HttpRequest, guest: Guest) -> HttpResponse:
    """The cards that the system knows by what is typed, each with what its text says."""
    typed = request.GET.get("name", "").strip()
    offers = guest.game.rules.known_cards(typed) if len(typed) > 1 else ()
    cards = [{"name": card.name, "zone": card.zone, **card.printed} for card in offers]
    return render(request, "games/_known.html", {"cards": cards})
