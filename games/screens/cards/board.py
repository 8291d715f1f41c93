"""The board of a card game, as its page has it: turn, strip, seats, cockpit, end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.safestring import mark_safe

from games.rules.state import GameState
from games.screens.cards import cards, seats
from games.screens.cards.end import end
from games.screens.cards.overview import overview
from games.screens.cards.prompts import prompts
from games.screens.cards.score_sheet import scores
from games.screens.drawing import Drawing, kept
from games.screens.fragments import Audience


def board(
    drawing: Drawing, state: GameState, seat: str | None, audience: Audience
) -> Sequence[str]:
    """The strip, the stage and the cockpit as *seat* sees them: its own numbers are docked.

    While nothing is hidden from anyone, all seats share what is drawn.
    """
    seen = drawing.eyes.state(state, audience.seat, audience.language)
    if seen is state:
        audience = audience._replace(seat=None)
    with drawing.reading(audience):
        known = _seats(drawing, seen, audience)
        mine, order = known.get(seat or ""), list(known.values())
        start = mine["place"] - 1 if mine else 0
        sections = [
            _section(drawing, each, mine=each is mine, chosen=not n)
            for n, each in enumerate([*order[start:], *order[:start]])
        ]
        sections.append(seats.table_section(drawing, seen))
        sections += [part(drawing, seen).draw() for part in (overview, scores)]
        cells = [each["cell"] for each in order] + [seats.table_cell(drawing, seen).draw()]
        docked = {**(mine or {}), "end": mark_safe(end(drawing, seen).draw())}
        return (
            drawing.render("board/_strip", count=len(order), cells=mark_safe("".join(cells))),
            drawing.render("board/_board", sections=mark_safe("".join(sections))),
            drawing.render("board/_cockpit", **docked),
        )


Seat = Mapping[str, Any]
"""The rendered parts of a seat, and what its section says of it."""


@kept("seats")
def _seats(drawing: Drawing, state: GameState, audience: Audience) -> Mapping[str, Seat]:
    """All seats, in table order.

    Cached, because after a restart all phones of a table ask for it at once.
    """
    return {seat: _seat(drawing, state, seat, place) for place, seat in enumerate(state.seats, 1)}


def _seat(drawing: Drawing, state: GameState, seat: str, place: int) -> Seat:
    shown = seats.panel_of(drawing, state, seat)
    zones = [cards.zone(drawing, state, seat, zone) for zone in drawing.fields]
    drawn = {
        "cell": [seats.cell(drawing, state, seat, shown)],
        "head": [seats.head(drawing, state, seat)],
        "panel": [seats.panel(drawing, state, seat, shown)],
        "prompts": [prompts(drawing, state, seat)],
        "stage": [seats.stage(drawing, state, seat, shown)],
        "cards": [*zones, cards.piles(drawing, state, seat)],
    }
    return {
        **{name: mark_safe("".join([it.draw() for it in its])) for name, its in drawn.items()},
        "id": seat,
        "place": place,
        "name": drawing.name(seat),
        "by_any": drawing.answered_by_any(seat),
    }


def _section(drawing: Drawing, seat: Seat, *, mine: bool, chosen: bool) -> str:
    """Its section of the board. mine: its numbers and questions are in the cockpit instead."""
    held = dict(seat)
    if mine:
        below = drawing.render("board/_below", id=seat["id"], adds=drawing.adds)
        held |= {"panel": "", "prompts": "", "below": mark_safe(below)}
    return drawing.render("board/_seat", **held, mine=mine, chosen=chosen)
