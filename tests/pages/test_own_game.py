"""A game of one's own: made on the page for a new game, played, and read in sentences."""

from __future__ import annotations

import json
import re
from html import escape, unescape
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.test import Client

from games.models import Game
from games.rules import scenario
from games.rules.state import Refused
from games.screens.boards import log_lines
from games.screens.summary.records import statistics_of
from games.screens.words import words_of
from games.store import demos, rows
from games.systems import find
from tests.ready import DRAWN
from tests.types import Sit

CATAN = "victory points 0 → 10, wood, brick, sheep, grain, ore"
NEW = {"rules": "own-game/1", "seats": "4", "name": "Ana"}


def begun(client: Client, **fields: str) -> Game:
    answer = client.post("/new", {**NEW, **fields})
    assert 302 == answer.status_code, answer.content.decode()
    return Game.objects.get(slug=answer["Location"].split("/")[2])


def board(client: Client, game: Game) -> str:
    return client.get(f"/g/{game.slug}/").content.decode()


def test_a_typed_line_is_a_game_that_everyone_plays(client: Client, db: None) -> None:
    game = begun(client, title="Catan", numbers=CATAN)

    assert ("Catan", 4) == (game.title, game.seats.count())
    page = board(client, game)
    for kind in ("wood", "brick", "sheep", "grain", "ore"):
        assert f"ana.{kind}" in page
    assert "10 to go" in page


def test_several_at_once_marks_each_number_as_the_board_does(client: Client, db: None) -> None:
    game = begun(client, title="Catan", numbers=CATAN)
    rows.give(game, [{"do": "place", "on": "ana", "counter": "wood", "amount": 1}])

    sheet = client.get(f"/g/{game.slug}/several?do=place").content.decode()

    assert 'value="wood" data-kind="wood" data-hue=1 data-letter="W"' in sheet


def test_a_goal_ends_the_game(client: Client, db: None) -> None:
    game = begun(client, title="Catan", numbers=CATAN)

    rows.give(game, [{"do": "place", "on": "ana", "counter": "victory points", "amount": 10}])

    assert ("won", ("ana",)) == (rows.state(game).result, rows.state(game).winners)


def test_the_page_shows_each_number_as_it_is_typed(client: Client, db: None) -> None:
    page = client.get("/new", {"rules": "own-game", "numbers": "wood 2, wood"}).content.decode()

    assert 'data-hue=1 data-letter="W"' in page
    assert "is there already" in page


def test_an_unreadable_definition_makes_no_game_and_is_not_lost(client: Client, db: None) -> None:
    answer = client.post("/new", {**NEW, "title": "Catan", "numbers": "wood, <b> 3/2"})

    assert 422 == answer.status_code
    page = answer.content.decode()
    assert "&lt;b&gt; 3/2</textarea>" in page
    assert "<span>wood</span>" in page
    assert not Game.objects.exists()


def test_a_score_sheet_is_one_line_and_ends_once_all_is_written(client: Client, db: None) -> None:
    game = begun(client, numbers="total = military + coins/3 + wonder, most wins")
    cells = [
        (who, what) for who in rows.state(game).seats for what in ("military", "coins", "wonder")
    ]
    for who, what in cells:
        assert not rows.state(game).winners
        n = 7 if (who, what) == ("ana", "coins") else 0
        rows.give(game, [{"do": "place", "on": who, "counter": what, "amount": n}])

    assert ("ana",) == rows.state(game).winners


def test_a_sheet_of_rounds_is_in_sight_before_the_first_one(client: Client, db: None) -> None:
    """What is counted in each round stood there instead, as if it were to be tapped."""
    game = begun(client, numbers="rounds to 500, most wins")
    sheet = client.get(f"/g/{game.slug}/").content.decode().partition('id="scores"')[2]

    assert " hidden" not in sheet.partition(">")[0]
    assert "1st" not in sheet


def test_a_game_without_a_name_or_a_number_can_be_begun(client: Client, db: None) -> None:
    assert "Our game" == begun(client).title


@pytest.mark.parametrize(
    ("asked", "game"),
    [
        ("rules=any-rpg&ready=fate", "fate"),
        ("rules=any-rpg&ready=fifth-edition", "dungeons-and-dragons"),
        ("rules=any-rpg", "any-rpg"),
        ("rules=own-game&ready=any-rpg", "any-rpg"),
    ],
)
def test_a_game_with_a_gm_begins_by_its_link_of_any_version(
    client: Client, db: None, asked: str, game: str
) -> None:
    title = escape(demos.ready_games("own-game")[game]["title"])
    assert f'value="{title}"' in client.get(f"/new?{asked}").content.decode()
    fields = dict(part.split("=") for part in asked.split("&"))
    client.post("/new", {**fields, "seats": 3, "name": "Mo", "others": "Ana, Ben"})

    made = Game.objects.get()
    assert ("own-game", demos.ready_games("own-game")[game]) == (
        made.system,
        made.settings["definition"],
    )
    page = client.get(f"/g/{made.slug}/").content.decode()
    assert 'class="board has-slots"' in page


