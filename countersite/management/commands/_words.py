"""Finds the words that people read, for the catalogues of translations.

Each rule system has a catalogue in its folder; the site and the engine share the one in `locale`.
Words are marked in code and templates, are sentences of a refusal, or are in a field or constant
declared as `Words`. No game is named here; systems are found.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib import import_module
from inspect import get_annotations
from io import BytesIO
from pathlib import Path
from pkgutil import walk_packages
from typing import Any

from babel.messages.extract import extract
from django.utils.translation import templatize
from msgspec import Struct

from countersite.first_run import ROOT
from games.rules.system import System
from games.screens.words import spaced
from games.store.demos import in_lines, ready_games
from games.systems import SYSTEMS, presentation_of

Words = str | tuple[str, ...]
Found = tuple[str, Words, str | None]
"""The file, the words (with their plural, if any), and their context."""

SITE = ROOT / "locale"
"""The catalogue for everything outside the systems."""
RULES = (ROOT / "games" / "rules", ROOT / "games" / "systems")
SOURCES = (("templates", "*.html"), ("games", "*.py"), ("countersite", "*.py"))
MARKS: dict[str, Any] = {
    "_": None,
    "later": None,
    "said": None,
    "marked": None,
    "gettext": None,
    "gettext_lazy": None,
    "gettext_noop": None,
    "ngettext": (1, 2),
    "ngettext_lazy": (1, 2),
    "pgettext": ((1, "c"), 2),
    "npgettext": ((1, "c"), 2, 3),
}
"""The functions that mark words, under their imported names, and which arguments are words."""
SENTENCES = {"Refused": 1, "invalid": 0, "Phrase": 0, "Reader": 0, "Names": 0}
"""The constructors that take a sentence of the rules, and the position of that argument."""


def folder(system: str) -> Path:
    """The folder of a system's Python code."""
    return ROOT / "games" / "systems" / system.replace("-", "_")


def of_system(name: str) -> Path:
    """The catalogue of a system."""
    return folder(name) / "locale"


CATALOGUES: dict[Path, frozenset[str] | None] = {
    SITE: None,
    **{
        of_system(name): frozenset.union(*(each.rulebook.translated for each in editions))
        for name, editions in SYSTEMS.items()
    },
}
"""Each catalogue with the languages that must be complete; None means all languages."""


@cache
def words_in(catalogue: Path) -> tuple[Found, ...]:
    """The words that belong in *catalogue*; a system's leaves out those of the site."""
    shared = set() if catalogue == SITE else {each[1:] for each in words_in(SITE)}
    return tuple(each for each in _all_words_in(catalogue) if each[1:] not in shared)


def _all_words_in(catalogue: Path) -> Iterator[Found]:
    for name, editions in SYSTEMS.items():
        if catalogue == of_system(name):
            where = str(folder(name).relative_to(ROOT))
            yield from ((where, words, None) for words in declared(folder(name)))
            yield from ((where, words, None) for words in shown_as_written(editions))
            for system in editions:
                # What the rules leave out is listed by rule number, or by a name that people read.
                yield from (
                    (where, words, None) for words in system.rulebook.not_tracked
                    if words not in system.rulebook.rules and not any(map(str.isdigit, words))
                )  # fmt: skip
                yield from _library(system, where)
    for path in _files():
        if _catalogue_of(path) == catalogue:
            for words, context in _read(path):
                yield str(path.relative_to(ROOT)), words, context


def _library(system: System, where: str) -> Iterator[Found]:
    """The texts that people wrote in the ready games of a system whose rules tables write; those
    of games that are a line are the same words in all of them."""
    for name, ready in ready_games(system.name).items() if system.defined else ():
        game = system.of_table({"definition": ready})
        context = None if name in in_lines(system.name) else presentation_of(game).words.written
        for text in dict.fromkeys(system.defined.texts(ready) if system.defined else ()):
            if text:
                yield where, text, context or None


def _files() -> Iterator[Path]:
    for room, pattern in SOURCES:
        for path in sorted((ROOT / room).rglob(pattern)):
            if "migrations" not in path.parts:
                yield path


def _catalogue_of(path: Path) -> Path:
    for name in SYSTEMS:
        if {folder(name), ROOT / "templates" / "systems" / name} & set(path.parents):
            return of_system(name)
    return SITE


def _read(path: Path) -> Iterator[tuple[Words, str | None]]:
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".html":
        yield from _in_template(text)
        return
    yield from in_code(text)
    if set(RULES) & set(path.parents):
        yield from ((words, None) for words in sentences(text))


