"""How the game ended."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.safestring import mark_safe
from django.utils.translation import gettext

from games.rules.state import GameState
from games.screens.cards.seats import panel_of
from games.screens.drawing import Drawing
from games.screens.fragments import no_end, printed
from games.screens.match import Match, Score
from games.screens.words import IN_BRACES


def end(drawing: Drawing, state: GameState, swap: str = "") -> str:
    """How the game ended: who won, everybody's number, and why each of the others is out."""
    if not state.result:
        return no_end(swap)
    totals = []
    for place, seat in enumerate(state.seats.values(), 1):
        panel = panel_of(drawing, state, seat.id)
        total = panel.total or panel.hero
        out = seat.lost and seat.id not in state.winners
        totals.append(
            {
                "id": seat.id,
                "name": drawing.name(seat.id),
                "place": place,
                "lost": out,
                "total": total.amount if total else None,
                "kind": panel.total.kind if panel.total else "",
                **(reason(drawing, state, seat.id) if out else {}),
            }
        )
    return drawing.render(
        "board/_end",
        result=state.result,
        winners=[drawing.name(seat) for seat in state.winners],
        winning=state.winners,
        totals=totals,
        match=_match(drawing, state),
        swap=mark_safe(swap),
    )


def _match(drawing: Drawing, state: GameState) -> Match | None:
    """The score of all games of the evening, None if this is the first."""
    before: Score | None = drawing.sidebar_context.get("won_before")
    if before is None or not before.finished:
        return None
    return before.after(state.winners).told({key: drawing.name(key) for key in state.seats})


def reason(drawing: Drawing, state: GameState, seat: str) -> Mapping[str, str]:
    """Why *seat* is out, in words, and the rule."""
    because = drawing.presentation.story.out_because(drawing.system, state, seat)
    if because is None:
        left = getattr(state.seats[seat], "left", False)  # a seat that plays no cards cannot
        return {"why": gettext("left the game") if left else "", "rule": ""}
    facts = {
        name: drawing.object_name(state, value) if isinstance(value, str) else printed(value)
        for name, value in because.facts.items()
    }
    text = gettext(because.text) % facts
    return {
        "why": IN_BRACES.sub(lambda found: drawing.name(found[1]), text),
        "rule": because.rule,
    }
