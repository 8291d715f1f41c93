"""The rooms of the house, as the imports between the modules draw them.

`python -m tests.house` draws the picture in ARCHITECTURE.md again.
"""

from __future__ import annotations

import ast
import gc
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from msgspec import Struct

ROOT = Path(__file__).parents[1]
ARCHITECTURE = ROOT / "ARCHITECTURE.md"
ROOMS = (
    *("rules", "tracks", "systems", "models", "store"),
    *("seats", "screens", "live", "cluster", "pages"),
)
"""The rooms of games/; each imports only from those before it."""
NOT_OURS = frozenset({".git", ".venv", "data", "dist", "node_modules"})
FLOORS = (*ROOMS, "apps", "countersite")
"""All of it, from the ground up: on top what Django looks for, and the site."""
DRAWN = re.compile(r"```mermaid\n.*?```\n", re.DOTALL)


class Import(Struct, frozen=True):
    """One module of ours imports another."""

    by: str
    of: str


def room(module: str) -> str:
    """The room of a module; what stands in games/ itself is one."""
    site, _, rest = module.partition(".")
    first = rest.partition(".")[0]
    if site == "games":
        return first if first in ROOMS else "apps"
    return site


@cache
def modules() -> dict[str, Path]:
    """Every module of ours by its dotted name; migrations are Django's own."""
    found = {}
    for package in ("games", "countersite"):
        for path in sorted((ROOT / package).rglob("*.py")):
            parts = path.relative_to(ROOT).with_suffix("").parts
            if "migrations" not in parts:
                found[".".join(part for part in parts if part != "__init__")] = path
    return found


@cache
def nodes(module: str) -> tuple[ast.AST, ...]:
    """All of a module's syntax, itself first; walked once for every test that reads it."""
    gc.disable()  # it would look through all of it again and again: more than half of the time
    try:
        return tuple(ast.walk(ast.parse(modules()[module].read_text(encoding="utf-8"))))
    finally:
        gc.enable()


@cache
def imports() -> tuple[Import, ...]:
    """Every import of one module of ours by another, wherever in the file it stands."""
    return tuple(each for module in modules() for each in _imports_of(module))


def _imports_of(module: str) -> Iterator[Import]:
    is_package = modules()[module].stem == "__init__"
    for node in nodes(module):
        for name in imported(node, module, is_package=is_package):
            of = name if name in modules() else name.rpartition(".")[0]
            if of in modules() and of != module:
                yield Import(module, of)


def imported(node: ast.AST, module: str, *, is_package: bool = False) -> list[str]:
    """The dotted names that *node* imports into *module*, relative ones made absolute."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if not isinstance(node, ast.ImportFrom):
        return []
    package = module.split(".")[: None if is_package else -1]
    up = package[: len(package) - node.level + 1] if node.level else []
    origin = ".".join([*up, *([node.module] if node.module else [])])
    return [f"{origin}.{alias.name}" for alias in node.names]


def arrows(found: Iterable[Import]) -> set[tuple[str, str]]:
    """The imports between rooms."""
    return {(room(each.by), room(each.of)) for each in found} - {(each, each) for each in FLOORS}


def picture() -> str:
    """The rooms and their arrows as a Mermaid diagram, the ground floor at the bottom.

    An arrow is left out where a longer way leads to the same room.
    """
    drawn = arrows(imports())
    shown = {
        (upper, lower)
        for upper, lower in drawn
        if not any((upper, between) in drawn and (between, lower) in drawn for between in FLOORS)
    }
    lines = ["```mermaid", "flowchart TD"]
    lines += [f'    {name}["{_sign(name)}"]' for name in reversed(FLOORS)]
    lines += [
        f"    {upper} --> {lower}"
        for upper in reversed(FLOORS)
        for lower in reversed(FLOORS)
        if (upper, lower) in shown
    ]
    return "\n".join([*lines, "```", ""])


def _sign(name: str) -> str:
    return {"apps": "games/admin.py, apps.py", "countersite": "countersite/"}.get(
        name, f"games/{name}/"
    )


# A copy of the house


def copied(copy: Path) -> Path:
    """Copy the house to *copy*, for someone to change."""
    copy.mkdir()
    left_out = shutil.ignore_patterns("__pycache__", "screenshots")
    for there in ROOT.iterdir():
        if there.is_file():
            shutil.copy(there, copy)
        elif there.name not in NOT_OURS and not there.name.endswith("_cache"):
            shutil.copytree(there, copy / there.name, ignore=left_out)
    return copy


def run(copy: Path, *arguments: str) -> str:
    """The output of a Python module in a copy of the house; it must succeed."""
    done = subprocess.run(
        [sys.executable, "-m", *arguments], cwd=copy, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


if __name__ == "__main__":
    text = ARCHITECTURE.read_text(encoding="utf-8")
    ARCHITECTURE.write_text(DRAWN.sub(lambda _: picture(), text, count=1), encoding="utf-8")
