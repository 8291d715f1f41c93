"""Sheets over the board: one card, a new card, and the acts that only one rule system has.

Such an act is a template "systems/<name>/sheets/acts/_<act>.html"; none is named here.
"""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_GET

from games.pages.access import require_guest
from games.screens import sheets
from games.screens.secrets import seen_state
from games.screens.templates import find, find_own
from games.seats.guests import Guest
from games.systems import presentation_of


def sheet_over(
    request: HttpRequest, guest: Guest, path: str, context: dict[str, Any]
) -> HttpResponse:
    """The sheet at *path*: for the page's script, over the board; else as a page of its own."""
    template = "sheets/_inner.html" if "HX-Request" in request.headers else "sheets/sheet.html"
    inner = find(guest.game.rules, path)
    board_url = reverse("board", args=[guest.game.slug])
    common = {"inner": inner, "game": guest.game, "guest": guest, "board_url": board_url}
    return render(request, template, {**common, **context, "seat": guest.seat})


@require_GET
@require_guest
def obj(request: HttpRequest, guest: Guest, key: str) -> HttpResponse:
    """One object: its numbers with their reasons, and everything that can be done with it."""
    state = seen_state(guest.game, guest.key)
    if key not in state.objects:
        raise Http404
    obj, names = state.objects[key], guest.game.names
    sheet = sheets.of_object(guest.game.rules, state, obj, names, guest.key)
    return sheet_over(request, guest, "sheets/_object.html", sheet)


@require_GET
@require_guest
def new_card(request: HttpRequest, guest: Guest) -> HttpResponse:
    """A form for a new card."""
    state, names = seen_state(guest.game, guest.key), guest.game.names
    wanted = request.GET.get("seat") or (guest.seat.key if guest.seat else "")
    sheet = sheets.of_new_card(guest.game.rules, state, wanted, names)
    return sheet_over(request, guest, "sheets/_new_card.html", sheet)


@require_GET
@require_guest
def act(request: HttpRequest, guest: Guest, name: str) -> HttpResponse:
    """An act of the system that concerns several cards or seats.

    `?seat=` is the seat to look at; otherwise it is this phone's, or the first.
    """
    system = guest.game.rules
    inner = find_own(system, f"sheets/acts/_{name}.html")
    if inner is None:
        raise Http404
    state = seen_state(guest.game, guest.key)
    names = guest.game.names
    board_url = reverse("board", args=[guest.game.slug])
    looked = request.GET.get("seat") or guest.key
    context = {
        **sheets.of_table(system, state, names, guest.key),
        **sheets.facts_of_seat(system, state, looked, names),
        "game": guest.game,
        "guest": guest,
        "seat": guest.seat,
        "board_url": board_url,
        "inner": inner,
    }
    part = "HX-Request" in request.headers
    return render(request, "sheets/_inner.html" if part else "sheets/sheet.html", context)


@require_GET
@require_guest
def known(request: HttpRequest, guest: Guest) -> HttpResponse:
    """The known cards that match the typed name, each with what is printed on it."""
    typed = request.GET.get("name", "").strip()
    offers = presentation_of(guest.game.rules).known_cards(typed) if len(typed) > 1 else ()
    cards = [
        {"name": card.name, "zone": card.zone, "note": card.note, **card.printed} for card in offers
    ]
    return JsonResponse({"cards": cards})
