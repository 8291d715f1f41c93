"""What lies beside the game on any table: dice, a coin, the lot, the clock.

The server throws and gives the command with the result in it; what was thrown by hand is typed in.
"""

from __future__ import annotations

import re
import secrets
import time
from collections.abc import Iterator, Mapping
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from games.live.registry import give, push_sidebar
from games.models import Game
from games.pages.access import require_guest
from games.pages.notes import listed
from games.pages.seats import told
from games.pages.sheets import sheet_over
from games.rules.dice import HEADS, LEAST_SIDES, MOST_DICE, MOST_SIDES, TAILS, dice_in
from games.rules.state import GameState, Refused
from games.rules.system import System
from games.screens import clock as clocks
from games.screens import dice
from games.seats.guests import Guest
from games.store import rows

SHOWN = 3
"""How many of the last results the sheet shows."""
COUNTS = (1, 2, 3, 4, 5, 10)
SIDES = (4, 6, 8, 10, 12, 20, 100)
ROUNDS = (30, 50, 75)
CHANCE = ("throw", "toss", "draw-seat")


@require_GET
@require_guest
def tools(request: HttpRequest, guest: Guest) -> HttpResponse:
    """All of it on one sheet, within reach of a thumb."""
    game = guest.game
    state = rows.state(game)
    context = {
        **_chance(game, state),
        **_clock(game),
        "turns": bool(game.rules.phases),
        "first": "clock" in request.GET,
        "noted": len(list(listed(game, state, guest.key))),
        "several": "several" if game.rules.zones else "slots/several",
    }
    return sheet_over(request, guest, "sheets/_tools.html", context)


def _chance(game: Game, state: GameState) -> dict[str, Any]:
    names = game.names
    return {
        "counts": COUNTS,
        "sides": SIDES,
        "most_dice": MOST_DICE,
        "least_sides": LEAST_SIDES,
        "most_sides": MOST_SIDES,
        "lots": [(key, names.get(key, key)) for key in _players(game.rules, state)],
        "fell": list(_lately(game, names)),
    }


def _clock(game: Game) -> dict[str, Any]:
    found, names = clocks.clock_of(game), game.names
    if found is None:
        return {"rounds": ROUNDS}
    time_told = found.read(time.time())
    taken = [
        (place, name, clocks.spoken(time_told.taken[key]))
        for place, (key, name) in enumerate(names.items(), start=1)
        if key in time_told.taken
    ]
    return {"time": time_told, "taken": taken, "touched_by": names.get(time_told.by, "")}


def _players(system: System, state: GameState) -> list[str]:
    """Among whom the lot is drawn: who is still in the game and has no secrets to keep."""
    standing = [seat.id for seat in state.standing()]
    return [each for each in standing if not system.knows_secrets(state, each)] or standing


def _lately(game: Game, names: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    """What chance said last, the newest first."""
    stored = game.entries.filter(command__do__in=CHANCE, undone_by=None).order_by("-number")
    places = list(names)
    for seat, events in stored.values_list("seat", "events")[:SHOWN]:
        for event in events:
            if event["kind"] in dice.KINDS:
                place = places.index(seat) + 1 if seat in places else 0
                text = dice.told(event, lambda each: names.get(each, each))
                yield {"place": place, "text": text}


@require_POST
@require_guest
def throw(request: HttpRequest, guest: Guest) -> HttpResponse:
    """Throw dice, or take what fell at the table."""
    posted = request.POST
    if "fell" in posted:
        dice = posted.get("dice", "").strip().lower().replace(" ", "")
        fell = [int(each) for each in re.findall(r"\d+", posted["fell"])[: MOST_DICE + 1]]
        return _given(request, guest, {"dice": dice, "result": fell, "by_hand": True}, "throw")
    dice = f"{posted.get('count', '1').strip() or 1}d{posted.get('sides', '').strip()}"
    try:
        count, sides = dice_in(dice)
    except ValueError:
        said = _("Roll 1 to %(n)s dice with %(least)s to %(most)s sides.")
        facts = {"n": MOST_DICE, "least": LEAST_SIDES, "most": MOST_SIDES}
        return told(request, Refused("invalid", said % facts), 422)
    result = [secrets.randbelow(sides) + 1 for _die in range(count)]
    usual = f"{count}d{sides}" if count > 1 else f"d{sides}"
    return _given(request, guest, {"dice": usual, "result": result}, "throw")


@require_POST
@require_guest
def toss(request: HttpRequest, guest: Guest) -> HttpResponse:
    """Toss a coin."""
    return _given(request, guest, {"result": secrets.choice((HEADS, TAILS))}, "toss")


@require_POST
@require_guest
def draw(request: HttpRequest, guest: Guest) -> HttpResponse:
    """Draw a seat by lot; with `begin` its turn begins."""
    drawn: dict[str, Any] = {
        "seat": secrets.choice(_players(guest.game.rules, rows.state(guest.game)))
    }
    if request.POST.get("begin") and guest.game.rules.phases:
        drawn["begin"] = True
    return _given(request, guest, drawn, "draw-seat")


@require_POST
@require_guest
def clock(request: HttpRequest, guest: Guest) -> HttpResponse:
    """Start the clock, pause it, let it go on, add minutes, or take it away. Any seat may."""
    if guest.seat is None:
        return told(request, Refused("forbidden", _("Take a seat to play.")), 403)
    game, by, asked = guest.game, guest.seat.key, request.POST.get("do", "")
    minutes = request.POST.get("minutes", "").strip()
    try:
        if asked == "start":
            clocks.start(game, by, int(minutes) if minutes else None)
        elif asked == "longer":
            clocks.longer(game, by, int(minutes or 1))
        elif asked == "pause":
            clocks.pause(game, by)
        elif asked == "go-on":
            clocks.go_on(game, by)
        elif asked == "stop":
            clocks.stop(game)
        else:
            raise ValueError
    except ValueError:
        said = _("A round lasts 1 to %(n)s minutes.") % {"n": clocks.MOST_MINUTES}
        return told(request, Refused("invalid", said), 422)
    push_sidebar(game.slug)
    if "HX-Request" in request.headers:
        return HttpResponse(status=204)
    return redirect("tools", game.slug)


def _given(request: HttpRequest, guest: Guest, said: dict[str, Any], verb: str) -> HttpResponse:
    """Give the command for the seat of this phone."""
    if guest.seat is None:
        return told(request, Refused("forbidden", _("Take a seat to play.")), 403)
    try:
        give(guest.game.slug, {"do": verb, **said}, guest.seat.key)
    except Refused as refused:
        return told(request, refused, 422)
    if "HX-Request" in request.headers:
        return HttpResponse(status=204)
    return redirect("tools", guest.game.slug)
