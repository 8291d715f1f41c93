"""Put all games back from a file: `manage.py restore FILE`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from games.models import Game
from games.store import backup


class Command(BaseCommand):
    help = (
        "Replace all games here with those in a backup. Every log is replayed first; if one does "
        "not lead to its game, nothing changes. Stop the server first: it would carry on with "
        "the games in its memory."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, metavar="FILE", help="a file written by `backup`")
        parser.add_argument("--force", action="store_true", help="replace the games that are here")

    def handle(self, *args: Any, **options: Any) -> None:
        path: Path = options["file"]
        here = Game.objects.count()
        if here and not options["force"]:
            raise CommandError(f"There are {here} games here. Use --force to replace them.")
        try:
            renewed = backup.restore(path)
        except OSError as error:
            raise CommandError(f"{path} could not be read: {error.strerror or error}") from None
        except backup.Unfit as error:
            raise CommandError(f"{error} Nothing was changed.") from None
        self.stdout.write(f"{Game.objects.count()} games restored, every log replayed")
        if renewed:
            self.stdout.write(
                f"{len(renewed)} of them came from a site with another secret key: their "
                "invitations and host links are new; seats and codes are unchanged."
            )