def test_a_ready_game_begins_with_its_rules(client: Client, db: None) -> None:
    assert "ready=catan" in client.get("/", {"q": "catan"}).content.decode()

    game = begun(client, ready="catan")

    assert demos.ready_games("own-game")["catan"] == game.settings["definition"]
    page = client.get(f"/g/{game.slug}/rules").content.decode()
    assert "As soon as “longest road” is off" in page
    assert "A road costs brick and wood." in page


READY = demos.ready_games("own-game")
SHOWN = [name for name in READY if demos.ready_demo("own-game", name)]


@pytest.mark.parametrize(
    "name", [each for each in SHOWN if "rules" in READY[each] and each in DRAWN]
)
def test_a_demo_shows_that_a_rule_does_something(name: str, db: None) -> None:
    shown = demos.ready_demo("own-game", name)
    assert shown
    game = demos.played(shown)

    all_events = [event for entry in game.entries.all() for event in entry.events]
    by_rules = {
        event["rule"] for event in all_events if event.get("rule") and event["kind"] != "pressed"
    }
    assert by_rules or rows.state(game).winners


@pytest.mark.parametrize("name", ["catan", "hearts"])
def test_a_ready_game_is_seen_played_before_it_is_begun(
    name: str, client: Client, db: None
) -> None:
    page = client.get("/new", {"rules": "own-game", "ready": name}).content.decode()
    assert 'formaction="/new/demo"' in page

    answer = client.post("/new/demo", {"rules": "own-game/1", "ready": name})

    game = Game.objects.get()
    assert f"/g/{game.slug}/" == answer["Location"]
    assert 200 == client.get(answer["Location"]).status_code
    assert game.entries.exists()
    assert 404 == client.post("/new/demo", {"rules": "own-game/1", "ready": "chess"}).status_code


@pytest.mark.parametrize("name", DRAWN)
def test_every_screen_of_a_ready_game_in_its_middle_is_drawn(
    name: str, client: Client, db: None, sit: Sit
) -> None:
    shown = demos.ready_demo("own-game", name)
    game = demos.played(shown) if shown else begun(client, ready=name)
    if shown:  # else who began it sits at its first seat
        client = sit(game, game.seats.get(order=0).key)

    alone = not {"gm", "things", "roles"} & READY[name].keys()
    for path in ("", "tv") if alone else ("", "log", "rules", "tv", "seats/", "keep"):
        for language in ("en", "es"):
            answer = client.get(f"/g/{game.slug}/{path}", headers={"accept-language": language})
            assert 200 == answer.status_code, path
    rows.check(game)


def test_the_button_of_a_rule_says_its_price_and_what_is_missing(client: Client, db: None) -> None:
    game = begun(client, ready="catan")
    rows.give(game, [{"do": "begin-turn", "active": ["ana"]}])

    assert "2 short" in board(client, game)

    rows.give(
        game,
        [
            {"do": "place", "on": "ana", "counter": "brick", "amount": 1},
            {"do": "place", "on": "ana", "counter": "wood", "amount": 1},
            {"do": "press", "rule": "Build a road", "by": "ana"},
        ],
    )

    assert 3 == rows.state(game).count("ana", "roads")
    assert find("own-game").name == game.system


def test_a_button_for_once_a_turn_says_that_it_is_used(client: Client, db: None) -> None:
    game = begun(client, ready="catan")
    rows.give(game, [{"do": "begin-turn", "active": ["ana"]}])
    assert ("<small>used</small>" in board(client, game), round_shown(client, game)) == (False, "1")

    rows.give(game, [{"do": "press", "rule": "Seven", "on": "table", "by": "ben"}])
    assert "<small>used</small>" in board(client, game)

    rows.give(game, [{"do": "begin-turn"} for _seat in range(4)])
    assert ("<small>used</small>" in board(client, game), round_shown(client, game)) == (False, "2")


def round_shown(client: Client, game: Game) -> str:
    """The number of the round in the head of the board."""
    said = re.search(r'class="phase-word">.*?round (\d+)', board(client, game), re.S)
    assert said
    return said[1]


def test_the_summary_draws_the_points_and_counts_each_press_once(client: Client, db: None) -> None:
    game = begun(client, ready="catan")
    rows.give(
        game,
        [
            {"do": "begin-turn", "active": ["ana"]},
            {"do": "place", "on": "ana", "counters": {"grain": 2, "ore": 3}, "by": "ana"},
            {"do": "press", "rule": "Build a city", "by": "ana"},
        ],
    )

    found = statistics_of(game, None)

    assert ("points", [2, 3]) == (found.hero, [each.value for each in found.heroes[0].points])
    assert ["Build a city"] == [name for name, _text, times in found.rules if times == 1]


