"""Back up all games to a file: `countersite backup FILE`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from games.store import backup, schema


class Command(BaseCommand):
    help = (
        "Write all games to a file, even while they are being played, and replay every log in it. "
        "It holds every secret of "
        "every game: keep it to yourself, together with the site's secret key."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "file", type=Path, metavar="FILE", help="file to write; it must not exist"
        )
        parser.add_argument("--force", action="store_true", help="overwrite the file")

    def handle(self, *args: Any, **options: Any) -> None:
        path: Path = options["file"]
        if path.exists() and not options["force"]:
            raise CommandError(f"{path} already exists. Use --force to overwrite it.")
        try:
            written = backup.backup(path)
        except OSError as error:
            raise CommandError(f"{path} could not be written: {error.strerror or error}") from None
        except schema.Newer as newer:
            raise CommandError(f"{newer} Nothing was written.") from None
        count = written.games
        self.stdout.write(f"{count} game{'' if count == 1 else 's'} in {path}")
        if written.unfit:
            unfit = "\n  ".join(written.unfit)
            raise CommandError(
                f"The file is written, but these games do not match their log:\n  {unfit}\n"
                "`restore --skip-unfit` restores the others."
            )
