"""Back up all games: `countersite backup FILE`, or every night `backup --keep 14 FOLDER`."""

from __future__ import annotations

from argparse import ArgumentTypeError
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from games.store import backup, schema

UNFIT = 3
"""The exit status of a backup that is written, with a game that does not match its log."""


def most(text: str) -> int:
    """The number of files to keep."""
    if not (text.isascii() and text.isdigit() and int(text)):
        raise ArgumentTypeError(f"{text!r} is no number of files: use a whole number from 1")
    return int(text)


class Command(BaseCommand):
    help = (
        "Write all games to a file, even while they are being played, and replay every log in it. "
        "It holds every secret of "
        "every game: keep it to yourself, together with the site's secret key."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        where = "file to write; it must not exist. One that ends with .gz is packed"
        parser.add_argument("path", type=Path, metavar="FILE", help=where)
        parser.add_argument("--force", action="store_true", help="overwrite the file")
        keep = "write a new dated file into the folder FILE, and keep the last KEEP of them"
        parser.add_argument("--keep", type=most, help=keep)

    def handle(self, *args: Any, **options: Any) -> None:
        path: Path = options["path"]
        try:
            path, written = self._written(path, options["keep"], options["force"])
        except OSError as error:
            raise CommandError(f"{path} could not be written: {error.strerror or error}") from None
        except schema.OtherVersion as other:
            raise CommandError(f"{other} Nothing was written.") from None
        self.stdout.write(f"{backup.counted(written.games)} in {path}")
        if written.unfit:
            unfit = "\n  ".join(written.unfit)
            raise CommandError(
                f"The file is written, but these games do not match their log:\n  {unfit}\n"
                "`restore --skip-unfit` restores the others.",
                returncode=UNFIT,
            )

    def _written(self, path: Path, keep: int | None, force: bool) -> tuple[Path, backup.Written]:
        if keep:
            return backup.rotate(path, keep)
        if path.is_dir():
            raise CommandError(f"{path} is a folder. Name a file, or say how many files to --keep.")
        if path.exists() and not force:
            raise CommandError(f"{path} already exists. Use --force to overwrite it.")
        return path, backup.backup(path)
