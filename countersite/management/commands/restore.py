"""Put all games back from a file: `manage.py restore FILE`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from games.models import Game
from games.store import backup


class Command(BaseCommand):
    help = (
        "Put the games of a backup in the place of all games here. Every log is replayed first; "
        "if one does not lead to its game, nothing changes. Stop the server before: it would go "
        "on with the games it remembers."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, metavar="FILE", help="what `backup` has written")
        parser.add_argument("--force", action="store_true", help="give up the games that are here")

    def handle(self, *args: Any, **options: Any) -> None:
        path: Path = options["file"]
        here = Game.objects.count()
        if here and not options["force"]:
            raise CommandError(f"There are {here} games here; say --force to give them up.")
        try:
            renewed = backup.restore(path)
        except OSError as error:
            raise CommandError(f"{path} cannot be read: {error.strerror or error}") from None
        except backup.Unfit as error:
            raise CommandError(f"{error} Nothing has changed.") from None
        self.stdout.write(f"{Game.objects.count()} games restored, every log replayed")
        if renewed:
            self.stdout.write(
                f"{len(renewed)} of them came with another secret key: their invitations and "
                "hosts' links are new, seats and codes are as they were."
            )
