"""The games of the library that a line says: what it makes, and each played to its end."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from django.utils import translation

from games.rules import scenario
from games.rules.history import History
from games.screens.words import words_of
from games.store import demos
from games.systems import find
from games.systems.own_game import fault, library
from games.systems.own_game.score_sheet import parts_of
from games.systems.own_game.writing.typed import parts
from tests.ready import LINES

FILE = Path(library.__file__).parent / "ready" / "lines.txt"
BY_TITLE = {
    line.split("|")[0].split(",")[0].strip(): line.split("|")
    for line in FILE.read_text("utf-8").splitlines()
}


def played(name: str) -> History:
    shown = demos.ready_demo("own-game", name)
    assert shown
    system = find("own-game").of_table(shown)
    history = History(system, scenario.opening(system, shown))
    for command in shown["when"]:
        history.give(command)
    return history


def worked_out(says: str, cells: Mapping[str, int]) -> int:
    """The total of a sheet, by the arithmetic of Python: a line means what it says."""
    typed = [each.strip() for each in parts(says)]
    total = next(each for each in typed if "=" in each)
    left, right = (each.strip() for each in total.split("="))
    before = typed[: typed.index(total)]
    formula = right if left == "Total" else " + ".join([*before, left])
    formula = re.sub(r" -?\d+…\d+", "", formula).replace("/", "//")
    for name in sorted(cells, key=len, reverse=True):
        formula = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", str(cells[name]), formula, flags=re.I)
    assert not re.search(r"[^-+*/(), \dmin]", formula), formula
    return int(eval(formula, {"__builtins__": {}}, {"min": min}))


@pytest.mark.parametrize("name", LINES)
def test_a_game_of_one_line_is_won_by_who_is_best(name: str) -> None:
    game, history = LINES[name], played(name)
    assert fault(game) is None
    _names, _players, says, source, *_note = BY_TITLE[game["title"]]
    assert source.strip() in game["author"]
    labels = {each.get("label", each["kind"]): each["kind"] for each in game["numbers"]}
    big = next(each["kind"] for each in game["numbers"] if each.get("big"))

    def best(seat: str) -> int:
        counted = history.state.on(seat)
        if " = Total" not in says and "Total = " not in says:
            return counted.get(big, 0)
        return worked_out(says, {name: counted.get(kind, 0) for name, kind in labels.items()})

    way = min if "least wins" in says or "→ 0" in says else max
    every = {seat: best(seat) for seat in history.state.seats}
    assert "won" == history.state.result
    assert {*history.state.winners} <= {
        seat for seat, each in every.items() if each == way(every.values())
    }


def test_a_line_says_names_players_teams_and_source() -> None:
    made = library.in_a_line("Jass, Schieber | 2x2 | rounds to 1000, most wins | a club, 1990")

    assert ("Jass", ["Schieber"]) == (made["title"], made["aliases"])
    assert ("Countersite, after a club, 1990", 2) == (made["author"], made["teams"])
    assert {"least": 4, "most": 4} == made["players"]
    assert "Rounds to 1000, most wins." == made["about"]
    assert made["numbers"][0]["shared"]
    assert "teams" == made["rules"][0]["do"][0]["of"]


def test_a_line_that_cannot_be_read_names_its_game_and_what_is_wrong() -> None:
    with pytest.raises(ValueError, match=r"Odd.*x 3/2"):
        library.in_a_line("Odd | 2-4 | x 3/2, most wins | nobody")


def test_the_library_has_a_hundred_games() -> None:
    assert len(demos.ready_games("own-game")) >= 100


def test_a_sheet_has_a_line_for_each_part_that_is_worked_out_or_taken_off() -> None:
    system: Any = find("own-game").of_table({"definition": LINES["dominion"]})
    lines = [part.kind or part.says for part in parts_of(system.definition)]

    taken = ["estates", "duchies", "× 3", "provinces", "× 6", "gardens", "cards"]
    taken += ["gardens × (cards ÷ 10)", "other points", "curses", "× −1", "turns"]
    assert taken == lines
    with translation.override("de"):
        assert "Gärten × (Karten ÷ 10)" == words_of(system).phrase(lines[7])


SHEET: Any = library.in_a_line(
    "Tiles | 2 | Total = Rows + Coins/3, most wins, then fewest Coins | rules"
)


def test_a_sheet_is_over_when_every_cell_is_written() -> None:
    opening = {"given": {"seats": {"ana": {}, "ben": {}}}, "definition": SHEET}
    system = find("own-game").of_table(opening)
    history = History(system, scenario.opening(system, opening))
    for seat, rows, coins in (("ana", 4, 0), ("ben", 3, 5)):
        for kind, amount in (("rows", rows), ("coins", coins)):
            assert history.state.result is None
            history.give({"do": "place", "on": seat, "counters": {kind: amount}, "by": seat})

    assert ("ana",) == history.state.winners  # four each; who has fewer coins is first


LOOKED_AT = (
    *("catan", "carcassonne", "splendor", "azul", "dominion", "lost-cities", "lorcana", "cribbage"),
    *("arkham-horror", "marvel-champions", "pandemic", "king-of-tokyo", "munchkin", "wingspan"),
    *("everdell", "dune-imperium", "7-wonders", "agricola", "lost-ruins-of-arnak", "cascadia"),
    *("castles-of-burgundy", "concordia", "ticket-to-ride", "power-grid", "scythe", "tichu"),
    *("spades", "bridge-chicago", "root", "spirit-island", "terraforming-mars", "skull-king"),
    *("puerto-rico", "7-wonders-duel", "uno", "rummy-500", "yahtzee", "qwixx"),
)
SAID_NOW = (
    "Love Letter | 4 | Tokens to 4 | Z-Man, 2012",
    "Great Western Trail | 2-4 | Dollars/5, Buildings, Cities, Stations, Hazards, Cattle, "
    "Objectives, Station masters, Workers, Other = Total, most wins | eggertspiele, 2016",
    "Brass: Birmingham | 2-4 | Canal era, Rail era = Total, most wins, then Income, then Money "
    "| Roxley, 2018",
    "Heat | 1-6 | 3 rounds, most wins | Days of Wonder, 2022",
    "Ark Nova | 1-4 | Total = Appeal + 2*min(Conservation, 10) + 3*max(Conservation, 10) - 143, "
    "most wins | Feuerland, 2021",
)
NOT_IN_FULL = {
    "viticulture": "its order by the wake-up chart is no part of the line",
    "darts-501": "a turn that goes below 0 is taken back by hand",
    "Codenames": "the team that is second begins with 8 words, by a correction",
    "Gloomhaven": "the monsters' initiative and the modifiers are not said",
}


def test_forty_of_the_forty_seven_games_that_were_looked_at_are_said_in_full() -> None:
    """What is in the library is played to its end by other tests, what a line says here."""
    lines = [library.in_a_line(line) for line in SAID_NOW]
    for game in lines:
        shown = {**library.shown(game), "system": "own-game", "definition": game}
        system = find("own-game").of_table(shown)
        history = History(system, scenario.opening(system, shown))
        for command in shown["when"]:
            history.give(command)
        assert "won" == history.state.result, game["title"]

    assert set() == {*LOOKED_AT} - demos.ready_games("own-game").keys()
    assert 47 == len({*LOOKED_AT, *SAID_NOW, *NOT_IN_FULL})
    assert 43 == len(LOOKED_AT) + len(lines)
