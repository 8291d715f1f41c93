"""Templates are readable: no line is wider than a screen, and a picture means one thing."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
TEMPLATES = ROOT / "templates"
WIDEST = 120


def test_no_line_is_longer_than_120_columns() -> None:
    wide = [
        f"{path.relative_to(TEMPLATES)}:{number}"
        for path in sorted(TEMPLATES.rglob("*.*"))
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if len(line) > WIDEST
    ]

    assert [] == wide


# Pictures

MENUS = (
    "base.html",
    "board/table.html",
    "board/flat.html",
    "sheets/_tools.html",
    "sheets/_keep.html",
    "systems/*/board/table.html",
)
"""The templates whose icons stand beside each other in one menu."""
SAME = (
    {"Dice and more", "Pick a player at random", "Draw lots for who goes first"},
    {"Log", "The log as text"},
    {"Correct to this", "Correct and bring back"},
)
"""What is one thing by several names: chance, the log, a correction."""
PICTURE = re.compile(
    r'(?:aria-label="{% trans "(?P<before>[^"]+)" %}"[^<>]*>\s*)?'
    r'{% icon "(?P<icon>[\w-]+)" %}'
    r'(?:\s*(?:<span[^>]*>)?\s*{% trans "(?P<after>[^"]+)" %})?'
)


def pictures(*patterns: str) -> Iterator[tuple[str, str]]:
    """Each icon in these templates and what it stands for, by its English words."""
    for pattern in patterns:
        for path in sorted(TEMPLATES.glob(pattern)):
            for found in PICTURE.finditer(path.read_text()):
                if label := found["before"] or found["after"]:
                    yield found["icon"], label


def test_one_picture_in_the_menus_stands_for_one_thing() -> None:
    meant: dict[str, set[str]] = defaultdict(set)
    for icon, label in pictures(*MENUS):
        meant[icon].add(label)

    assert len(meant) > 20
    assert {} == {
        icon: labels
        for icon, labels in meant.items()
        if len(labels) > 1 and not any(labels <= same for same in SAME)
    }


def test_one_thing_has_one_picture_everywhere() -> None:
    drawn: dict[str, set[str]] = defaultdict(set)
    for icon, label in pictures("**/*.html"):
        drawn[label].add(icon)

    assert {} == {label: icons for label, icons in drawn.items() if len(icons) > 1}


def test_every_picture_is_in_use_and_drawn() -> None:
    sprite = (TEMPLATES / "board" / "_sprite.html").read_text()
    written = "".join(path.read_text() for path in TEMPLATES.rglob("*.html"))
    code = "".join(path.read_text() for path in (ROOT / "games").rglob("*.py"))
    drawn = set(re.findall(r'id="i-([\w-]+)"', sprite))

    assert set(re.findall(r'{% icon "([\w-]+)"', written)) <= drawn
    assert [] == [name for name in drawn if f'"{name}"' not in written + code]
