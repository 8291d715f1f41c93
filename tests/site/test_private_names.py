"""Nothing here leans on what another library calls its own."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tests.house import ROOT

FOLDERS = ("bench", "countersite", "examples", "games", "tests")
PRIVATE = re.compile(r"_[A-Za-z]\w*").fullmatch
ATTRIBUTES = ("getattr", "setattr", "hasattr", "delattr")
PROMISED = {
    "_base_manager": "Django documents it",
    "_enter_task": "asyncio documents it, for loops of others",
    "_exit": "os documents it",
    "_getframe": "sys documents it",
    "_get_running_loop": "asyncio documents it, for loops of others",
    "_leave_task": "asyncio documents it, for loops of others",
    "_meta": "Django documents it",
    "_replace": "collections documents it, of named tuples",
    "_set_running_loop": "asyncio documents it, for loops of others",
}


@cache
def trees() -> dict[Path, ast.Module]:
    files = [ROOT / "manage.py"]
    for folder in FOLDERS:
        files += sorted((ROOT / folder).rglob("*.py"))
    return {file.relative_to(ROOT): ast.parse(file.read_text("utf-8")) for file in files}


def ours() -> set[str]:
    """The private names that something here defines: functions, classes, attributes, slots."""
    found: set[str] = set()
    for tree in trees().values():
        for node in ast.walk(tree):
            match node:
                case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                    found.add(node.name)
                case ast.Name(id=name, ctx=ast.Store()):
                    found.add(name)
                case ast.Attribute(value=ast.Name(id="self" | "cls"), attr=name, ctx=ast.Store()):
                    found.add(name)
                case ast.Assign(targets=[ast.Name(id="__slots__")], value=slots):
                    found |= {
                        str(ast.literal_eval(each)) for each in getattr(slots, "elts", [slots])
                    }
    return found


def foreign() -> Iterator[str]:
    """Uses of private names that nothing here defines."""
    known = ours() | PROMISED.keys()
    for file, tree in trees().items():
        for node in ast.walk(tree):
            match node:
                case ast.Attribute(attr=name) if PRIVATE(name) and name not in known:
                    yield f"{file}:{node.lineno} .{name}"
                case ast.Call(
                    func=ast.Name(id=call) | ast.Attribute(attr=call), args=[_, name, *_]
                ) if call in ATTRIBUTES and isinstance(name, ast.Constant):
                    if PRIVATE(str(name.value)) and name.value not in known:
                        yield f"{file}:{node.lineno} {call} {name.value!s}"
                case ast.ImportFrom(module=module, names=names, level=0):
                    inside = (module or "").split(".")[0] in FOLDERS
                    for each in names:
                        if PRIVATE(each.name) and not inside:
                            yield f"{file}:{node.lineno} {module}.{each.name}"


def changed() -> Iterator[str]:
    """Assignments to the class or the `__dict__` of another object."""
    for file, tree in trees().items():
        for node in ast.walk(tree):
            match node:
                case ast.Attribute(value=of, attr="__class__" | "__dict__", ctx=ast.Store()):
                    if not (isinstance(of, ast.Name) and of.id == "self"):
                        yield f"{file}:{node.lineno}"


def test_no_private_name_of_another_library_is_used() -> None:
    assert [] == list(foreign())


def test_no_object_of_another_library_is_given_another_class() -> None:
    assert [] == list(changed())