def test_a_question_shows_its_text_and_what_is_left_of_the_sum(client: Client, db: None) -> None:
    game = begun(client, ready="hearts")
    rows.give(
        game,
        [
            {"do": "begin-turn"},
            {"do": "press", "rule": "Points of the deal", "on": "table", "by": "ana"},
        ],
    )
    asked = [prompt.id for prompt in rows.state(game).prompts]

    page = board(client, game)
    assert "26 of 26 are left" in page
    assert "Rule 1" not in page

    rows.give(
        game, [{"do": "answer", "prompt": each, "number": 5, "by": each[7:]} for each in asked[1:]]
    )

    assert "11 of 26 are left" in board(client, game)


def test_the_next_step_of_a_turn_of_all_is_the_next_round(client: Client, db: None) -> None:
    game = begun(client, ready="hearts")
    assert "Start the first round" in board(client, game)

    assert 'name=begin-turn value=""' in board(client, game)
    rows.give(game, [{"do": "begin-turn"}])

    state = rows.state(Game.objects.get(pk=game.pk))
    assert state.turn
    assert {*state.seats} == {*state.turn.active}
    assert "Next round" in board(client, game)


ENERGY = {"kind": "energy", "on": "player"}
OWN_TURN = {
    "rule": "Rest",
    "when": {"pressed": "Rest", "on": "player", "own_turn": True},
    "do": [{"add": 1, "of": "energy"}],
}


@pytest.mark.parametrize(
    ("written", "active", "offered"),
    [
        ({"turns": {"order": "none"}}, [], False),
        ({"numbers": [ENERGY]}, [], False),
        ({"numbers": [ENERGY]}, ["ana"], True),
        ({"turns": {"order": "one"}}, [], True),
        ({"numbers": [ENERGY], "rules": [OWN_TURN]}, [], True),
    ],
    ids=["no turns", "nothing said", "one has begun", "said", "needed"],
)
def test_turns_are_offered_where_the_game_says_or_needs_them(
    db: None, sit: Sit, written: dict[str, Any], active: list[str], offered: bool
) -> None:
    given = {"seats": {"ana": {}, "ben": {}}, "turn": {"active": active}}
    definition = {"title": "Duel", **written}
    first = scenario.opening(find("own-game"), {"given": given, "definition": definition})
    game = rows.create(find("own-game"), first, title="Duel")

    assert offered == ("name=begin-turn" in board(sit(game, "ana"), game))


@pytest.mark.parametrize("name", DRAWN)
def test_a_ready_game_begins_with_the_number_of_seats_that_its_page_proposes(
    name: str, client: Client, db: None
) -> None:
    page = client.get("/new", {"rules": "own-game", "ready": name}).content.decode()
    (seats,) = re.findall(r'name="seats" value="(\d+)" checked', page)

    assert int(seats) == begun(client, ready=name, seats=seats).seats.count()


WINS = {"always": "player"}, [{"win": "it"}]
LOWEST = {"lowest": "score", "on": "players"}
ENDS: Any = [
    # start, when and do, if, at 3
    (0, WINS, [{"number": "score"}, ">=", 10], "7 to go"),
    (0, WINS, {"all": [[{"number": "score"}, ">=", 10], {"is": "it", "in": "active"}]}, "7 to go"),
    (501, WINS, [{"number": "score"}, "<=", 0], "3 to go"),
    (0, ({"always": "player"}, [{"out": "it"}]), [{"number": "score"}, ">=", 10], ""),
    (0, WINS, [{"number": "score"}, ">", 10], ""),
    (
        0,
        (
            {"always": "table"},
            [{"win": {"each": "players", "if": [{"number": "score"}, "=", LOWEST]}}],
        ),
        [{"highest": "score", "on": "players"}, ">=", 100],
        "97 to the end, least wins",
    ),
]


@pytest.mark.parametrize(("start", "rule", "condition", "says"), ENDS)
def test_the_big_number_says_how_far_it_is_from_the_end(
    start: int, rule: Any, condition: Any, says: str, db: None, sit: Sit
) -> None:
    when, do = rule
    game = table(
        {
            "title": "Race",
            "numbers": [{"kind": "score", "on": "player", "start": start, "big": True}],
            "rules": [{"rule": "End", "when": when, "if": condition, "do": do}],
        },
        {"ana": {"counters": {"score": 3}}, "ben": {}},
    )

    shown = re.findall(r'id="ana.hero.goal">([^<]*)<', board(sit(game, "ana"), game))

    assert [says] * bool(says) == shown


def table(definition: dict[str, Any], seats: dict[str, Any]) -> Game:
    first = scenario.opening(
        find("own-game"), {"given": {"seats": seats}, "definition": definition}
    )
    return rows.create(find("own-game"), first, title=definition["title"])


