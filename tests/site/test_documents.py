"""Everything that is cited exists: documents, sections, refusal codes, rule numbers, paths."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from games.rules import scenario, table_rules
from games.rules.state import SlotCounter
from games.rules.system import System
from games.rules.vocabulary import page
from games.systems import SYSTEMS, named_by
from tests import house
from tests.attacks import ATTACKS
from tests.house import ROOT

COMMANDS = (ROOT / "docs" / "COMMANDS.md").read_text(encoding="utf-8")
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")])
SECTION = re.compile(r"\b(?:Commands|Settling|Log|Prompts|Verbs|Turn|Scenarios) \d\b")
WITH_SLOTS = [
    *SYSTEMS["own-game"],
    *(
        system
        for editions in SYSTEMS.values()
        for system in editions
        if system.components.slot_counter is not SlotCounter
    ),
]
FIRST = {"Refused": 0, "Names": 3}
"""The position of a refusal's code among the arguments."""


def docstrings() -> Iterator[tuple[str, str]]:
    """The module and text of every docstring."""
    for module in house.modules():
        for node in house.nodes(module):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                yield module, ast.get_docstring(node) or ""


def calls(name: str) -> Iterator[tuple[str, ast.Call]]:
    """Each call of *name*, with its module."""
    for module in house.modules():
        for node in house.nodes(module):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == name:
                yield module, node


def constant(node: ast.expr | None) -> str | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def test_every_document_that_a_docstring_cites_is_in_the_repository() -> None:
    cited = {
        (module, name)
        for module, text in docstrings()
        for name in re.findall(r"[\w/.-]+\.md\b", text)
    }

    assert ("games.rules.engine", "docs/COMMANDS.md") in cited
    assert [] == [(module, name) for module, name in cited if not (ROOT / name).is_file()]


def test_every_section_of_the_command_language_that_a_docstring_cites_is_there() -> None:
    headed = set(re.findall(r"^\*\*([A-Z][a-z]+ \d)\b", COMMANDS, re.MULTILINE))
    cited = {
        number
        for module, text in docstrings()
        if module.startswith("games.rules.")
        for number in SECTION.findall(text)
    }

    assert {"Commands 3", "Log 1", "Prompts 3"} <= cited
    assert set() == cited - headed
    assert set() == set(table_rules.RULES) - headed


def test_every_refusal_code_is_explained_and_every_one_explained_is_used() -> None:
    used = {
        code
        for name, place in FIRST.items()
        for _module, call in calls(name)
        if (code := constant(call.args[place] if len(call.args) > place else None))
    }
    tables = re.findall(r"^\| code \|.*\n((?:\|.*\n)+)", COMMANDS, re.MULTILINE)
    explained = {
        code for table in tables for code in re.findall(r"^\| `([a-z-]+)` \|", table, re.M)
    }

    assert used == explained


def led(system: System) -> System:
    """The system of a table with a GM, where tables write that in a definition."""
    written = {"title": "Night", "gm": {}}
    plays = system.defined is not None and system.defined.fault(written) is None
    return system.of_table({"definition": written}) if plays else system


def test_every_rule_number_that_a_refusal_or_an_event_names_has_a_text() -> None:
    unknown = []
    for module, number in rules_named():
        parts = module.split(".")
        system = parts[2].replace("_", "-") if parts[1] == "systems" else ""
        editions = WITH_SLOTS if parts[1] == "tracks" else SYSTEMS.get(system, ())
        known = {
            each for edition in (*editions, *map(led, editions)) for each in edition.rulebook.rules
        }
        if number not in known | set(table_rules.RULES):
            unknown.append((module, number))

    assert [] == unknown


def rules_named() -> Iterator[tuple[str, str]]:
    for module in house.modules():
        if house.room(module) not in ("rules", "tracks", "systems"):
            continue
        for node in house.nodes(module):
            if not isinstance(node, ast.Call):
                continue
            named = [word.value for word in node.keywords if word.arg == "rule"]
            if getattr(node.func, "id", "") == "Refused":
                named += node.args[2:3]
            yield from ((module, number) for each in named if (number := constant(each)))


