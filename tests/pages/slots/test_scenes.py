"""Scenes on the screens: what is prepared is offered nowhere, and begins with a preview."""

from __future__ import annotations

import json
from typing import Any

import pytest

from games.rules import scenario
from games.rules.history import History
from games.screens import boards
from games.screens.boards import log_lines
from games.screens.drawing import Drawing
from games.screens.fragments import audience
from games.screens.sheets import Table
from games.screens.slots import layout, sets, sheets
from games.screens.words import words_of
from games.systems import find
from games.tracks import views
from tests.page import parsed
from tests.types import Make, Sit

SYSTEM = find("stars-and-signs")
ITS = words_of(SYSTEM)
SEATS: dict[str, dict[str, Any]] = {"gm": {}, "ana": {}, "ben": {}}
NAMES = {"gm": "GM", "ana": "Ana", "ben": "Ben"}
LATER: dict[str, dict[str, Any]] = {
    "c1": {"name": "Later progress", "scene": "Act II"},
    "c2": {"name": "Later danger", "type": "danger", "scene": "Act II", "visibility": "hidden"},
    "c3": {"name": "Later timer", "type": "timer", "scene": "Act II"},
    "c4": {"name": "Later defeat", "type": "defeat", "scene": "Act II", "visibility": "known"},
    "c5": {"name": "Later oil", "type": "resource", "scene": "Act II"},
    "c6": {"name": "Later vest", "role": "protective", "scene": "Act II"},
    "c7": {"name": "Later clue", "visibility": "chosen", "seats": ["ana"], "scene": "Act II"},
}
NOW: dict[str, dict[str, Any]] = {
    "n1": {"name": "Now progress", "scene": "Act I"},
    "n2": {"name": "Now danger", "type": "danger", "visibility": "hidden"},
    "n3": {"name": "Now timer", "type": "timer", "scene": "Act I"},
}
CHOOSERS = (
    "slots/action", "slots/after?outcome=hit&who=ana", "slots/after?outcome=miss&who=ana",
    "slots/milestone/minor", "slots/milestone/major",
    "slots/previously",
    "slots/n1", "slots/n1/overflow?n=3",
)  # fmt: skip


def session(act_two: str = "prepared") -> History:
    given = {
        "seats": SEATS,
        "slot_counters": {**LATER, **NOW},
        "scenes": {"Act I": "running", "Act II": act_two},
    }
    return History(SYSTEM, scenario.opening(SYSTEM, {"given": given}))


def board(history: History, seat: str | None) -> str:
    return boards.board(Drawing(SYSTEM, NAMES), history.state, seat, audience(SYSTEM, seat))


def test_a_begun_scene_is_drawn_alike_on_a_board_that_had_drawn_it_before() -> None:
    history, gm = session(), audience(SYSTEM, "gm")
    screens = Drawing(SYSTEM, NAMES)
    boards.board(screens, history.state, "gm", gm)
    history.give({"by": "gm", "do": "scene", "scene": "Act II", "to": "running"})

    assert board(history, "gm") == boards.board(screens, history.state, "gm", gm)


def frame(history: History, seat: str | None, **command: str) -> str:
    applied = history.give({"by": "gm", **command})
    return boards.changes(Drawing(SYSTEM, NAMES), applied, audience(SYSTEM, seat))


def test_the_gm_reads_on_each_card_of_a_prepared_scene_what_its_beginning_will_show() -> None:
    def words(act_two: str, key: str) -> str:
        page = parsed(board(session(act_two), "gm"))
        card = next(each for each in page.all() if each.attributes.get("id") == f"k-{key}")
        return " ".join("".join(each.text for each in card.all()).split())

    said = {key: words("prepared", key) for key in LATER}

    assert "Only you, until it begins" in said["c1"]
    assert "Keep hidden" in said["c1"]
    assert "Only you" in said["c2"]
    assert "Show from the start" in said["c2"]
    assert "Only you; its name when it begins" in said["c4"]
    assert "Only you, until it begins" in said["c7"]
    assert not any("Reveal" in each for each in said.values())
    begun = words("running", "c4")
    assert "Name only" in begun
    assert "Reveal" in begun


@pytest.mark.parametrize("act_two", ["prepared", "over"])
@pytest.mark.parametrize("path", CHOOSERS)
def test_only_running_scenes_are_offered(
    transactional_db: None, make_game: Make, sit: Sit, act_two: str, path: str
) -> None:
    counters = {**LATER, **NOW}
    game = make_game(
        "stars-and-signs", seats=SEATS, slot_counters=counters, scenes={"Act II": act_two}
    )
    page = sit(game, "gm").get(f"/g/{game.slug}/{path}", headers={"HX-Request": "true"})

    assert 200 == page.status_code
    assert "Later" not in page.content.decode()


@pytest.mark.parametrize("seat", ["ana", "ben", None])
def test_players_see_nothing_of_a_prepared_scene(seat: str | None) -> None:
    drawn = board(session(), seat)

    assert "Now progress" in drawn
    assert "Later" not in drawn
    assert "Act II" not in drawn


def test_the_gm_sees_that_a_scene_is_prepared_even_an_empty_one() -> None:
    history = session()
    history.give({"do": "scene", "scene": "Act III", "to": "prepared"})
    groups = [(each.name, each.state) for each in layout.groups(ITS, history.state, "gm")]

    assert {("Act I", "running"), ("", "running")} == set(groups[:2])
    assert [("Act II", "prepared"), ("Act III", "prepared")] == groups[2:]
    assert "prepared: no player sees it" in board(history, "gm")


