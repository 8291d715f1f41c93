"""The order of a round by a number: on the board, for every phone alike."""

from __future__ import annotations

from typing import Any

from django.utils import translation

from games.rules import scenario
from games.rules.history import History
from games.screens.drawing import Drawing
from games.screens.fragments import audience
from games.screens.turn import header
from games.systems import find
from games.systems.own_game.language.definition import understood
from games.systems.own_game.rule_change_preview import differences
from tests.screens.test_updates import board, follow

POWER: dict[str, Any] = {
    "title": "Power",
    "turns": {"order": "one", "starts": {"by": "cities"}},
    "numbers": [{"kind": "cities", "on": "player", "big": True}],
}


def table() -> History:
    own = find("own-game")
    seats = {key: {"counters": {"cities": n}} for n, key in enumerate(("ana", "ben", "cleo"), 1)}
    first = scenario.opening(own, {"given": {"seats": seats}, "definition": POWER})
    return History(own.of_table(first.settings), first)


def shown(history: History) -> str:
    who = audience(history.system, "ana")
    return header(Drawing(history.system), history.state, who)


def test_the_board_tells_the_order_of_the_next_turns_and_leaves_it_to_the_server() -> None:
    history = table()
    history.give({"do": "begin-turn", "by": "ana"})

    assert "cleo’s turn" in shown(history)
    assert 'name=begin-turn value=""' in " ".join(shown(history).split())
    said = " ".join(shown(history).split())
    assert "Next: ben, ana, cleo" in said


def test_a_number_that_changes_the_next_round_is_told_on_every_phone() -> None:
    history = table()
    assert 5 == follow(
        history,
        [
            {"do": "begin-turn", "by": "ana"},
            {"do": "begin-turn", "by": "cleo"},
            {"do": "begin-turn", "by": "ben"},
            {"do": "place", "on": "ana", "counter": "cities", "amount": 5, "by": "ana"},
            {"do": "begin-turn", "by": "ana"},
        ],
    )
    assert history.state.turn is not None
    assert ("ana",) == history.state.turn.active


def test_the_strip_shows_who_is_first_in_the_round() -> None:
    history = table()
    history.give({"do": "begin-turn", "by": "ana"})

    with translation.override("en"):
        cells = board(Drawing(history.system), history.state, audience(history.system, "ana"))
    said = " ".join(str(cells).split())
    assert all(each in said for each in ("1. cleo", "2. ben", "3. ana")), said


def test_what_no_board_shows_is_counted_all_the_same() -> None:
    own, seats = find("own-game"), {"ana": {}, "ben": {}}
    half = {"kind": "half-time", "on": ["player", "table"], "start": 7, "look": "none"}
    definition = {**POWER, "numbers": [*POWER["numbers"], half]}
    first = scenario.opening(own, {"given": {"seats": seats}, "definition": definition})
    history = History(own.of_table(first.settings), first)

    shown = str(board(Drawing(history.system), history.state, audience(history.system, "ana")))
    assert "cities" in shown
    assert "half-time" not in shown
    assert 7 == history.state.count("table", "half-time")


def test_a_change_of_the_rules_says_the_new_order() -> None:
    before = understood({**POWER, "turns": {"order": "one"}})
    with translation.override("en"):
        said = [str(each.after) for each in differences(before, understood(POWER))]

    assert ["turns: turn; each round in the order of the most cities"] == said
