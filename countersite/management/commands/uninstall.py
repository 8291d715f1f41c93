"""Remove an installed package of rules: `countersite uninstall NAME`."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from countersite import packages


class Command(BaseCommand):
    help = "Remove a package of rules. Its games stay, and go on when it is installed again."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", help="the name of the package, or of its rule system")

    def handle(self, *args: Any, name: str, **options: Any) -> None:
        try:
            gone = packages.remove(name)
        except packages.NotDone as why:
            raise CommandError(str(why)) from None
        self.stdout.write(
            f"{gone} is removed. Its games stay in the database, "
            "and go on when it is installed again."
        )
