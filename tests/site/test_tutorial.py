"""The game that docs/rule-systems.md builds: its files are taken from the page and played."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.house import ROOT, copied, run

sys.path.insert(0, str(ROOT / "docs"))

import tutorial


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the house with the files of the page, and nothing else changed."""
    copy = copied(tmp_path_factory.mktemp("copy") / "house")
    tutorial.write(copy)
    return copy


def test_its_cases_hold_and_it_is_written_as_the_house_is(house: Path) -> None:
    folder = str(house / tutorial.FOLDER)

    assert "4 passed, 0 failed\n" == run(
        house, "manage", "rulecheck", "tests/scenarios/star-realms.json"
    )
    run(house, "manage", "rulecheck", f"{tutorial.FOLDER}/demo.json")
    verdict = run(house, "manage", "laws", tutorial.FOLDER)
    assert verdict.endswith(
        "Star Realms 2014, 5 cases, 1,000 games at random: All laws are kept.\n"
    )
    run(house, "ruff", "check", "--no-cache", folder)
    run(house, "ruff", "format", "--check", "--no-cache", folder)
