"""README is complete."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from games.systems import SYSTEMS

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


COMPLETE = [name for name, editions in SYSTEMS.items() if editions[0].rulebook.translated]
"""A system that is still being written need not stand in README."""


@pytest.mark.parametrize("name", COMPLETE)
def test_readme_lists_each_system_with_its_editions(name: str) -> None:
    editions = SYSTEMS[name]
    row = f"| {editions[0].title} | {', '.join(each.edition for each in editions)} |"

    assert row in README


def test_the_operators_page_names_each_variable_that_the_settings_read() -> None:
    settings = (ROOT / "countersite" / "settings.py").read_text(encoding="utf-8")
    read = set(re.findall(r"environment\.\w+\(\s*\"([A-Z_]+)\"", settings))
    read |= {"COUNTERSITE_DATA", "COUNTERSITE_SECRET_KEY"}
    page = (ROOT / "docs" / "operating.md").read_text(encoding="utf-8")

    assert "DATABASE_URL" in read
    assert {name for name in read if f"| `{name}` |" in page} == read


def test_readme_is_short() -> None:
    assert len(README.split()) <= 900


def test_readme_s_pictures_exist_and_are_light() -> None:
    shown = set(re.findall(r"docs/screenshots/[\w.-]+", README))
    sizes = {name: (ROOT / name).stat().st_size for name in shown}

    assert "docs/screenshots/loop.webp" in shown
    assert sum(sizes.values()) < 2_000_000, sizes
