"""Rounds of an own game: a goal is looked at when everyone has answered, and points may be lost."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

import pytest

from games.rules import scenario
from games.rules.history import History
from games.rules.state import Refused
from games.screens.cards import score_sheet
from games.screens.drawing import Drawing
from games.screens.words import PLAIN
from games.store import demos
from games.systems import presentation_of
from games.systems.own_game import compiled
from games.systems.own_game.language.definition import understood
from games.systems.own_game.language.goals import ends
from games.systems.own_game.language.saying import sentence
from games.systems.own_game.writing import draft, trial, typed
from games.systems.own_game.writing.recipes import recipes


def recipe(written: Mapping[str, Any], label: str) -> dict[str, Any]:
    """*written* after a tap on that recipe, as the page sends it back."""
    found = next(each for each in recipes(understood(written)) if each.label == label)
    change = json.loads(json.dumps(found.change, default=str))
    return dict(draft.changed(draft.Draft(written), change, "").written)


def rounds(line: str) -> dict[str, Any]:
    """A game in rounds, of a typed line, that asks everyone for points."""
    written = draft.with_line({"title": "Rummy", "turns": {"order": "all"}}, typed.line(line))
    return recipe(written, "Scores of a round")


def opened(written: Mapping[str, Any]) -> History:
    given = {"seats": {"ana": {}, "ben": {}, "cleo": {}}}
    system = compiled(written)
    return History(system, scenario.opening(system, {"given": given, "definition": written}))


def play(history: History, **points: int) -> None:
    history.give({"do": "press", "rule": "Round is over", "on": "table", "by": "ana"})
    for seat, number in points.items():
        answer = {"do": "answer", "prompt": f"rule-1:{seat}", "number": number, "by": seat}
        history.give(presented(history, answer))


def presented(history: History, command: Mapping[str, Any]) -> Mapping[str, Any]:
    """A seat's command as the table gives it to the rules."""
    sheets = presentation_of(history.system).sheets
    return sheets.completed(history.system, history.state, command)


def test_a_trial_names_the_rule_by_which_a_round_was_won() -> None:
    press = {"do": "press", "rule": "Round is over", "on": "table"}
    points = {"ana": 7, "ben": 1}
    answers = [
        {"do": "answer", "prompt": f"rule-1:{seat}", "number": n} for seat, n in points.items()
    ]
    found = trial.trial(compiled(rounds("score 0 -> 5")), [press, *answers], 2)

    assert [(1, ["Ben’s score 0 → 1", "Ana wins"])] == [
        (each.rule, [str(said) for said in each.changes]) for each in found.fired
    ]


def test_a_trial_refuses_an_answer_of_which_a_number_could_not_take_all() -> None:
    written = rounds("score")
    written["numbers"][0]["least"] = -10
    press = {"do": "press", "rule": "Round is over", "on": "table"}
    answer = {"do": "answer", "prompt": "rule-1:ana", "number": -11}
    found = trial.trial(compiled(written), [press, answer], 2)

    assert found.refused is not None
    assert "not-enough" == found.refused.code
    assert 0 == found.state.count("ana", "score")


def test_the_best_wins_a_round_and_not_the_first_to_type() -> None:
    history = opened(rounds("score 0 -> 500"))

    play(history, ana=510, ben=300)
    assert history.state.result is None
    history.give({"do": "answer", "prompt": "rule-1:cleo", "number": 780, "by": "cleo"})

    assert ("cleo",) == history.state.winners


def test_equal_ones_share_the_win() -> None:
    history = opened(rounds("score 0 -> 500"))

    play(history, ana=510, ben=510, cleo=20)

    assert ("ana", "ben") == history.state.winners


def test_a_goal_below_goes_to_who_has_least() -> None:
    history = opened(rounds("score 501 -> 0"))

    play(history, ana=-501, ben=-510, cleo=-20)

    assert ("ben",) == history.state.winners


