"""What follows an Action is offered once: not to the GM what its player has done."""

from __future__ import annotations

from typing import Any

from games.live import table_registry as tables
from tests.types import Make, Sit

SEATS = {"gm": {}, "ana": {}}
LAMP = {"lamp": {"name": "Reach the lamp", "type": "progress"}}
ASKED = {"outcome": "hit", "who": "ana", "prompt": "follow-up:ana:hit"}


def test_the_gm_is_not_offered_the_progress_that_a_player_has_added(
    transactional_db: None, make_game: Make, sit: Sit
) -> None:
    game = make_game("stars-and-signs", seats=SEATS, slot_counters=LAMP)
    gm = sit(game, "gm")

    def sheet() -> str:
        return gm.get(f"/g/{game.slug}/slots/after", ASKED).content.decode()

    def ana(**command: Any) -> None:
        tables.give(game.slug, command, "ana")

    roll = {"do": "fill", "on": "lamp", "dice": [7]}
    ana(do="action", outcome="hit")
    assert "is asked to add it" in sheet()
    ana(do="propose", command=roll)
    assert "Reach the lamp" not in sheet()
    tables.give(game.slug, {"do": "answer", "prompt": "proposal:ana", "accept": True}, "gm")
    assert "Reach the lamp" not in sheet()
    ana(do="action", outcome="hit")
    assert "Reach the lamp" in sheet()
