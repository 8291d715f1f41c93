"""The rule systems: one folder per game, each edition a value. A new folder is found by itself."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules
from typing import Any

from games.rules.scenario import SpecificationError, refuse_malformed
from games.rules.system import System


def _found() -> dict[str, tuple[System, ...]]:
    folders = [each.name for each in iter_modules(__path__) if each.ispkg]
    editions = [import_module(f"{__name__}.{folder}").EDITIONS for folder in folders]
    # By title; one without rules is for every game that has no system yet, and comes last.
    editions.sort(key=lambda each: (not each[0].rules, each[0].title))
    return {each[0].name: each for each in editions}


SYSTEMS: dict[str, tuple[System, ...]] = _found()
"""Name to editions, the newest first."""


def find(name: str, edition: str | None = None) -> System:
    """The system of that name, in that edition or its newest. Raises KeyError."""
    for system in SYSTEMS[name]:
        if edition in (None, system.edition):
            return system
    raise KeyError(f"{name} has no edition {edition}")


def named_by(scenario: Any) -> tuple[System, ...]:
    """The editions in which *scenario* holds. Raises SpecificationError."""
    refuse_malformed(scenario)
    name = scenario["system"]
    if name not in SYSTEMS:
        raise SpecificationError(f"there is no system “{name}” (there are: {', '.join(SYSTEMS)})")
    said = scenario.get("edition", [each.edition for each in SYSTEMS[name]])
    listed = [said] if isinstance(said, str) else said
    if not isinstance(listed, list) or not listed:
        raise SpecificationError("“edition” is an edition or a list of editions")
    try:
        return tuple(find(name, edition) for edition in listed)
    except KeyError as error:
        raise SpecificationError(str(error.args[0])) from None
