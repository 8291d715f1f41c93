"""A plus says what it gives: drawn again on every card whose number changes, and only there."""

from __future__ import annotations

import re
from typing import Any

import pytest

from games.rules import scenario
from games.rules.history import History
from games.screens import boards
from games.screens.drawing import Drawing
from games.screens.fragments import Audience
from games.systems import find

MAGIC = find("magic")
OBJECTS = {
    "bear": {"types": ["creature"], "owner": "ana", "counters": {"+1/+1": 1}},
    "foe": {"types": ["creature"], "owner": "ben", "counters": {"+1/+1": 1}},
    "rock": {"types": ["artifact"], "owner": "ana", "counters": {"charge": 1}},
    "scales": {"types": ["enchantment"], "owner": "ana"},
}
SCALES = {
    "name": "Scales",
    "object": "scales",
    "whose": "yours",
    "types": ["creature"],
    "kinds": ["+1/+1"],
    "plus": 1,
}


def table(**given: Any) -> History:
    described = {"seats": {"ana": {}, "ben": {}}, "objects": OBJECTS, **given}
    return History(MAGIC, scenario.opening(MAGIC, {"given": described}))


def given(shown: str) -> dict[str, str]:
    """By number: what its taps give, as it was drawn."""
    found = re.findall(r'<li data-kind=[^ ]+( data-gives="[^"]*")?>.*?<b id="([^"]+)"', shown)
    return {number: gives.replace("&quot;", '"') for gives, number in found}


def changes(screens: Drawing, history: History, **command: Any) -> str:
    return boards.changes(screens, history.give({"by": "ana", **command}), Audience())


def test_a_standing_draws_again_the_cards_whose_plus_gives_more() -> None:
    screens, history = Drawing(MAGIC), table()
    boards.board(screens, history.state, "ana", Audience())
    shown = changes(screens, history, do="standing", **{"as": "scales"}, **SCALES)

    scaled = '[[1, 2, "+1 Scales", ""], [10, 11, "+1 Scales", ""]]'
    assert {"bear.+1/+1": f' data-gives="{scaled}"'} == given(shown)


@pytest.mark.parametrize(
    "command",
    [
        {"do": "end-standing", "standing": "scales"},
        {"do": "move", "object": "scales", "to": "graveyard"},
        {"do": "control", "object": "scales", "to": "ben"},
        {"do": "undo"},
    ],
)
def test_when_it_no_longer_applies_the_plus_gives_what_it_says(command: dict[str, Any]) -> None:
    screens, history = Drawing(MAGIC), table()
    history.give({"do": "standing", "by": "ana", "as": "scales", **SCALES})
    before = given(boards.board(screens, history.state, "ana", Audience()))
    assert before["bear.+1/+1"]
    shown = given(changes(screens, history, **command))

    assert shown["bear.+1/+1"] == ""


def test_a_tap_sends_one_number_though_a_card_changed_it() -> None:
    screens, history = Drawing(MAGIC), table(standing={"scales": SCALES})
    boards.board(screens, history.state, "ana", Audience())
    shown = changes(screens, history, do="place", on="rock", counter="charge")

    assert '<b id="rock.charge" hx-swap-oob="true">2</b>' in shown
    assert {} == given(shown)


def test_a_redrawn_part_equals_the_page() -> None:
    screens, history = Drawing(MAGIC), table()
    boards.board(screens, history.state, "ana", Audience())
    changes(screens, history, do="standing", **{"as": "scales"}, **SCALES)
    changes(screens, history, do="place", on="bear", counter="+1/+1")
    changes(screens, history, do="move", object="scales", to="exile")

    kept = boards.board(screens, history.state, "ana", Audience())
    assert boards.board(Drawing(MAGIC), history.state, "ana", Audience()) == kept


def test_a_player_who_gets_more_sees_it_on_the_panel() -> None:
    screens, history = Drawing(MAGIC), table()
    boards.board(screens, history.state, "ana", Audience())
    snake = {"name": "Snake", "seat": "ana", "whose": "yours", "of": "players", "plus": 1}
    shown = changes(screens, history, do="standing", **{"as": "snake"}, **snake)

    assert "[1, 2, &quot;+1 Snake&quot;, &quot;&quot;]" in shown
    assert 'id="ana.panel"' in shown
    assert 'id="ben.panel"' not in shown


def test_a_standing_ability_is_told_to_everyone_with_its_undo() -> None:
    screens, history = Drawing(MAGIC), table()
    shown = changes(screens, history, do="standing", **{"as": "scales"}, **SCALES)

    assert "<strong>Scales</strong>" in shown
    assert "<span>+1/+1 counters on your creatures come with one more" in shown
    assert 'data-place="1"' in shown
