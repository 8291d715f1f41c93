"""Dice of a rule: the server rolls them for who is asked, and the log keeps how they fell."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client

from games.models import Game
from games.rules import scenario
from games.store import rows
from games.systems import find
from tests.types import Sit

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("tables")]

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
    given(ana, game, do="press", rule="Attack")

    assert "Roll 2d6" in ana.get(f"/g/{game.slug}/").content.decode()
    assert 422 == given(ana, game, **roll, result=[6, 6])
    assert 422 == given(ana, game, do="together", steps=[{**roll, "result": [6, 6]}])
    assert 204 == given(ana, game, **roll)
    rolled = game.entries.get(command__do="answer")
    fell = rolled.command["result"]
    assert 2 == len(fell)
    assert all(1 <= each <= 6 for each in fell)
    now = Game.objects.get(pk=game.pk)
    assert sum(fell) == rows.state(now).count("ana", "points")
    log = ana.get(f"/g/{game.slug}/log").content.decode()
    assert f"rolled 2d6: {fell[0]} + {fell[1]} = {sum(fell)}" in log
    assert "answered" not in log


def given(client: Client, game: Game, **command: Any) -> int:
    path = f"/g/{game.slug}/command"
    return client.post(path, json.dumps(command), content_type="application/json").status_code
