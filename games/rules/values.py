"""Frozen values that cost little: to define, when a server starts, and to make, at every tap.

`@frozen` is `@dataclass(frozen=True, slots=True)`: the same fields, equality, hash and repr, as
frozen. What differs is how it gets there. Python writes and compiles six methods for each such
class, which for four hundred of them was a third of a start. Here all values share their methods;
only the constructor is written for each, the first time that one is made. It fills an instance of
a mutable twin with the same slots and then gives it the real class, because setting each field
through `object.__setattr__` is most of what a small value costs.

`fast_replace` copies in the same way. It is for values of the rules (state, seats, objects,
counters) in the `evolve` of an event and in what it calls, since every tap and every replayed
command runs those; `dataclasses.replace` does everywhere else.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, FrozenInstanceError, dataclass, field, fields
from operator import attrgetter
from typing import Any, TypeVar, dataclass_transform, overload

T = TypeVar("T")


@overload
def frozen(cls: type[T], /) -> type[T]: ...


@overload
def frozen(*, kw_only: bool) -> Callable[[type[T]], type[T]]: ...


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def frozen(cls: type[T] | None = None, /, *, kw_only: bool = False) -> Any:
    """Make *cls* a frozen dataclass with slots. It has no `__post_init__`.

    A dataclass that inherits from it must be made by this too.
    kw_only: whether its own fields are given by name alone.
    """
    if cls is None:
        return lambda named: _frozen(named, kw_only)
    return _frozen(cls, kw_only)


def _frozen(cls: type[T], kw_only: bool) -> type[T]:
    assert not hasattr(cls, "__post_init__"), cls
    if cls.__doc__ is None:
        cls.__doc__ = cls.__name__  # or else its signature is read and written out
    given = vars(cls).keys()
    bare = dataclass(init=False, repr=False, eq=False, slots=True, kw_only=kw_only)(cls)
    for name, method in SHARED.items():
        if name not in given:
            setattr(bare, name, method)

    def first(self: T, *args: Any, **named: Any) -> None:
        """Write the constructor, and make this one with it."""
        bare.__init__ = _constructor(bare)  # type: ignore[method-assign]
        bare.__init__(self, *args, **named)

    bare.__init__ = first  # type: ignore[assignment,method-assign]
    return bare


def _constructor(cls: type[Any]) -> Callable[..., None]:
    parts = fields(cls)
    known: dict[str, Any] = {
        "_become": object.__setattr__,
        "_open": _twins[cls],
        "_none": MISSING,
        **{f"_default_{part.name}": part.default for part in parts},
        **{f"_made_{part.name}": part.default_factory for part in parts},
    }
    body = []
    for part in parts:
        name, made = part.name, ""
        if part.default_factory is not MISSING:
            made = f" if {name} is not _none else _made_{name}()"
        body.append(f"self.{name} = {name}{made}")
    lines = [
        f"def __init__(self, {_parameters(parts)}):",
        "_own = self.__class__",  # which may be a subclass that adds no fields
        "_become(self, '__class__', _open)",
        *body,
        "self.__class__ = _own",
    ]
    exec("\n    ".join(lines), known)
    return known["__init__"]  # type: ignore[no-any-return]


def _parameters(parts: tuple[Field[Any], ...]) -> str:
    """The constructor's parameters, as source code."""

    def in_source(part: Field[Any]) -> str:
        required = part.default is MISSING and part.default_factory is MISSING
        return part.name if required else f"{part.name}=_default_{part.name}"

    positional = [in_source(part) for part in parts if not part.kw_only]
    named = [in_source(part) for part in parts if part.kw_only]
    return ", ".join([*positional, *(["*", *named] if named else [])])


class _Twins(dict[type[Any], type[Any]]):
    """Class to a class with the same slots whose instances are mutable."""

    def __missing__(self, cls: type[Any]) -> type[Any]:
        twin = {
            "__slots__": cls.__slots__,
            "__setattr__": object.__setattr__,
            "__delattr__": object.__delattr__,  # Python takes the slow path unless both are set
        }
        self[cls] = type(cls.__name__, cls.__bases__, twin)
        return self[cls]


_twins = _Twins()


# What all values share


class _Readers(dict[type[Any], Callable[[Any], tuple[Any, ...]]]):
    """Class to the function that reads the fields of an instance, in their order."""

    def __missing__(self, cls: type[Any]) -> Callable[[Any], tuple[Any, ...]]:
        names = tuple(part.name for part in fields(cls))
        if len(names) > 1:
            self[cls] = attrgetter(*names)
        else:
            self[cls] = lambda one: tuple(getattr(one, name) for name in names)
        return self[cls]


_read = _Readers()


class _Names(dict[type[Any], tuple[str, ...]]):
    """Class to the names of its fields, in their order."""

    def __missing__(self, cls: type[Any]) -> tuple[str, ...]:
        self[cls] = tuple(part.name for part in fields(cls))
        return self[cls]


_names = _Names()


def _equal(self: Any, other: object) -> Any:
    if other.__class__ is self.__class__:
        return _read[self.__class__](self) == _read[self.__class__](other)
    return NotImplemented


def _hash(self: Any) -> int:
    return hash(_read[self.__class__](self))


def _repr(self: Any) -> str:
    cls = self.__class__
    shown = map("{}={!r}".format, _names[cls], _read[cls](self))
    return f"{cls.__qualname__}({', '.join(shown)})"


def _refuse(self: Any, name: str, *_to: Any) -> None:
    raise FrozenInstanceError(f"cannot change “{name}” of a {self.__class__.__name__}")


def _state(self: Any) -> tuple[Any, ...]:
    return _read[self.__class__](self)


def _restore(self: Any, state: tuple[Any, ...]) -> None:
    for part, each in zip(fields(self), state, strict=True):
        object.__setattr__(self, part.name, each)


SHARED: Mapping[str, Callable[..., Any]] = {
    "__eq__": _equal,
    "__hash__": _hash,
    "__repr__": _repr,
    "__setattr__": _refuse,
    "__delattr__": _refuse,
    "__getstate__": _state,
    "__setstate__": _restore,
}


# Copies


def fast_replace(value: T, **changes: Any) -> T:
    """A copy of *value* with these fields changed; the same as `dataclasses.replace`, but faster.

    Raises AttributeError if a name is not a field.
    """
    return _copiers[type(value)](value, changes)  # type: ignore[no-any-return]


class _Copiers(dict[type[Any], Callable[[Any, Mapping[str, Any]], Any]]):
    """Class to the function that copies an instance with changes, compiled at its first use."""

    def __missing__(self, cls: type[Any]) -> Callable[[Any, Mapping[str, Any]], Any]:
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
            "_open": _twins[cls],
            "_frozen": cls,
        }
        exec("\n    ".join(lines), known)
        self[cls] = known["copied"]
        return self[cls]


_copiers = _Copiers()
