"""Install a package of rules: `countersite install NAME|URL|FILE`."""

from __future__ import annotations

import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from countersite import packages
from games.rules.input import printable


class Command(BaseCommand):
    help = "Install a package of rules beside Countersite, or a newer version of one."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("package", help="its name on the index, its address, or its file")
        parser.add_argument("--yes", action="store_true", help="install it without asking")

    def handle(self, *args: Any, package: str, yes: bool, **options: Any) -> None:
        if instead := packages.advice(package):
            raise CommandError(instead)
        try:
            found = packages.promised(package) or [f"{package}, which has to be built to be known"]
            self.stdout.write(
                "\n".join(["To be installed:", *(f"  {printable(x)}" for x in found)])
            )
            self.stdout.write(f"\n{packages.MAY}\n")
            if not (yes or self._agreed()):
                raise CommandError("Nothing was installed.")
            done = packages.install(package)
        except packages.NotDone as why:
            lines = str(why).splitlines()
            raise CommandError("\n".join(map(printable, lines))) from None
        for name in packages.systems(done):
            self.stdout.write(
                f"{name} is installed, from {done.metadata['Name']} {done.version}. It is on the "
                "home page when Countersite is started again. To see whether it keeps the laws of "
                f"all rule systems: countersite laws {name}"
            )

    def _agreed(self) -> bool:
        if not sys.stdin.isatty():
            raise CommandError("Nobody is here to be asked: add --yes.")
        self.stdout.write("Install it? [y/N] ", ending="")
        self.stdout.flush()
        return sys.stdin.readline().strip().lower() in ("y", "yes")
