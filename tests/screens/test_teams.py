"""Teams without rules for what they share: any game asks, and shows it once."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from games.models import Game
from games.rules import scenario
from games.rules.history import History
from games.screens import boards, sheets
from games.screens.drawing import Drawing
from games.screens.fragments import Audience
from games.store import rows
from games.systems import find
from tests.page import parsed

SEATS: dict[str, Any] = {"ana": {}, "ben": {}, "cleo": {}, "dan": {}}
EVERYBODY = Audience()


def table(**red: bool) -> History:
    rules = find("any-game")
    teams = {"red": {"seats": ["ana", "ben"], **red}, "blue": {"seats": ["cleo", "dan"]}}
    given = {"seats": SEATS, "teams": teams}
    return History(rules, scenario.opening(rules, {"given": given, "settings": {}}))


@pytest.mark.django_db
def test_a_new_game_asks_who_plays_together_and_what_they_share() -> None:
    client = Client()
    asked = client.get("/new?rules=any-game").content.decode()
    assert 'name="team.shared_counters"' in asked
    assert 'name="team.shared_turns"' in asked
    assert 'name="life"' not in asked

    chosen = {"rules": "any-game/1", "seats": "4", "team.size": "2", "team.shared_counters": "on"}
    client.post("/new", chosen)
    state = rows.state(Game.objects.get())
    teams = {team.seats: getattr(team, "shared_counters", None) for team in state.teams.values()}
    assert teams == {("ana", "ben"): True, ("cleo", "dan"): True}


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["grand-archive", "yu-gi-oh", "stars-and-signs"])
def test_no_teams_are_offered_where_the_rules_know_none(name: str) -> None:
    assert "team.size" not in Client().get(f"/new?rules={name}").content.decode()


def test_a_team_wins_as_a_whole_and_nobody_else_wins_later() -> None:
    rules = find("magic")
    teams = {"red": {"seats": ["ana", "ben"]}, "blue": {"seats": ["cleo", "dan"]}}
    given = {"seats": {seat: {"life": 20} for seat in SEATS}, "teams": teams}
    history = History(rules, scenario.opening(rules, {"given": given, "settings": {}}))
    for seat in ("ben", "cleo", "dan"):
        assert history.state.winners == ()
        history.give({"do": "leave", "seat": seat, "by": seat})
    assert history.state.winners == ("ana", "ben")

    history.give({"do": "lose-life", "seat": "ana", "amount": 20, "by": "ana"})

    assert history.state.seats["ana"].lost
    assert ("won", ("ana", "ben")) == (history.state.result, history.state.winners)


def test_the_sheet_of_each_player_shows_what_the_team_shares() -> None:
    history = table(shared_counters=True)
    history.give({"do": "place", "on": "ben", "counter": "points", "amount": 2})

    seen = sheets.Table(history.system, history.state, {})
    shown = {
        seat: [
            (stepper.holder, stepper.kind, stepper.amount)
            for stepper in sheets.of_seat(seen, seen.state.seats[seat])["steppers"]
        ]
        for seat in ("ana", "ben", "cleo")
    }

    assert {"ana": [("ana", "points", 2)], "ben": [("ana", "points", 2)], "cleo": []} == shown


def test_a_pool_is_shown_once_and_followed() -> None:
    history = table(shared_counters=True)
    history.give({"do": "place", "on": "ben", "counter": "points", "amount": 2})
    screens = Drawing(history.system)
    page = parsed(boards.board(screens, history.state, "ana", EVERYBODY))
    assert str(page).count("id='ana.points'") == 1
    assert "ben.points" not in str(page)

    for command in (
        {"do": "place", "on": "ana", "counter": "points", "amount": 1},
        {"do": "place", "on": "ben", "counter": "coins", "amount": 4},
        {"do": "remove", "on": "ben", "counter": "points", "amount": 3},
        {"do": "undo"},
    ):
        page.apply(boards.changes(screens, history.give(command), EVERYBODY))
        fresh = parsed(boards.board(screens, history.state, "ana", EVERYBODY))
        assert str(page) == str(fresh), command


def test_players_who_share_nothing_count_alone() -> None:
    history = table()
    screens = Drawing(history.system)
    history.give({"do": "place", "on": "ben", "counter": "points", "amount": 2})

    given = history.give({"do": "place", "on": "ben", "counter": "points", "amount": 1})
    assert (
        boards.changes(screens, given, EVERYBODY) == '<b id="ben.points" hx-swap-oob="true">3</b>'
    )
    assert history.state.count("ben", "points") == 3
