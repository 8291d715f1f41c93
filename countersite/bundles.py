"""One file for a page's script, and one for its style sheet.

Scripts are ES modules and style sheets import each other, so that browsers can read both as they
are written, and do while COUNTERSITE_DEBUG is on. A phone would wait for fifty small files, though:
when static files are collected, each `main.js` and `main.css` gets what it imports into itself.

A module becomes a function that returns what it exports. It runs as the standard says: after what
it imports, and once. Only plain imports and exports are understood, and modules must not import
each other in a circle; everything else is refused. Comments that have their lines to themselves
stay behind, as they would be a tenth of a first visit; `/*!` keeps one. So does white space that
means nothing, another seven kilobytes. Names stay as they are: an error on a phone names the
module's function.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator

Read = Callable[[str], str]
"""The text of a static file, by its path from the folder of all static files.

Raises FileNotFoundError if there is none."""

BLOCK = r"^[ \t]*/\*(?!!)(?:[^*]|\*(?!/))*\*/[ \t]*(?:\n|\Z)"
SHEET_COMMENT = re.compile(BLOCK, re.MULTILINE)
SCRIPT_COMMENT = re.compile(rf"^[ \t]*//.*(?:\n|\Z)|{BLOCK}", re.MULTILINE)
"""Comments with nothing else on their lines. Inside a template literal they would be text: a script
has none with such a line."""

NAME = r"[A-Za-z_$][\w$]*"
IMPORT = re.compile(
    rf"""^import\s*(?:(?:\{{(?P<names>[^{{}}]*)\}}|\*\s*as\s+(?P<whole>{NAME}))\s*from\s*)?"""
    r"""(?P<quote>["'])(?P<path>\.{1,2}/[^"'\n]+)(?P=quote);""",
    re.MULTILINE,
)
EXPORT = re.compile(
    rf"^export\s+(?=(?:const|class|(?:async\s+)?function\b\s*\*?)\s*(?P<name>{NAME})\b)",
    re.MULTILINE,
)
RENAMED = re.compile(rf"(?P<name>{NAME})(?:\s+as\s+(?P<here>{NAME}))?")
NOT_UNDERSTOOD = re.compile(
    r"^\s*(?:import|export)\b.*|^.*\bimport\s*[(.].*|^(?!//|.*\basync\b)(?=\S).*\bawait\b.*",
    re.MULTILINE,
)
"""A rest of imports and exports, or an `await` outside of a function."""
TEMPLATE = re.compile(
    r"`(?:[^`\\$]|\\.|\$(?!\{)|\$\{(?:[^{}`]|\{[^{}`]*\})*\})*(?:`|(?P<nested>\$\{[^`]*`))",
    re.DOTALL,
)
"""A template literal. One inside another would lose its spaces with those that mean nothing."""

SHEET = re.compile(r"""^@import\s+(?P<quote>["'])(?P<path>[^"'\n]+)(?P=quote);\n?""", re.MULTILINE)
SHEET_SPACE = re.compile(r"\s*(?P<mark>[{};])\s*|(?P<sign>[:,]) |\s*\n\s*")
"""The white space around a sheet's rules and in them, with the marks that do without. No string and
no address in one has any; a colon before a space is a declaration's or a query's."""
TOP = re.compile(rf"(?:/\*.*?\*/|\s|{SHEET.pattern})*", re.MULTILINE | re.DOTALL)
ADDRESS = re.compile(
    r"""url\(\s*(?P<quote>["']?)(?![a-z]+:|[/#])(?P<path>[^"')]+)(?P=quote)\s*\)"""
)


class NotBundled(ValueError):
    """A static file is written in a way that cannot be bundled; the message says where and why."""


def script(entry: str, read: Read) -> str:
    """The module *entry* with all modules that it imports, as one module.

    Raises NotBundled.
    """
    import rjsmin  # for the command that collects them alone

    parts: list[str] = []
    exported: dict[str, frozenset[str]] = {}

    def add(path: str, above: tuple[str, ...]) -> None:
        if path in above:
            raise NotBundled(f"Circular import: {' imports '.join([*above, path])}.")
        if path in exported:
            return
        text = SCRIPT_COMMENT.sub("", _read(path, read, above))
        for found in IMPORT.finditer(text):
            add(_beside(path, found["path"]), (*above, path))
        exports = [found["name"] for found in EXPORT.finditer(text)]
        body = IMPORT.sub(lambda found: _taken(path, found, exported), EXPORT.sub("", text))
        if left := NOT_UNDERSTOOD.search(body):
            raise NotBundled(f"{path} has a form that is not bundled: {left[0].strip()}")
        if nested := next((found for found in TEMPLATE.finditer(body) if found["nested"]), None):
            raise NotBundled(f"{path} has a template literal in another: {nested[0].strip()}")
        exported[path] = frozenset(exports)
        body = rjsmin.jsmin(body, keep_bang_comments=True)
        given = f"return{{{','.join(exports)}}}" if exports else ""
        parts.append(f"const {_variable(path)}=(()=>{{{body.strip()}\n{given}}})();\n")

    add(entry, ())
    return "".join(parts)


def sheet(entry: str, read: Read) -> str:
    """The style sheet *entry* with all sheets that it imports in their places.

    Raises NotBundled.
    """
    seen: set[str] = set()

    def parts(path: str, above: tuple[str, ...]) -> Iterator[str]:
        if path in seen:
            raise NotBundled(f"{above[-1]} imports {path}, which {entry} has already.")
        seen.add(path)
        text = SHEET_COMMENT.sub("", _read(path, read, above))
        top = TOP.match(text)
        assert top, "it matches nothing, too"
        if "@import" in (own := SHEET.sub("", top[0]) + text[top.end() :]):
            raise NotBundled(f'{path}: only `@import "…";` lines at the top are bundled.')
        for found in SHEET.finditer(top[0]):
            yield from parts(_beside(path, found["path"]), (*above, path))
        own = ADDRESS.sub(lambda found: _moved(path, found, entry), own)
        own = SHEET_SPACE.sub(lambda found: found["mark"] or found["sign"] or " ", own)
        yield f"{own.strip()}\n"

    return "\n".join(parts(entry, ()))


def _read(path: str, read: Read, above: tuple[str, ...]) -> str:
    try:
        return read(path)
    except FileNotFoundError:
        raise NotBundled(f"There is no {path}, which {above[-1]} imports.") from None


def _beside(path: str, relative: str) -> str:
    return posixpath.normpath(posixpath.join(posixpath.dirname(path), relative))


def _variable(path: str) -> str:
    return "$" + re.sub(r"\W", "_", path.removesuffix(".js"))


def _taken(path: str, found: re.Match[str], exported: dict[str, frozenset[str]]) -> str:
    """The statement in place of an import."""
    source = _beside(path, found["path"])
    if found["whole"]:
        return f"const {found['whole']} = {_variable(source)};"
    if found["names"] is None:
        return ""
    taken = []
    for each in filter(None, (part.strip() for part in found["names"].split(","))):
        renamed = RENAMED.fullmatch(each)
        if not renamed:
            raise NotBundled(f"{path} has a form that is not bundled: {found[0]}")
        if renamed["name"] not in exported[source]:
            raise NotBundled(f"{path} imports {renamed['name']}, which {source} does not export.")
        taken.append(": ".join(filter(None, renamed.group("name", "here"))))
    return f"const {{ {', '.join(taken)} }} = {_variable(source)};"


def _moved(path: str, found: re.Match[str], entry: str) -> str:
    """An address in the sheet *path*, as it is written in *entry*."""
    address = posixpath.relpath(_beside(path, found["path"]), posixpath.dirname(entry))
    return f'url("{address}")'
