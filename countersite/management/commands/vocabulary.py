"""Print the reference of all commands, made from the code: `countersite vocabulary`."""

from typing import Any

from django.core.management.base import BaseCommand

from games.rules.vocabulary import page
from games.systems import SYSTEMS


class Command(BaseCommand):
    help = "Print every command of every rule system, as the documentation site has it."
    requires_system_checks = ()

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(page(SYSTEMS), ending="")
