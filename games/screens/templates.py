"""Finding the template for a thing, and reading its source.

A rule system's own template replaces the shared one: it is in "systems/<name>/", under the same
path as the shared one. What games with slot counters share is in "slots/", between the two; a
system with games of both kinds has its own for these in "systems/<name>/slots/".

Templates are written for people: indented, one thought per line. Line breaks are removed when a
template is loaded, which costs nothing at render time. The rule: **a line break with its
indentation disappears next to a tag, and becomes a space between words or inside a tag.** To keep a
space next to a tag, write both on one line, "<b>3</b> <small>of 4</small>", or write {{ " " }}.

A filter that needs the words of the game gets them then, too: `|word` is `|word:its`.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from django.http import HttpRequest
from django.template import Origin, Template, TemplateDoesNotExist, loader
from django.template.backends.django import DjangoTemplates
from django.template.backends.django import Template as BackendTemplate
from django.template.context import make_context
from django.template.loaders.filesystem import Loader as FilesystemLoader
from django.utils.safestring import SafeString

from games.rules.system import System
from games.systems import presentation_of

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
"""A tag of HTML or of Django, next to or in which a line break may be. kept: left untouched."""
BREAK = re.compile(r"\s*\n\s*")
NEEDLESS = re.compile(r"\s*\n\s*(?=/?>$|{%[^%]*%} )")
"""A line break in a tag that becomes no space: at its end, or before another space."""


OF_GAME = ("answer", "hued", "kind", "phrase", "question", "refusal", "word", "worded")
"""The filters that need the words of the game, `its`: each is the method of `Words`."""
_OF_GAME = re.compile(rf"\|(?:{'|'.join(OF_GAME)}|spoken)\b(?!:)")


class Templates(DjangoTemplates):
    """Django's templates, with contexts that do not outlive the page."""

    def get_template(self, template_name: str) -> Any:
        return Page(super().get_template(template_name).template, self)


class Page(BackendTemplate):
    """A template of `Templates`."""

    def render(self, context: Any = None, request: HttpRequest | None = None) -> SafeString:
        made = make_context(context, request, autoescape=self.backend.engine.autoescape)
        try:
            return self.template.render(made)
        finally:
            # Each of these leads back to the context: only the collector would free them.
            made.dicts.clear()


class Loader(FilesystemLoader):
    """Loads templates without the line breaks that are only there for people."""

    def get_contents(self, origin: Origin) -> str:
        source: str = super().get_contents(origin)
        return (
            squeeze(_OF_GAME.sub(r"\g<0>:its", source)) if origin.name.endswith(".html") else source
        )


def squeeze(source: str) -> str:
    """*source* without its line breaks and indentation, by the rule above.

    They stay in a blocktrans (which has "trimmed" for that), a pre and a textarea.
    """
    parts, end = [], 0
    for token in TOKEN.finditer(source):
        parts.append(_between_tags(source[end : token.start()]))
        parts.append(token.group() if token["kept"] else _inside(token.group()))
        end = token.end()
    return "".join([*parts, _between_tags(source[end:])])


def _between_tags(text: str) -> str:
    return BREAK.sub("\n", text).strip("\n").replace("\n", " ") if "\n" in text else text


def _inside(tag: str) -> str:
    return BREAK.sub(" ", NEEDLESS.sub("", tag)) if "\n" in tag else tag


def find(system: System, *paths: str) -> Template:
    """The template at the first of *paths* that exists, the system's own before the shared one.

    Raises TemplateDoesNotExist if there is none.
    """
    return find_in(room_of(system), system.name, *paths)


def find_in(room: str, system: str, *paths: str) -> Template:
    """The same for the system of that name, whose games have the templates of *room*."""
    found = _found(system, room, *paths)
    if found is None:
        raise TemplateDoesNotExist(", ".join(paths))
    return found


def find_any(system: System, path: str) -> Template | None:
    """The template at *path*, the system's own or the shared one; None if there is none."""
    return _found(system.name, room_of(system), path)


def find_own(system: System, path: str) -> Template | None:
    """The template at *path* that *system* has for itself; None if it has none."""
    return _loaded(*_own(system.name, room_of(system), path))


def _own(system: str, room: str, path: str) -> tuple[str, str]:
    return f"systems/{system}/{room}{path}", f"systems/{system}/{path}"


def room_of(system: System) -> str:
    """The folder of the templates that games with the same kind of board share; "" for cards."""
    return "slots/" if presentation_of(system).board.kind == "slots" else ""


@lru_cache(maxsize=256)
def _found(system: str, room: str, *paths: str) -> Template | None:
    names = ((*_own(system, room, path), f"{room}{path}", path) for path in paths)
    return _loaded(*dict.fromkeys(name for each in names for name in each))


@lru_cache(maxsize=256)
def _loaded(*names: str) -> Template | None:
    try:
        return loader.select_template(names).template  # type: ignore[no-any-return]
    except TemplateDoesNotExist:
        return None
