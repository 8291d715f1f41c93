"""The documentation as a site: it builds strictly, and opens without a network."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.house import ROOT

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
