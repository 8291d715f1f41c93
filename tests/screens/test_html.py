"""Sources of HTML: a single element in a function, one with children in a template."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from games import screens
from games.screens import fragments

ROOM = Path(screens.__file__).parent
DRAWINGS = ("summary", "replay")
"""Their charts and the film strip are drawings, not pages."""
OPENED = re.compile(r"<[a-z]+")
LISTED = re.compile(r"^- `([\w.]+)`.*: (\d+) µs, (\d+) µs$", re.MULTILINE)
"""An exception, and what it takes as a function and as a template."""


def of_function(node: ast.AST) -> Iterator[ast.AST]:
    """The parts of a function, without those of functions in it."""
    for each in ast.iter_child_nodes(node):
        if not isinstance(each, ast.FunctionDef):
            yield each
            yield from of_function(each)


def tags(nodes: Iterable[ast.AST]) -> int:
    """The number of elements that the texts among *nodes* begin; a picture is one, with all in
    it.
    """
    words = [each.value for each in nodes if isinstance(each, ast.Constant)]
    found = [tag for word in words if isinstance(word, str) for tag in OPENED.findall(word)]
    return 1 if "<svg" in found else len(found)


def with_children(source: ast.AST) -> Iterator[str]:
    """The functions that write more than one element, other than one or another."""
    for each in ast.walk(source):
        if isinstance(each, ast.FunctionDef):
            ends = [end for end in of_function(each) if isinstance(end, ast.Return)]
            counts = [tags(of_function(end)) for end in ends]
            documented = len(OPENED.findall(ast.get_docstring(each, clean=False) or ""))
            if tags(of_function(each)) - sum(counts) + max(counts, default=0) - documented > 1:
                yield each.name


def test_elements_with_children_are_templates_but_for_the_exceptions_with_their_figures() -> None:
    found = {
        ".".join((*file.relative_to(ROOM).with_suffix("").parts, name))
        for file in ROOM.rglob("*.py")
        if file.relative_to(ROOM).parts[0] not in DRAWINGS
        for name in with_children(ast.parse(file.read_text()))
    }

    listed = LISTED.findall(fragments.__doc__ or "")
    assert {name for name, _by_function, _by_template in listed} == found
    assert all(2 * int(by_function) < int(by_template) for _, by_function, by_template in listed)
