"""Which template draws a thing, and how its source is read.

The rule system's own template comes before the shared one: a system's templates lie in
"systems/<name>/" under the same path as the shared ones they replace.

Templates are written for their readers: one thought a line, indented. The rule for line breaks,
which costs nothing when a page is drawn: **a line break, with the indentation after it, is nothing
beside a tag, and a blank between words or inside a tag.** A blank that shall be seen beside a tag
stands on one line with it, "<b>3</b> <small>of 4</small>", or is written as {{ " " }}.
"""

from __future__ import annotations

import re
from functools import lru_cache

from django.template import Origin, Template, TemplateDoesNotExist, loader
from django.template.loaders.filesystem import Loader as FilesystemLoader

from games.rules.system import System

TOKEN = re.compile(
    r"""
    (?P<kept> {%\s*blocktrans\b.*?{%\s*endblocktrans\s*%}
            | <(?P<name>pre|textarea)\b.*?</(?P=name)> )
    | </?[a-zA-Z!] (?: {%.*?%} | {{.*?}} | {(?![%{]) | [^<>{] )* >
    | {%.*?%}
    | {\#.*?\#}
    """,
    re.VERBOSE | re.DOTALL,
)
"""What a line break can stand beside or in: a tag of HTML or of Django. Kept: as it is written."""
BREAK = re.compile(r"\s*\n\s*")
NEEDLESS = re.compile(r"\s*\n\s*(?=/?>$|{%[^%]*%} )")
"""A break in a tag that is no blank: at its end, and before what brings a blank of its own."""


class Loader(FilesystemLoader):
    """Reads the templates, without the line breaks that are there for their readers."""

    def get_contents(self, origin: Origin) -> str:
        source: str = super().get_contents(origin)
        return squeeze(source) if str(origin.name).endswith(".html") else source


def squeeze(source: str) -> str:
    """*source* without its line breaks and indentation, by the rule above.

    In a blocktrans ("trimmed" says the same there), a pre and a textarea they stay.
    """
    parts, end = [], 0
    for token in TOKEN.finditer(source):
        parts.append(_beside_tags(source[end : token.start()]))
        parts.append(token.group() if token["kept"] else _inside(token.group()))
        end = token.end()
    return "".join([*parts, _beside_tags(source[end:])])


def _beside_tags(text: str) -> str:
    return BREAK.sub("\n", text).strip("\n").replace("\n", " ") if "\n" in text else text


def _inside(tag: str) -> str:
    return BREAK.sub(" ", NEEDLESS.sub("", tag)) if "\n" in tag else tag


def find(system: System, *paths: str) -> Template:
    """The template at the first of *paths* that exists, the system's own before the shared one.

    Raises TemplateDoesNotExist if there is none.
    """
    return _found(tuple(name for path in paths for name in names(system, path)))


def find_any(system: System, path: str) -> Template | None:
    """The template at *path*, the system's own or the shared one; None if there is none."""
    try:
        return find(system, path)
    except TemplateDoesNotExist:
        return None


def find_own(system: System, path: str) -> Template | None:
    """The template at *path* that only *system* has; None if it has none."""
    try:
        return _found((names(system, path)[0],))
    except TemplateDoesNotExist:
        return None


def names(system: System, path: str) -> tuple[str, str]:
    """Where the template at *path* may lie, the system's own place first."""
    return f"systems/{system.name}/{path}", path


@lru_cache(maxsize=256)
def _found(candidates: tuple[str, ...]) -> Template:
    return loader.select_template(candidates).template  # type: ignore[no-any-return]
