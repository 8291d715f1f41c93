"""The leaves of `System` and `Presentation`: the fields of these values and of their parts.

`python -m tests.leaves` lists them, each with the systems that set it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from types import NoneType, UnionType
from typing import Any, get_args, get_origin

from msgspec import NODEFAULT, Struct
from msgspec.structs import FieldInfo, fields

from games.rules.system import System
from games.systems import PACKAGES, SYSTEMS, presentation_of
from games.systems.presentation import Presentation
from tests.house import ROOT

FOLLOWS = frozenset({"for_player", "lowers", "own", "party", "tracks"})
"""Methods of parts that no game overrides: they follow from the fields."""


def leaves(value: type[Struct], path: str = "") -> Iterator[tuple[str, FieldInfo]]:
    """The fields of *value* and of its parts, by their paths."""
    for info in fields(value):
        if part := _part(info):
            yield from leaves(part, f"{path}{info.name}.")
        else:
            yield f"{path}{info.name}", info


def parts(value: type[Struct], path: str = "") -> Iterator[tuple[str, type[Struct]]]:
    """The parts of *value* and theirs, by their paths."""
    for info in fields(value):
        if part := _part(info):
            yield f"{path}{info.name}", part
            yield from parts(part, f"{path}{info.name}.")


def _part(info: FieldInfo) -> type[Struct] | None:
    """The type of a field that has fields of its own."""
    of_type = info.type
    if get_origin(of_type) is UnionType:
        (of_type,) = set(get_args(of_type)) - {NoneType}
    return of_type if isinstance(of_type, type) and issubclass(of_type, Struct) else None


def users() -> dict[str, set[str]]:
    """By leaf: the systems that set it."""
    found: dict[str, set[str]] = {}
    for name, whole, value in _values():
        for path, info in leaves(whole):
            by = found.setdefault(f"{whole.__name__}.{path}", set())
            if _is_set(value, path, info):
                by.add(name)
    return found


def answers() -> dict[str, set[str]]:
    """By method of a part that a system may answer by a class of its own: those that do."""
    found: dict[str, set[str]] = {}
    for name, whole, value in _values():
        for path, part in parts(whole):
            own = type(_at(value, path))
            for question in _questions(part):
                by = found.setdefault(f"{part.__name__}.{question}", set())
                if getattr(own, question, None) not in (None, getattr(part, question)):
                    by.add(name)
    return found


def _questions(part: type[Struct]) -> list[str]:
    """The methods and attributes of the class, but for its fields."""
    known = {*part.__struct_fields__, *FOLLOWS}
    return [name for name in vars(part) if name[0] != "_" and name not in known]


def _values() -> Iterator[tuple[str, type[Struct], Struct]]:
    """Both values of every system, in its newest edition and with each of its definitions."""
    for name, (newest, *_older) in SYSTEMS.items():
        for system in (newest, *_ready(newest)):
            yield name, System, system
            yield name, Presentation, presentation_of(system)


def _ready(system: System) -> Iterator[System]:
    """The games that come with a system whose rules tables write."""
    folder = ROOT / PACKAGES[system.name].__name__.replace(".", "/") / "ready"
    for path in sorted(folder.glob("*.json")) if system.defined else ():
        yield system.of_table({"definition": json.loads(path.read_text(encoding="utf-8"))})


def _is_set(whole: Struct, path: str, info: FieldInfo) -> bool:
    above, _dot, name = path.rpartition(".")
    part = _at(whole, above)
    if part is None:
        return False
    factory = info.default_factory
    default = factory() if factory is not NODEFAULT else info.default
    value = getattr(part, name)
    return type(value) is not type(default) or bool(value != default)


def _at(value: Any, path: str) -> Any:
    """The part of *value* at *path*; None if it has none."""
    for name in path.split(".") if path else ():
        value = getattr(value, name, None)
    return value


if __name__ == "__main__":
    for leaf, by in users().items():
        print(f"{leaf}: {', '.join(sorted(by))}")
    print(f"{len(users())} leaves, {len(answers())} questions with a default")
