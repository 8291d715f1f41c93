"""The pad in rows: a number revised at its place, and answers that nobody else reads."""

from __future__ import annotations

import json
from typing import Any

import pytest

from games.live.imports import imported
from games.models import Game
from games.pages import rematch
from games.rules import record, scenario
from games.rules.state import Refused
from games.screens import boards
from games.screens.boards import log_lines
from games.screens.drawing import Drawing
from games.screens.fragments import Audience
from games.screens.summary.records import statistics_of
from games.store import demos, moments, rows
from games.systems import find, named_by, presentation_of
from tests.random_games import opened

BIDS: dict[str, Any] = {
    "title": "Bids",
    "numbers": [{"kind": "score", "on": "player", "least": -999}, {"kind": "pot", "on": "table"}],
    "turns": {"order": "all"},
    "rules": [
        {
            "rule": "Bid",
            "when": {"begins": "round"},
            "do": [
                {
                    "ask": "How many?", "of": "players", "hidden": True,
                    "then": [{"add": "answer", "of": "score", "on": "answerer"}],
                    "after": [{"add": 1, "of": "pot", "on": "table"}],
                }
            ],
        }
    ],
}  # fmt: skip


SEATS: dict[str, Any] = {"seats": {seat: {} for seat in ("ana", "ben", "cleo")}}


def begun() -> Game:
    first = scenario.opening(find("own-game"), {"given": SEATS, "definition": BIDS})
    game = rows.create(find("own-game"), first, title="Bids")
    rows.give(game, [{"do": "begin-turn"}])
    return game


def answer(seat: str, number: int) -> dict[str, Any]:
    return {"do": "answer", "prompt": f"rule-1:{seat}", "number": number, "by": seat}


def scores(game: Game) -> list[int]:
    state = rows.state(game)
    return [state.count(seat, "score") for seat in state.seats]


def test_a_revised_number_is_the_same_in_rows_logs_and_replays(db: None) -> None:
    game = begun()
    rows.give(game, [answer("ana", 5), answer("ben", 2), answer("cleo", 3)])
    for _round in range(40):
        rows.give(game, [{"do": "begin-turn"}, *(answer(seat, 1) for seat in ("ana", "ben"))])
        rows.give(game, [answer("cleo", 1)])
    first = game.number

    rows.give(game, [{"do": "revise", "entry": 2, "number": 50}])
    rows.check(game)
    assert [90, 42, 43] == scores(game)

    rows.give(game, [{"do": "revise", "entry": 2, "number": 7}, {"do": "undo", "entry": first}])
    rows.check(game)
    assert [46, 41, 42] == scores(game)

    rows.give(game, [{"do": "undo", "entry": first + 1}, {"do": "redo", "entry": first}])
    rows.give(game, [{"do": "undo", "entry": first + 2}])
    rows.check(game)
    assert [45, 42, 43] == scores(game)
    seen = [*moments.Replay(game, 0, rows.opening(game)).on(game.number)]
    assert [45, 90, 47] == [
        seen[n - 1].after.count("ana", "score") for n in (first, first + 1, first + 2)
    ]
    assert rows.state(game) == seen[-1].after
    assert "corrected round 1: 5 → 50" in str(log_lines(game, None))


def test_an_answer_of_an_earlier_round_is_revised_by_its_round(db: None) -> None:
    game = begun()
    rows.give(game, [answer("ana", 5), answer("ben", 2), answer("cleo", 3), {"do": "begin-turn"}])
    rows.give(game, [answer("ana", 1), answer("ben", 1), answer("cleo", 1), {"do": "begin-turn"}])
    wrong = {"do": "revise", "prompt": "rule-1:ben", "round": 1, "number": 20, "by": "ana"}

    rows.give(game, [wrong, {"do": "undo"}, {"do": "redo"}])
    rows.check(game)
    sheet = presentation_of(game.rules).story.scores(game.rules, rows.state(game))

    assert [6, 21, 4] == scores(game)
    assert [20, 1] == [line.cells[1].amount for line in sheet.lines[:2]]
    assert "corrected round 1 of Ben: 2 → 20" in str(log_lines(game, None))
    with pytest.raises(Refused, match="not answered in this round"):
        rows.give(game, [{**wrong, "round": 3}])


def test_the_summary_tells_the_number_that_stands(db: None) -> None:
    game = begun()
    rows.give(game, [answer("ana", 5), answer("ben", 2), answer("cleo", 3)])
    rows.give(game, [{"do": "revise", "entry": 2, "number": 50}, {"do": "begin-turn"}])

    (curves,) = statistics_of(game, None).charts.values()

    assert [50, 2, 3] == [each.last for each in curves]


def test_what_cannot_be_revised_changes_nothing(db: None) -> None:
    game = begun()
    rows.give(game, [answer("ana", 5)])

    with pytest.raises(Refused, match="no number"):
        rows.give(game, [{"do": "revise", "entry": 1, "number": 3}])
    with pytest.raises(Refused, match="no number"):  # nobody else knows of it yet
        rows.give(game, [{"do": "revise", "entry": 2, "number": 3}])

    assert 2 == game.number


EVERYBODY_ELSE = (Audience(), Audience(seat="ben"))


def heard(number: int) -> list[str]:
    """What all but Ana are sent as she bids that *number*, takes it back and bids again; and what
    stands in the file of the game then."""
    history = opened(find("own-game"), {"id": "b", "given": SEATS, "definition": BIDS})
    history.give({"do": "begin-turn"})
    texts = []
    for command in (answer("ana", number), {"do": "undo", "by": "ana"}, answer("ana", number)):
        given = history.give(command)
        drawing = Drawing(history.system)
        texts += [boards.changes(drawing, given, each) for each in EVERYBODY_ELSE]
        texts += [boards.board(drawing, given.after, None, each) for each in EVERYBODY_ELSE]
    texts.append(str(scenario.seen(history, "ben")))
    written = record.written(history, "bids", "Bids")
    return [*texts, json.dumps({**written, "when": [*written["when"]]})]


def test_nobody_reads_a_hidden_answer_before_all_have_answered() -> None:
    assert heard(7341) == heard(2)


def test_the_file_of_a_game_has_the_answers_once_they_are_revealed() -> None:
    history = opened(find("own-game"), {"id": "b", "given": SEATS, "definition": BIDS})
    for command in ({"do": "begin-turn"}, *(answer(seat, 7341) for seat in SEATS["seats"])):
        history.give(command)

    written = [*record.written(history, "bids", "Bids")["when"]]

    assert [7341] * 3 == [each["number"] for each in written[1:]]


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
