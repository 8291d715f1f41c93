"""A game with its own rules keeps them: in rows, files, set-ups and rematches."""

from __future__ import annotations

import json
from typing import Any

import pytest

from games.live.imports import imported
from games.models import Game
from games.pages import rematch
from games.rules import record, scenario
from games.store import demos, rows
from games.systems import find, named_by

RACE: dict[str, Any] = {
    "title": "Race",
    "numbers": [{"kind": "laps", "on": "player", "most": 3}],
    "rules": [
        {
            "rule": "Finish",
            "when": {"always": "player"},
            "if": [{"number": "laps"}, "=", 3],
            "do": [{"win": "it"}],
        }
    ],
}
LONGER = {**RACE, "numbers": [{"kind": "laps", "on": "player", "most": 9}]}
LAP = {"do": "place", "on": "ana", "counter": "laps", "amount": 3}


@pytest.fixture
def race(db: None) -> Game:
    given = {"seats": {"ana": {}, "ben": {}}}
    first = scenario.opening(find("own-game"), {"given": given, "definition": RACE})
    return rows.create(find("own-game"), first, title="Race")


def test_a_game_is_played_by_the_rules_of_its_own(race: Game) -> None:
    rows.give(race, [LAP])

    assert ("won", ("ana",)) == (rows.state(race).result, rows.state(race).winners)
    assert "Finish" in race.rules.rulebook.rules
    rows.check(race)


def test_a_file_brings_the_rules_along(race: Game) -> None:
    rows.give(race, [LAP])

    written = record.written(rows.history(race), "race", "Race")
    anew = imported(json.dumps({**written, "when": [*written["when"]]}))

    assert rows.state(race) == rows.state(anew)


def test_negative_numbers_come_back_from_a_file(db: None) -> None:
    track = {"kind": "memory", "on": "table", "least": -10, "most": 10, "look": "track"}
    exported = {
        "id": "track", "title": "Track", "system": "own-game", "edition": "1",
        "definition": {"title": "Track", "numbers": [track]},
        "given": {"seats": {"ana": {}}, "table": {"counters": {"memory": -4}}},
        "when": [{"do": "remove", "on": "table", "counter": "memory", "amount": 2}], "then": {},
    }  # fmt: skip

    assert -6 == rows.state(imported(json.dumps(exported))).count("table", "memory")


def test_changed_rules_are_those_of_the_rematch(race: Game) -> None:
    rows.give(race, [{"do": "change-rules", "definition": LONGER}])
    assert LONGER == Game.objects.get(pk=race.pk).settings["definition"]

    anew = rematch.begin(race)

    assert LONGER == anew.settings["definition"]
    assert LONGER == rows.opening(anew).settings["definition"]
    rows.give(race, [{"do": "undo"}])
    assert RACE == Game.objects.get(pk=race.pk).settings["definition"]
    rows.check(race)
    rows.check(anew)


def test_the_demo_is_played_by_its_rules(db: None) -> None:
    demo = demos.demo(find("own-game"))
    assert demo

    game = demos.played(demo)

    assert demo["definition"] == game.settings["definition"]
    assert [] == scenario.check(demo, named_by(demo)[0])
    rows.check(game)