def test_a_number_is_drawn_as_it_should_look(db: None, sit: Sit) -> None:
    numbers = [
        {"kind": "doom", "on": "table", "most": 7, "look": "clock", "start": 3},
        {"kind": "lives", "on": "player", "most": 5, "look": "pips", "start": 2},
        {"kind": "crown", "on": "player", "most": 1, "look": "switch"},
    ]
    game = table(
        {"title": "Doom", "numbers": numbers}, {"ana": {"counters": {"crown": 1}}, "ben": {}}
    )

    page = board(sit(game, "ben"), game)
    cell = page.split('id="table.cell"')[1].split("</nav>")[0]
    stage = page.split('id="ben.stage"')[1].split('class="cards"')[0]

    assert 'class=on stroke-dasharray="3 7"' in cell
    assert "<small>/7</small>" in cell
    assert '<line class=on x1="0.00" x2="40.00"' in page
    assert "crown: yes" in stage
    assert "Ana" in stage


def test_a_track_for_two_says_whose_each_end_is(db: None, sit: Sit) -> None:
    game = table(dict(demos.ready_games("own-game")["digimon"]), {"ana": {}, "ben": {}})
    page = board(sit(game, "ana"), game)

    ends = page.split('class="track-ends"')[1].split("</li>")[0]
    assert ["B", "A"] == re.findall(r">\s*([A-Z])\s*</b>", ends)
    track = page.split('class="table-track"')[1].split("</svg>")
    assert ["B", "A"] == [re.findall(r">([A-Z])</b>", each)[0] for each in track[:2]]


def test_the_keys_of_players_have_their_marks(db: None, sit: Sit) -> None:
    seats = {"ana": {"counters": {"cards": 1}}, "ben": {}, "cleo": {}}
    game = table(dict(demos.ready_games("own-game")["catan"]), seats)
    page = (
        sit(game, "ana")
        .get(f"/g/{game.slug}/acts/press?rule=Play+a+knight&on=ana")
        .content.decode()
    )

    keys = page.split('class="press-targets"')[1]
    assert ["B", "C"] == re.findall(r'class="seat-mark"[^>]*>([A-Z])</b>', keys)
    assert ["2", "3"] == re.findall(r'class="seat-mark" data-place="(\d)"', keys), "their colours"


def deal(game: Game, points: dict[str, int]) -> None:
    """Play a deal of Hearts in which each seat took so many points."""
    rows.give(
        game,
        [
            {"do": "begin-turn"},
            {"do": "press", "rule": "Points of the deal", "on": "table", "by": "ana"},
            *(
                {"do": "answer", "prompt": f"rule-1:{seat}", "number": n, "by": seat}
                for seat, n in points.items()
            ),
        ],
    )


def sheet(client: Client, game: Game) -> list[str]:
    """The lines of the score sheet as a file, without its head."""
    text = client.get(f"/g/{game.slug}/scores.csv").content.decode()
    return text.split("\r\n")[1:-1]


def test_rounds_are_a_score_sheet_that_undo_corrects(db: None, sit: Sit) -> None:
    game = table(dict(demos.ready_games("own-game")["hearts"]), {"ana": {}, "ben": {}, "cleo": {}})
    ana = sit(game, "ana")
    assert ["sum,0,0,0"] == sheet(ana, game)

    deal(game, {"ana": 13, "ben": 12, "cleo": 1})
    deal(game, {"ana": 0, "ben": 26, "cleo": 0})
    assert ["1,13,12,1", "2,26,0,26", "sum,39,12,27"] == sheet(ana, game)

    rows.give(game, [{"do": "undo", "by": "ana"} for _ in range(3)])
    rows.give(
        game,
        [
            {"do": "answer", "prompt": f"rule-1:{seat}", "number": n, "by": seat}
            for seat, n in {"ana": 10, "ben": 9, "cleo": 7}.items()
        ],
    )

    assert ["1,13,12,1", "2,10,9,7", "sum,23,21,8"] == sheet(ana, game)
    for path in ("", "tv", "summary"):
        shown = ana.get(f"/g/{game.slug}/{path}").content.decode()
        assert '<th scope="row">2</th>' in shown, path


def test_the_sheet_leaves_as_a_picture_and_as_a_play_for_bg_stats(db: None, sit: Sit) -> None:
    game = table(dict(demos.ready_games("own-game")["hearts"]), {"ana": {}, "ben": {}, "cleo": {}})
    ana = sit(game, "ana")
    for path in ("scores.png", "bg-stats"):
        assert 404 == ana.get(f"/g/{game.slug}/{path}").status_code, path
    deal(game, {"ana": 13, "ben": 12, "cleo": 1})

    picture = ana.get(f"/g/{game.slug}/scores.png")
    assert picture.content.startswith(b"\x89PNG")
    assert "image/png" == picture["Content-Type"]
    address = urlsplit(ana.get(f"/g/{game.slug}/bg-stats")["Location"])
    assert "app.bgstatsapp.com" == address.netloc
    play = json.loads(parse_qs(address.query)["data"][0])
    assert {"name": "Hearts", "highestWins": False} == play["game"]
    assert [("13", 3), ("12", 2), ("1", 1)] == [
        (player["score"], player["rank"]) for player in play["players"]
    ]


