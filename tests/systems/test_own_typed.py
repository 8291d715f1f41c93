"""A line of numbers as one types it, and the coins that mark them."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.store import demos
from games.systems.own_game import compiled, fault
from games.systems.own_game.language.coins import coins
from games.systems.own_game.writing import typed

# fmt: off
NUMBERS = [
    # typed                       what a definition says of it, besides its kind
    ("wood",                      {"kind": "wood"}),
    ("Wood ",                     {"kind": "wood"}),
    ("energía",                   {"kind": "energia"}),
    ("energy 3",                  {"kind": "energy", "start": 3}),
    ("energy 3/6",                {"kind": "energy", "start": 3, "most": 6}),
    ("victory points 0 → 10",     {"kind": "victory points"}),
    ("victory points 0->10",      {"kind": "victory points"}),
    ("points 5 to 10",            {"kind": "points", "start": 5}),
    ("points to 10",              {"kind": "points"}),
    ("puntos hasta 10",           {"kind": "puntos"}),
    ("memory -10…10",             {"kind": "memory", "least": -10, "most": 10, "look": "track"}),
    ("memory -10..10",            {"kind": "memory", "least": -10, "most": 10, "look": "track"}),
    ("memory -10 to 10",          {"kind": "memory", "least": -10, "most": 10, "look": "track"}),
    ("debt -3",                   {"kind": "debt", "start": -3, "least": -999999}),
    ("storm 0/5 table",           {"kind": "storm", "most": 5, "on": "table"}),
    ("storm 0/5 on the table",    {"kind": "storm", "most": 5, "on": "table"}),
    ("nivel 1 mesa",              {"kind": "nivel", "start": 1, "on": "table"}),
    ("ghoul: damage 0/3",         {"kind": "damage", "most": 3, "on": "ghoul"}),
    ("score 501 → 0",             {"kind": "score", "start": 501}),
    ("punkte bis 10",             {"kind": "punkte"}),
    ("sturm 0/5 auf dem Tisch",   {"kind": "sturm", "most": 5, "on": "table"}),
    ("score 0-240",               {"kind": "score", "most": 240}),
    ("wood tokens (0-8)",         {"kind": "wood tokens", "most": 8}),
    ("warriors 25 max 25",        {"kind": "warriors", "start": 25, "most": 25}),
    ("warriors max. 25",          {"kind": "warriors", "most": 25}),
    ("kraft höchstens 5",         {"kind": "kraft", "most": 5}),
    ("ghoul: -1/-1",              {"kind": "-1/-1", "on": "ghoul"}),
    ("meeples: 7",                {"kind": "meeples", "start": 7}),
    ("points: 0 → 10",            {"kind": "points"}),
    ("points: to 10",             {"kind": "points"}),
    ("track: -5…40",              {"kind": "track", "least": -5, "most": 40, "look": "track"}),
    ("re-roll",                   {"kind": "re-roll"}),
    ("x-1",                       {"kind": "x-1"}),
    ("+1/+1",                     {"kind": "+1/+1"}),
]
WRONG = ["", "to 10", "水", "life 3/2", "table: x", "<b>", "a" * 41, "track -10…-5", "x 3 to 3"]
# fmt: on


@pytest.mark.parametrize(("text", "said"), NUMBERS, ids=[each[0] for each in NUMBERS])
def test_a_number_that_is_typed(text: str, said: dict[str, Any]) -> None:
    (read,) = typed.line(text)

    assert {"on": "player", **said} == {k: v for k, v in (read.number or {}).items() if k != "big"}
    assert fault(typed.definition("Game", [read], 2)) is None


@pytest.mark.parametrize("text", WRONG)
def test_what_cannot_be_read_stays_as_it_was_typed(text: str) -> None:
    for read in typed.line(text):
        assert (None, text) == (read.number, read.text)
        assert read.why


@pytest.mark.parametrize(
    ("line", "big"),
    [("wood, ore", "wood"), ("wood, *ore", "ore"), ("storm table, wood, ore", "wood")],
)
def test_the_first_number_of_a_player_is_big_unless_a_star_stands_elsewhere(
    line: str, big: str
) -> None:
    assert [big] == [each.kind for each in typed.line(line) if (each.number or {}).get("big")]


def test_the_same_name_twice_is_one_number() -> None:
    first, second = typed.line("wood, Wood 3")

    assert ("wood", None) == (first.kind, second.number)


def test_a_goal_is_a_rule_that_wins() -> None:
    made = typed.definition("Race", typed.line("laps to 3, wood"), 2)

    assert ["3 laps"] == [rule["rule"] for rule in made["rules"]]
    assert "most" not in made["numbers"][0]


def test_a_goal_below_the_start_is_reached_from_above() -> None:
    (rule,) = typed.definition("Darts", typed.line("score 501 → 0"), 2)["rules"]

    assert [{"number": "score"}, "<=", 0] == rule["if"]


@given(st.text(max_size=300))
def test_whatever_is_typed_makes_a_game_that_can_be_played(text: str) -> None:
    assert fault(typed.definition("Game", typed.line(text), 2)) is None


@given(st.lists(st.text("abc 01", min_size=1, max_size=6), max_size=60))
def test_no_two_numbers_are_marked_alike(names: list[str]) -> None:
    definition = compiled(typed.definition("Game", typed.line(",".join(names)), 2)).definition
    marks = coins(definition).values()

    assert len(definition.numbers) == len({each.letter for each in marks})
    assert len({each.hue for each in marks}) == min(12, len(definition.numbers))


@pytest.mark.parametrize("name", demos.ready_games("own-game"))
def test_the_numbers_of_a_ready_game_are_marked_apart(name: str) -> None:
    marks = coins(compiled(demos.ready_games("own-game")[name]).definition).values()

    assert len(marks) == len({each.letter for each in marks})


def test_words_with_a_colour_take_it() -> None:
    definition = compiled(typed.definition("Game", typed.line("wood, brick, ore"), 2)).definition

    assert [(1, "W"), (2, "B"), (10, "O")] == [tuple(each) for each in coins(definition).values()]