@pytest.mark.parametrize(
    ("label", "winner"), [("First to 10 wins", "cleo"), ("At 100, the lowest wins", "ana")]
)
def test_a_goal_that_comes_after_the_question_waits_for_all_too(label: str, winner: str) -> None:
    history = opened(recipe(rounds("points"), label))

    play(history, ana=1, ben=120)
    assert history.state.result is None
    history.give({"do": "answer", "prompt": "rule-1:cleo", "number": 130, "by": "cleo"})

    assert (winner,) == history.state.winners


def test_a_goal_of_rounds_is_said_and_still_to_go() -> None:
    written = rounds("score 0 -> 500")

    says = PLAIN.phrase(sentence(understood(written), written["rules"][0]))

    assert says.endswith(
        "When all have answered, if somebody has 500 score, who has the most score wins."
    )
    assert 500 == ends(understood(written))["score"].amount


def test_the_goal_of_a_game_without_rounds_is_reached_at_once() -> None:
    written = draft.with_line({"title": "Race"}, typed.line("score 0 -> 500"))

    assert {"always": "player"} == written["rules"][0]["when"]


def test_points_below_zero_are_written() -> None:
    history = opened(rounds("score"))

    play(history, ana=-50, ben=20, cleo=0)

    assert [-50, 20, 0] == [history.state.count(seat, "score") for seat in history.state.seats]


def test_an_answer_that_could_not_be_written_whole_is_refused() -> None:
    written = rounds("score")
    written["numbers"][0].pop("least")
    history = opened(written)

    with pytest.raises(Refused) as refused:
        play(history, ana=-50)

    assert "not-enough" == refused.value.code
    assert 3 == len(history.state.prompts)


def test_a_question_says_the_least_that_can_be_written() -> None:
    written = rounds("score 7")
    written["numbers"][0].pop("least")
    history = opened(written)
    history.give({"do": "press", "rule": "Round is over", "on": "table", "by": "ana"})

    sheets = presentation_of(history.system).sheets
    asked = sheets.prompt_facts(history.system, history.state, history.state.prompts[0], str)

    assert (-7, "score") == (asked["least"], asked["stops"])


def test_a_least_that_is_typed_is_below_zero() -> None:
    written = {"title": "Golf", "numbers": [{"kind": "score", "on": "player"}]}
    change = {"type": ["numbers", 0, "least"], "number": True}

    after = draft.changed(draft.Draft(written), change, "20")

    assert -20 == after.written["numbers"][0]["least"]


KRAKEN = {
    "title": "Tricks",
    "numbers": [{"kind": "tricks", "on": "player"}],
    "rules": [
        {
            "rule": "Round is over",
            "when": {"pressed": "Round is over", "on": "table"},
            "do": [
                {
                    "ask": "How many tricks?",
                    "of": "players",
                    "total": 1,
                    "then": [{"add": "answer", "of": "tricks", "on": "answerer"}],
                }
            ],
        }
    ],
}


def test_the_last_answer_of_a_trick_that_nobody_took_is_written_all_the_same() -> None:
    history = opened(KRAKEN)
    play(history, ana=0, ben=0)
    last = {"do": "answer", "prompt": "rule-1:cleo", "number": 0, "by": "cleo"}

    with pytest.raises(Refused):
        history.give(last)
    history.give({**last, "anyway": True})

    assert () == history.state.prompts


def test_who_left_keeps_the_last_round_and_has_no_place() -> None:
    history = opened(draft.with_line({"title": "Rummy"}, typed.line("rounds to 500")))
    for points in ({"ana": 5, "ben": 8, "cleo": 7}, {"ana": 2, "ben": 1}):
        history.give({"do": "begin-turn"})
        for seat, number in points.items():
            asked = {"prompt": f"rule-1:{seat}", "by": seat}
            history.give({"do": "answer", "number": number, **asked})
        if "cleo" in points:
            history.give({"do": "leave", "seat": "cleo"})
    sheet = presentation_of(history.system).story.scores(history.system, history.state)

    assert sheet
    assert [[5, 8, 7], [2, 1, None]] == [[each.amount for each in n.cells] for n in sheet.lines]
    assert [(7, 2), (9, 1), (7, None)] == [(each.amount, each.place) for each in sheet.sums]
    history.give({"do": "begin-turn"})
    history.give({"do": "leave", "seat": "ben"})
    sheet = presentation_of(history.system).story.scores(history.system, history.state)
    assert sheet
    assert [None, None] == [each.amount for each in sheet.lines[-1].cells[1:]]


