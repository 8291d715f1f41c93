"""Which template draws a thing: the rule system's own, if it has one, else the shared one.

A system's templates lie in "systems/<name>/" under the same path as the shared ones they replace.
"""

from __future__ import annotations

from functools import lru_cache

from django.template import Template, TemplateDoesNotExist, loader

from games.rules.system import System


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
