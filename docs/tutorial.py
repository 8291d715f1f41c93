"""The files of the game in docs/rule-systems.md: `python docs/tutorial.py ROOT` writes them."""

from __future__ import annotations

import re
import sys
from pathlib import Path

PAGE = Path(__file__).with_name("rule-systems.md")
BLOCK = re.compile(r"^\*\*([\w.-]+)\*\*\n\n```\w+\n(.*?\n)```$", re.DOTALL | re.MULTILINE)
PLACES = {
    "main.css": "static/css/systems/star-realms",
    "star-realms.css": "static/css/systems",
    "star-realms.json": "tests/scenarios",
}
"""By name: where a file belongs, if not in the folder of the system."""
FOLDER = "games/systems/star_realms"


def files() -> dict[Path, str]:
    """The text of each file, by its place below the root of a checkout."""
    blocks = BLOCK.findall(PAGE.read_text(encoding="utf-8"))
    return {Path(PLACES.get(name, FOLDER), name): text for name, text in blocks}


def write(root: Path) -> None:
    """Write the files into the checkout *root*."""
    for place, text in files().items():
        (root / place).parent.mkdir(parents=True, exist_ok=True)
        (root / place).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write(Path(sys.argv[1]))