def test_a_seat_that_has_not_answered_yet_has_no_score_of_the_round(db: None, sit: Sit) -> None:
    game = table(dict(demos.ready_games("own-game")["hearts"]), {"ana": {}, "ben": {}, "cleo": {}})
    deal(game, {"ana": 0, "ben": 5})

    row = board(sit(game, "ana"), game).split('class="is-now"')[1].split("</tr>")[0]

    assert ["0", "5", ""] == re.findall(r">([^<]*)</span>", row)


def test_a_bid_that_is_not_hidden_stands_in_the_sheet_before_points_are_made_of_it(
    db: None, sit: Sit
) -> None:
    bid = {"set": "answer", "of": "bid", "on": "answerer"}
    add = {"each": "players", "do": [{"add": {"number": "bid"}, "of": "score"}]}
    definition = {
        "title": "Bids",
        "numbers": [
            {"kind": "score", "on": "player", "big": True},
            {"kind": "bid", "on": "player"},
        ],
        "turns": {"order": "all"},
        "rules": [
            {
                "rule": "Bid",
                "when": {"begins": "round"},
                "do": [
                    {"ask": "How many?", "of": "players", "most": 9, "then": [bid], "after": [add]}
                ],
            }
        ],
    }
    game = table(definition, {"ana": {}, "ben": {}})
    ana = sit(game, "ana")

    def row() -> list[str]:
        shown = board(ana, game).split('class="is-now"')[1].split("</tr>")[0]
        return re.findall(r">([^<]*)</span>", shown)

    rows.give(game, [{"do": "begin-turn"}])
    rows.give(game, [{"do": "answer", "prompt": "rule-1:ana", "number": 4, "by": "ana"}])
    assert ["4", ""] == row()
    assert 'class="score is-said"' in board(ana, game)
    rows.give(game, [{"do": "answer", "prompt": "rule-1:ben", "number": 2, "by": "ben"}])
    assert ["4", "2"] == row()


def test_parts_that_nobody_wrote_are_empty_and_give_no_place(db: None, sit: Sit) -> None:
    thirds = {"/": [{"number": "coins"}, 3]}
    definition = {
        "title": "Parts",
        "numbers": [
            {"kind": "wonder", "on": "player", "blank": True},
            {"kind": "coins", "on": "player", "blank": True},
            {
                "kind": "total",
                "on": "player",
                "big": True,
                "is": {"+": [{"number": "wonder"}, thirds]},
            },
        ],
        "rules": [
            {
                "rule": "Most",
                "when": {"always": "table"},
                "if": {"written": ["wonder", "coins"], "on": "players"},
                "do": [{"win": {"each": "players", "if": [{"rank": "total"}, "=", 1]}}],
            }
        ],
    }
    game = table(definition, {"ana": {}, "ben": {}})
    ana = sit(game, "ana")
    rows.give(
        game,
        [
            {"do": "place", "on": "ana", "counter": kind, "amount": n, "by": "ana"}
            for kind, n in (("wonder", 0), ("coins", 7))
        ],
    )

    assert ["wonder,0,", "coins,7,", "÷ 3,2,", "sum,2,0"] == sheet(ana, game)
    page = board(ana, game)
    assert "1st" in page.split('id="ana.sum"')[1].split("</span>")[0]
    assert "2 left" in page.split('id="ben.sum"')[1].split("</span>")[0]


def test_a_round_under_way_at_the_opening_has_its_row(db: None, sit: Sit) -> None:
    definition = dict(demos.ready_games("own-game")["hearts"])
    seats = {"ana": {"counters": {"score": 41}}, "ben": {}, "cleo": {}}
    given = {"seats": seats, "turn": {"active": [*seats], "round": 8}}
    first = scenario.opening(find("own-game"), {"given": given, "definition": definition})
    game = rows.create(find("own-game"), first, title="Hearts")
    rows.give(game, [{"do": "place", "on": "ana", "counter": "score", "amount": 5}])

    assert ["8,5,0,0", "sum,46,0,0"] == sheet(sit(game, "ana"), game)


def test_a_name_is_no_formula_in_the_file(db: None, sit: Sit) -> None:
    game = table(dict(demos.ready_games("own-game")["hearts"]), {"ana": {}, "ben": {}, "cleo": {}})
    game.seats.filter(key="ben").update(given_name="=1+2")
    head = sit(game, "ana").get(f"/g/{game.slug}/scores.csv").content.decode().split("\r\n")[0]

    assert "round,Ana,'=1+2,Cleo" == head


