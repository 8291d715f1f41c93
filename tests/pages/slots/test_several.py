"""Several slot counters at once: one entry, one undo, and only those that a seat may change."""

from __future__ import annotations

import pytest

from games.models import Game
from games.store import rows
from tests.types import Make, Sit

pytestmark = pytest.mark.django_db(transaction=True)
HX = {"HX-Request": "true"}
COUNTERS = {
    "tide": {"name": "The tide", "type": "timer", "slots": 4},
    "storm": {"name": "The storm", "type": "timer", "slots": 4, "visibility": "hidden"},
    "lamp": {"name": "Reach the lamp", "slots": 6, "filled": 2},
    "hope": {"name": "Hope of Ana", "owner": "ana", "slots": 5, "filled": 1},
    "fear": {"name": "Fear of Ana", "owner": "ana", "slots": 5, "filled": 5},
    "pack": {"name": "Pack of Ana", "owner": "ana", "type": "inventory"},
}


@pytest.fixture
def session(make_game: Make) -> Game:
    return make_game("stars-and-signs", seats={"gm": {}, "ana": {}}, slot_counters=COUNTERS)


def filled(game: Game) -> dict[str, int]:
    kept = rows.state(Game.objects.get(pk=game.pk)).slot_counters
    return {key: getattr(counter, "filled", 0) for key, counter in kept.items()}


def test_all_timers_are_filled_as_one_line_and_one_undo(session: Game, sit: Sit) -> None:
    master, url = sit(session, "gm"), f"/g/{session.slug}/slots/several"
    page = master.get(f"{url}?do=fill&who=type-timer").content.decode()
    for key, ticked in (("tide", True), ("storm", True), ("lamp", False)):
        assert (f'value="{key}" checked' in page) is ticked
    assert 'value="pack"' not in page

    answer = master.post(url, {"do": "fill", "slots": "2", "on": ["tide", "storm"]}, headers=HX)
    session.refresh_from_db()
    assert (answer.status_code, session.number) == (204, 1)
    assert (filled(session)["tide"], filled(session)["storm"]) == (2, 2)

    master.post(f"/g/{session.slug}/command", {"do": "undo"})
    assert (filled(session)["tide"], filled(session)["storm"]) == (0, 0)


def test_a_player_is_offered_what_is_the_players_own(session: Game, sit: Sit) -> None:
    ana, url = sit(session, "ana"), f"/g/{session.slug}/slots/several"
    page = ana.get(f"{url}?do=clear&who=all").content.decode()
    assert 'value="hope" checked' in page
    assert 'value="fear" checked' in page
    assert "storm" not in page
    assert 'value="lamp"' not in page

    for chosen in (["hope", "storm"], ["hope", "lamp"]):
        refused = ana.post(url, {"do": "clear", "slots": "1", "on": chosen}, headers=HX)
        assert refused.status_code == 422
    assert filled(session)["hope"] == 1
    ana.post(url, {"do": "clear", "slots": "9", "on": ["hope", "fear"]}, headers=HX)
    assert (filled(session)["hope"], filled(session)["fear"]) == (0, 0)


@pytest.mark.parametrize(
    "posted",
    [
        {"do": "fill", "slots": "0", "on": ["tide"]},
        {"do": "fill", "slots": "11", "on": ["tide"]},
        {"do": "fill", "slots": "", "on": ["tide"]},
        {"do": "fill", "slots": "1"},
        {"do": "discard", "slots": "1", "on": ["tide"]},
        {"do": "fill", "slots": "1", "on": ["tide", "nothing"]},
    ],
)
def test_a_line_that_says_too_little_is_refused(
    session: Game, sit: Sit, posted: dict[str, object]
) -> None:
    answer = sit(session, "gm").post(f"/g/{session.slug}/slots/several", posted, headers=HX)

    session.refresh_from_db()
    assert (answer.status_code, session.number) == (422, 0)


def test_a_counter_of_every_protagonist_is_offered_once_by_its_name(
    make_game: Make, sit: Sit
) -> None:
    despair = {"name": "Despair", "role": "despair", "type": "danger", "filled": 1}
    counters = {"a": {**despair, "owner": "ana"}, "b": {**despair, "owner": "ben"}, "lamp": {}}
    game = make_game(
        "stars-and-signs", seats={"gm": {}, "ana": {}, "ben": {}}, slot_counters=counters
    )
    url = f"/g/{game.slug}/slots/several?do=clear&who=role-despair"
    page = sit(game, "gm").get(url, headers=HX).content.decode()

    assert ">Despair</a>" in page
    assert "></a>" not in page
    assert 'value="a" checked' in page
    assert 'value="b" checked' in page
