"""Django's `migrate`, with a backup first, and not while someone else holds the games."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.management.base import CommandError
from django.core.management.commands import migrate
from django.db import DEFAULT_DB_ALIAS

from games.store import backup, schema
from games.store.holder import Held, hold

ONLY_LOOKS = ("plan", "check_unapplied")
"""Options with which nothing is changed."""


class Command(migrate.Command):
    def handle(self, *args: Any, **options: Any) -> None:
        if any(options[name] for name in ONLY_LOOKS):
            super().handle(*args, **options)
            return
        try:
            with hold("countersite migrate", options["database"]):
                served = options["database"] == DEFAULT_DB_ALIAS
                outdated, named = schema.outdated(options["database"]), options["migration_name"]
                if served and (outdated or named):
                    self._back_up()
                super().handle(*args, **options)
                if served and outdated and not named:
                    self._follow_logs()
        except Held as held:
            raise CommandError(f"{held} Stop it first. Nothing was changed.") from None
        except schema.Newer as newer:
            raise CommandError(f"{newer} Nothing was changed.") from None

    def _back_up(self) -> None:
        """Back up the games, so that the previous version can restore them."""
        folder = settings.DATA / "backups"
        try:
            written = backup.before_migrating(folder)
        except OSError as error:
            raise CommandError(
                f"No backup could be written to {folder}: {error.strerror or error}. "
                "Nothing was changed."
            ) from None
        if written:
            self.stdout.write(f"The games as they were before this update: {written}")

    def _follow_logs(self) -> None:
        for game in backup.follow_logs():
            self.stdout.write(f"Brought up to date by its log: {game}")
