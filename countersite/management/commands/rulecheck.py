"""Run scenario files: `countersite rulecheck FILE...`."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from games.rules.input import printable
from games.rules.scenario import Difference, SpecificationError, check
from games.rules.system import System
from games.systems import current, named_by

MALFORMED = 2


class Command(BaseCommand):
    help = (
        "Run scenario files and report what does not hold. The last line is “N passed, M failed”, "
        "counting each scenario once per edition. The exit status is 1 if any failed, "
        "2 if a file is malformed."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("files", nargs="+", metavar="FILE", help="a JSON file of scenarios")

    def handle(self, *args: Any, **options: Any) -> None:
        passed = failed = 0
        # Read all files before running any: half a result would look like a whole one.
        wanted = [scenario for file in options["files"] for scenario in scenarios(file)]
        for where, scenario, system in wanted:
            try:
                differences = check(scenario, system)
            except SpecificationError as error:
                raise malformed(where, error) from None
            if differences:
                failed += 1
                self.stdout.write(report(scenario, system, differences))
            else:
                passed += 1
        self.stdout.write(f"{passed} passed, {failed} failed")
        if failed:
            sys.exit(1)


def scenarios(file: str) -> Iterator[tuple[str, Mapping[str, Any], System]]:
    """Each scenario of *file* in each of its editions, with its position."""
    try:
        found = json.loads(Path(file).read_text(encoding="utf-8"))
    except OSError as error:
        raise malformed(file, error.strerror or error) from None
    except UnicodeDecodeError as error:
        raise malformed(file, f"not UTF-8 text ({error})") from None
    except (json.JSONDecodeError, RecursionError) as error:
        raise malformed(file, f"not JSON ({error})") from None
    for number, scenario in enumerate(found if isinstance(found, list) else [found]):
        name = scenario.get("id") if isinstance(scenario, dict) else None
        where = f"{file}, scenario {number}" + (f" ({name})" if name else "")
        try:
            scenario = current(scenario)
            for system in named_by(scenario):
                yield where, scenario, system
        except SpecificationError as error:
            raise malformed(where, error) from None


def malformed(where: str, why: object) -> CommandError:
    return CommandError(printable(f"{where}: {why}"), returncode=MALFORMED)


def report(scenario: Mapping[str, Any], system: System, differences: list[Difference]) -> str:
    """A failure for people to read: its sentence, its position, what was expected and what came."""
    lines = [
        f"FAILED {scenario['id']} in {system.name} {system.edition}",
        f"  {printable(scenario['title'])}",
    ]
    for difference in differences:
        where = difference.where
        if (step := _step(scenario, where)) is not None:
            where = f"{where}: {written(step)}"
        lines += [
            f"  {printable(where)}",
            f"    expected: {printable(written(difference.expected))}",
            f"    got:      {printable(written(difference.got))}",
        ]
    return "\n".join([*lines, "", ""])


def _step(scenario: Mapping[str, Any], where: str) -> Any:
    """The command of a difference at "step N"."""
    kind, _, number = where.partition(" ")
    if kind != "step" or not number.isdigit() or int(number) >= len(scenario["when"]):
        return None
    return scenario["when"][int(number)]


def written(value: Any) -> str:
    """A value as JSON; a text as it is."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
