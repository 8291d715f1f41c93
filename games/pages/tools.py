"""Table tools: dice, a coin, drawing a seat, and the clock.

The server rolls the dice and gives the command with the result. Players type in what they rolled
by hand.
"""

from __future__ import annotations

import re
import secrets
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from games.live.table_registry import give, push_sidebar
from games.models import Game
from games.pages.access import require_guest, require_seat
from games.pages.parts import done
from games.pages.sheets import sheet_over
from games.rules import secrecy
from games.rules.commands import parameters
from games.rules.dice import FIRST_TURN, HEADS, LEAST_SIDES, MOST_DICE, MOST_SIDES, TAILS, dice_in
from games.rules.input import whole_number
from games.rules.state import GameState, Refused
from games.screens import chairs, dice
from games.screens import clock as clocks
from games.screens.boards import board_of
from games.screens.words import words_of
from games.seats.guests import Guest
from games.store import rows

SHOWN = 3
"""The number of recent results on the sheet."""
COUNTS = (1, 2, 3, 4, 5, 10)
SIDES = (4, 6, 8, 10, 12, 20, 100)
ROUNDS = (30, 50, 75)
NUMBERS = re.compile(r"[0-9]+").findall
LISTS = ("handouts", "received", "whispered", "own", "listed")
"""The lists of notes that a sheet of notes may have."""
DICE_VERBS = ("throw", "toss", "draw-seat")

Command = dict[str, Any]


@require_GET
@require_guest
def tools(request: HttpRequest, guest: Guest) -> HttpResponse:
    """All tools on one sheet, within reach of a thumb."""
    game = guest.game
    state = rows.state(game)
    context = {
        **_dice(game, state),
        **_clock(game),
        "turns": bool(game.rules.phases),
        "first": "clock" in request.GET,
        "noted": _noted(board_of(game.rules).notes(state, guest.key, game.names)),
        "several": board_of(game.rules).several,
    }
    return sheet_over(request, guest, "sheets/_tools.html", context)


def _noted(lists: Mapping[str, Any]) -> int:
    """The number of notes that a seat has on any of its lists."""
    return sum(len(lists.get(each, ())) for each in LISTS)


def _dice(game: Game, state: GameState) -> dict[str, Any]:
    names = game.names
    return {
        "counts": COUNTS,
        "sides": SIDES,
        "most_dice": MOST_DICE,
        "least_sides": LEAST_SIDES,
        "most_sides": MOST_SIDES,
        "lots": [(key, names.get(key, key)) for key in _players(game, state)],
        "fell": list(_last_results(game, names)),
    }


def _clock(game: Game) -> dict[str, Any]:
    found, names = clocks.clock_of(game), game.names
    if found is None:
        return {"rounds": ROUNDS}
    reading = found.read(time.time())
    taken = [
        (place, name, clocks.clock_text(reading.taken[key]))
        for place, (key, name) in enumerate(names.items(), start=1)
        if key in reading.taken
    ]
    return {"time": reading, "taken": taken, "touched_by": names.get(reading.by, "")}


def _players(game: Game, state: GameState) -> list[str]:
    """The seats that can be drawn: those still in the game, without a GM's and empty chairs."""
    system = game.rules
    remaining = [seat.id for seat in state.remaining()]
    empty = chairs.empty(system, game.places, state)
    able = [each for each in remaining if not secrecy.knows(system, state, each)]
    return [each for each in able if each not in empty] or remaining


