"""`manage.py newsystem --from`: an own game as a package of Python, which plays as it did."""

from __future__ import annotations

import importlib
import json
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from games.rules import scenario
from games.rules.history import History
from tests import laws
from tests.house import ROOT, run
from tests.ready import DRAWN
from tests.systems import own_definitions


def package(folder: Path, definition: Any, title: str = "") -> Any:
    """The package that is written for a definition, imported."""
    file, project = folder / "definition.json", folder / "project"
    file.write_text(json.dumps(definition), encoding="utf-8")
    call_command("newsystem", title, definition=file, package=project, verbosity=0)
    (made,) = project.glob("countersite_*")
    sys.path.insert(0, str(project))
    try:
        return importlib.import_module(made.name)
    finally:
        sys.path.remove(str(project))
        for name in [each for each in sys.modules if each.startswith(made.name)]:
            del sys.modules[name]


@pytest.mark.parametrize("name", DRAWN)
def test_a_ready_game_plays_by_its_package(name: str, tmp_path: Path) -> None:
    made = package(tmp_path, DRAWN[name], f"home {name}".replace("-", " "))
    (system,) = made.EDITIONS
    cases = json.loads((Path(made.__file__).parent / "scenarios.json").read_text("utf-8"))

    assert len(cases) > 1
    assert [] == [each for case in cases for each in scenario.check(case, system)]
    assert dict(DRAWN[name]) == system.definition.written

    given = {"given": cases[0]["given"], "settings": {}}
    history, random = History(system, scenario.opening(system, given)), Random(name)
    for _ in range(20):
        laws.give(history, own_definitions.command(random, system, history.state))


def test_it_is_written_as_the_house_is(tmp_path: Path) -> None:
    made = package(tmp_path, DRAWN["terraforming-mars"], "Red Planet")
    folder = Path(made.__file__).parent

    for command in (["check"], ["format", "--check"]):
        run(ROOT, "ruff", *command, "--no-cache", "--config", "pyproject.toml", str(folder))
    written = (folder / "definition.py").read_text("utf-8")
    assert "# When the “production” phase of your turn begins" in written


@pytest.mark.parametrize(
    ("definition", "said"),
    [
        ({"title": "Duel", "zones": []}, "a fault at “zones”"),
        ([], "has no definition"),
    ],
)
def test_a_file_that_is_no_game_is_refused(definition: Any, said: str, tmp_path: Path) -> None:
    with pytest.raises(CommandError, match=said):
        package(tmp_path, definition)


def test_it_needs_a_folder(tmp_path: Path) -> None:
    file = tmp_path / "duel.json"
    file.write_text(json.dumps({"title": "Duel"}))

    with pytest.raises(CommandError, match="--package"):
        call_command("newsystem", "", definition=file)


def test_a_scenario_is_told_from_a_definition(tmp_path: Path) -> None:
    ready = ROOT / "games/systems/own_game/ready"
    (demo, *_others) = sorted((ready / "demos").glob("*.json"))

    with pytest.raises(CommandError) as refused:
        call_command("newsystem", "", definition=demo, package=tmp_path / "new")

    says = f"{demo.name} is a scenario, not a definition. Use {ready / demo.name}."
    assert says == str(refused.value)
