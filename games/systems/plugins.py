"""Rule systems that are installed as packages of their own, by an entry point.

One that cannot be used is left out and named in the log; the others, and the server, go on. It is
code of its author and may do what this server may: install none that you would not run.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection
from importlib.metadata import EntryPoint, entry_points
from types import ModuleType
from typing import Any

from games.rules.system import System

logger = logging.getLogger(__name__)

GROUP = "countersite.systems"
"""The group of the entry points; each names a package that is like a folder beside this file."""


class Unfit(ValueError):
    """A package is no rule system that can be used here; the message says why."""


def installed(taken: Collection[str], presented: Callable[[ModuleType], Any]) -> list[ModuleType]:
    """The packages that others installed and that can be used, by the names of their entry points.

    taken: names of systems that are here already. presented: reads a package's presentation.
    """
    found: dict[str, ModuleType] = {}
    for point in sorted(entry_points(group=GROUP), key=lambda each: each.name):
        try:
            package = point.load()
            name = _name(package, {*taken, *found})
            presented(package)
        except Exception as error:  # whatever its author got wrong is no reason not to play
            why = f"{type(error).__name__}: {error}"
            logger.error("The rule system %s is left out: %s", _called(point), why)
        else:
            found[name] = package
    return list(found.values())


def _name(package: Any, taken: Collection[str]) -> str:
    """The name of the system in *package*. Raises Unfit."""
    if not hasattr(package, "__path__"):
        raise Unfit("its entry point must name a package, which is a folder with an __init__.py")
    editions = getattr(package, "EDITIONS", None)
    if not isinstance(editions, tuple) or not editions:
        raise Unfit("it has no EDITIONS, a tuple of systems, the newest first")
    names = {each.name if isinstance(each, System) else "" for each in editions}
    if len(names) > 1 or "" in names:
        raise Unfit("its EDITIONS must be systems of one name")
    (name,) = names
    if name in taken:
        raise Unfit(f"there is another system named “{name}”")
    return str(name)


def _called(point: EntryPoint) -> str:
    package = f" of {point.dist.name} {point.dist.version}" if point.dist else ""
    return f"“{point.name}”{package}"
