"""Django's `manage.py migrate`, but not while someone else holds the games."""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandError
from django.core.management.commands import migrate

from games.store.holder import Held, hold

ONLY_LOOKS = ("plan", "check_unapplied")
"""Options with which nothing is changed."""


class Command(migrate.Command):
    def handle(self, *args: Any, **options: Any) -> None:
        if any(options[name] for name in ONLY_LOOKS):
            super().handle(*args, **options)
            return
        try:
            with hold("manage.py migrate", options["database"]):
                super().handle(*args, **options)
        except Held as held:
            raise CommandError(f"{held} Stop it first. Nothing was changed.") from None
