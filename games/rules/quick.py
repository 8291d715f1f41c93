"""A faster way to make the frozen values that every tap makes.

Which to use: `fast_replace` for values of the rules (state, seats, objects, counters) in the
`evolve` of an event and in what it calls, since every tap and every replayed command runs those;
`dataclasses.replace` everywhere else: building a system or an edition, opening a game, undo.
`@quick` belongs on the small values that most taps make (`Placed`, `Entry`), after a measurement.

Why: the constructor of a frozen dataclass sets each field through `object.__setattr__`, which is
most of what a small value costs, and `dataclasses.replace` inspects each field before it copies.
Here an instance of a mutable twin class with the same slots is filled and then given the real
class. The values are as frozen as before; tests compare both ways with each other.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, fields
from typing import Any, TypeVar

T = TypeVar("T")


def fast_replace(value: T, **changes: Any) -> T:
    """A copy of *value* with these fields changed; the same as `dataclasses.replace`, but faster.

    Only for frozen, slotted dataclasses without `__post_init__`. Raises AttributeError if a name is
    not a field.
    """
    return _copiers[type(value)](value, changes)  # type: ignore[no-any-return]


class _Copiers(dict[type[Any], Callable[[Any, Mapping[str, Any]], Any]]):
    """Class to the function that copies an instance with changes, compiled at its first use."""

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
    """A class with the slots of *cls* whose instances are mutable."""
    twin = {
        "__slots__": cls.__slots__,
        "__setattr__": object.__setattr__,
        "__delattr__": object.__delattr__,  # Python takes the slow path unless both are set
    }
    return type(cls.__name__, cls.__bases__, twin)


def quick(cls: type[T]) -> type[T]:
    """Give a frozen, slotted dataclass a constructor that fills its slots directly.

    Only for classes without `__post_init__` and without default factories. A subclass must be
    decorated as a dataclass too, or it would silently be read and made as its parent.
    """
    assert {"__dataclass_fields__", "__slots__"} <= vars(cls).keys(), f"decorate {cls}"
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
    """The constructor's parameters, as source code."""

    def in_source(part: Field[Any]) -> str:
        return part.name if part.default is MISSING else f"{part.name}=_default_{part.name}"

    positional = [in_source(part) for part in parts if not part.kw_only]
    named = [in_source(part) for part in parts if part.kw_only]
    return ", ".join([*positional, *(["*", *named] if named else [])])
