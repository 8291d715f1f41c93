"""Bring the catalogues up to date with the words of the site and of each rule system.

`manage.py translations` adds new words to each language's django.po, removes unused ones, compiles
the rest, and lists what still needs a translation. With --check it writes nothing, and fails if a
catalogue is out of date, or incomplete when it must be complete; releases must pass this. It needs
Babel (the dev extra). The site itself does not: the compiled catalogues are in the repository.
"""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog, Message
from babel.messages.mofile import read_mo, write_mo
from babel.messages.pofile import read_po, write_po
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from countersite.first_run import ROOT

from ._words import CATALOGUES, words_in

DAWN = datetime(2026, 1, 1, tzinfo=UTC)
LANGUAGES = tuple(code for code, _name in settings.LANGUAGES if code != settings.LANGUAGE_CODE)
"""The languages to translate into."""
MOST_LISTED = 40
"""Words of a catalogue that are printed; a new language has thousands."""

Key = tuple[tuple[str, ...], str | None]
"""The key of words in every catalogue: their forms and context."""


def catalogue_file(language: str, folder: Path) -> Path:
    return folder / language / "LC_MESSAGES" / "django.po"


def catalogue(language: str, folder: Path) -> Catalog:
    """The translations into *language* by people."""
    path = catalogue_file(language, folder)
    if not path.exists():
        return Catalog(locale=language, project="Countersite", version="1", header_comment="")
    with path.open("rb") as file:
        return read_po(file, locale=language)


def up_to_date(language: str, folder: Path) -> Catalog:
    """The catalogue with exactly the words in use now.

    Words that are also in another catalogue, or moved here from it, keep their translation.
    """
    found = Catalog()
    for file, words, context in words_in(folder):
        found.add(words, locations=[(file, 1)], context=context)
    translated = catalogue(language, folder)
    translated.update(found, no_fuzzy_matching=True)
    translated.obsolete.clear()
    translated.fuzzy = False
    # Git knows when; with a date in the file, each run would change it.
    translated.creation_date = translated.revision_date = DAWN
    if waiting(translated):
        known: dict[Key, tuple[str, ...]] = {}
        for other in CATALOGUES:
            known |= texts(catalogue(language, other))
        for each in waiting(translated):
            if text := known.get(key(each)):
                each.string = text if each.pluralizable else text[0]
    return translated


def key(message: Message) -> Key:
    context: Any = message.context  # Babel's read_mo leaves it as bytes
    return forms(message.id), context.decode() if isinstance(context, bytes) else context


def keys(translated: Catalog) -> set[Key]:
    return {key(each) for each in translated if each.id}


def waiting(translated: Catalog) -> list[Message]:
    """The messages without a translation."""
    return [
        each for each in translated if each.id and (each.fuzzy or not all(forms(each.string)))
    ]  # fmt: skip


def forms(string: Any) -> tuple[str, ...]:
    """Each form of a translation."""
    return tuple(string) if isinstance(string, (list, tuple)) else (string,)


def write(path: Path, translated: Catalog) -> None:
    """Write the catalogue for translators, and next to it the compiled one, as gettext does."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        write_po(
            file, translated, width=100, include_lineno=False, sort_by_file=True,
            omit_header=False,
        )  # fmt: skip
    # A plural without a translation would be compiled as English.
    for each in waiting(translated):
        translated.delete(each.id, each.context)
    with path.with_suffix(".mo").open("wb") as file:
        write_mo(file, translated)


def texts(translated: Catalog) -> dict[Key, tuple[str, ...]]:
    """The translations, by their words."""
    found = {key(each): forms(each.string) for each in translated if each.id and not each.fuzzy}
    return {words: text for words, text in found.items() if all(text)}


def stale(language: str, folder: Path) -> bool:
    """True if the compiled catalogue differs from the written one."""
    path = catalogue_file(language, folder).with_suffix(".mo")
    compiled = Catalog()
    if path.exists():
        with path.open("rb") as file:
            compiled = read_mo(file)
    return texts(compiled) != texts(catalogue(language, folder))


def must_be_whole(language: str, folder: Path) -> bool:
    """True if that catalogue must be complete: the site's, and those that a system claims."""
    claimed = CATALOGUES[folder]
    return claimed is None or language in claimed


class Command(BaseCommand):
    help = __doc__

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--check", action="store_true", help="write nothing; fail if not ready")

    def handle(self, *args: Any, check: bool = False, **options: Any) -> None:
        all_of_it = [(language, folder) for language in LANGUAGES for folder in CATALOGUES]
        # Find all before writing any: words move from one catalogue to another.
        new = {each: up_to_date(*each) for each in all_of_it}
        unready = [each for each in all_of_it if not self._ready(*each, new[each], check=check)]
        if check and unready:
            files = ", ".join(str(catalogue_file(*each).relative_to(ROOT)) for each in unready)
            raise CommandError(f"Run manage.py translations and translate what is missing: {files}")
        if not check:
            for each, translated in new.items():
                write(catalogue_file(*each), translated)

    def _ready(self, language: str, folder: Path, new: Catalog, *, check: bool) -> bool:
        """Print what a catalogue lacks; return whether it is fit for a release."""
        missing = waiting(new)
        old = catalogue(language, folder)
        outdated = keys(old) != keys(new) or texts(old) != texts(new) or stale(language, folder)
        note = ", not up to date" if check and outdated else ""
        where = catalogue_file(language, folder).relative_to(ROOT)
        self.stdout.write(f"{where}: {len(new)} entries, {len(missing)} to translate{note}")
        for each in missing[:MOST_LISTED]:
            self.stdout.write(f"  {each.id}")
        if len(missing) > MOST_LISTED:
            self.stdout.write(f"  and {len(missing) - MOST_LISTED} more, empty in that file")
        return not must_be_whole(language, folder) or not (missing or outdated)
