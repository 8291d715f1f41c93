"""The page of a player's own numbers, as on the character sheet: hit points 31 of 38, silver 20."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from games.models import Game
from games.pages.slots.access import Onlooker, give, sheet_page, slots_only, whole
from games.rules.state import GameState
from games.screens.dice import fall
from games.screens.slots import layout
from games.screens.slots.names import name_of, translated
from games.screens.slots.typed_acts import becomes_of
from games.screens.words import Words, words_of
from games.store import rows
from games.systems import presentation_of
from games.systems.controls import Stepper
from games.systems.slot_counters import SlotBoard
from games.tracks.counter import Counter, counters_in, game_master
from games.tracks.sets import fight
from games.tracks.sets.tracker import MOST_INITIATIVE, Tracker


def asked(game: Game, seat: str | None) -> bool:
    """True if a player of *game* has numbers that differ from one character to the next."""
    board = presentation_of(game.rules).board
    if seat is None or not isinstance(board, SlotBoard):
        return False
    state = rows.state(game)
    if game_master(state, seat):
        return False
    differ = any(each.resource and each.slots > 1 for each in _tracks(state, seat))
    counted = any(each.amount for each in board.asked(game.rules, state, seat))
    return differ or counted or _in_turns(words_of(game.rules), state, seat) is not None


def _tracks(state: GameState, seat: str) -> list[Counter]:
    """The seat's counters that every player has, the main one first."""
    mine = [each for each in counters_in(state).values() if each.owner == seat]
    kit = [each for each in mine if (each.role or "").startswith("kit-") and not each.inventory]
    return sorted(kit, key=lambda each: each.role or "")


def _in_turns(its: Words, state: GameState, seat: str) -> Tracker | None:
    """The seat's counter that stands in the turn order, in a game that has one."""
    found = layout.hero(its, state, seat) if its.slots.turns else None
    return found if isinstance(found, Tracker) else None


@require_http_methods(["GET", "POST"])
@slots_only(seated=True)
def own(request: HttpRequest, asking: Onlooker) -> HttpResponse:
    """Ask for all of one's own numbers, the usual ones filled in; by POST, set those that differ.

    What is set is one entry, and one undo.
    """
    tracks = _tracks(asking.state, asking.by)
    board = presentation_of(asking.system).board
    assert isinstance(board, SlotBoard)
    numbers = board.asked(asking.system, asking.state, asking.by)
    acting = _in_turns(asking.its, asking.state, asking.by)
    if request.method == "POST":
        steps = [*_steps(request, tracks, numbers), *_turn(request, asking.state, acting)]
        if not steps:
            return redirect("board", slug=asking.game.slug)
        whole: dict[str, Any] = {"do": "together", "steps": steps}
        return give(request, asking, whole if len(steps) > 1 else steps[0], "")
    named = [(each, translated(asking.its, name_of(asking.its, each))) for each in tracks]
    context = {"tracks": named, "numbers": numbers, "place": asking.guest.seat, "acting": acting}
    return sheet_page(request, asking, "own", context)


def _steps(
    request: HttpRequest, tracks: list[Counter], numbers: Sequence[Stepper]
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


def _turn(
    request: HttpRequest, state: GameState, acting: Tracker | None
) -> Iterator[dict[str, Any]]:
    """The command that sets the place in the turn order; with a sign it is rolled for each one, and
    at once where there is one now. Raises Refused.
    """
    said = request.POST.get("turn", "").strip().replace("−", "-")
    if acting is None or said in ("", acting.turn_said):
        return
    number = whole(said.removeprefix("+"), MOST_INITIATIVE)
    becomes: dict[str, Any] = {"initiative": number}
    if said[0] in "+-":
        now = fight.turns(state) is not None
        becomes = {"initiative": fight.placed(number, *fall("d20"))} if now else {}
        becomes["bonus"] = number
    elif acting.bonus is not None:
        becomes["bonus"] = None
    yield {"do": "edit", "on": acting.id, **becomes}


def _typed(request: HttpRequest, field: str) -> int:
    return whole(request.POST.get(field, ""), 9999)
