"""Two people at a table never have the same name."""

from __future__ import annotations

import json

import pytest
from django.test import Client

from games.live.imports import imported
from games.models import Game
from tests.types import Sit


def called(game: Game, client: Client, key: str, name: str) -> int:
    return client.post(f"/g/{game.slug}/seats/{key}/name", {"name": name}).status_code


def test_a_second_ana_is_ana_2_at_once(game: Game, sit: Sit) -> None:
    ana, ben = sit(game, "ana"), sit(game, "ben")

    assert 302 == called(game, ana, "ana", "Ana")
    assert 302 == called(game, ben, "ben", "\u0410na")

    assert "Ana" == game.seats.get(key="ana").given_name
    assert "\u0410na 2" == game.seats.get(key="ben").given_name

    assert 302 == called(game, ana, "ana", "Ana")
    assert "Ana" == game.seats.get(key="ana").given_name, "its own name is not in its way"


@pytest.mark.parametrize("name", ["\u200b\u200b", "\u3164", "\u2800"])
def test_a_name_that_nobody_sees_is_refused_in_words(game: Game, sit: Sit, name: str) -> None:
    answer = sit(game, "ana").post(f"/g/{game.slug}/seats/ana/name", {"name": name})

    assert 422 == answer.status_code
    assert "A name must have 1 to 40 characters that people see." in answer.content.decode()


def test_names_typed_for_a_new_game_are_told_apart(client: Client, db: None) -> None:
    fields = {"rules": "any-rpg", "seats": 4, "name": "Mo", "others": "Ana, ana, \u0410na"}
    client.post("/new", fields)

    names = Game.objects.get().given_names
    assert ["Mo", "Ana", "ana 2", "\u0410na 3"] == list(names.values())


def test_names_in_a_file_are_told_apart(db: None) -> None:
    scenario = {
        "id": "friday", "title": "Friday", "system": "any-game", "when": [], "then": {},
        "given": {"seats": {"ana": {}, "ben": {}, "cleo": {}}},
        "names": {"ana": "Ana", "ben": "Ana", "cleo": "\u3164"},
    }  # fmt: skip

    names = imported(json.dumps(scenario)).given_names

    assert ["Ana", "Ana 2", ""] == list(names.values())
