"""The rendered board of a table for a page."""

from __future__ import annotations

from games.live import table_registry
from games.models import Game
from games.screens import chairs
from games.screens.boards import Drawn, drawn
from games.screens.drawing import Drawing
from games.screens.fragments import audience
from games.screens.languages import active_language
from games.screens.sidebar import sidebar_context
from games.store import rows


def drawn_for(game: Game, seat: str | None, *, docked: bool = True) -> Drawn:
    """The turn, the board and the sidebar of *game* as *seat* sees them, in the active language.

    The running table has them drawn already; only of one that does not run here are they made from
    its rows. docked: the seat's own numbers are in the cockpit.
    """
    eyes, mine = audience(game.rules, seat, active_language()), seat if docked else None
    if found := table_registry.drawn(game.slug, eyes, mine):
        return found
    count = rows.count(game)
    drawing = Drawing(game.rules, game.places)
    chairs.play_for(drawing.seats, count.state)
    drawing.sidebar_context = sidebar_context(game)
    try:
        return drawn(drawing, count.state, count.of(seat), mine, eyes)
    finally:
        drawing.cache.clear()  # its parts hold the drawing: nothing is left to the collector
