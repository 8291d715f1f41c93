"""Templates are readable: no line is wider than a screen."""

from __future__ import annotations

from pathlib import Path

TEMPLATES = Path(__file__).parents[2] / "templates"
WIDEST = 120


def test_no_line_is_longer_than_120_columns() -> None:
    wide = [
        f"{path.relative_to(TEMPLATES)}:{number}"
        for path in sorted(TEMPLATES.rglob("*.*"))
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if len(line) > WIDEST
    ]

    assert [] == wide
