"""Teams of a game of one's own: a tap on a player changes who plays with whom."""

from __future__ import annotations

import pytest

from games.models import Game
from games.rules import scenario
from games.rules.history import History
from games.store import rows
from games.systems import find
from tests.page import parsed
from tests.screens.test_updates import follow
from tests.types import Sit

from .test_dice_of_rules import given

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("tables")]

SEATS = ("ana", "ben", "cleo", "dan")
TICHU = {
    "title": "Tichu",
    "teams": 2,
    "numbers": [{"kind": "score", "on": "player", "shared": True, "big": True}],
}


def table() -> Game:
    opening = {"given": {"seats": {seat: {} for seat in SEATS}}}
    first = scenario.opening(find("own-game"), {**opening, "definition": TICHU})
    return rows.create(find("own-game"), first, title="Tichu")


def test_what_a_team_shares_is_on_every_panel_of_it_and_told_once(sit: Sit) -> None:
    game = table()
    ana = sit(game, "ana")

    assert 204 == given(ana, game, do="place", on="ana", counter="score", amount=25)

    page = parsed(ana.get(f"/g/{game.slug}/").content.decode())
    panels = [page.find(f"{seat}.panel") for seat in SEATS]
    assert [True, False, True, False] == ["25" in str(each and each[0]) for each in panels]
    log = ana.get(f"/g/{game.slug}/log").content.decode()
    assert "Ana and Cleo: score +25" in log


def test_a_tap_on_a_player_changes_the_team(sit: Sit) -> None:
    game = table()
    ana = sit(game, "ana")
    assert 204 == given(ana, game, do="place", on="ana", counter="score", amount=25)

    sheet = ana.get(f"/g/{game.slug}/seats/dan").content.decode()
    assert "Play with" in sheet
    assert 204 == given(ana, game, do="team-up", seat="dan", **{"with": "ana"})

    now = rows.state(Game.objects.get(pk=game.pk))
    assert [25, 0, 25, 25] == [now.count(seat, "score") for seat in now.seats]
    log = ana.get(f"/g/{game.slug}/log").content.decode()
    assert "Dan plays with Ana" in log


def test_frames_of_a_team_lead_to_the_page_of_a_newcomer() -> None:
    """Every phone sees a shared number change on all panels of its team."""
    own = find("own-game")
    opening = {"given": {"seats": {seat: {} for seat in SEATS}}, "definition": TICHU}
    first = scenario.opening(own, opening)
    follow(
        History(own.of_table(first.settings), first),
        [
            {"do": "place", "on": "ana", "counter": "score", "amount": 25, "by": "ana"},
            {"do": "team-up", "seat": "dan", "with": "cleo", "by": "ana"},
            {"do": "remove", "on": "dan", "counter": "score", "amount": 5, "by": "dan"},
            {"do": "correct", "on": "cleo", "counter": "score", "to": 9, "by": "ben"},
        ],
    )
