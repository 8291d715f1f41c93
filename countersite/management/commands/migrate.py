"""Django's `migrate`, with a backup first, and not while someone else holds the games.

If all that is pending is online (`schema.ONLINE`), servers of the version before may go on, and
there is no backup: that version serves what comes of it.
"""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.management.base import CommandError
from django.core.management.commands import migrate
from django.db import DEFAULT_DB_ALIAS, OperationalError, connections

from games.store import backup, schema
from games.store.holder import Locked, hold

ONLY_LOOKS = ("plan", "check_unapplied")
"""Options with which nothing is changed."""
LOCK = 0x6762, 1
"""The advisory lock in PostgreSQL of a migration beside servers; `holder.LOCK` they share."""
PATIENCE = "2s"
"""Seconds for which an online migration waits for a table, while all others wait behind it."""


class Command(migrate.Command):
    def handle(self, *args: Any, **options: Any) -> None:
        if any(options[name] for name in ONLY_LOOKS):
            super().handle(*args, **options)
            return
        using, named = options["database"], options["migration_name"]
        try:
            pending = schema.pending(using)
            online = bool(pending) and not named and all(map(schema.online, pending))
            with hold("countersite migrate", using, shared=online):
                if online:
                    self._add(*args, **options)
                else:
                    self._change(bool(pending), *args, **options)
        except Locked as locked:
            raise CommandError(f"{locked} Stop it first. Nothing was changed.") from None
        except schema.OtherVersion as other:
            raise CommandError(f"{other} Nothing was changed.") from None

    def _add(self, *args: Any, **options: Any) -> None:
        """Migrate while servers of the version before may be at work."""
        connection = connections[options["database"]]
        try:
            if connection.vendor == "postgresql":
                with connection.cursor() as cursor:
                    cursor.execute("SELECT pg_try_advisory_lock(%s, %s)", LOCK)
                    if cursor.fetchone() == (False,):
                        raise CommandError("Another `migrate` is at work. Nothing was changed.")
                    # A query behind one that waits for a table waits, too.
                    cursor.execute(f"SET lock_timeout = '{PATIENCE}'")
            super().handle(*args, **options)
        except OperationalError as error:
            raise CommandError(
                f"The database refused: {' '.join(str(error).split())}. Run `migrate` again."
            ) from None

    def _change(self, outdated: bool, *args: Any, **options: Any) -> None:
        """Migrate with nobody else there."""
        served, named = options["database"] == DEFAULT_DB_ALIAS, options["migration_name"]
        if served and (outdated or named):
            self._back_up()
        super().handle(*args, **options)
        if served and outdated and not named:
            self._follow_logs()

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