def test_a_bid_alone_gives_nobody_a_place() -> None:
    history = opened(demos.ready_games("own-game")["wizard"])
    history.give({"do": "begin-turn"})
    asked = history.state.prompts[0]
    history.give({"do": "answer", "prompt": asked.id, "number": 0, "by": asked.to})
    sheet = presentation_of(history.system).story.scores(history.system, history.state)

    assert sheet
    assert [None, None, None] == [each.place for each in sheet.sums]


def test_a_sheet_tells_the_numbers_that_decide_between_equal_totals() -> None:
    rule = {
        "rule": "Full", "when": {"always": "table"},
        "if": {"written": ["military", "coins"], "on": "players"},
        "do": [{"win": {"each": "players", "if": [{"rank": ["total", "coins"]}, "=", 1]}}],
    }  # fmt: skip
    number = {"on": "player", "blank": True}
    total = {"is": {"+": [{"number": "military"}, {"/": [{"number": "coins"}, 3]}]}}
    written = {
        "title": "Wonders", "turns": {"order": "none"}, "rules": [rule],
        "numbers": [
            {"kind": "military", **number}, {"kind": "coins", **number},
            {"kind": "total", "on": "player", "big": True, **total},
        ],
    }  # fmt: skip
    system = compiled(written)
    given = {"ana": (8, 7), "ben": (7, 9), "cleo": (1, 3)}
    seats = {
        seat: {"counters": {"military": military, "coins": coins}}
        for seat, (military, coins) in given.items()
    }
    state = scenario.opening(system, {"given": {"seats": seats}, "definition": written})
    sums = presentation_of(system).story.scores(system, state).sums

    assert [(10, 2), (10, 1), (2, 3)] == [(each.amount, each.place) for each in sums]
    assert [(("coins", 7),), (("coins", 9),), ()] == [each.ties for each in sums]


def test_tricks_begin_with_the_number_that_was_bid_and_a_counted_round_can_be_corrected() -> None:
    history = opened(demos.ready_games("own-game")["wizard"])
    history.give({"do": "begin-turn", "by": "ana"})
    for seat, bid in zip(history.state.seats, (1, 0, 0), strict=False):
        history.give({"do": "answer", "prompt": f"rule-1:{seat}", "number": bid, "by": seat})

    shown = score_sheet.scores(Drawing(history.system), history.state).draw()
    assert 'data-prompt="rule-2:ana" data-least=0 data-most=1 data-usual=1>1<' in shown

    points = {"title": "Points", "numbers": [{"kind": "points", "on": "player"}]}
    counted = opened({**points, "turns": {"order": "all"}})
    seat = next(iter(counted.state.seats))
    place = {"do": "place", "on": seat, "counter": "points", "amount": 4, "by": seat}
    for command in ({"do": "begin-turn", "by": seat}, place, {"do": "begin-turn", "by": seat}):
        counted.give(command)
    shown = score_sheet.scores(Drawing(counted.system), counted.state).draw()
    assert f'{seat}.cell.r1 class="score" data-counter=points data-round=1>4<' in shown
    assert "data-round=2" not in shown, "this round is counted on the panel yet"


BID_LINES = [
    "10 rounds of bid?, tricks? : tricks = bid ? 20*bid : -10*abs(tricks-bid)",
    "10 Runden aus Gebot?, Stiche?: Stiche != Gebot ? -10*abs(Stiche−Gebot) : Gebot*20, "
    "meiste gewinnt",
    "Rondas hasta 200 de apuesta? 0/12, bazas? 0/12 : "
    "apuesta = bazas ? 20·bazas : apuesta > bazas ? 10*(bazas-apuesta) : (apuesta-bazas)*10",
    "5 rounds of bid?, tricks?: (tricks = bid ? 20*bid : -10*abs(tricks-bid)), least wins",
]


