"""The fields and methods of some classes as a page, each with its text in the code."""

from __future__ import annotations

import ast
import inspect
from textwrap import dedent


def page_of(first: type, *others: type) -> str:
    """The page, in Markdown: *first* is its title, *others* are its sections."""
    sections = [_section(first, "#"), *(_section(each, "##") for each in others)]
    return "\n\n".join(sections) + "\n"


def _section(cls: type, heading: str) -> str:
    (made,) = ast.parse(dedent(inspect.getsource(cls))).body
    assert isinstance(made, ast.ClassDef)
    parts = [f"{heading} {cls.__name__}", inspect.getdoc(cls) or ""]
    for node, below in zip(made.body, [*made.body[1:], None], strict=True):
        if isinstance(node, ast.AnnAssign):
            parts += [
                f"{heading}# `{ast.unparse(node.target)}`",
                f"`{ast.unparse(node.annotation)}`",
            ]
            if isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant):
                parts.append(inspect.cleandoc(str(below.value.value)))
        elif isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
            parts += [f"{heading}# `{_signature(node)}`", ast.get_docstring(node) or ""]
    return "\n\n".join(parts)


def _signature(node: ast.FunctionDef) -> str:
    """The name of a method with its parameters, or of a property, and the type that it gives."""
    _self, *asked = [ast.unparse(arg) for arg in (*node.args.posonlyargs, *node.args.args)]
    is_property = any(ast.unparse(one) == "property" for one in node.decorator_list)
    parameters = "" if is_property else f"({', '.join(asked)})"
    returns = ast.unparse(node.returns) if node.returns else "None"
    return f"{node.name}{parameters} -> {returns}"
