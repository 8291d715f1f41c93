"""Write a small rule system that can be played at once, to be changed into the one that is wanted.

`manage.py newsystem "Shadow Era"` writes a folder of Python with a demo, a file of cases, a style
sheet and the one that imports it. With `--package` it writes all that as a package of its own, to
be installed beside this one. With `--from FILE.json` that package is an own game that has outgrown
its sentences. Nothing that is there already is changed or overwritten.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from keyword import iskeyword
from pathlib import Path
from string import Template
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils.text import slugify

from countersite import __version__
from countersite.first_run import ROOT
from games.systems import SYSTEMS
from games.systems.own_game import to_python
from games.systems.own_game.language.reading import Fault

SKELETON = Path(__file__).parents[1] / "skeleton"
PACKAGE = Path(__file__).parents[1] / "package"
"""The skeleton of what only a package of its own has."""
OUTGROWN = Path(__file__).parents[1] / "outgrown"
"""The skeleton of an own game's package."""
SUFFIX = "-tpl"
"""Ends the name of each file of the skeleton, so that no tool takes it for one of the site's."""
NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
TITLE = re.compile(r"\w[\w '’:!?&.-]{0,39}")


def titled(given: str) -> str:
    """The title in *given*: as it is, or from a name like "shadow-era". Raises CommandError."""
    title = given.replace("-", " ").title() if NAME.fullmatch(given) else given.strip()
    if not TITLE.fullmatch(title):
        raise CommandError(
            f"“{given}” cannot be a title: up to 40 letters, digits, blanks and ' : ! ? & . -"
        )
    return title


def named(title: str) -> str:
    """The name of the system with that title. Raises CommandError."""
    name = slugify(title)
    if not NAME.fullmatch(name) or iskeyword(name):
        raise CommandError(
            f"“{title}” makes no name: it must begin with one of the letters a-z, "
            "and be no word of Python."
        )
    return name


def written(title: str, name: str) -> Iterator[tuple[Path, str]]:
    """Each file of the new system, with its place below the root."""
    yield from _filled(SKELETON, title, name)


def packaged(title: str, name: str) -> Iterator[tuple[Path, str]]:
    """The same as a package of its own, with its place below the package's project."""
    folder = f"countersite_{name.replace('-', '_')}"
    python = Path("games", "systems", name.replace("-", "_"))
    for place, text in written(title, name):
        if place.is_relative_to(python):
            yield Path(folder) / place.relative_to(python), text
        elif place.parts[0] == "tests":
            yield Path(folder, "scenarios.json"), text
        else:
            yield Path(folder) / place, text
    yield from _filled(PACKAGE, title, name)


def from_definition(
    title: str, name: str, definition: Mapping[str, Any]
) -> Iterator[tuple[Path, str]]:
    """The package of an own game, with its place below its project. Raises CommandError."""
    try:
        words = to_python.words(definition, title, name)
    except Fault as fault:
        raise CommandError(f"The definition has a fault at “{fault.place}”.") from None
    yield from _filled(OUTGROWN, title, name, words)
    yield from _filled(PACKAGE, title, name)


def bounds(version: str) -> dict[str, str]:
    """The versions that a package of today is for: names may change with the second number."""
    major, minor, *_ = version.split(".")
    return {"version": f"{major}.{minor}", "next": f"{major}.{int(minor) + 1}"}


def _filled(
    skeleton: Path, title: str, name: str, further: Mapping[str, str] | None = None
) -> Iterator[tuple[Path, str]]:
    words = {"title": title, "name": name, "folder": name.replace("-", "_"), **(further or {})}
    words |= bounds(__version__)
    for source in sorted(skeleton.rglob(f"*{SUFFIX}")):
        place = str(source.relative_to(skeleton)).removesuffix(SUFFIX)
        place = place.replace("FOLDER", words["folder"]).replace("NAME", name)
        yield Path(place), Template(source.read_text(encoding="utf-8")).substitute(words)


def read(path: Path) -> Mapping[str, Any]:
    """The definition in a file, as the table gives it. Raises CommandError."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise CommandError(f"{path} cannot be read: {error}") from None
    if not isinstance(found, dict):
        raise CommandError(f"{path} has no definition of a game.")
    if "when" in found:  # a library's demo lies below its definition, under the same name
        beside = path.parent.parent / path.name
        use = f" Use {beside}." if beside.is_file() else ""
        raise CommandError(f"{path.name} is a scenario, not a definition.{use}")
    return found


def refuse_taken(root: Path, name: str, files: list[Path]) -> None:
    """Refuse a name that a system, a module or any file of it has already."""
    folder = root / "games" / "systems" / name.replace("-", "_")
    taken = [folder, folder.with_suffix(".py"), *(root / each for each in files)]
    if there := next((each for each in taken if each.exists()), None):
        raise CommandError(f"“{name}” is taken: there is {there.relative_to(root)} already.")


class Command(BaseCommand):
    help = __doc__

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "title", nargs="?", default="", help='as players read it, like "Shadow Era"'
        )
        parser.add_argument("--root", type=Path, default=ROOT, help="the repository to write into")
        parser.add_argument(
            "--package",
            type=Path,
            metavar="FOLDER",
            help="write a package to be installed by itself, into a new folder",
        )
        parser.add_argument(
            "--from",
            type=Path,
            dest="definition",
            metavar="FILE",
            help="an own game's definition, to be written as Python; needs --package",
        )

    def handle(
        self,
        *args: Any,
        title: str,
        root: Path,
        package: Path | None,
        definition: Path | None,
        **options: Any,
    ) -> None:
        own = read(definition) if definition else None
        if own is not None and package is None:
            raise CommandError("--from writes a package of its own: say where with --package.")
        title = titled(title or str((own or {}).get("title", "")))
        name = named(title)
        if package is not None:
            made = packaged(title, name) if own is None else from_definition(title, name, own)
            self._write_package(package, name, made)
            return
        files = dict(written(title, name))
        refuse_taken(root, name, list(files))
        self._write(root, files)
        self.stdout.write(
            f"\nTry it: manage.py laws games/systems/{name.replace('-', '_')}\n"
            "Then read docs/rule-systems.md, from the top."
        )

    def _write_package(self, folder: Path, name: str, files: Iterator[tuple[Path, str]]) -> None:
        if name in SYSTEMS:
            raise CommandError(f"“{name}” is taken: there is such a system already.")
        if folder.exists() and any(folder.iterdir()):
            raise CommandError(f"{folder} is not empty.")
        self._write(folder, dict(files))
        self.stdout.write(
            f"\nTry it: pip install -e {folder}, then countersite laws {folder}\n"
            "docs/rule-systems.md says what is in it."
        )

    def _write(self, root: Path, files: dict[Path, str]) -> None:
        for place, text in files.items():
            (root / place).parent.mkdir(parents=True, exist_ok=True)
            (root / place).write_text(text, encoding="utf-8")
            self.stdout.write(f"{place}")
