"""Parsing of a pasted deck list: the module itself, in Node."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

MODULE = Path(__file__).parents[2] / "static/js/board/deck.js"
NODE = shutil.which("node")

pytestmark = pytest.mark.skipif(NODE is None, reason="no Node")


def read_all(texts: list[str]) -> list[Any]:
    """The parsed *texts*, in a game with such groups."""
    assert NODE
    script = (
        f"import {{ read }} from {json.dumps(MODULE.as_uri())};"
        "import { readFileSync } from 'node:fs';"
        "const texts = JSON.parse(readFileSync(0, 'utf8'));"
        "const groups = ['commander', 'material', 'pokémon'];"
        "console.log(JSON.stringify(texts.map((text) => read(text, groups))));"
    )
    # The page's scripts are modules although their names end in .js.
    command = [NODE, "--experimental-default-type=module", "--input-type=module", "-e", script]
    done = subprocess.run(
        command, input=json.dumps(texts), capture_output=True, check=True, text=True, timeout=60
    )
    found: list[Any] = json.loads(done.stdout)
    return found


def read(text: str) -> Any:
    return read_all([text])[0]


def names(text: str) -> dict[str, int]:
    return {card["name"]: card["count"] for card in read(text)["cards"]}


LINES = [
    ("4 Lightning Bolt", "Lightning Bolt", 4),
    ("4x Lightning Bolt", "Lightning Bolt", 4),
    ("4× Lightning Bolt", "Lightning Bolt", 4),
    ("  2   Island ", "Island", 2),
    ("1 Sol Ring (C21) 263", "Sol Ring", 1),
    ("1 Sol Ring (SLD) 1011★ *F*", "Sol Ring", 1),
    ("1 Sol Ring [C21]", "Sol Ring", 1),
    ("SB: 2 Duress", "Duress", 2),
    ("sb: 2x Duress", "Duress", 2),
    ("Ash Blossom & Joyous Spring x3", "Ash Blossom & Joyous Spring", 3),
    ("1 Fire // Ice", "Fire // Ice", 1),
    ("1 Borrowing 100,000 Arrows", "Borrowing 100,000 Arrows", 1),
    ("2 Number 39: Utopia", "Number 39: Utopia", 2),
    ("4 Charmander OBF 26", "Charmander", 4),
    ("1 Æther Vial", "Æther Vial", 1),
    ("1 Erase (Not the Urza's Legacy One)", "Erase (Not the Urza's Legacy One)", 1),
]


def test_a_line_is_a_number_and_a_name() -> None:
    found = read_all([line for line, _name, _count in LINES])

    expected = [([{"name": name, "count": count, "under": ""}], []) for _line, name, count in LINES]
    assert expected == [(each["cards"], each["lost"]) for each in found]


def test_a_line_of_archidekt_says_its_category() -> None:
    line = "1x Sol Ring (c21) 263 [Ramp] ^Have,#37d67a^"

    assert [{"name": "Sol Ring", "count": 1, "under": "ramp"}] == read(line)["cards"]


def test_a_line_may_say_that_it_is_the_commander() -> None:
    for line in ("1 Animar, Soul of Elements *CMDR*", "1x Animar, Soul of Elements *CMDR* *F*"):
        expected = {"name": "Animar, Soul of Elements", "count": 1, "under": "commander"}
        assert [expected] == read(line)["cards"]


def test_headings_comments_and_blank_lines_are_no_cards() -> None:
    text = """\ufeffDeck
// Creatures
# another comment
4 Llanowar Elves

Main Deck (60)
Material Deck
Extra Deck:
[Sideboard]
Commander
About
Name My Elves
Pokémon: 12
SIDEBOARD:
1 Naturalize\r
"""
    found = read(text)

    assert {"Llanowar Elves": 4, "Naturalize": 1} == names(text)
    assert (5, []) == (found["total"], found["lost"])


def test_a_name_that_comes_twice_is_one_card() -> None:
    assert {"Island": 7} == names("4 Island\n\nSideboard\n3 island")


def test_a_line_that_is_not_understood_is_told() -> None:
    lines = ["14558127", "Lightning Bolt", "4", "0 Island", "!!!", "3 " + "a" * 90]
    found = read_all([f"1 Island\n{line}" for line in lines])

    assert [([line], 1) for line in lines] == [(each["lost"], each["total"]) for each in found]


def test_a_huge_text_is_read_in_a_moment() -> None:
    text = "\n".join(["1 " + "a " * 400, "4 Bolt (" * 50, "x" * 4000] * 600)

    assert 0 == read(text)["total"]
