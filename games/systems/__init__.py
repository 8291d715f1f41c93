"""The rule systems: one folder per game, one value per edition. New folders are found.

So are the packages that others install beside this one: see `plugins`.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from pkgutil import iter_modules
from traceback import extract_tb
from types import ModuleType
from typing import Any, cast

from games.rules.scenario import SpecificationError, refuse_malformed
from games.rules.system import System

from . import plugins
from .controls import SHARED_TAPS, Tap
from .presentation import Presentation


class NotInstalled(KeyError):
    """A game's rule system is not here, or not any more."""


def _packages() -> list[ModuleType]:
    """The folders, by title."""
    names = [module.name for module in iter_modules(__path__) if module.ispkg]
    found = [_package(f"{__name__}.{name}") for name in names]
    found += plugins.installed({package.EDITIONS[0].name for package in found}, _presentation)
    return sorted(found, key=lambda package: package.EDITIONS[0].title)


def _package(module: str) -> ModuleType:
    """The package of that name. If its code fails, raises ImportError in one sentence."""
    try:
        package = import_module(module)
        _presentation(package)
    except Exception as error:
        last = extract_tb(error.__traceback__)[-1]
        file, line = last.filename, last.lineno
        if isinstance(error, SyntaxError):
            file, line = error.filename or file, error.lineno
        why = f"{type(error).__name__}: {error} ({file}, line {line})"
        raise ImportError(f"The rule system {module} cannot be used: {why}", name=module) from error
    return package


def _presentation(package: ModuleType) -> Presentation:
    """The presentation in the folder; without one, everything is generated."""
    if any(module.name == "presentation" for module in iter_modules(package.__path__)):
        found: Presentation = import_module(f"{package.__name__}.presentation").PRESENTATION
        return found
    return Presentation()


_PACKAGES = _packages()
PACKAGES: dict[str, ModuleType] = {package.EDITIONS[0].name: package for package in _PACKAGES}
"""By name: where the system's demo, and a plug-in's templates and static files, are."""
SYSTEMS: dict[str, tuple[System, ...]] = {
    package.EDITIONS[0].name: package.EDITIONS for package in _PACKAGES
}
"""By name: the editions, the newest first."""
NOW_CALLED: dict[str, str] = {
    former: name
    for name, package in PACKAGES.items()
    for former in getattr(package, "FORMERLY", {})
}
"""By the name that a system had in older versions, which links and files may have: its name."""
PRESENTATIONS: dict[str, Presentation] = {
    package.EDITIONS[0].name: _presentation(package) for package in _PACKAGES
}
"""By name: how the system presents itself, in all its editions."""


KEPT = 256
_of_tables: dict[int, tuple[System, Presentation]] = {}
"""The presentations of rules that tables wrote, by the id of the system, which is kept alive with
it: a tap asks for it again and again."""


def presentation_of(system: System) -> Presentation:
    """The presentation of *system*; where tables write its rules, the one of these rules."""
    if system.defined is None:
        return PRESENTATIONS[system.name]
    known = _of_tables.get(id(system))
    if known is not None and known[0] is system:
        return known[1]
    module = import_module(f"{PACKAGES[system.name].__name__}.presentation")
    found = cast(Presentation, module.of_table(system))
    if len(_of_tables) >= KEPT:
        _of_tables.clear()
    _of_tables[id(system)] = system, found
    return found


def current(scenario: Any) -> Any:
    """A scenario as this version writes it; an older one may name a system that is part of another
    by now."""
    name = scenario.get("system") if isinstance(scenario, dict) else None
    if not isinstance(name, str) or name not in NOW_CALLED:
        return scenario
    return PACKAGES[NOW_CALLED[name]].FORMERLY[name](scenario)


def asked_for(rules: str, ready: str) -> tuple[str, str, str]:
    """The system, edition and ready game that a link or form asks for, as they are called now.

    A system that is part of another by now is its ready game of that name.
    """
    former, _slash, edition = rules.partition("/")
    if former not in NOW_CALLED:
        return former, edition, ready
    name = NOW_CALLED[former]
    return name, edition, PACKAGES[name].READY_FORMERLY.get(ready, ready or former)


def find(name: str, edition: str | None = None) -> System:
    """The system with that name, in that edition or the newest; by a name of older versions that
    of its tables. Raises KeyError."""
    if name in NOW_CALLED:
        now = current({"system": name})
        return find(now["system"], edition).of_table(now)
    if name not in SYSTEMS:
        raise NotInstalled(name)
    for system in SYSTEMS[name]:
        if edition in (None, system.edition, *system.rulebook.formerly):
            return system
    raise KeyError(f"{name} has no edition {edition}")


def taps(system: System) -> Mapping[str, Tap]:
    """The command behind each button of the board, by the button's name."""
    return {**SHARED_TAPS, **presentation_of(system).board.taps}


def _as_defined(system: System, scenario: Mapping[str, Any]) -> System:
    """The system that the definition beside a scenario makes, if it has one that can be played."""
    if system.defined is None or "definition" not in scenario:
        return system
    place = system.defined.fault(scenario["definition"])
    if place is None:
        return system.of_table(scenario)
    if "refused_definition" in scenario["then"]:
        return system
    raise SpecificationError(f"the definition has a fault at “{place}”")


def named_by(scenario: Any) -> tuple[System, ...]:
    """The editions in which *scenario* must hold. Raises SpecificationError."""
    refuse_malformed(scenario)
    name = scenario["system"]
    if name not in SYSTEMS:
        raise SpecificationError(f"there is no system “{name}” (there are: {', '.join(SYSTEMS)})")
    editions = scenario.get("edition", [system.edition for system in SYSTEMS[name]])
    listed = [editions] if isinstance(editions, str) else editions
    if not isinstance(listed, list) or not listed:
        raise SpecificationError("“edition” must be an edition or a list of editions")
    try:
        found = tuple(find(name, edition) for edition in listed)
        return tuple(_as_defined(system, scenario) for system in found)
    except KeyError as error:
        raise SpecificationError(str(error.args[0])) from None
