"""Dice, coins and drawn seats: the server rolls, everyone sees it, and no seat can fake it."""

from __future__ import annotations

import json

import pytest
from django.test import Client

from games.models import Game
from games.rules.dice import dice_in
from games.rules.engine import refuse_served
from games.rules.history import History
from games.rules.state import Refused
from games.screens import dice
from games.screens.boards import log_lines
from games.screens.drawing import Drawing
from games.screens.fragments import Audience
from games.store import rows
from games.systems import SYSTEMS
from tests.types import Make, Sit

pytestmark = pytest.mark.django_db(transaction=True)
HX = {"HX-Request": "true"}


def newest(game: Game) -> dict[str, object]:
    game.refresh_from_db()
    command: dict[str, object] = game.entries.get(number=game.number).command
    return command


@pytest.mark.parametrize(
    ("posted", "dice", "least", "most", "n"),
    [
        ({"count": "1", "sides": "20"}, "d20", 1, 20, 1),
        ({"count": "2", "sides": "6"}, "2d6", 1, 6, 2),
        ({"sides": "4"}, "d4", 1, 4, 1),
        ({"count": "20", "sides": "100"}, "20d100", 1, 100, 20),
    ],
)
def test_the_server_throws(
    game: Game, ana: Client, posted: dict[str, str], dice: str, least: int, most: int, n: int
) -> None:
    answer = ana.post(f"/g/{game.slug}/throw", posted, headers=HX)

    command = newest(game)
    result = command["result"]
    assert answer.status_code == 204
    assert (command["do"], command["dice"], command["by"]) == ("throw", dice, "ana")
    assert isinstance(result, list)
    assert len(result) == n
    assert all(least <= die <= most for die in result)
    assert "by_hand" not in command


@pytest.mark.parametrize(
    "posted",
    [
        {"count": "21", "sides": "6"},
        {"count": "0", "sides": "6"},
        {"count": "2", "sides": "1"},
        {"count": "2", "sides": "101"},
        {"count": "two", "sides": "6"},
        {"count": "2"},
        {"dice": "2d6", "fell": "3"},
        {"dice": "2d6", "fell": "3 7"},
        {"dice": "2d6", "fell": "0 3"},
        {"dice": "", "fell": "3"},
        {"dice": "d6", "fell": ""},
        {"dice": "d6", "fell": "1 " * 500},
    ],
)
def test_impossible_dice_are_refused(game: Game, ana: Client, posted: dict[str, str]) -> None:
    answer = ana.post(f"/g/{game.slug}/throw", posted, headers=HX)

    game.refresh_from_db()
    assert answer.status_code == 422
    assert game.number == 0


def test_dice_rolled_at_the_table_are_typed_in_and_say_so(game: Game, ana: Client) -> None:
    ana.post(f"/g/{game.slug}/throw", {"dice": "2D6", "fell": "3, 5"}, headers=HX)

    command = newest(game)
    assert (command["dice"], command["result"], command["by_hand"]) == ("2d6", [3, 5], True)
    said = log_lines(game, "ana")[-1].parts[0].text
    assert said == "rolled 2d6: 3 + 5 = 8 (by hand)"


def test_without_a_script_the_answer_is_the_sheet(game: Game, ana: Client) -> None:
    answer = ana.post(f"/g/{game.slug}/throw", {"count": "1", "sides": "20"}, follow=True)

    fell = newest(game)["result"]
    assert isinstance(fell, list)
    assert f"Ana rolled d20: {fell[0]}" in answer.content.decode()


def test_a_coin_falls_on_either_side(game: Game, ana: Client) -> None:
    sides = set()
    for _toss in range(40):
        ana.post(f"/g/{game.slug}/toss", headers=HX)
        sides.add(newest(game)["result"])

    assert sides == {"heads", "tails"}


def test_the_lot_falls_on_who_is_still_in_the_game(make_game: Make, sit: Sit) -> None:
    game = make_game("magic", seats={"ana": {}, "ben": {"lost": True}, "cleo": {}})
    ana, drawn = sit(game, "ana"), set()
    for _draw in range(40):
        ana.post(f"/g/{game.slug}/draw", headers=HX)
        drawn.add(newest(game)["seat"])

    assert drawn == {"ana", "cleo"}


def test_no_lot_falls_on_the_game_master(make_game: Make, sit: Sit) -> None:
    game = make_game("stars-and-signs", seats={"gm": {}, "ana": {}, "ben": {}})
    master, drawn = sit(game, "gm"), set()
    for _draw in range(40):
        master.post(f"/g/{game.slug}/draw", {"begin": "yes"}, headers=HX)
        drawn.add(newest(game)["seat"])

    assert drawn == {"ana", "ben"}


