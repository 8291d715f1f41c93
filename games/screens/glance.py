"""A game at a glance: its seats with their main numbers, and whose turn it is.

The home page shows it of the games that go on.
"""

from __future__ import annotations

from django.utils.translation import gettext as _
from msgspec import Struct

from games.models import Game, Seat
from games.rules.state import GameState
from games.screens.boards import board_of
from games.screens.drawing import Drawing
from games.screens.fragments import audience
from games.screens.languages import active_language
from games.store import rows


class Stand(Struct, frozen=True):
    """One seat at a glance. place: in table order, from 1. amount: None without a main number."""

    seat: Seat
    place: int
    amount: int | None
    active: bool
    mine: bool
    lost: bool


class Glance(Struct, frozen=True):
    """A game for one seat. turn: whose turn it is, in words; asks: that seat has to act."""

    stands: tuple[Stand, ...]
    turn: str
    asks: bool


def glance(game: Game, seat: str | None) -> Glance:
    """*game* as *seat* (None: a watcher) sees it, in the active language."""
    state, places = rows.state(game), game.places
    drawing = Drawing(game.rules, places)
    with drawing.reading(audience(game.rules, seat, active_language())):
        amounts = board_of(game.rules).amounts(drawing, state, seat)
        turn, asks = _turn(drawing, state, seat)
    active = state.turn.active if state.turn else ()
    stands = tuple(
        Stand(
            places[key],
            place,
            amounts.get(key),
            active=key in active and not state.result,
            mine=key == seat,
            lost=holder.lost,
        )
        for place, (key, holder) in enumerate(state.seats.items(), start=1)
        if key in places
    )
    return Glance(stands, turn, asks)


def _turn(drawing: Drawing, state: GameState, seat: str | None) -> tuple[str, bool]:
    if state.result:
        return "", False
    if any(prompt.to == seat for prompt in state.prompts):
        return _("You’re asked"), True
    if not state.turn or drawing.presentation.board.turns != "one":
        return "", False
    if seat in state.turn.active:
        return _("Your turn"), True
    whose = ", ".join(map(drawing.name, state.turn.active))
    return (_("%(name)s’s turn") % {"name": whose} if whose else ""), False
