"""A faster constructor for the few frozen values that every tap makes.

The constructor of a frozen dataclass sets each field through `object.__setattr__`, which is most of
the time that a small value takes: 0.77 µs for an event of five fields, 0.40 µs this way. The values
stay as frozen as before; tests hold both constructors against each other.
"""

from __future__ import annotations

from dataclasses import MISSING, Field, fields
from typing import Any, TypeVar

T = TypeVar("T")


def quick(cls: type[T]) -> type[T]:
    """Give a frozen, slotted dataclass a constructor that fills its slots at once.

    The instance becomes an open twin of the same slots for the time of its construction.
    For classes without `__post_init__` and without default factories.
    """
    parts = fields(cls)  # type: ignore[arg-type]
    assert not hasattr(cls, "__post_init__"), cls
    assert all(part.default_factory is MISSING for part in parts), cls
    twin = {
        "__slots__": cls.__slots__,  # type: ignore[attr-defined]
        "__setattr__": object.__setattr__,
        "__delattr__": object.__delattr__,  # both, or Python takes the slow way to either
    }
    known: dict[str, Any] = {
        "_become": object.__setattr__,
        "_open": type(cls.__name__, cls.__bases__, twin),
        "_frozen": cls,
        **{f"_default_{part.name}": part.default for part in parts},
    }
    body = [f"self.{part.name} = {part.name}" for part in parts]
    lines = [
        f"def __init__(self, {_parameters(parts)}):",
        "_become(self, '__class__', _open)",
        *body,
        "self.__class__ = _frozen",
    ]
    exec("\n    ".join(lines), known)
    cls.__init__ = known["__init__"]  # type: ignore[method-assign]
    return cls


def _parameters(parts: tuple[Field[Any], ...]) -> str:
    """The constructor's parameters, as Python writes them."""

    def written(part: Field[Any]) -> str:
        return part.name if part.default is MISSING else f"{part.name}=_default_{part.name}"

    positional = [written(part) for part in parts if not part.kw_only]
    named = [written(part) for part in parts if part.kw_only]
    return ", ".join([*positional, *(["*", *named] if named else [])])