@pytest.mark.parametrize("line", BID_LINES)
def test_rounds_of_a_line_ask_for_what_their_points_are_made_of(line: str) -> None:
    written: Any = draft.with_line({"title": "Bids"}, typed.line(line))
    piece_by_piece: Any = {"title": "Bids"}
    for piece in typed.parts(line):
        piece_by_piece = draft.with_line(piece_by_piece, typed.line(piece, piece_by_piece))
    history = opened(written)
    assert written == piece_by_piece
    seats, big = [*history.state.seats], written["numbers"][-1]["kind"]
    points, rounds = dict.fromkeys(seats, 0), 0

    def answer(question: int, numbers: Mapping[str, int]) -> None:
        for seat, number in numbers.items():
            prompt = f"rule-{question}:{seat}"
            history.give({"do": "answer", "prompt": prompt, "number": number, "by": seat})

    while history.state.result is None:
        rounds += 1
        history.give({"do": "begin-turn", "by": "ana"})
        bids = {seat: (rounds + n) % 4 for n, seat in enumerate(seats)}
        tricks = {seat: (rounds * (n + 1)) % 4 for n, seat in enumerate(seats)}
        before = list(map(history.state.on, seats))
        answer(1, dict([*bids.items()][:2]))
        assert before == list(map(history.state.on, seats)), "bids wait for all"
        answer(1, dict([*bids.items()][2:]))
        answer(2, tricks)
        for seat in seats:
            bid, took = bids[seat], tricks[seat]
            points[seat] += 20 * bid if took == bid else -10 * abs(took - bid)
        assert points == {seat: history.state.on(seat).get(big, 0) for seat in seats}

    if number := re.match(r"\d+", line):
        assert int(number[0]) == rounds
    else:
        assert max(points.values()) >= 200
    best = min(points.values()) if "least" in line else max(points.values())
    assert {*history.state.winners} == {seat for seat in seats if points[seat] == best}


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("10 rounds of bid?, tricks?", "needs “:” and what a round brings"),
        ("10 rounds of bid?, tricks? : trick * 2", "“trick” is not asked for"),
        ("10 rounds of bid?, tricks? : tricks = bid ? 20", "ends too soon"),
        ("10 rounds of bid?, tricks? : tricks = bid", "ends too soon"),
        ("10 rounds of bid?, bid? : bid", "“bid” cannot be asked for"),
        ("10 rounds of points?, bid? : bid", "“points” cannot be asked for"),
        ("10 rounds of bid? to 5 : bid", "“bid to 5” cannot be asked for"),
    ],
)
def test_rounds_that_cannot_be_read_say_why_and_make_nothing(line: str, why: str) -> None:
    (read,) = typed.line(line)

    assert (line, None, why) == (read.text, read.number, str(read.why))
    assert {"title": "Bids"} == draft.with_line({"title": "Bids"}, [read])


def test_rounds_that_ask_have_room_for_their_numbers_and_no_gm() -> None:
    line, full = "3 rounds of bid?, tricks? : bid", {"title": "Full"}
    for most, why in ((36, ""), (37, "is one too many: 40 numbers is the most")):
        there = [{"kind": f"n{n}", "on": "player"} for n in range(most)]
        (read,) = typed.line(line, {**full, "numbers": there})
        assert why == str(read.why)

    assert "nobody wins at a table with a GM" == str(typed.line(line, {"gm": {}})[0].why)


def test_a_question_of_a_line_asks_for_a_number_that_is_there_and_the_round_counts() -> None:
    before = draft.with_line({"title": "King"}, typed.line("bid 0/10"))
    line = "10 rounds of bid?, tricks? : bid = 0 ? (tricks = 0 ? 10*round : -10*round) : tricks"
    written = draft.with_line(before, typed.line(line, before))

    assert ["bid", "tricks", "stage", "points"] == [each["kind"] for each in written["numbers"]]
    assert ["points"] == [each["kind"] for each in written["numbers"] if each.get("big")]
    assert 10 == written["rules"][0]["do"][1]["most"]
