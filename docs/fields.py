"""The fields of a class as a page, each with the text below it in the code."""

from __future__ import annotations

import ast
import inspect
from textwrap import dedent


def fields_of(cls: type) -> str:
    """The page, in Markdown."""
    (made,) = ast.parse(dedent(inspect.getsource(cls))).body
    assert isinstance(made, ast.ClassDef)
    parts = [f"# {cls.__name__}", inspect.getdoc(cls) or ""]
    for field, below in zip(made.body, made.body[1:], strict=False):
        if isinstance(field, ast.AnnAssign) and isinstance(below, ast.Expr):
            assert isinstance(below.value, ast.Constant)
            parts += [
                f"## `{ast.unparse(field.target)}`",
                f"`{ast.unparse(field.annotation)}`",
                inspect.cleandoc(str(below.value.value)),
            ]
    return "\n\n".join(parts) + "\n"
