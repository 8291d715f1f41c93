"""Teams of a game of one's own: a tap on a player changes who plays with whom."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from games.models import Game
from games.rules import scenario
from games.rules.history import History
from games.store import rows
from games.systems import find, presentation_of
from tests.page import parsed
from tests.screens.test_updates import follow
from tests.seats.phones import give
from tests.types import Sit

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

    assert 204 == give(game, ana, do="place", on="ana", counter="score", amount=25)

    page = parsed(ana.get(f"/g/{game.slug}/").content.decode())
    panels = [page.find(f"{seat}.panel") for seat in SEATS]
    assert [True, False, True, False] == ["25" in str(each and each[0]) for each in panels]
    log = ana.get(f"/g/{game.slug}/log").content.decode()
    assert "Ana and Cleo: score +25" in log


def test_a_tap_on_a_player_changes_the_team(sit: Sit) -> None:
    game = table()
    ana = sit(game, "ana")
    assert 204 == give(game, ana, do="place", on="ana", counter="score", amount=25)

    sheet = ana.get(f"/g/{game.slug}/seats/dan").content.decode()
    assert "Play with" in sheet
    assert 204 == give(game, ana, do="team-up", seat="dan", **{"with": "ana"})

    now = rows.state(Game.objects.get(pk=game.pk))
    assert [25, 0, 25, 25] == [now.count(seat, "score") for seat in now.seats]
    log = ana.get(f"/g/{game.slug}/log").content.decode()
    assert "Dan plays with Ana" in log


def test_frames_of_a_team_lead_to_the_page_of_a_newcomer() -> None:
    """Every phone sees a shared number change on all panels of its team."""
    own = find("own-game")
    opening = {"given": {"seats": {seat: {} for seat in SEATS}}, "definition": TICHU}
    first = scenario.opening(own, opening)
    assert 4 == follow(
        History(own.of_table(first.settings), first),
        [
            {"do": "place", "on": "ana", "counter": "score", "amount": 25, "by": "ana"},
            {"do": "team-up", "seat": "dan", "with": "cleo", "by": "ana"},
            {"do": "remove", "on": "dan", "counter": "score", "amount": 5, "by": "dan"},
            {"do": "correct", "on": "cleo", "counter": "score", "to": 9, "by": "ben"},
        ],
    )


PARTNERS: dict[str, Any] = {
    **TICHU,
    "turns": {"order": "all"},
    "numbers": [{"kind": "score", "on": "player", "least": -999, "shared": True, "big": True}],
    "rules": [
        {"rule": "Round", "when": {"begins": "round"},
         "do": [{"ask": "How many points?", "of": "teams", "least": -200,
                 "then": [{"add": "answer", "of": "score", "on": "answerer"}]}]},
        {"rule": "Most", "when": {"always": "player"}, "if": [{"number": "score"}, ">=", 100],
         "do": [{"win": {"each": "players", "if": [{"rank": "score"}, "=", 1]}}]},
    ],
}  # fmt: skip


def test_a_team_has_one_column_on_the_score_sheet_and_in_what_is_made_of_it(sit: Sit) -> None:
    opening = {"given": {"seats": {seat: {} for seat in SEATS}}, "definition": PARTNERS}
    own = find("own-game")
    game = rows.create(own, scenario.opening(own, opening), title="Tichu")
    ana, ben = sit(game, "ana"), sit(game, "ben")
    assert 204 == give(game, ana, do="begin-turn")
    assert 204 == give(game, ana, do="answer", prompt="rule-1:ana", number=110)
    assert 204 == give(game, ben, do="answer", prompt="rule-1:ben", number=-10)

    page = parsed(ana.get(f"/g/{game.slug}/").content.decode())
    assert [True, True, False, False] == [bool(page.find(f"{seat}.sum")) for seat in SEATS]
    told = ana.get(f"/g/{game.slug}/scores.csv").content.decode().splitlines()
    assert ["round,Ana & Cleo,Ben & Dan", "1,110,-10", "sum,110,-10"] == [*told]


def test_partners_sit_across_or_side_by_side() -> None:
    presets = presentation_of(find("own-game").of_table({"definition": PARTNERS})).new_game.presets
    given_teams = [each.given(SEATS).get("teams") for each in presets]
    beside = {"team-1": {"seats": ["ana", "ben"]}, "team-2": {"seats": ["cleo", "dan"]}}
    assert [None, beside] == given_teams


def test_the_page_of_a_ready_game_in_teams_asks_how_partners_sit(client: Client) -> None:
    page = client.get("/new", {"rules": "own-game", "ready": "tichu"}).content.decode()
    assert "Partners sit side by side" in page

    facts = {"rules": "own-game", "ready": "tichu", "seats": "4", "preset": "beside"}
    made = client.post("/new", facts)["Location"].split("/")[2]
    teams = rows.state(Game.objects.get(slug=made)).teams.values()
    assert [["ana", "ben"], ["cleo", "dan"]] == [[*each.seats] for each in teams]


def test_a_game_that_is_played_again_has_the_teams_that_were_chosen() -> None:
    own = find("own-game")
    opening = {"given": {"seats": {seat: {} for seat in SEATS}}, "definition": TICHU}
    first = scenario.opening(own, opening)
    history = History(own.of_table(first.settings), first)
    history.give({"do": "team-up", "seat": "dan", "with": "ana", "by": "ana"})

    again = history.system.seating.rematch(first, history.state)
    assert [("ana", "cleo", "dan"), ("ben",)] == [each.seats for each in again.teams.values()]


DICE = {
    "title": "Dice",
    "numbers": [{"kind": "points", "on": "player", "big": True}],
    "rules": [
        {
            "rule": "Attack",
            "when": {"pressed": "Attack", "on": "player"},
            "do": [{"roll": "2d6", "then": [{"add": "answer", "of": "points", "on": "answerer"}]}],
        }
    ],
}


def test_one_tap_rolls_the_dice_of_a_rule_on_the_server(sit: Sit) -> None:
    opening = {"given": {"seats": {"ana": {}, "ben": {}}}, "definition": DICE}
    game = rows.create(find("own-game"), scenario.opening(find("own-game"), opening), title="Dice")
    ana, roll = sit(game, "ana"), {"do": "answer", "prompt": "rule-1:ana"}
    give(game, ana, do="press", rule="Attack")

    assert "Roll 2d6" in ana.get(f"/g/{game.slug}/").content.decode()
    assert 422 == give(game, ana, **roll, result=[6, 6])
    assert 422 == give(game, ana, do="together", steps=[{**roll, "result": [6, 6]}])
    assert 204 == give(game, ana, **roll)
    rolled = game.entries.get(command__do="answer")
    fell = rolled.command["result"]
    assert 2 == len(fell)
    assert all(1 <= each <= 6 for each in fell)
    now = Game.objects.get(pk=game.pk)
    assert sum(fell) == rows.state(now).count("ana", "points")
    log = ana.get(f"/g/{game.slug}/log").content.decode()
    assert f"rolled 2d6: {fell[0]} + {fell[1]} = {sum(fell)}" in log
    assert "answered" not in log


def test_beside_a_gm_a_team_shares_a_number_and_a_typed_line_changes_it_once(sit: Sit) -> None:
    gold = {"kind": "gold", "on": "player", "shared": True}
    written = {"title": "Crews", "teams": 2, "numbers": [gold], "gm": {"kit": []}}
    opening = {"given": {"seats": {seat: {} for seat in ("gm", *SEATS)}}, "definition": written}
    first = scenario.opening(find("own-game"), opening)
    game = rows.create(find("own-game"), first, title="Crews")
    gm, ana, at = sit(game, "gm"), sit(game, "ana"), f"/g/{game.slug}/"

    typed = {"line": "all gold +5"}
    shown = gm.post(f"{at}slots/line", typed, headers={"HX-Request": "true"}).content.decode()
    assert "Ana, Cleo 0 → 5" in shown
    gm.post(f"{at}slots/made", {**typed, "previewed": ""})
    assert [5, 5, 5, 5] == [rows.state(game).count(seat, "gold") for seat in SEATS]
    sheet = ana.get(f"{at}seats/ana").content.decode()
    assert "Play with" in sheet
    assert "Make it Ana" not in sheet, "turns are those of a fight"
    assert "Play with" not in gm.get(f"{at}seats/gm").content.decode()
    assert 204 == give(game, ana, do="team-up", seat="ana", **{"with": "ben"})

    log = ana.get(f"{at}log").content.decode()
    assert "Ana and Cleo: gold +5" in log
    assert "plays with Ben" in log
    rows.check(game)