def _in_template(text: str) -> Iterator[tuple[Words, str | None]]:
    # Babel reads this as Python, where a template's indentation would be an error.
    lines = "\n".join(line.strip() for line in templatize(text).splitlines())
    source, options = BytesIO(lines.encode()), {"encoding": "utf-8"}
    for _line, words, _comments, context in extract("python", source, MARKS, [], options):
        yield words, context


def in_code(text: str) -> Iterator[tuple[Words, str | None]]:
    """The marked words in *text*, from its syntax tree: they may be nested or in f-strings."""
    for node in ast.walk(ast.parse(text)):
        name = getattr(node.func, "id", "") if isinstance(node, ast.Call) else ""
        if not isinstance(node, ast.Call) or name not in MARKS:
            continue
        given = [each.value for each in node.args if isinstance(each, ast.Constant)]
        texts = [each for each in given if isinstance(each, str)]
        context = texts.pop(0) if name in ("pgettext", "npgettext") and texts else None
        if texts:
            yield (
                (tuple(texts[:2]) if "ngettext" in name or name == "npgettext" else texts[0]),
                context,
            )


def declared(package: Path) -> list[str]:
    """The texts in the fields and constants of *package* that are declared as `Words`."""
    root = ".".join(package.relative_to(ROOT).parts)
    names = [root, *(each.name for each in walk_packages([str(package)], f"{root}."))]
    found: dict[str, None] = {}
    for module in map(import_module, names):
        types = getattr(module, "__annotations__", {})
        for name, value in vars(module).items():
            if not name.startswith("_"):  # a private one may hold a table's game
                found |= dict.fromkeys(words_of(value, is_words(types.get(name))))
    return [words for words in found if words]


def shown_as_written(editions: Sequence[System]) -> list[str]:
    """The ids of a system that people read, if its presentation has no other words for them."""
    said = presentation_of(editions[0])
    ids = [*said.words.as_written, *said.board.types, *said.sheets.new_cards]
    ids += [stat for card in said.sheets.new_cards.values() for stat in card.stats]
    for system in editions:
        ids += [
            *system.zones,
            *system.phases,
            *system.components.object.marks,
            *system.components.seat.marks,
        ]
    return [spaced(each) for each in dict.fromkeys(ids) if each not in {"", *said.words.names}]


def words_of(value: Any, words: bool) -> Iterator[str]:
    """The texts in *value*, if it is *words*, and in its fields declared as `Words`."""
    if isinstance(value, str):
        if words:
            yield value
    elif isinstance(value, Struct):
        types = {k: v for cls in type(value).__mro__ for k, v in get_annotations(cls).items()}
        for name in value.__struct_fields__:
            yield from words_of(getattr(value, name), is_words(types[name]))
    elif isinstance(value, Mapping):
        for each in value.values():
            yield from words_of(each, words)
    elif isinstance(value, (tuple, list)):
        for each in value:
            yield from words_of(each, words)


def is_words(declared: Any) -> bool:
    """True if a type annotation, kept as written, names `Words`."""
    return "Words" in str(declared)


def sentences(code: str) -> Iterator[str]:
    """The sentences in *code*. Raises ValueError for one that is put together from parts."""
    tree = ast.parse(code)
    scopes = [each for each in ast.walk(tree) if isinstance(each, ast.FunctionDef)]
    for scope in (*scopes, tree):
        given: dict[str, list[ast.expr]] = {}
        for node in ast.walk(scope):
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                given.setdefault(node.targets[0].id, []).append(node.value)
        for node in ast.walk(scope):
            name = getattr(node.func, "id", "") if isinstance(node, ast.Call) else ""
            if isinstance(node, ast.Call) and name in SENTENCES:
                yield from _words(node.args[SENTENCES[name]], given, at_top=scope is tree)


def _words(text: ast.expr, given: dict[str, list[ast.expr]], *, at_top: bool) -> Iterator[str]:
    if isinstance(text, ast.Constant) and isinstance(text.value, str):
        yield text.value
    elif isinstance(text, (ast.JoinedStr, ast.BinOp)):
        raise ValueError(f"line {text.lineno}: a sentence cannot be put together; name its facts")
    elif isinstance(text, ast.Name) and not at_top:
        for each in given.get(text.id, ()):
            if isinstance(each, (ast.Constant, ast.JoinedStr, ast.BinOp)):
                if not (isinstance(each, ast.Constant) and each.value is None):
                    yield from _words(each, {}, at_top=False)
