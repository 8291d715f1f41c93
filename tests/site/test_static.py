"""What the style sheets and scripts that all games share may say, and how they are written."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

WIDTH = 120
CSS = Path(__file__).parents[2] / "static/css"
SHARED_SHEETS = sorted([*CSS.glob("base/*.css"), *CSS.glob("board/*.css")])
NAMED_BY_A_GAME = re.compile(r'\[data-(?:kind|type|zone|stat)[~|^$*]?="[^"]+"\]')
WORDS = re.compile(r'content: "[^"]*[A-Za-z]{2}')


@pytest.mark.parametrize("sheet", SHARED_SHEETS, ids=lambda sheet: sheet.stem)
def test_a_shared_sheet_names_no_kind_type_zone_or_stat(sheet: Path) -> None:
    text = sheet.read_text(encoding="utf8")

    assert [] == NAMED_BY_A_GAME.findall(text)
    assert [] == WORDS.findall(text), "what is read on a screen is translated"


@pytest.mark.parametrize("sheet", sorted(CSS.glob("systems/*.css")), ids=lambda sheet: sheet.stem)
def test_a_game_draws_every_shape_that_it_uses(sheet: Path) -> None:
    """A shape that is not drawn shows as a full square; one that is not used costs every phone."""
    text = sheet.read_text(encoding="utf8")

    assert set(re.findall(r"(--icon-[\w-]+):", text)) == set(
        re.findall(r"var\((--icon-[\w-]+)", text)
    )


@pytest.mark.parametrize("sheet", sorted(CSS.glob("*/*.css")), ids=lambda sheet: sheet.stem)
def test_a_sheet_is_read_without_scrolling_sideways(sheet: Path) -> None:
    lines = sheet.read_text(encoding="utf8").splitlines()

    assert [] == [line for line in lines if len(line) > WIDTH and "url(" not in line]
