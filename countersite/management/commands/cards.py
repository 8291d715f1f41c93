"""Replace a rule system's file of known cards: `manage.py cards NAME [FILE]`.

A system with such a file has it as `cards.json` in its folder, and reads it in its `card_table.py`,
which also checks a new one (`refuse_malformed`) and says what to look up (`doubts`).
"""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from countersite.first_run import ROOT
from games.systems import SYSTEMS

KEPT = "cards.json"


def with_cards() -> dict[str, Path]:
    """The folders of the systems that have a file of known cards."""
    folders = {name: ROOT / "games/systems" / name.replace("-", "_") for name in SYSTEMS}
    return {name: folder for name, folder in folders.items() if (folder / KEPT).exists()}


def read(path: Path, table: ModuleType) -> tuple[str, Any]:
    """The text of the file, and what it holds. Raises CommandError."""
    try:
        text = path.read_text(encoding="utf-8")
        source = json.loads(text)
        table.refuse_malformed(source)
    except (OSError, ValueError) as error:
        raise CommandError(f"{path} cannot be used: {error}. Nothing was changed.") from None
    return text, source


class Command(BaseCommand):
    help = "Replace a rule system's file of known cards, and list what to look up in their texts."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("system", choices=sorted(with_cards()))
        parser.add_argument("file", nargs="?", type=Path, help=f"replaces {KEPT}")

    def handle(self, *args: Any, system: str, file: Path | None, **options: Any) -> None:
        folder = with_cards()[system]
        table = import_module(f"games.systems.{folder.name}.card_table")
        text, source = read(file or folder / KEPT, table)
        if file:
            (folder / KEPT).write_text(text, encoding="utf-8")
        self.stdout.write(f"{len(source['kinds'])} kinds, {len(source['cards'])} cards.")
        if doubts := list(table.doubts(source, table.KINDS)):
            self.stdout.write("Look these up in the cards' texts:")
        for doubt in doubts:
            self.stdout.write(f"- {doubt}")