def test_each_seats_view_is_shown_before_a_scene_begins() -> None:
    sheet = sheets.of_scene(Table(SYSTEM, session().state, NAMES, "gm"), "Act II")
    seen = {
        each["name"]: {c["name"] + " (name)" * c["masked"] for c in each["seen"]}
        for each in sheet["preview"]
    }

    everyone = {
        "Later progress", "Later timer", "Later oil", "Later vest", "Later defeat (name)",
    }  # fmt: skip
    assert {
        "Ana": everyone | {"Later clue"}, "Ben": everyone, "A watcher": everyone
    } == seen  # fmt: skip


def test_a_scene_that_begins_is_one_moment_on_every_phone() -> None:
    for seat in ("gm", "ana", None):
        sent = frame(session(), seat, do="scene", scene="Act II", to="running")

        assert "Act II begins" in sent
        assert "Later progress" in sent
        assert ("Later danger" in sent) == (seat == "gm")


def test_preparing_a_scene_draws_nothing_on_a_player_s_phone() -> None:
    history = session()

    assert "" == frame(history, "ana", do="scene", scene="Act III", to="prepared")
    assert "Act IV" in frame(history, "gm", do="scene", scene="Act IV", to="prepared")


def test_a_scene_that_is_over_is_folded_for_the_gm_and_can_run_again() -> None:
    history = session("running")
    sent = frame(history, "gm", do="scene", scene="Act II", to="over")

    assert "Act II is over" in sent
    assert "is-past" in board(history, "gm")
    assert "Act II begins" in frame(history, "gm", do="scene", scene="Act II", to="running")
    assert "is-past" not in board(history, "gm")


@pytest.mark.parametrize("seat", ["ana", "ben", None])
def test_a_counter_of_a_scene_that_is_over_is_nowhere_on_a_player_s_screens(
    seat: str | None,
) -> None:
    history = session("running")
    pain = {"name": "Later pain", "role": "despair", "owner": "ana", "scene": "Act II"}
    history.give({"do": "create", "as": "pain", **pain})
    assert "Later" in board(history, seat)

    sent = frame(history, seat, do="scene", scene="Act II", to="over")

    assert "Act II is over" in sent
    assert "Later" not in sent
    assert "Later" not in board(history, seat)
    known = views.seen_counters(SYSTEM, history.state, seat)
    assert "c4" not in known  # of which only the name was known
    assert "Later progress" in frame(history, seat, do="scene", scene="Act II", to="running")


def test_beginning_by_mistake_is_taken_back_with_one_undo() -> None:
    history = session()
    before = board(history, "ana")
    history.give({"do": "scene", "scene": "Act II", "to": "running"})
    history.give({"do": "undo"})

    assert before == board(history, "ana")


def test_a_set_s_new_scenes_are_prepared() -> None:
    kept = sets.as_set(ITS, session().state, "gm", "Heist")
    given = {"seats": SEATS, "slot_counters": {"c9": {"name": "Here", "scene": "Act I"}}}
    history = History(SYSTEM, scenario.opening(SYSTEM, {"given": given}))
    history.give(sets.from_set(history.state, json.dumps(kept)))

    assert {"Act II": "prepared"} == history.state.scenes
    assert "Later" not in board(history, "ana")


@pytest.mark.parametrize(
    ("title", "name", "header"),
    [
        ("The heist", "The heist", 'attachment; filename="The heist.json"'),
        ("Zoé: I/II", "Zoé: I/II", "attachment; filename*=utf-8''Zo%C3%A9%20%20I%20II.json"),
    ],
)
def test_a_set_travels_as_a_file_with_its_name(
    transactional_db: None, make_game: Make, sit: Sit, title: str, name: str, header: str
) -> None:
    game = make_game("stars-and-signs", seats=SEATS, slot_counters=NOW)
    answer = sit(game, "gm").get(f"/g/{game.slug}/slots/export", {"title": title})

    assert name == answer.json()["title"]
    assert header == answer["Content-Disposition"]


def test_the_log_tells_scenes_to_those_who_may_know(
    transactional_db: None, make_game: Make, sit: Sit
) -> None:
    game = make_game("stars-and-signs", seats=SEATS, slot_counters={})
    gm = sit(game, "gm")
    for to in ("prepared", "running", "over"):
        gm.post(f"/g/{game.slug}/command", {"do": "scene", "scene": "Act II", "to": to})
    said = {
        seat: [part.text for line in log_lines(game, seat) for part in line.parts]
        for seat in ("gm", "ana")
    }

    assert ["Act II is prepared", "Act II begins", "Act II is over"] == said["gm"]
    assert ["Act II begins", "Act II is over"] == said["ana"]


def test_a_typed_line_says_that_it_opens_with_its_scene(
    transactional_db: None, make_game: Make, sit: Sit
) -> None:
    game = make_game(
        "stars-and-signs", seats=SEATS, slot_counters={}, scenes={"Act II": "prepared"}
    )
    page = sit(game, "gm").post(
        f"/g/{game.slug}/slots/line",
        {"line": "The vault progress", "scene": "Act II"},
        headers={"HX-Request": "true"},
    )

    assert "All once Act II begins" in page.content.decode()
