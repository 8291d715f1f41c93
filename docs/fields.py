"""The fields of some classes as a page, each with the text below it in the code."""

from __future__ import annotations

import ast
import inspect
from textwrap import dedent


def page_of(first: type, *others: type) -> str:
    """The page, in Markdown: *first* is its title, *others* are its sections."""
    sections = [_fields_of(first, "#"), *(_fields_of(each, "##") for each in others)]
    return "\n\n".join(sections) + "\n"


def _fields_of(cls: type, heading: str) -> str:
    (made,) = ast.parse(dedent(inspect.getsource(cls))).body
    assert isinstance(made, ast.ClassDef)
    parts = [f"{heading} {cls.__name__}", inspect.getdoc(cls) or ""]
    for each, below in zip(made.body, [*made.body[1:], None], strict=True):
        if isinstance(each, ast.AnnAssign):
            named, of_type = ast.unparse(each.target), ast.unparse(each.annotation)
            parts += [f"{heading}# `{named}`", f"`{of_type}`"]
            if isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant):
                parts.append(inspect.cleandoc(str(below.value.value)))
    return "\n\n".join(parts)