def test_a_game_that_counts_nothing_of_a_player_has_no_table_file(db: None, sit: Sit) -> None:
    game = table({"title": "Duel", "numbers": [{"kind": "storm", "on": "table"}]}, {"ana": {}})

    assert 404 == sit(game, "ana").get(f"/g/{game.slug}/scores.csv").status_code


LABELLED = {
    "title": "Evening",
    "players": {"most": 3},
    "zones": ["table", {"zone": "zzz1", "label": "墓地"}],
    "things": [{"type": "zzz2", "label": "Schiff ⛵"}],
    "numbers": [
        {"kind": "zzz3", "on": "player", "label": "Años", "big": True},
        {"kind": "zzz4", "on": "player", "label": "VP", "is": {"number": "zzz3"}},
        {"kind": "zzz5", "on": "table", "label": "Größe", "most": 5},
        {"kind": "zzz6", "on": "zzz2", "label": "得分", "start": 2},
    ],
    "turns": {"phases": [{"phase": "zzz7", "label": "Ziehen"}, "play"]},
    "rules": [
        {"rule": "Grow", "when": {"begins": "zzz7"}, "do": [
            {"add": 1, "of": "zzz3"}, {"add": 1, "of": "zzz5", "on": "table"},
        ]},
        {"rule": "Sink", "when": {"pressed": "Sink", "on": "zzz2"}, "do": [
            {"move": "it", "to": "zzz1"},
        ]},
        {"rule": "End", "when": {"always": "player"}, "if": [{"number": "zzz4"}, ">=", 4],
         "do": [{"win": "it"}]},
    ],
}  # fmt: skip


def test_people_read_labels_wherever_a_name_stands(db: None, sit: Sit) -> None:
    """On the board, in the log, in Why?, in the rules and in the summary."""
    game = table(LABELLED, {"ana": {}, "ben": {}})
    rows.give(game, [{"do": "create", "as": "s1", "type": "zzz2", "owner": "ana"}])
    rows.give(
        game, [{"do": "begin-turn"}, {"do": "press", "rule": "Sink", "on": "s1", "by": "ana"}]
    )
    for _turn in range(6):
        rows.give(game, [{"do": "begin-turn"}])
    client = sit(game, "ana")
    paths = ("", "log", "summary", "rules", "seats/", "seats/ana", "cards/new", "replay", "change")
    read = {path: client.get(f"/g/{game.slug}/{path}", follow=True) for path in paths}
    texts = {path: re.sub(r"<[^>]*>", " ", each.content.decode()) for path, each in read.items()}

    assert {200} == {each.status_code for each in read.values()}
    assert [] == [(path, word) for path, text in texts.items() for word in re.findall(
        r".{20}zzz\d.{20}", text
    )]  # fmt: skip
    for path in ("", "log", "summary", "rules"):
        assert "Años" in unescape(texts[path]), path
    assert [] == re.findall(r'(?:aria-label|title|alt)="[^"]*zzz\d', read[""].content.decode())


def test_the_log_names_a_rule_once_and_says_how_the_tables_number_moves(db: None) -> None:
    demo = next(each for each in demos.demos() if each["system"] == "own-game")
    game = demos.played(demo)
    lines = ["; ".join(part.full_text for part in line.parts) for line in log_lines(game, "ana")]

    assert [
        "started a turn; storm +1, 3 → 4: Clouds",
        "pressed Dig; Ana: energy −1, 3 → 2; Ana: ore +1, 2 → 3",
    ] == lines[:2]


def test_the_game_of_the_docs_does_what_its_page_says(db: None, sit: Sit) -> None:
    page = (Path(demos.__file__).parents[2] / "docs/own-game.md").read_text(encoding="utf-8")
    (written,) = re.findall(r"```json\n(.*?)```", page, re.DOTALL)
    game = table(json.loads(written), {"ana": {"counters": {"ore": 9}}, "ben": {}})

    for _turn in range(6):
        rows.give(game, [{"do": "begin-turn"}])
    state = rows.state(game)
    assert (10, 10, 0) == (
        state.count("ana", "life"),
        state.count("ben", "life"),
        state.count("table", "storm"),
    )
    assert "1 to go" in board(sit(game, "ana"), game)

    rows.give(game, [{"do": "begin-turn"}, {"do": "press", "rule": "Dig", "by": "ana"}])
    state = rows.state(game)
    assert (2, "won", ("ana",)) == (state.count("ana", "energy"), state.result, state.winners)


