"""No code that all games share knows a word of one game."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import pytest

from games.rules import cards
from games.rules.commands import parameters
from games.rules.system import System
from games.systems import SYSTEMS
from tests import house

OWN_ROOMS = ("games.systems.", "games.tracks", "games.screens.slots", "games.pages.slots")
"""The folders of a game: its own, and those of the GM's table."""
PRESENTED = ("presentation", "wording", "board", "sheets", "story", "new_game")
SHARED_MODULES = [
    module
    for module in house.modules()
    if module in [f"games.systems.{part}" for part in PRESENTED]
    or not f"{module}.".startswith(OWN_ROOMS)
]

SHARED_VERBS = {*cards.VERBS, "answer", "leave", "change-rules", "press"}
"""Those of every card game; and what any game may take up, which the shared screens then know:
"change-rules" and "press" are those of whatever game has its rules written at the table."""
OF_THE_LANGUAGE = frozenset(
    # a table, and what each has: its turn, its clock, its field
    {"active", "clock", "field", "restart", "standing", "table", "take"}
    # the ways of its messages
    | {"command", "ticket", "watch"}
    # what several card games do with printed numbers
    | {"change", "swap"}
    # how a number looks that is on or off
    | {"switch"}
    # numbers that change by themselves in several games
    | {"tick", "end-tick", "clear"}
    # the settings of the log and of the site, and letters in which formats and dice are written
    | {"level", "static", "c", "d"}
    # cards that share a row
    | {"stack"}
    # a type of JSON Schema
    | {"string"}
)
"""Texts that mean something else in shared code. Look at each use before you add one."""


def verbs(system: System) -> Iterator[str]:
    yield from (verb for verb in system.verbs if verb not in SHARED_VERBS)


def types(system: System) -> Iterator[str]:
    for each in system.verbs.values():
        yield from (
            word
            for part in parameters(each.command)
            if part.key in ("type", "types")
            for word in part.reader.choices
        )


def words_of(system: System) -> Iterator[str]:
    """The verbs, kinds, zones, types and marks that are its own."""
    yield from verbs(system)
    yield from types(system)
    yield from (
        *system.rulebook.kinds,
        *system.zones,
        *system.components.seat.marks,
        *system.components.object.marks,
    )


WORDS = {word for editions in SYSTEMS.values() for each in editions for word in words_of(each)}


def said(module: str) -> set[str]:
    """The texts in a module, and its names of several words, with dashes as the rules write them.

    A name of one word may be anyone's (`points` of a curve); by its text a game's is asked for.
    """
    found: set[str] = set()
    names: set[str] = set()
    for node in house.nodes(module):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            found.add(node.value)
        elif isinstance(node, ast.Name):
            names.add(node.id)
        elif isinstance(node, ast.Attribute):
            names.add(node.attr)
        elif isinstance(node, ast.arg | ast.keyword) and node.arg:
            names.add(node.arg)
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.add(node.name)
    several = {name for name in names if "_" in name.strip("_")}
    return found | several | {name.replace("_", "-") for name in several}


@pytest.mark.parametrize("module", SHARED_MODULES)
def test_shared_code_names_no_game_s_word(module: str) -> None:
    assert set() == (said(module) & WORDS) - OF_THE_LANGUAGE


def test_every_word_of_the_language_is_one_of_a_game_and_stands_in_shared_code() -> None:
    """The list of exceptions is no longer than it must be."""
    met = set().union(*(said(module) for module in SHARED_MODULES))

    assert set() == OF_THE_LANGUAGE - (met & WORDS)
