"""The reading of a counter: of a resource what is left, and never an internal id."""

from __future__ import annotations

from typing import Any

import pytest

from games.screens.boards import log_lines
from games.screens.slots.words import reading
from games.screens.summary.records import statistics_of
from games.tracks.counter import Counter
from tests.types import Make, Sit

SEATS: dict[str, dict[str, Any]] = {"gm": {}, "ana": {}}
HOPE = {
    "c1": {"name": "Hope", "type": "resource", "role": "hope", "owner": "ana", "filled": 1},
    "c2": {"name": "Corruption", "type": "danger", "role": "corruption", "owner": "ana"},
    "c3": {"name": "Despair", "type": "danger", "role": "despair", "owner": "ana"},
    "c4": {"name": "Alarm", "type": "progress"},
}  # fmt: skip


@pytest.mark.parametrize(
    ("counter", "said"),
    [
        ({"type": "resource"}, "5 left"),
        ({"type": "resource", "filled": 5}, "0 left"),
        ({"type": "resource", "filled": 5, "temporary": 2}, "2 left"),
        ({"type": "progress", "filled": 3}, "3/5"),
        ({"type": "inventory", "filled": 2, "slots": 2}, "2/2"),
    ],
)
def test_a_resource_reads_as_what_is_left(counter: dict[str, Any], said: str) -> None:
    assert said == reading(Counter(id="c1", name="It", **counter))


def test_no_screen_counts_hope_up(transactional_db: None, make_game: Make, sit: Sit) -> None:
    game = make_game("stars-and-signs", seats=SEATS, slot_counters=HOPE)
    gm = sit(game, "gm")
    pages = ("", "tv", "slots/c1", "slots/of/ana", "slots/after?outcome=miss")
    for path in pages:
        page = gm.get(f"/g/{game.slug}/{path}")
        assert "1/5" not in page.content.decode(), path
    assert "4 left" in gm.get(f"/g/{game.slug}/tv").content.decode()


def test_the_summary_s_curve_of_a_resource_falls(
    transactional_db: None, make_game: Make, sit: Sit
) -> None:
    game = make_game("stars-and-signs", seats=SEATS, slot_counters=HOPE)
    gm = sit(game, "gm")
    gm.post(
        f"/g/{game.slug}/command",
        '{"do": "spend", "on": "c1", "slots": 1}',
        content_type="application/json",
    )
    game.refresh_from_db()
    charts = statistics_of(game, "gm").charts.values()
    curves = {curve.name: curve for chart in charts for curve in chart}

    assert [4, 3] == [point.value for point in curves["Hope"].points]
    page = gm.get(f"/g/{game.slug}/summary", headers={"Accept-Language": "es"})
    assert "Esperanza" in page.content.decode()
    assert "Hope" not in page.content.decode()


@pytest.mark.parametrize("visibility", ["open", "known"])
def test_a_counter_without_a_name_is_never_called_by_its_id(
    transactional_db: None, make_game: Make, sit: Sit, visibility: str
) -> None:
    game = make_game("stars-and-signs", seats=SEATS, slot_counters={})
    made = {"do": "create", "as": "c-60541f", "type": "danger", "visibility": visibility}
    gm = sit(game, "gm")
    gm.post(f"/g/{game.slug}/command", made)
    for seat in ("gm", "ana"):
        state_board = gm.get(f"/g/{game.slug}/slots/as/{seat}?within")
        page = state_board.content.decode()
        assert ">c-60541f<" not in page
        assert ("Something" in page) == (visibility == "known" and seat == "ana")
        assert not any("c-60541f" in p.text for line in log_lines(game, seat) for p in line.parts)
