"""Frozen values that every tap makes, made faster than a frozen dataclass makes them.

The constructor of a frozen dataclass sets each field through `object.__setattr__`, which is most of
the time that a small value takes, and `dataclasses.replace` asks of each field what it is before.
Here an instance of an open twin with the same slots is filled, and then becomes one of the class.
The values stay as frozen as before; tests hold both ways against each other.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, fields
from typing import Any, TypeVar

T = TypeVar("T")


def fast_replace(value: T, **changes: Any) -> T:
    """*value* with these fields changed, as `dataclasses.replace` gives it.

    For frozen, slotted dataclasses without `__post_init__`. Raises AttributeError for any other
    field.
    """
    return _copiers[type(value)](value, changes)  # type: ignore[no-any-return]


class _Copiers(dict[type[Any], Callable[[Any, Mapping[str, Any]], Any]]):
    """For each class what copies an instance and changes its fields; written when needed."""

    def __missing__(self, cls: type[Any]) -> Callable[[Any, Mapping[str, Any]], Any]:
        assert not hasattr(cls, "__post_init__"), cls
        lines = [
            "def copied(value, changes):",
            "copy = _new(_open)",
            *(f"copy.{part.name} = value.{part.name}" for part in fields(cls)),
            "for name in changes: _set(copy, name, changes[name])",
            "copy.__class__ = _frozen",
            "return copy",
        ]
        known: dict[str, Any] = {
            "_new": object.__new__,
            "_set": setattr,
            "_open": _open_twin(cls),
            "_frozen": cls,
        }
        exec("\n    ".join(lines), known)
        self[cls] = known["copied"]
        return self[cls]


_copiers = _Copiers()


def _open_twin(cls: type[Any]) -> type[Any]:
    """A class with the slots of *cls* whose instances can be changed."""
    twin = {
        "__slots__": cls.__slots__,
        "__setattr__": object.__setattr__,
        "__delattr__": object.__delattr__,  # both, or Python takes the slow way to either
    }
    return type(cls.__name__, cls.__bases__, twin)


def quick(cls: type[T]) -> type[T]:
    """Give a frozen, slotted dataclass a constructor that fills its slots at once.

    For classes without `__post_init__` and without default factories. A subclass has to be a
    dataclass itself, or it would silently be read and made as its parent is.
    """
    assert {"__dataclass_fields__", "__slots__"} <= vars(cls).keys(), f"{cls} is no dataclass"
    parts = fields(cls)  # type: ignore[arg-type]
    assert not hasattr(cls, "__post_init__"), cls
    assert all(part.default_factory is MISSING for part in parts), cls
    known: dict[str, Any] = {
        "_become": object.__setattr__,
        "_open": _open_twin(cls),
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