def test_a_rule_is_written_without_scripts_too(client: Client, db: None) -> None:
    page = client.post("/new/write", {**NEW, "numbers": CATAN, "change": '{"go":"recipes"}'})
    (definition,) = re.findall(r'name="definition" value="([^"]*)"', page.content.decode())
    (change,) = re.findall(r'value="([^"]*)"[^>]*><b>Get some each turn', page.content.decode())

    fields = {"definition": unescape(definition), "open": "recipes", "change": unescape(change)}
    page = client.post("/new/write", {**NEW, **fields})

    text = re.sub(r"<[^>]*>", "", page.content.decode())
    assert "When your turn begins, add 1" in " ".join(text.split())
    (definition,) = re.findall(r'name="definition" value="([^"]*)"', page.content.decode())
    game = begun(client, title="Catan", definition=unescape(definition))
    assert ["10 victory points", "Get some each turn"] == [
        rule["rule"] for rule in game.settings["definition"]["rules"]
    ]


def test_a_game_with_a_rule_that_is_not_finished_does_not_begin(client: Client, db: None) -> None:
    written = {"title": "Race", "rules": [{"rule": "Rule 1", "when": None, "do": [None]}]}

    answer = client.post("/new", {**NEW, "definition": json.dumps(written)})

    assert 422 == answer.status_code
    assert "Rule 1 is not finished" in answer.content.decode()
    assert not Game.objects.exists()


PRESSED: dict[str, Any] = {
    "title": "Mill",
    "numbers": [
        {"kind": "flour", "on": "player", "big": True},
        {"kind": "track", "on": "player", "most": 4, "look": "track"},
    ],
    "rules": [
        {
            "rule": "Bake bread",
            "says": "Bread takes flour.",
            "when": {
                "pressed": "Bake",
                "on": "player",
                "number": {"least": 1, "most": 3},
                "costs": [{"pay": "chosen", "of": "flour"}],
            },
            "do": [{"add": 1, "of": "track"}],
        },
        {
            "rule": "Sell",
            "when": {"pressed": "Sell", "on": "player"},
            "if": [{"number": "track"}, ">=", 3],
            "do": [{"set": 0, "of": "track"}],
        },
    ],
}


def test_the_sheet_of_a_button_has_a_key_for_each_number_and_says_which_can_be_paid(
    db: None, sit: Sit
) -> None:
    game = table(PRESSED, {"ana": {"counters": {"flour": 2}}, "ben": {}})

    address = f"/g/{game.slug}/acts/press?rule=Bake%20bread&on=ana"
    shown = sit(game, "ana").get(address).content.decode()

    assert "Bread takes flour." in shown
    keys = re.findall(r'name="number:number" value="(\d)"( disabled)?', shown)
    assert [("1", ""), ("2", ""), ("3", " disabled")] == keys


def test_a_key_that_hands_the_turn_over_bears_the_mark_of_who_gets_it(db: None, sit: Sit) -> None:
    given = {"seats": {"ana": {}, "ben": {}}, "turn": {"active": ["ana"], "phase": "main"}}
    described = {
        "given": {**given, "table": {"counters": {"memory": 3}}},
        "definition": demos.ready_games("own-game")["digimon"],
    }
    system = find("own-game")
    game = rows.create(system, scenario.opening(system, described), title="Digimon")
    ana = sit(game, "ana")

    shown = ana.get(f"/g/{game.slug}/acts/press?rule=Pay%20memory&on=ana").content.decode()

    keys = re.findall(r'value="(\d+)"( disabled)?>(.*?)</button>', shown, re.S)
    assert {"4", "13"} <= {n for n, _off, inside in keys if "seat-mark" in inside}
    assert not {"3", "14"} & {n for n, _off, inside in keys if "seat-mark" in inside}
    assert {str(n) for n in range(14, 21)} == {n for n, off, _inside in keys if off}

    sit(game, "ben")
    page = board(ana, game)
    assert "Ana’s turn" in page
    assert "Who starts?" not in page


def test_the_end_tells_the_number_by_which_it_was_won(db: None, sit: Sit) -> None:
    best = [{"number": "points"}, "=", {"highest": "points", "on": "players"}]
    rule = {
        "rule": "Game over",
        "when": {"pressed": "Game over", "on": "table"},
        "do": [{"win": {"each": "players", "if": best}}],
    }
    numbers = [{"kind": "trains", "on": "player", "start": 45, "big": True},
               {"kind": "points", "on": "player"}]  # fmt: skip
    written = {"title": "Trains", "numbers": numbers, "rules": [rule]}
    game = table(written, {"ana": {"counters": {"points": 7}}, "ben": {}})
    rows.give(game, [{"do": "press", "rule": "Game over", "on": "table", "by": "ana"}])

    page = board(sit(game, "ana"), Game.objects.get(pk=game.pk))

    assert ["7", "0"] == re.findall(r'class="end-total">(\d+)', page)


