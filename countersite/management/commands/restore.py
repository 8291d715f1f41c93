"""Restore all games from a file: `countersite restore FILE`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from games.models import Game
from games.store import backup, schema
from games.store.holder import Locked, hold
from games.store.lines import Unfit


class Command(BaseCommand):
    help = (
        "Replace all games here with those in a backup; an empty folder or database just gets "
        "them. Every log is replayed first; if one does not lead to its game, nothing changes. "
        "Refused while a server is running."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, metavar="FILE", help="a file written by `backup`")
        parser.add_argument("--force", action="store_true", help="replace the games that are here")
        parser.add_argument(
            "--skip-unfit", action="store_true", help="leave out games that do not match their log"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            with hold("countersite restore"):
                self._restore(options["file"], options["force"], options["skip_unfit"])
        except Locked as locked:
            raise CommandError(f"{locked} Stop it first. Nothing was changed.") from None

    def _restore(self, path: Path, force: bool, skip_unfit: bool) -> None:
        here = backup.games_here()
        if here and not force:
            counted = backup.counted(here)
            raise CommandError(f"Already here: {counted}. Use --force to replace what is here.")
        try:
            restored = backup.restore(path, skip_unfit=skip_unfit)
        except OSError as error:
            raise CommandError(f"{path} could not be read: {error.strerror or error}") from None
        except (Unfit, schema.OtherVersion) as error:
            raise CommandError(f"{error} Nothing was changed.") from None
        self.stdout.write(f"{backup.counted(Game.objects.count())} restored, every log replayed")
        for left_out in restored.left_out:
            self.stdout.write(f"Left out: {left_out}")
        for game in restored.updated:
            self.stdout.write(f"Brought up to date by its log: {game}")
        if restored.renewed:
            self.stdout.write(
                f"{len(restored.renewed)} of them came from a site with another secret key: their "
                "invitations and host links are new; seats and codes are unchanged."
            )
