"""The rule systems: one folder per game, each edition a value. A new folder is found by itself."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType
from typing import Any

from games.rules.scenario import SpecificationError, refuse_malformed
from games.rules.system import System

from .presentation import SHARED_TAPS, Presentation, Tap


def _packages() -> list[ModuleType]:
    """The folders, by title; one without rules is for every other game, and comes last."""
    names = [each.name for each in iter_modules(__path__) if each.ispkg]
    found = [import_module(f"{__name__}.{name}") for name in names]
    return sorted(found, key=lambda each: (not each.EDITIONS[0].rules, each.EDITIONS[0].title))


def _presentation(package: ModuleType) -> Presentation:
    """What the folder says of itself; everything is generated if it says nothing."""
    if any(each.name == "presentation" for each in iter_modules(package.__path__)):
        found: Presentation = import_module(f"{package.__name__}.presentation").PRESENTATION
        return found
    return Presentation()


_PACKAGES = _packages()
SYSTEMS: dict[str, tuple[System, ...]] = {
    each.EDITIONS[0].name: each.EDITIONS for each in _PACKAGES
}
"""Name to editions, the newest first."""
PRESENTATIONS: dict[str, Presentation] = {
    each.EDITIONS[0].name: _presentation(each) for each in _PACKAGES
}
"""Name to how that system presents itself, in all its editions."""


def presentation_of(system: System) -> Presentation:
    """How *system* presents itself."""
    return PRESENTATIONS[system.name]


def find(name: str, edition: str | None = None) -> System:
    """The system of that name, in that edition or its newest. Raises KeyError."""
    for system in SYSTEMS[name]:
        if edition in (None, system.edition):
            return system
    raise KeyError(f"{name} has no edition {edition}")


def taps(system: System) -> Mapping[str, Tap]:
    """The one table of what each button asks for, by the button's name."""
    return {**SHARED_TAPS, **presentation_of(system).taps}


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