def _last_results(game: Game, names: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    """The last results, newest first."""
    stored = game.entries.filter(command__do__in=DICE_VERBS, undone_by=None).order_by("-number")
    places = list(names)
    for seat, events in stored.values_list("seat", "events")[:SHOWN]:
        for event in events:
            if event["kind"] in dice.KINDS:
                place = places.index(seat) + 1 if seat in places else 0
                text = dice.sentence(
                    words_of(game.rules), event, lambda each: names.get(each, each)
                )
                yield {"place": place, "text": text}


@require_GET
@require_guest
def notes(request: HttpRequest, guest: Guest) -> HttpResponse:
    """The notes that this seat may read, newest first, and a form for a new one."""
    game = guest.game
    context = board_of(game.rules).notes(rows.state(game), guest.key, game.names)
    context["whispers"] = "whisper" in request.GET
    return sheet_over(request, guest, "sheets/_notes.html", context)


@require_GET
@require_guest
def keys(request: HttpRequest, guest: Guest) -> HttpResponse:
    """The keys of a keyboard on this board."""
    return sheet_over(request, guest, "sheets/_keys.html", {})


@require_POST
@require_seat
def throw(request: HttpRequest, guest: Guest) -> HttpResponse:
    """Roll dice, or the game's own die, or take what was rolled at the table."""
    posted = request.POST
    if "die" in posted:
        return _given(request, guest, lambda: own_die(guest.game, posted["die"]))
    if "fell" in posted:
        dice = posted.get("dice", "").strip().lower().replace(" ", "")
        fell = [whole_number(each) for each in NUMBERS(posted["fell"])[: MOST_DICE + 1]]
        by_hand = {"do": "throw", "dice": dice, "result": fell, "by_hand": True}
        return _given(request, guest, lambda: by_hand)
    dice = f"{posted.get('count', '1').strip() or 1}d{posted.get('sides', '').strip()}"
    return _given(request, guest, lambda: rolled(dice))


@require_POST
@require_seat
def toss(request: HttpRequest, guest: Guest) -> HttpResponse:
    """Toss a coin."""
    return _given(request, guest, tossed)


@require_POST
@require_seat
def draw(request: HttpRequest, guest: Guest) -> HttpResponse:
    """Draw a seat at random; with `begin`, its turn begins. `again`: the entry of lots to undo."""
    again = whole_number(request.POST.get("again", ""))
    return _given(
        request,
        guest,
        lambda: drawn(guest.game, bool(again or request.POST.get("begin"))),
        [{"do": "undo", "entry": again}] if again else [],
    )


@require_POST
@require_seat
def clock(request: HttpRequest, guest: Guest) -> HttpResponse:
    """Start, pause, resume, extend or remove the clock. Any seat may."""
    typed = request.POST.get("minutes", "").strip()
    use_clock(guest, request.POST.get("do", ""), (whole_number(typed) or 0) if typed else None)
    return done(request, guest.game, "tools")


# What the server does, for a page or for another program


def rolled(asked: str) -> Command:
    """The command of dice such as "2d6", which the server rolls. Raises Refused."""
    try:
        count, sides = dice_in(asked)
    except ValueError:
        message = _("Roll 1 to %(n)s dice with %(least)s to %(most)s sides.")
        facts = {"n": MOST_DICE, "least": LEAST_SIDES, "most": MOST_SIDES}
        raise Refused("invalid", message % facts) from None
    usual = f"{count}d{sides}" if count > 1 else f"d{sides}"
    return {"do": "throw", "dice": usual, "result": dice.fall(usual)}


def own_die(game: Game, verb: str) -> Command:
    """The command of the game's own die, of which *verb* records the result, a number.

    Raises Refused.
    """
    known = game.rules.verbs.get(verb)
    parts = parameters(known.command) if known and known.served else ()
    faces = next((part.reader for part in parts if part.key == "result"), None)
    if faces is None or faces.least is None or faces.most is None:
        raise Refused("invalid", _("This game has no such die."))
    fell = faces.least + secrets.randbelow(faces.most - faces.least + 1)
    return {"do": verb, "result": fell}


def tossed() -> Command:
    """The command of a coin, which the server tosses."""
    return {"do": "toss", "result": secrets.choice((HEADS, TAILS))}


def drawn(game: Game, begin: bool) -> Command:
    """The command of a seat drawn at random. begin: its turn begins, if the game has turns."""
    command: Command = {
        "do": "draw-seat",
        "seat": secrets.choice(_players(game, rows.state(game))),
    }
    return {**command, **FIRST_TURN} if begin and game.rules.phases else command


def use_clock(guest: Guest, asked: str, minutes: int | None) -> None:
    """Start, pause, resume ("go-on"), extend ("longer") or remove ("stop") the clock, and show it.

    minutes: of a round, or more of them; None for no round, or one more. Raises Refused.
    """
    game, by = guest.game, guest.key or ""
    try:
        if asked == "start":
            clocks.start(game, by, minutes)
        elif asked == "longer":
            clocks.add_minutes(game, by, 1 if minutes is None else minutes)
        elif asked == "pause":
            clocks.pause(game, by)
        elif asked == "go-on":
            clocks.resume(game, by)
        elif asked == "stop":
            clocks.stop(game)
        else:
            raise clocks.BadTime
    except clocks.BadTime:
        message = _("A round lasts 1 to %(n)s minutes.") % {"n": clocks.MOST_MINUTES}
        raise Refused("invalid", message) from None
    push_sidebar(game.slug)


def _given(
    request: HttpRequest, guest: Guest, make: Callable[[], Command], first: Sequence[Command] = ()
) -> HttpResponse:
    """Give the command that *make* makes, for this phone's seat, after those that come *first*."""
    for command in first:
        give(guest.game.slug, command, guest.key or "")
    give(guest.game.slug, make(), guest.key or "")
    return done(request, guest.game, "tools")
