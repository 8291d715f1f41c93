"""Late guests: a new seat at a table whose seats are all taken."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from games.live import table_registry as tables
from games.models import LOOKS, Game, Seat, hold
from games.pages.access import require_guest
from games.pages.forms import NameField
from games.pages.seats import WELCOME, refresh_and_return
from games.pages.slots.making import equip
from games.pages.slots.numbers import asked
from games.rules.names import MOST, told_apart
from games.rules.seating import SeatAdded
from games.rules.state import MOST_SEATS, GameState, Refused
from games.screens import view_models
from games.screens.secrets import seen_state
from games.screens.words import words_of
from games.seats import guests, hosts
from games.seats.guests import Guest
from games.store import rows
from games.systems import presets

IN_A_RING = 6
"""Seats that a ring has room for on a small phone; more are a list."""
NAME = NameField(required=False)
MOST_TYPED = 300


@require_http_methods(["GET", "POST"])
@require_guest
def chair(request: HttpRequest, guest: Guest) -> HttpResponse:
    """Ask where a late guest sits; by POST, put the chair there and take it."""
    if not hosts.may_bring_chair(guest):
        return redirect("board", slug=guest.game.slug)
    if request.method == "POST":
        return _sat(request, guest)
    state = seen_state(guest.game, None)
    places = [*guest.game.places.values()]
    context = {
        "game": guest.game,
        "guest": guest,
        "state": state,
        "places": places,
        "last": places[-1],
        "number": len(places) + 1,
        "pairs": [*zip(places, [*places[1:], places[0]], strict=True)],
        "ring": len(places) <= IN_A_RING,
        "mine": newcomer(guest.game),
        "begins": _begins_with(guest.game, state),
    }
    return render(request, "pages/chair.html", context)


def newcomer(game: Game, name: str = "") -> Seat:
    """A late guest's seat as it will look: with a colour and a shape that nobody has, if any."""
    places = [*game.places.values()]
    return Seat(
        given_name=name,
        order=len(places),
        chosen_colour=_unworn([each.colour for each in places]),
        chosen_emblem=_unworn([each.emblem for each in places]),
    )


def _unworn(worn: Sequence[int]) -> int:
    return next((each for each in range(1, LOOKS + 1) if each not in worn), len(worn) % LOOKS + 1)


def _begins_with(game: Game, state: GameState) -> Mapping[str, Any]:
    """The main number with which a late guest begins: its kind in words, and how many."""
    system, key = game.rules, next(_free_keys(state))
    made, counters = system.seating.late_seat(system, state, key)
    there = SeatAdded(key, [*state.seats][-1], made, counters).evolve(state)
    hero = view_models.panel(system, there, key).hero
    return {"kind": words_of(game.rules).kind(hero.kind), "n": hero.amount} if hero else {}


def _free_keys(state: GameState) -> Iterator[str]:
    """The ids that a new seat may have, those of people first."""
    guests_only = (f"guest-{n}" for n in range(1, MOST_SEATS + 1))
    yield from (
        each for each in (*presets.seat_ids(LOOKS), *guests_only) if each not in state.seats
    )


def _sat(request: HttpRequest, guest: Guest) -> HttpResponse:
    """Put the chair where the form says, and give it to the guest. Raises Refused."""
    game, after = guest.game, request.POST.get("after", "")
    places = game.places
    after = after if after in places else [*places][-1]
    typed = NAME.clean(request.POST.get("name", "")[:MOST_TYPED])[:MOST].strip()
    others = [each.given_name for each in places.values()]
    mine = newcomer(game, told_apart(typed, others))
    _keep_looks(game)
    mine.key = _put(game, mine, after, next((s.key for s in places.values() if s.host), after))
    place = game.seats.get(key=mine.key)
    place.given_name = mine.given_name
    place.chosen_colour, place.chosen_emblem = mine.chosen_colour, mine.chosen_emblem
    place.save(update_fields=["given_name", "chosen_colour", "chosen_emblem"])
    if not place.claim(guest.visitor.device_hash):
        tables.refresh(game.slug)
        raise Refused("taken", _("Someone else has just sat down there."))
    equip(game, place.key)
    if place.given_name and asked(game, place.key):
        tables.refresh(game.slug)
        return guests.renew(request, redirect("slot-own", slug=game.slug))
    welcome = "" if place.given_name else WELCOME
    return guests.renew(request, refresh_and_return(request, guest, welcome))


def _put(game: Game, mine: Seat, after: str, by: str) -> str:
    """Add the seat to the game, as the host's command; return its id. Raises Refused."""
    for key in _free_keys(rows.state(game)):
        expected = key, after, mine.given_name, mine.colour, mine.emblem
        tables.expect(game.slug, *expected)
        try:
            tables.give(game.slug, {"do": "add-seat", "as": key, "after": after}, by)
        except Refused as refused:
            if refused.code != "taken":  # two guests may come at the same moment
                raise
        else:
            return key
    raise Refused("over-maximum", _("No one else fits at this table."))


def _keep_looks(game: Game) -> None:
    """Let everyone keep the colour and the shape of their place, which may be another one now."""
    with transaction.atomic():
        hold(game.pk)
        for each in game.seats.filter(Q(chosen_colour=None) | Q(chosen_emblem=None)):
            each.chosen_colour, each.chosen_emblem = each.colour, each.emblem
            each.save(update_fields=["chosen_colour", "chosen_emblem"])