def test_a_drawn_seat_may_begin(game: Game, ana: Client) -> None:
    ana.post(f"/g/{game.slug}/draw", {"begin": "yes"}, headers=HX)

    state = rows.state(Game.objects.get(pk=game.pk))
    assert state.turn is not None
    assert state.turn.active == (newest(game)["seat"],)
    said = [part.text for part in log_lines(game, "ana")[-1].parts]
    assert f"{state.turn.active[0].capitalize()} starts" in said


def test_lots_drawn_again_take_the_first_ones_back(game: Game, ana: Client) -> None:
    ana.post(f"/g/{game.slug}/draw", {"begin": "yes"}, headers=HX)
    first = game.entries.latest("number")
    ana.post(f"/g/{game.slug}/draw", {"again": first.number}, headers=HX)

    first.refresh_from_db()
    last = game.entries.latest("number")
    assert (True, "draw-seat") == (first.undone_by is not None, last.command["do"])
    assert 422 == ana.post(f"/g/{game.slug}/draw", {"again": 999}, headers=HX).status_code
    assert last == game.entries.latest("number")


def test_a_watcher_cannot_roll_dice(game: Game, ana: Client, dan: Client) -> None:
    dan.get(f"/j/{game.invite_token}")
    for path in ("throw", "toss", "draw"):
        assert dan.post(f"/g/{game.slug}/{path}", {"sides": "6"}, headers=HX).status_code == 403

    game.refresh_from_db()
    assert game.number == 0
    assert "Take a seat to roll" in dan.get(f"/g/{game.slug}/tools").content.decode()


FORGED = [
    {"do": "throw", "dice": "d20", "result": [20]},
    {"do": "throw", "dice": "d20", "result": [20], "by_hand": False},
    {"do": "throw", "dice": "d20", "result": [20], "by_hand": 1},
    {"do": "toss", "result": "heads"},
    {"do": "draw-seat", "seat": "ana"},
]


@pytest.mark.parametrize("command", FORGED)
def test_no_seat_makes_up_what_the_server_throws(
    game: Game, ana: Client, command: dict[str, object]
) -> None:
    answer = ana.post(
        f"/g/{game.slug}/command", json.dumps(command), content_type="application/json"
    )

    game.refresh_from_db()
    assert answer.status_code in (400, 422)
    assert game.number == 0


@pytest.mark.parametrize("command", FORGED)
@pytest.mark.parametrize("name", SYSTEMS)
def test_every_system_refuses_it_at_the_door(name: str, command: dict[str, object]) -> None:
    with pytest.raises(Refused) as refused:
        refuse_served(SYSTEMS[name][0], command)

    assert refused.value.code == "forbidden"
    refuse_served(SYSTEMS[name][0], {**command, "by_hand": True})


@pytest.mark.parametrize(
    ("system", "verb"),
    [("own-game", "change-rules"), ("stars-and-signs", "roll"), ("stars-and-signs", "make-way")],
)
def test_a_line_without_dice_is_refused_without_a_word_of_dice(system: str, verb: str) -> None:
    with pytest.raises(Refused) as refused:
        refuse_served(SYSTEMS[system][0], {"do": verb, "by_hand": True})

    said = f"“{verb}” is carried out on the table’s page, not by a command."
    assert said == str(refused.value.message)


def test_everybody_is_shown_what_fell(game: Game) -> None:
    history = rows.history(game)
    given = history.give({"do": "throw", "by": "ben", "dice": "2d6", "result": [3, 5]})
    screens = Drawing(game.rules, {**game.names, "ben": "B<b>"})

    fragment = dice.fragment(screens, given, Audience())
    assert 'id="chance"' in fragment
    assert 'data-place="2"' in fragment
    assert "B&lt;b&gt; rolled 2d6: 3 + 5 = 8" in fragment
    assert dice.fragment(screens, history.give({"do": "undo", "by": "ben"}), Audience()) == ""


def test_a_throw_is_taken_back_and_given_back(game: Game) -> None:
    history = History(game.rules, rows.opening(game))
    history.give({"do": "throw", "dice": "d6", "result": [4]})
    history.give({"do": "undo"})
    history.give({"do": "redo"})

    assert [entry.command["do"] for entry in history.entries] == ["throw", "undo", "redo"]
    assert history.entries[0].undone_by is None


@pytest.mark.parametrize(("text", "found"), [("d4", (1, 4)), ("10d10", (10, 10))])
def test_dice_are_read(text: str, found: tuple[int, int]) -> None:
    assert dice_in(text) == found


@pytest.mark.parametrize("text", ["", "d", "d0", "d1", "0d6", "21d6", "d101", "2d6+1", "²d6", "d٤"])
def test_other_dice_are_not(text: str) -> None:
    with pytest.raises(ValueError, match=r"^$"):
        dice_in(text)
