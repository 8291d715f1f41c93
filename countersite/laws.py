"""The laws of a rule system's screens, which follow those of its rules."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from games.rules import scenario
from games.rules.laws import Kept, law
from games.rules.state import GameObject, GameState
from games.rules.system import System
from games.screens import boards, tiles
from games.screens.drawing import Drawing
from games.screens.fragments import audience
from games.systems.controls import Stepper

TILES = range(1, 7)
"""The number of tiles on the sheet of a card in play."""
LANGUAGE = "en"


@law("Every board can be drawn, for each seat.", "A phone without a board cannot play.")
def boards_are_drawn(kept: Kept) -> Iterator[str]:
    for case, system, state in _ends(kept):
        for seat in [*state.seats, None]:
            try:
                eyes = audience(system, seat, LANGUAGE)
                names = {key: key for key in state.seats}
                boards.board(Drawing(system, names), state, seat, eyes)
            except Exception as error:  # whatever it is, it is what an author wants to know
                yield f"{case}, {seat}: {type(error).__name__}: {error}"


@law(
    "A card in play has one to six tiles, and its counters are on its sheet.",
    "They are what one tap does; a phone has room for six, and what is not shown is lost.",
)
def cards_have_tiles(kept: Kept) -> Iterator[str]:
    """Of the demo, whose cards are usual ones; a case may pile up whatever it likes."""
    for case, system, state in islice(_ends(kept), 1):
        for obj in state.objects.values():
            if obj.on_field:
                yield from (f"{case}: {fault}" for fault in _tile_faults(system, state, obj))


def _tile_faults(system: System, state: GameState, obj: GameObject) -> Iterator[str]:
    first, below = tiles.tiles(system, state, obj, obj.controller)
    kinds = [tile.kind for tile in (*first, *below) if isinstance(tile, Stepper)]
    if len(first) not in TILES:
        yield f"{obj.name} has {len(first)} tiles."
    yield from (f"{obj.name} does not show “{kind}”." for kind in {*state.on(obj.id)} - {*kinds})
    if len(set(kinds)) < len(kinds):
        yield f"{obj.name} shows a counter twice: {', '.join(sorted(kinds))}."


def _ends(kept: Kept) -> Iterator[tuple[str, System, GameState]]:
    """The state at the end of each case, with the system of its table."""
    for case in kept.cases:
        history, _refused = scenario.play(case, kept.system.of_table(case))
        yield case["id"], history.system, history.state