def test_no_limit_is_never_a_number(db: None, sit: Sit) -> None:
    luck = {"kind": "luck", "on": "player", "least": -999999}
    guess = {
        "rule": "Guess",
        "when": {"pressed": "Guess", "on": "player", "number": {"least": -999999}},
        "do": [{"add": "chosen", "of": "luck"}],
    }
    game = table({"title": "Luck", "numbers": [luck], "rules": [guess]}, {"ana": {}, "ben": {}})
    ana = sit(game, "ana")

    for path in ("acts/press?rule=Guess&on=ana", "change", "rules"):
        page = ana.get(f"/g/{game.slug}/{path}").content.decode()
        text = re.sub(
            r"<(script|input|textarea)\b[^>]*>([^<]*</script>|[^<]*</textarea>)?", "", page
        )
        assert "999" not in re.sub(r"<[^>]*>", "", text), path


def test_a_button_whose_condition_does_not_hold_says_what_it_needs(db: None) -> None:
    game = table(PRESSED, {"ana": {}, "ben": {}})

    with pytest.raises(Refused) as refused:
        rows.give(game, [{"do": "press", "rule": "Sell", "by": "ana"}])

    assert "Sell: only if your track is at least 3." == words_of(game.rules).refusal(refused.value)


def test_a_track_from_zero_is_empty_at_zero(db: None, sit: Sit) -> None:
    tracks = r'look is-track"[^>]*>.*?class=on x1="([\d.]+)" x2="([\d.]+)"'

    page = board(sit(table(PRESSED, {"ana": {}, "ben": {}}), "ana"), Game.objects.get())
    assert {("0.00", "0.00")} == {*re.findall(tracks, page)}

    Game.objects.all().delete()
    game = table(PRESSED, {"ana": {"counters": {"track": 4}}, "ben": {"counters": {"track": 4}}})
    assert {("0.00", "100.00")} == {*re.findall(tracks, board(sit(game, "ana"), game))}


def test_a_game_without_things_has_no_sheet_for_one(db: None, sit: Sit) -> None:
    game = table(PRESSED, {"ana": {}, "ben": {}})

    assert 404 == sit(game, "ana").get(f"/g/{game.slug}/cards/new?seat=ana").status_code


def test_the_sheet_of_a_button_names_seats_and_begins_at_zero(db: None, sit: Sit) -> None:
    hit = {"pressed": "Hit", "on": "player", "target": "players", "number": {"least": -50}}
    definition = {
        "title": "Brawl",
        "numbers": [{"kind": "life", "on": "player"}],
        "rules": [{"rule": "Hit", "when": hit, "do": [{"add": "chosen", "of": "life"}]}],
    }
    game = table(definition, {"ana": {}, "ben": {}})
    game.seats.filter(key="ben").update(given_name="Benedict")

    page = sit(game, "ana").get(f"/g/{game.slug}/acts/press?rule=Hit&on=ana").content.decode()

    assert "Benedict" in page.split('value="ben"')[1].split("</label>")[0]
    assert 'value="0"' in page.split('type="number"')[1]


@pytest.mark.parametrize(
    "at",
    [
        ["rules", 0, "if", 2],
        ["rules", 1, "do", 0, "after", 0, "win"],
        ["rules", 1, "do", 0, "after", 0, "win", "if", "all", 0, 2],
    ],
)
def test_a_number_that_ends_a_game_is_asked_by_a_tap(client: Client, db: None, at: Any) -> None:
    most = {"highest": "score", "on": "players"}
    best = {"all": [[most, ">=", 500], [{"number": "score"}, "=", most]]}
    points = [{"add": "answer", "of": "score", "on": "answerer"}]
    written = {
        "title": "Rummy",
        "numbers": [{"kind": "score", "on": "player"}],
        "rules": [
            {
                "rule": "Goal",
                "when": {"always": "player"},
                "if": [{"number": "score"}, ">=", 500],
                "do": [{"win": "it"}],
            },
            {
                "rule": "Round is over",
                "when": {"pressed": "Round is over", "on": "table"},
                "do": [
                    {
                        "ask": "Points?",
                        "of": "players",
                        "then": points,
                        "after": [{"win": {"each": "players", "if": best}}],
                    }
                ],
            },
        ],
    }
    fields = {"rules": "own-game/1", "definition": json.dumps(written), "open": "rule"}

    page = client.get("/new", {**fields, "at": json.dumps(at)})

    assert 200 == page.status_code
    assert "500" in page.content.decode()


def test_what_is_written_stands_in_its_cell_and_in_no_list(db: None, sit: Sit) -> None:
    blank = [{"kind": each, "on": "player", "blank": True} for each in ("boar", "begging")]
    game = table({"title": "Farm", "numbers": blank}, {"ana": {}, "ben": {}})
    rows.give(game, [{"do": "place", "on": "ana", "counter": "boar", "amount": 3}])

    page = board(sit(game, "ana"), game)

    assert ["boar"] == [*rows.state(game).parts["written"]["ana"]]
    assert "written" not in re.sub(r"<[^>]*>", " ", page)
