"""Make a rule system's table of known cards again: `manage.py cards NAME [FILE]`.

A system with such a table keeps what it is made from as `cards.json` in its folder, and says in its
`tabulate.py` how. Without FILE the table is made again from that; a newer FILE takes its place.
"""

from __future__ import annotations

import json
from collections.abc import Collection
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from countersite.first_run import ROOT
from games.systems import SYSTEMS

KEPT, TABLE = "cards.json", "card_table.py"


def tabulating() -> dict[str, str]:
    """The systems that have a table of known cards, with their packages."""
    packages = {name: f"games.systems.{name.replace('-', '_')}" for name in SYSTEMS}
    return {name: each for name, each in packages.items() if find_spec(f"{each}.tabulate")}


def read(path: Path, tabulate: ModuleType) -> tuple[str, Any]:
    """The text of the file, and what it holds. Raises CommandError."""
    try:
        text = path.read_text(encoding="utf-8")
        source = json.loads(text)
        tabulate.refuse_malformed(source)
    except (OSError, ValueError) as error:
        raise CommandError(f"{path} cannot be used: {error}. Nothing was changed.") from None
    return text, source


class Command(BaseCommand):
    help = "Make a rule system's table of known cards again, if you like from a newer file."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("system", choices=sorted(tabulating()))
        parser.add_argument("file", nargs="?", type=Path, help=f"to take the place of {KEPT}")

    def handle(self, *args: Any, system: str, file: Path | None, **options: Any) -> None:
        package = tabulating()[system]
        folder = ROOT.joinpath(*package.split("."))
        tabulate = import_module(f"{package}.tabulate")
        listed = import_module(f"{package}.card_table").KINDS
        text, source = read(file or folder / KEPT, tabulate)
        made = tabulate.module(source)
        if file:
            (folder / KEPT).write_text(text, encoding="utf-8")
        (folder / TABLE).write_text(made, encoding="utf-8")
        self.stdout.write(f"{len(source['kinds'])} kinds, {len(source['cards'])} cards.")
        self._ask(list(tabulate.doubts(source, listed)))

    def _ask(self, doubts: Collection[str]) -> None:
        if doubts:
            self.stdout.write("Look these up in the cards' texts:")
        for doubt in doubts:
            self.stdout.write(f"- {doubt}")
