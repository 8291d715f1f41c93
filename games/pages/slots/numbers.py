"""The page of a player's own numbers, as on the character sheet: hit points 31 of 38, silver 20."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from games.models import Game
from games.pages.access import refused_page
from games.pages.slots.access import Onlooker, give, sheet_page, slots_only
from games.rules.input import whole_number
from games.rules.state import GameState, Refused
from games.rules.system import System
from games.screens.slots.names import name_of, translated
from games.screens.slots.typed_acts import becomes_of
from games.store import rows
from games.systems import presentation_of
from games.systems.controls import Stepper
from games.systems.slot_counters import SlotBoard
from games.tracks.counter import Counter, counters_in, game_master


def asked(game: Game, seat: str | None) -> bool:
    """True if a player of *game* has numbers that differ from one character to the next."""
    if seat is None or presentation_of(game.rules).board.kind != "slots":
        return False
    state = rows.state(game)
    if game_master(state, seat):
        return False
    differ = any(each.resource and each.slots > 1 for each in _tracks(state, seat))
    return differ or any(each.amount for each in _numbers(game.rules, state, seat))


def _tracks(state: GameState, seat: str) -> list[Counter]:
    """The seat's counters that every player has, the main one first."""
    mine = [each for each in counters_in(state).values() if each.owner == seat]
    kit = [each for each in mine if (each.role or "").startswith("kit-") and not each.inventory]
    return sorted(kit, key=lambda each: each.role or "")


def _numbers(system: System, state: GameState, seat: str) -> tuple[Stepper, ...]:
    board = presentation_of(system).board
    assert isinstance(board, SlotBoard)
    of_seats = {each.holder: each.numbers for each in board.counted(system, state, seat)}
    return of_seats.get(seat, ())


@require_http_methods(["GET", "POST"])
@slots_only(seated=True)
def own(request: HttpRequest, asking: Onlooker) -> HttpResponse:
    """Ask for all of one's own numbers, the usual ones filled in; by POST, set those that differ.

    What is set is one entry, and one undo.
    """
    assert asking.seat is not None
    tracks = _tracks(asking.state, asking.seat)
    numbers = _numbers(asking.system, asking.state, asking.seat)
    if request.method == "POST":
        try:
            steps = [*_steps(request, tracks, numbers)]
        except Refused as refused:
            return refused_page(request, refused)
        if not steps:
            return redirect("board", slug=asking.game.slug)
        whole: dict[str, Any] = {"do": "together", "steps": steps}
        return give(request, asking, whole if len(steps) > 1 else steps[0], "")
    named = [(each, translated(asking.its, name_of(asking.its, each))) for each in tracks]
    context = {"tracks": named, "numbers": numbers, "place": asking.guest.seat}
    return sheet_page(request, asking, "own", context)


def _steps(
    request: HttpRequest, tracks: list[Counter], numbers: tuple[Stepper, ...]
) -> Iterator[dict[str, Any]]:
    """The commands that set what the form changes; of two fields one is enough. Raises Refused."""
    for track in tracks:
        read, top = (_typed(request, f"{part}.{track.id}") for part in ("is", "of"))
        if top == track.top:
            top = max(read, top)
        elif read == track.shown == track.top:
            read = top
        if (read, top) != (track.shown, track.top):
            yield from becomes_of(track, read, top, leads=False)
    for number in numbers:
        change = _typed(request, f"is.{number.kind}") - number.amount
        if change:
            do = "place" if change > 0 else "remove"
            given = {"counter": number.kind, "amount": abs(change)}
            yield {"do": do, "on": number.holder, **given}


def _typed(request: HttpRequest, field: str) -> int:
    number = whole_number(request.POST.get(field, ""), -9999, 9999)
    if number is None:
        raise Refused("invalid", _("Enter how much, as a whole number."))
    return number