def test_the_scenario_that_is_shown_holds() -> None:
    shown = [
        text for text in re.findall(r"```json\n(.*?)```", COMMANDS, re.DOTALL) if "when" in text
    ]

    assert shown
    for case in map(json.loads, shown):
        for system in named_by(case):
            assert [] == scenario.check(case, system)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_path_that_a_page_names_is_there(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    rooms = "games|countersite|templates|static|tests|docs|bench|deploy|locale|\\.ci|\\.github"
    named = set(re.findall(rf"`((?:{rooms})/[^`\s<>*]*)`", text))
    linked = set(re.findall(r"\]\((?!https?:)([^)#\s]+)", text))

    missing = [each for each in named if not (ROOT / each).exists()]
    missing += [each for each in linked if not (page.parent / each).exists()]
    assert [] == missing


def test_the_attacks_that_are_tried_are_listed() -> None:
    text = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
    listed = re.findall(r"^\| (.+?) \|", text.partition("\n## What is tried\n")[2], re.MULTILINE)

    named = {name for row in listed[1:] for name in row.split(", ")} - {"---"}
    assert {*ATTACKS} - {"nobody"} == named


def test_every_verb_of_every_system_is_explained() -> None:
    text = page(SYSTEMS)

    for editions in SYSTEMS.values():
        for verb, what in editions[0].verbs.items():
            assert f"`{verb}`" in text
            assert what.command.__doc__, f"{verb} says nothing about itself"


FETCHED = re.compile(r"<(?:script|link|img)\b[^>]*?(?:src|href)=\"(?:https?:)?//[^\"]*")


def test_every_page_is_reached_from_the_first() -> None:
    """The strict build finds an orphan, too; this finds it without the docs extra."""
    index = (ROOT / "docs/index.md").read_text(encoding="utf8")
    listed = {f"docs/{path}.md" for path in re.findall(r"<([\w./-]+)>$", index, re.MULTILINE)}
    listed = {path.replace("docs/../", "") for path in listed}
    written = {f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md")} - {"docs/index.md"}
    written |= {path.name for path in ROOT.glob("*.md")}

    assert [] == sorted(written - listed)


def test_the_first_page_begins_with_a_picture_and_three_ways() -> None:
    index = (ROOT / "docs/index.md").read_text(encoding="utf8").partition("```{toctree}")[0]

    assert 3 <= index.count("screenshots/")
    assert ["Play", "Host", "Write a game"] == re.findall(
        r"^\*\*([\w ]+)\.\*\*", index, re.MULTILINE
    )


def test_the_site_fetches_nothing_from_elsewhere(tmp_path: Path) -> None:
    pytest.importorskip("myst_parser", reason="needs the docs extra")
    build = [sys.executable, "-m", "sphinx", "-q", "-W", "-c", "docs", ".", str(tmp_path)]
    answer = subprocess.run(build, cwd=ROOT, capture_output=True, text=True)
    assert 0 == answer.returncode, answer.stderr

    pages = {page.name: page.read_text() for page in tmp_path.rglob("*.html")}

    assert "knock-out" in pages["VOCABULARY.html"]
    assert "always_shown" in pages["PRESENTATION.html"]
    assert "effects_at_once" in pages["SYSTEM.html"]
    assert "parts of a clock" in pages["OWN-GRAMMAR.html"]
    assert "Catan: " in pages["OWN-GRAMMAR.html"]
    assert [] == [found for page in pages.values() for found in FETCHED.findall(page)]
    assert "games/pages/ leads to games/live/" in pages["ARCHITECTURE.html"]


def test_every_picture_of_the_site_is_in_it(tmp_path: Path) -> None:
    pytest.importorskip("myst_parser", reason="needs the docs extra")
    build = [sys.executable, "-m", "sphinx", "-q", "-c", "docs", ".", str(tmp_path)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)

    shown = {
        page.parent / source
        for page in tmp_path.rglob("*.html")
        for source in re.findall(r'<img\b[^>]*?src="([^":]+)"', page.read_text(encoding="utf-8"))
    }
    assert shown
    assert set() == {each for each in shown if not each.exists()}
