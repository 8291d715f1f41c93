"""Bring the catalogues up to date with the words that templates and code mark.

`manage.py translations` adds what is new to each language's django.po, takes out what is gone,
compiles the rest, and says what still waits for a translator. It needs Babel (the dev extra); to
run the site needs neither: the compiled catalogues are part of it.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog
from babel.messages.extract import extract
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from django.conf import settings
from django.core.management.base import BaseCommand
from django.utils.translation import templatize

from countersite.first_run import ROOT

from ._rules_words import RULES, rules_words

SOURCES = (("templates", "*.html"), ("games", "*.py"), ("countersite", "*.py"))
MARKS: dict[str, Any] = {
    "_": None,
    "later": None,
    "said": None,
    "gettext": None,
    "gettext_lazy": None,
    "gettext_noop": None,
    "ngettext": (1, 2),
    "ngettext_lazy": (1, 2),
    "pgettext": ((1, "c"), 2),
    "npgettext": ((1, "c"), 2, 3),
}
"""The names by which words are marked, as they are imported here, and which arguments are words."""
DAWN = datetime(2026, 1, 1, tzinfo=UTC)
OPTIONS = {"encoding": "utf-8"}


Words = str | tuple[str, ...]


def marked() -> Iterator[tuple[str, Words, str | None]]:
    """All that is marked: file, words (with their plural if they have one) and context."""
    for folder, pattern in SOURCES:
        for path in sorted((ROOT / folder).rglob(pattern)):
            if (
                set(RULES) & set(path.parents) and path.name != "presets.py"
            ) or "migrations" in path.parts:
                continue
            read = _in_code if path.suffix == ".py" else _in_template
            for words, context in read(path.read_text()):
                yield str(path.relative_to(ROOT)), words, context


def _in_template(text: str) -> Iterator[tuple[Words, str | None]]:
    # To Python, which this is read as, the indentation of a template is none.
    lines = (line.strip() for line in templatize(text).splitlines())
    source = BytesIO("\n".join(lines).encode())
    for _line, words, _comments, context in extract("python", source, MARKS, [], OPTIONS):
        yield words, context


def _in_code(text: str) -> Iterator[tuple[Words, str | None]]:
    """Read from the syntax tree: words stand in f-strings and within each other, too."""
    for node in ast.walk(ast.parse(text)):
        name = getattr(node.func, "id", "") if isinstance(node, ast.Call) else ""
        if not isinstance(node, ast.Call) or name not in MARKS:
            continue
        given = [each.value for each in node.args if isinstance(each, ast.Constant)]
        said = [each for each in given if isinstance(each, str)]
        context = said.pop(0) if name in ("pgettext", "npgettext") and said else None
        if said:
            yield (
                (tuple(said[:2]) if "ngettext" in name or name == "npgettext" else said[0]),
                context,
            )


def rules_marked() -> Iterator[tuple[str, Words, str | None]]:
    """What the rules say, which the site does not say itself: likewise."""
    own = {words for _file, words, _context in marked()}
    yield from ((file, words, None) for file, words in rules_words() if words not in own)


CATALOGUES: dict[Path, Callable[[], Iterator[tuple[str, Words, str | None]]]] = {
    ROOT / "locale": marked,
    ROOT / "games" / "systems" / "locale": rules_marked,
}
"""Where the catalogues are, and what is in them: the rules' English has one of its own."""
SITE, OF_RULES = CATALOGUES


def template(folder: Path = SITE) -> Catalog:
    """A catalogue of all that is marked, with nothing translated."""
    catalogue = Catalog()
    for file, words, context in CATALOGUES[folder]():
        catalogue.add(words, locations=[(file, 1)], context=context)
    return catalogue


def catalogue_file(language: str, folder: Path = SITE) -> Path:
    return folder / language / "LC_MESSAGES" / "django.po"


def catalogue(language: str, folder: Path = SITE) -> Catalog:
    """What the translators of *language* have written."""
    path = catalogue_file(language, folder)
    if not path.exists():
        return Catalog(locale=language)
    with path.open("rb") as file:
        return read_po(file, locale=language)


def compiled(translated: Catalog) -> bytes:
    """The catalogue as gettext reads it."""
    out = BytesIO()
    write_mo(out, translated)
    return out.getvalue()


class Command(BaseCommand):
    help = __doc__

    def handle(self, *args: Any, **options: Any) -> None:
        for folder in CATALOGUES:
            found = template(folder)
            for language, name in settings.LANGUAGES:
                if language != settings.LANGUAGE_CODE:
                    self._bring_up_to_date(folder, found, language, name)

    def _bring_up_to_date(self, folder: Path, found: Catalog, language: str, name: str) -> None:
        translated = catalogue(language, folder)
        translated.update(found, no_fuzzy_matching=True)
        translated.obsolete.clear()
        translated.fuzzy = False
        # Git knows when; a date in here would make each run a change.
        translated.creation_date = translated.revision_date = DAWN
        path = catalogue_file(language, folder)
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("wb") as file:
            write_po(
                file, translated, width=100, include_lineno=False, sort_by_file=True,
                omit_header=False,
            )  # fmt: skip
        path.with_suffix(".mo").write_bytes(compiled(translated))
        missing = [
            each.id for each in translated if each.id and (each.fuzzy or not all(said(each.string)))
        ]
        where = path.relative_to(ROOT)
        count = f"{len(translated)} entries, {len(missing)} to translate"
        self.stdout.write(f"{name}, {where}: {count}")
        for words in missing:
            self.stdout.write(f"  {words}")


def said(string: Any) -> tuple[Any, ...]:
    """Each form of a translation."""
    return tuple(string) if isinstance(string, (list, tuple)) else (string,)
