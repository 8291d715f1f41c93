"""The structure that CONTRIBUTING.md and ARCHITECTURE.md promise: rooms, imports, purity."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter

import pytest
from msgspec import Struct

from games.rules import cards
from games.rules.commands import parameters
from games.rules.system import System
from games.systems import SYSTEMS
from games.systems.board import Previews
from games.systems.presentation import Presentation
from tests import house, leaves
from tests.house import FLOORS, ROOMS, ROOT

MOST_NAMES = 13
FOLDERS = sorted(name.replace("-", "_") for name in SYSTEMS)


def test_a_room_imports_only_from_the_rooms_below_it() -> None:
    upwards = [
        f"{each.by} imports {each.of}"
        for each in house.imports()
        if FLOORS.index(house.room(each.of)) > FLOORS.index(house.room(each.by))
    ]

    assert [] == upwards


def test_no_two_modules_import_each_other_by_whatever_way() -> None:
    """Not even for types."""
    graph: dict[str, set[str]] = {}
    for each in house.imports():
        graph.setdefault(each.by, set()).add(each.of)
    circle: list[str] = []
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        circle = error.args[1]

    assert [] == circle


def test_the_picture_in_architecture_is_what_the_imports_say() -> None:
    """If this fails, run `python -m tests.house`."""
    assert [house.picture()] == house.DRAWN.findall(house.ARCHITECTURE.read_text(encoding="utf-8"))


def test_the_package_has_few_entries_and_each_room_says_what_it_is_for() -> None:
    ignored = {"__init__.py", "__pycache__", "py.typed"}
    entries = {each.name for each in (ROOT / "games").iterdir()} - ignored

    assert set(ROOMS) < entries
    assert len(entries) <= MOST_NAMES, sorted(entries)
    for module in ("games", *(f"games.{room}" for room in ROOMS)):
        (whole, *_rest) = house.nodes(module)
        assert isinstance(whole, ast.Module)
        assert ast.get_docstring(whole), module


# The same rooms again: tests, templates, styles and scripts


def folders(path: str) -> set[str]:
    return {each.name for each in (ROOT / path).iterdir() if each.is_dir()} - {"__pycache__"}


def loose(path: str, pattern: str) -> set[str]:
    return {each.name for each in (ROOT / path).glob(pattern)}


def test_tests_stand_in_the_room_that_they_test() -> None:
    """`site` tests countersite/ and the repository, `browser` and `fuzz` all of it."""
    assert folders("tests") <= {*ROOMS, "site", "browser", "fuzz", "scenarios"}
    assert {"rules", "systems", "store", "seats", "screens", "live", "cluster", "pages"} <= folders(
        "tests"
    )
    assert set() == loose("tests", "test_*.py")


@pytest.mark.parametrize(
    ("path", "pattern", "rooms", "at_the_root"),
    [
        (
            "templates",
            "*.html",
            {"board", "log", "pages", "prompts", "sheets", "slots", "systems", "tab", "tv"},
            {f"{page}.html" for page in "base 400 403 403_csrf 404 405 500 503".split()},
        ),
        ("static/css", "*.css", {"base", "board", "parts", "slots", "systems"}, set()),
        (
            "static/js",
            "*.js",
            {"board", "log", "net", "page", "replay", "slots", "systems", "tv"},
            set(),
        ),
    ],
    ids=["templates", "styles", "scripts"],
)
def test_a_seats_view_is_in_rooms_too(
    path: str, pattern: str, rooms: set[str], at_the_root: set[str]
) -> None:
    assert rooms == folders(path)
    assert at_the_root == loose(path, pattern)


@pytest.mark.parametrize("path", ["templates/systems", "static/css/systems", "static/js/systems"])
def test_a_file_of_one_system_bears_its_name(path: str) -> None:
    names = {each.name.partition(".")[0] for each in (ROOT / path).iterdir()}

    assert names
    assert [] == [name for name in names if not name.startswith(tuple(SYSTEMS))]


def folder(module: str) -> str | None:
    """The folder of a module's system."""
    parts = module.split(".")
    return parts[2] if parts[1] == "systems" and parts[2:] and parts[2] in FOLDERS else None


def test_a_system_s_modules_are_its_own() -> None:
    """No system imports another, so that any can be deleted or copied."""
    foreign = [
        f"{each.by} imports {each.of}"
        for each in house.imports()
        if (own := folder(each.by)) and (its := folder(each.of)) and own != its
    ]

    assert [] == foreign


THE_GMS_TABLE = ("games.tracks", "games.screens.slots", "games.pages.slots")


def test_the_gms_table_knows_no_game() -> None:
    """Its rooms import no system: they ask the Presentation of the game that is played."""
    games = [
        f"{each.by} imports {each.of}"
        for each in house.imports()
        if f"{each.by}.".startswith(THE_GMS_TABLE) and folder(each.of)
    ]

    assert [] == games
    assert any(each.by.startswith(THE_GMS_TABLE) for each in house.imports())


# Purity


IMPURE = frozenset(
    "asyncio channels datetime django io os pathlib random secrets socket threading time".split()
)
PURE = [
    module
    for module in house.modules()
    if house.room(module) in ("rules", "tracks", "systems") and module != "games.systems.presets"
]


@pytest.mark.parametrize("module", PURE)
def test_the_rules_know_no_clock_no_dice_no_file_no_thread_and_no_django(module: str) -> None:
    nodes = house.nodes(module)
    imported = {name.partition(".")[0] for node in nodes for name in house.imported(node, module)}
    called = {
        node.func.id
        for node in nodes
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }

    if module == "games.rules.laws":
        imported.remove("random")  # from a seed: always the same games

    assert set() == imported & IMPURE
    assert set() == called & {*("open", "print", "input", "exec", "eval")}


def test_no_value_can_be_changed() -> None:
    def all_of(cls: type[Struct]) -> Iterator[type[Struct]]:
        for each in cls.__subclasses__():
            yield each
            yield from all_of(each)

    ours = [cls for cls in all_of(Struct) if cls.__module__.startswith("games.")]
    assert len(ours) > 300
    assert [] == [cls for cls in ours if not cls.__struct_config__.frozen]


MOST_FIELDS = 20
"""The most fields of a value by which a system says how it works and how it is shown."""
MOST_LEAVES = 90
"""The most fields of `System` and `Presentation` together, those of their parts counted."""


@pytest.mark.parametrize(
    "part",
    [
        *dict.fromkeys(type(newest) for newest, *_older in SYSTEMS.values()),
        *(part for whole in (System, Presentation) for _path, part in leaves.parts(whole)),
        *(Presentation, Previews),
    ],
)
def test_a_part_of_a_system_has_few_fields(part: type[Struct]) -> None:
    assert len(part.__struct_fields__) <= MOST_FIELDS


def test_system_and_presentation_have_few_leaves() -> None:
    found = [*leaves.leaves(System), *leaves.leaves(Presentation)]

    assert len(found) <= MOST_LEAVES, f"{len(found)} fields: make one a method of its own system"


def test_every_leaf_is_set_by_two_systems() -> None:
    """What one system sets is a method or an attribute of a class of that system."""
    users = leaves.users()

    assert [] == [f"{leaf}: {', '.join(sorted(by))}" for leaf, by in users.items() if len(by) < 2]


def test_every_question_to_a_system_is_answered_by_one() -> None:
    answers = leaves.answers()

    assert answers
    assert [] == [question for question, by in answers.items() if not by]


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
