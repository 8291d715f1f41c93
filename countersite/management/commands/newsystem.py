"""Write a small rule system that can be played at once, to be changed into the one that is wanted.

`manage.py newsystem "Shadow Era"` writes a folder of Python with a demo, a file of cases, a style
sheet and the one that imports it. Nothing that is there already is changed or overwritten.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from keyword import iskeyword
from pathlib import Path
from string import Template
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils.text import slugify

from countersite.first_run import ROOT

SKELETON = Path(__file__).parents[1] / "skeleton"
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
    words = {"title": title, "name": name}
    for source in sorted(SKELETON.rglob(f"*{SUFFIX}")):
        place = str(source.relative_to(SKELETON)).removesuffix(SUFFIX)
        place = place.replace("FOLDER", name.replace("-", "_")).replace("NAME", name)
        yield Path(place), Template(source.read_text(encoding="utf-8")).substitute(words)


def refuse_taken(root: Path, name: str, files: list[Path]) -> None:
    """Refuse a name that a system, a module or any file of it has already."""
    folder = root / "games" / "systems" / name.replace("-", "_")
    taken = [folder, folder.with_suffix(".py"), *(root / each for each in files)]
    if there := next((each for each in taken if each.exists()), None):
        raise CommandError(f"“{name}” is taken: there is {there.relative_to(root)} already.")


class Command(BaseCommand):
    help = __doc__

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("title", help='as players read it, like "Shadow Era"')
        parser.add_argument("--root", type=Path, default=ROOT, help="the repository to write into")

    def handle(self, *args: Any, title: str, root: Path, **options: Any) -> None:
        title = titled(title)
        name = named(title)
        files = dict(written(title, name))
        refuse_taken(root, name, list(files))
        for place, text in files.items():
            (root / place).parent.mkdir(parents=True, exist_ok=True)
            (root / place).write_text(text, encoding="utf-8")
            self.stdout.write(f"{place}")
        self.stdout.write(
            f"\nTry it: manage.py rulecheck tests/scenarios/{name}.json\n"
            'Then read "Add a rule system" in CONTRIBUTING.md.'
        )
