"""Check the laws of one rule system: `countersite laws PACKAGE`."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

import countersite.laws  # noqa: F401 those of the screens
from countersite import packages
from countersite.first_run import ROOT
from games.rules.input import printable
from games.rules.laws import GAMES, LAWS, Case, Kept, findings
from games.systems import PACKAGES, SYSTEMS, named_by


class Command(BaseCommand):
    help = (
        "Check that a rule system keeps the laws of all systems, in about 20 seconds: its cases, "
        "its rules, games at random, and its screens. The exit status is 1 if one is broken."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("package", help="the rule system: its name, its package or its folder")
        parser.add_argument(
            "--games", type=int, default=GAMES, help="how many games at random each law looks at"
        )

    def handle(self, *args: Any, package: str, games: int, **options: Any) -> None:
        if games < 1:
            raise CommandError("--games must be 1 or more.")
        name = system_of(package)
        newest, cases = SYSTEMS[name][0], [*cases_of(name)]
        if not cases:
            raise CommandError(f"{name} has no case: nothing can be played. Write one first.")
        kept = Kept(newest, PACKAGES[name].__name__, cases, games)
        broken = 0
        for law, faults in findings(kept):
            self.stdout.write(f"{'broken' if faults else 'kept  '}  {law.says}")
            if faults:
                broken += 1
                self.stdout.write(f"        {law.why}")
            for fault in faults:
                self.stdout.write(f"        - {printable(fault)}")
        verdict = f"{broken} of {len(LAWS)} laws are broken." if broken else "All laws are kept."
        self.stdout.write(
            f"\n{printable(newest.title)} {newest.edition}, {len(cases)} cases, "
            f"{games:,} games at random: {verdict}"
        )
        if broken:
            sys.exit(1)


def system_of(package: str) -> str:
    """The name of a system, from that or from its package's name or folder. Raises CommandError."""
    if package in PACKAGES:
        return package
    for name, found in packages.installed().items():
        for system in packages.systems(found):
            if packages.same(name, package) and system in PACKAGES:
                return system
    return system_in(Path(package))


def system_in(folder: Path) -> str:
    """The name of the system whose code is in *folder*, or in a package there."""
    here = folder.resolve()
    for name, package in PACKAGES.items():
        places = [Path(place).resolve() for place in package.__path__]
        ours = package.__name__.startswith("games.")  # there are many in one folder
        if here in places or (not ours and here in [place.parent for place in places]):
            return name
    raise CommandError(
        f"No rule system that can be used is in {folder}, or has that name. Is it the folder with "
        "__init__.py? A package of its own must be installed: pip install -e."
    )


def cases_of(name: str) -> Iterator[Case]:
    """The cases of a system: its demo, those beside its code, and those among the tests."""
    beside = Path(PACKAGES[name].__path__[0])
    places = [beside / "demo.json", beside / "scenarios.json"]
    for path in [*places, *sorted((ROOT / "tests" / "scenarios").glob("*.json"))]:
        if path.is_file():
            found = json.loads(path.read_text(encoding="utf-8"))
            for case in found if isinstance(found, list) else [found]:
                if case["system"] == name and _is_of_newest(case):
                    yield case


def _is_of_newest(case: Case) -> bool:
    """True if a case is one of the newest edition, and not about a definition that has a fault."""
    if not {"refused_definition", "refused_opening"}.isdisjoint(case["then"]):
        return False
    newest = SYSTEMS[case["system"]][0].edition
    return any(found.edition == newest for found in named_by(case))
