"""The board of a card game, as its page has it: turn, strip, seats, cockpit, end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from games.rules.state import GameState
from games.screens.cards import cards, seats
from games.screens.cards.end import end
from games.screens.cards.overview import overview
from games.screens.cards.prompts import prompts
from games.screens.cards.score_sheet import scores
from games.screens.drawing import Drawing, Placeholders
from games.screens.fragments import Audience


class SeatParts(Struct, frozen=True):
    """The rendered parts of one seat."""

    id: str
    place: int
    cell: str
    head: str
    panel: str
    prompts: str
    stage: str
    cards: str


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
        drawn = _seats(drawing, seen, audience)
        mine = drawn.get(seat or "")
        order = list(drawn.values())
        start = mine.place - 1 if mine else 0
        turned = [*order[start:], *order[:start]]
        sections = [
            _section(drawing, each, mine=each is mine, chosen=each is turned[0]) for each in turned
        ]
        sections.append(seats.table_section(drawing, seen))
        sections += [part(drawing, seen).draw() for part in (overview, scores)]
        parts = Placeholders(cached=drawing.remembers)
        cells = [each.cell for each in order] + [seats.table_cell(drawing, seen).draw()]
        strip = parts.put("".join(cells))
        docked = {
            "end": parts.put(end(drawing, seen).draw()),
            "prompts": parts.put(mine.prompts if mine else ""),
            "panel": parts.put(mine.panel if mine else ""),
            "place": mine.place if mine else 0,
        }
        return (
            drawing.around("board/_strip", parts, count=len(order), cells=strip),
            drawing.around("board/_board", parts, sections=parts.put("".join(sections))),
            drawing.around("board/_cockpit", parts, **docked),
        )


def _seats(drawing: Drawing, state: GameState, audience: Audience) -> Mapping[str, SeatParts]:
    """The rendered parts of all seats.

    Cached, because after a restart all phones of a table ask for it at once.
    """
    key, known = ("seats", audience), drawing.cache.of(state)
    if key not in known:
        known[key] = {
            each: SeatParts(
                id=each,
                place=place,
                cell=seats.cell(drawing, state, each, shown).draw(),
                head=seats.head(drawing, state, each).draw(),
                panel=seats.panel(drawing, state, each, shown).draw(),
                prompts=prompts(drawing, state, each).draw(),
                stage=seats.stage(drawing, state, each, shown).draw(),
                cards="".join(
                    [cards.zone(drawing, state, each, zone).draw() for zone in drawing.fields]
                    + [cards.piles(drawing, state, each).draw()]
                ),
            )
            for place, each in enumerate(state.seats, 1)
            for shown in (seats.panel_of(drawing, state, each),)
        }
    found: Mapping[str, SeatParts] = known[key]
    return found


def _section(drawing: Drawing, seat: SeatParts, *, mine: bool, chosen: bool) -> str:
    """Its section of the board. mine: its numbers and questions are in the cockpit instead."""
    parts = Placeholders(cached=drawing.remembers)
    below = drawing.render("board/_below", id=seat.id, adds=drawing.adds) if mine else ""
    return drawing.around(
        "board/_seat",
        parts,
        id=seat.id,
        place=seat.place,
        name=drawing.name(seat.id),
        by_any=drawing.answered_by_any(seat.id),
        mine=mine,
        chosen=chosen,
        head=parts.put(seat.head),
        panel=parts.put("" if mine else seat.panel),
        prompts=parts.put("" if mine else seat.prompts),
        stage=parts.put(seat.stage),
        cards=parts.put(seat.cards),
        below=parts.put(below),
    )
