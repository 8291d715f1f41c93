"""Roles of a game of one's own: one tap on the board takes one, and every phone sees it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from games.models import Game
from games.rules import record, scenario
from games.rules.history import History
from games.store import rows
from games.systems import find
from tests.page import parsed
from tests.screens.test_updates import follow
from tests.seats.phones import give
from tests.types import Sit

ROOT: dict[str, Any] = {
    "title": "Root",
    "roles": [{"role": "cats", "label": "Marquise de Cat"}, "birds"],
    "numbers": [
        {"kind": "points", "on": "player", "big": True},
        {"kind": "warriors", "on": "player", "start": 20, "starts": {"cats": 25}},
        {"kind": "wood", "on": "cats"},
    ],
}


def opening() -> dict[str, Any]:
    return {"given": {"seats": {seat: {} for seat in ("ana", "ben")}}, "definition": ROOT}


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("tables")
def test_a_role_is_taken_by_one_tap_and_stands_with_its_numbers_on_the_panel(sit: Sit) -> None:
    own = find("own-game")
    game = rows.create(own, scenario.opening(own, opening()), title="Root")
    ana, ben = sit(game, "ana"), sit(game, "ben")
    assert "value=ana.cats" in ana.get(f"/g/{game.slug}/").content.decode()

    assert 204 == give(game, ana, do="take-role", seat="ana", role="cats")

    page = ben.get(f"/g/{game.slug}/").content.decode()
    panels = [str(parsed(page).find(f"{seat}.panel")[0]) for seat in ("ana", "ben")]
    assert [True, False] == ["Ana, Marquise de Cat" in each for each in panels]
    assert [True, False] == ["wood" in each for each in panels]
    assert "value=ana.birds" not in page, "who has a role is asked no more"
    assert "value=ben.birds" in page
    assert "value=ben.cats" not in page, "what another has is offered no more"
    assert "Ana plays Marquise de Cat" in ana.get(f"/g/{game.slug}/log").content.decode()
    sheet = " ".join(ben.get(f"/g/{game.slug}/seats/ana").content.decode().split())
    assert "Plays as" in sheet
    assert "value=birds" in sheet.replace('"', "")
    assert {"ana": "cats"} == rows.state(Game.objects.get(pk=game.pk)).parts["roles"]


def test_frames_of_a_role_lead_to_the_page_of_a_newcomer() -> None:
    own = find("own-game")
    first = scenario.opening(own, opening())
    assert 6 == follow(
        History(own.of_table(first.settings), first),
        [
            {"do": "take-role", "seat": "ana", "role": "cats", "by": "ana"},
            {"do": "place", "on": "ana", "counter": "wood", "amount": 2, "by": "ana"},
            {"do": "take-role", "seat": "ben", "role": "birds", "by": "ana"},
            {"do": "take-role", "seat": "ana", "role": "birds", "by": "ana"},
            {"do": "take-role", "seat": "ana", "by": "ana"},
            {"do": "undo", "by": "ana"},
        ],
    )


def test_an_exported_game_keeps_the_roles_that_it_began_with() -> None:
    cases = Path(__file__).parents[1] / "scenarios" / "own-game-roles.json"
    for case in json.loads(cases.read_text(encoding="utf-8"))[:8]:  # the others are refused
        opening, _commands = record.read(find("own-game"), case)
        history = History(find("own-game").of_table(opening.settings), opening)
        exported = json.loads(json.dumps({**record.written(history, "a", "A"), "when": []}))

        assert opening == record.read(history.system, exported)[0], case["id"]
