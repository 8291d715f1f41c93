"""Commands: what a seat may ask for, how it is read from JSON, and when it is malformed.

A command is a frozen struct, one per verb. The annotation of each field has a `Parameter`, which
says how it is read (`Reader`) and what it names (`Names`). Reading checks only shape and bounds
("invalid"); the engine checks what a command means for a game. Source: docs/COMMANDS.md, Commands 1
and 3.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from typing import Annotated, Any, ClassVar, Protocol, Self, get_type_hints

from msgspec import Struct, field
from msgspec.structs import replace

from .input import UNPRINTABLE
from .names import visible
from .state import CEASED, MOST, Components, GameState, Phrase, Refused, defaults


class Terms(Protocol):
    """The parts of a rule system by which its commands are read."""

    @property
    def title(self) -> str: ...
    @property
    def zones(self) -> tuple[str, ...]: ...
    @property
    def phases(self) -> tuple[str, ...]: ...
    @property
    def verbs(self) -> Mapping[str, Any]: ...
    @property
    def components(self) -> Components: ...
    @property
    def automatic(self) -> Any: ...


Itself = Any
"""The rule system that a function belongs to. Who calls it has any; the function names the class of
systems that it is written for."""


class Reader(Struct, frozen=True):
    """The reader of a parameter's value.

    text: what it accepts, as a person would say it.
    read: turns the JSON value into the one that commands use; raises ValueError if it is malformed.

    The rest is for generated forms:
    choices: the accepted words, if only some are (the items of a list, the keys of a map).
    least, most, step: the bounds of a number, and its step.
    many: the value is a list. keyed: the value is a map.

    schema: the same as JSON Schema, for other programs. It may accept more than `read` does.
    """

    text: str
    read: Callable[[Any, Itself], Any]
    choices: tuple[str, ...] = ()
    least: int | None = None
    most: int | None = None
    step: int = 1
    many: bool = False
    keyed: bool = False
    schema: Mapping[str, Any] = field(default_factory=dict)


def invalid(message: str, /, **facts: Any) -> Refused:
    return Refused("invalid", message, None, **facts)


# Readers

# The same few ids and kinds come again and again; a cached match takes a third of the time.
_ID = lru_cache(8192)(re.compile(r"[a-z][a-z0-9-]{0,39}").fullmatch)
_KIND = lru_cache(8192)(re.compile(r"(?![/'.: ])[a-z0-9 +\-/'.:]{1,40}(?<! )").fullmatch)


def _id(value: Any, system: Terms) -> str:
    if type(value) is str and _ID(value):
        return value
    raise ValueError


def _kind(value: Any, system: Terms) -> str:
    if type(value) is str and _KIND(value):
        return value
    raise ValueError


def _flag(value: Any, system: Terms) -> bool:
    if type(value) is bool:
        return value
    raise ValueError


def whole(least: int, most: int) -> Reader:
    """A whole number from *least* to *most*; True and 2.0 are not whole numbers."""

    def read(value: Any, system: Terms) -> int:
        if type(value) is int and least <= value <= most:
            return value
        raise ValueError

    words = Phrase("a whole number from {least} to {most}", least=least, most=most)
    schema = {"type": "integer", "minimum": least, "maximum": most}
    return Reader(words, read, least=least, most=most, schema=schema)


def text(most: int) -> Reader:
    """1 to *most* characters, without control characters, direction marks and lone surrogates."""

    def read(value: Any, system: Terms) -> str:
        if type(value) is str and 1 <= len(value) <= most and not UNPRINTABLE.search(value):
            return value
        raise ValueError

    schema = {"type": "string", "minLength": 1, "maxLength": most}
    return Reader(Phrase("text of 1 to {most} characters", most=most), read, schema=schema)


def lines(most: int) -> Reader:
    """Text of one or more lines, like `text`; each ends in a line feed, as forms do not agree."""
    inner = text(most)

    def read(value: Any, system: Terms) -> str:
        if type(value) is not str:
            raise ValueError
        whole = value.replace("\r\n", "\n")
        inner.read(whole.replace("\n", " "), system)
        return whole

    words = Phrase("{must}, on several lines or one", must=inner.text)
    return Reader(words, read, schema={"type": "string", "minLength": 1})


def trimmed(most: int) -> Reader:
    """Text without spaces at either end."""
    inner = text(most)

    def read(value: Any, system: Terms) -> str:
        read_value: str = inner.read(value, system)
        if read_value != read_value.strip():
            raise ValueError
        return read_value

    words = Phrase("{must} without spaces at either end", must=inner.text)
    return Reader(words, read, schema=inner.schema)


def named(most: int) -> Reader:
    """A name, of which only what is seen is read; it may not be empty then."""
    inner = trimmed(most)

    def read(value: Any, system: Terms) -> str:
        if seen := visible(inner.read(value, system)):
            return seen
        raise ValueError

    words = Phrase(
        "1 to {most} characters that people see, without spaces at either end", most=most
    )
    return Reader(words, read, schema=inner.schema)


def one_of(*values: str) -> Reader:
    """One of *values*, exactly as written."""

    def read(value: Any, system: Terms) -> str:
        if type(value) is str and value in values:
            return value
        raise ValueError

    words = Phrase("one of {values}", values=" ".join(values))
    return Reader(words, read, values, schema={"enum": list(values)})


def each(item: Reader, least: int = 0, most: int = 1000, *, distinct: bool = True) -> Reader:
    """A list of *least* to *most* items, read as a tuple. distinct: none may occur twice."""

    def read(value: Any, system: Terms) -> tuple[Any, ...]:
        if type(value) is not list or not least <= len(value) <= most:
            raise ValueError
        items = tuple([item.read(part, system) for part in value])
        if distinct and len(set(items)) != len(items):
            raise ValueError
        return items

    if least == 0:
        words = Phrase("a list in which each item is {must}", must=item.text)
    else:
        words = Phrase(
            "a list of at least {least}; each item is {must}", least=least, must=item.text
        )
    schema = {"type": "array", "items": item.schema, "minItems": least, "maxItems": most}
    schema |= {"uniqueItems": True} if distinct else {}
    return Reader(words, read, item.choices, many=True, schema=schema)


def one_or_more(item: Reader, most: int = 1000) -> Reader:
    """One item, or a list of one or more, none twice; read as a tuple."""
    many = each(item, 1, most)

    def read(value: Any, system: Terms) -> tuple[Any, ...]:
        if type(value) is list:
            listed: tuple[Any, ...] = many.read(value, system)
            return listed
        return (item.read(value, system),)

    words = Phrase("{must}; or a list of these", must=item.text)
    schema = {"anyOf": [item.schema, many.schema]}
    return Reader(words, read, item.choices, many=True, schema=schema)


def table(key: Reader, item: Reader) -> Reader:
    """A map, read as a dictionary."""

    def read(value: Any, system: Terms) -> dict[Any, Any]:
        if type(value) is not dict:
            raise ValueError
        return {key.read(k, system): item.read(v, system) for k, v in value.items()}

    words = Phrase("a map from {keys} to {must}", keys=key.text, must=item.text)
    bounds = (item.least, item.most, item.step)
    schema = {
        "type": "object", "propertyNames": key.schema, "additionalProperties": item.schema,
    }  # fmt: skip
    return Reader(words, read, key.choices, *bounds, keyed=True, schema=schema)


def record(text: str, fields: Mapping[str, Reader]) -> Reader:
    """A map of one or more of *fields*, each with a reader of its own."""

    def read(value: Any, system: Terms) -> Mapping[str, Any]:
        if type(value) is not dict or not value or not value.keys() <= fields.keys():
            raise ValueError
        return {key: fields[key].read(said, system) for key, said in value.items()}

    schema = {
        "type": "object", "properties": {key: reader.schema for key, reader in fields.items()},
        "additionalProperties": False, "minProperties": 1,
    }  # fmt: skip
    return Reader(text, read, schema=schema)


def either(first: Reader, second: Reader) -> Reader:
    """A reader that tries *first*, then *second*."""

    def read(value: Any, system: Terms) -> Any:
        try:
            return first.read(value, system)
        except ValueError:
            return second.read(value, system)

    words = Phrase("{must}, or {other}", must=first.text, other=second.text)
    schema = {"anyOf": [first.schema, second.schema]}
    return replace(first, text=words, read=read, schema=schema)


def _entry(value: Any, system: Terms) -> int:
    if type(value) is int and value >= 1:
        return value
    raise ValueError


ID = Reader(
    "an id: up to 40 of a-z 0-9 -, the first a letter",
    _id,
    schema={"type": "string", "pattern": "^[a-z][a-z0-9-]{0,39}$"},
)
KIND = Reader(
    "a kind of counter: up to 40 of a-z 0-9 space + - / ' . :",
    _kind,
    schema={"type": "string", "pattern": r"^(?![/'.: ])[a-z0-9 +\-/'.:]{1,40}(?<! )$"},
)
FLAG = Reader("true or false", _flag, schema={"type": "boolean"})
NAME = named(80)
NOTE = text(500)
COMMAND_ID = text(80)
AMOUNT = whole(0, MOST)
TIME = whole(0, 10**11)
"""Seconds since 1970, which the server writes into a command: rules know no clock."""
ENTRY = Reader(
    "the number of an entry in the log, 1 or more",
    _entry,
    schema={"type": "integer", "minimum": 1},
)
KINDS = table(KIND, AMOUNT)


def _zone(value: Any, system: Terms) -> str:
    if type(value) is str and value in system.zones:
        return value
    raise ValueError


def _phase(value: Any, system: Terms) -> str:
    if type(value) is str and value in system.phases:
        return value
    raise ValueError


ZONE = Reader("a zone of the game", _zone, schema={"type": "string"})
PHASE = Reader("a phase of the game", _phase, schema={"type": "string"})
PROMPT = Reader(
    "the id of a prompt", lambda value, system: _any_text(value), schema={"type": "string"}
)


def _any_text(value: Any) -> str:
    if type(value) is str:
        return value
    raise ValueError


# Commands


class Names(Struct, frozen=True):
    """The sort of thing that the ids in a parameter name.

    text: what that is called. known: whether the id exists and the seat `by` may know of it.
    gone: whether what it stands for has lost or ceased to exist.
    code: the refusal if it is not known.
    """

    text: str
    known: Callable[[GameState, str, str], bool]
    gone: Callable[[GameState, str], bool]
    code: str = "unknown"


def _has_lost(state: GameState, seat: str) -> bool:
    return state.seats[seat].lost


def _has_ceased(state: GameState, obj: str) -> bool:
    return state.objects[obj].zone == CEASED


SEAT = Names("seat", lambda state, i, by: i in state.seats, _has_lost)
OBJECT = Names("object", lambda state, i, by: i in state.objects, _has_ceased)
HOLDER = Names(
    "seat or object",
    lambda state, i, by: i in state.objects or i in state.seats,
    lambda state, i: _has_ceased(state, i) if i in state.objects else _has_lost(state, i),
)
WAITING = Names(
    "prompt",
    lambda state, i, by: state.prompt(i) is not None,
    lambda state, i: False,
    "not-waiting",
)


class Parameter(Struct, frozen=True):
    """The values that a parameter of a command accepts; it stands in the annotation of its field.

    names: what its ids stand for; None if they need not exist.
    even_gone: it may name what has lost or ceased to exist.
    """

    reader: Reader
    names: Names | None = None
    even_gone: bool = False


class Declared(Parameter, frozen=True, kw_only=True):
    """A parameter in its command: `key` in JSON, `attribute` in Python (`from_` for "from")."""

    key: str
    attribute: str
    required: bool
    default: Any


class Command(Struct, frozen=True, kw_only=True):
    """A request by the seat `by`. given_as: its own id, if it has one."""

    verb: ClassVar[str]

    by: str
    given_as: str | None = None

    @classmethod
    def read(cls, raw: Mapping[str, Any], by: str, system: Itself) -> Self:
        """The command in *raw*, given by *by*. Raises Refused "invalid"."""
        known, required = _shape(cls)
        values: dict[str, Any] = {"by": by, "given_as": raw.get("id")}
        for key, value in raw.items():
            part = known.get(key)
            if part is None:
                if key in HEAD:
                    continue
                raise invalid("“{verb}” has no parameter “{key}”.", verb=cls.verb, key=key)
            try:
                values[part.attribute] = part.reader.read(value, system)
            except ValueError:
                must = part.reader.text
                raise invalid("“{key}” must be {must}.", key=key, must=must) from None
        for part in required:
            if part.attribute not in values:
                raise invalid("“{key}” is missing: {must}.", key=part.key, must=part.reader.text)
        command = cls(**values)
        command.check(system)
        return command

    def check(self, system: Itself) -> None:
        """Raise Refused "invalid" if the parameters do not go together."""

    def reaches(self, state: GameState, gone: str) -> bool:
        """True if it may name *gone*, which has lost or ceased to exist."""
        return False


HEAD = frozenset({"do", "by", "id", "note"})
"""The keys that every command may have."""


@cache
def _shape(cls: type[Command]) -> tuple[dict[str, Declared], tuple[Declared, ...]]:
    """The parameters of *cls* by key, and the required ones."""
    declared = parameters(cls)
    required = tuple(part for part in declared if part.required)
    return {part.key: part for part in declared}, required


@cache
def parameters(cls: type[Command]) -> tuple[Declared, ...]:
    """The parameters of *cls* in the order of declaration."""
    hints, usual = get_type_hints(cls, include_extras=True), defaults(cls)
    return tuple(
        _declared(name, hints[name].__metadata__[0], usual)
        for name in cls.__struct_fields__
        if name not in ("by", "given_as")
    )


def _declared(name: str, parameter: Parameter, usual: Mapping[str, Any]) -> Declared:
    return Declared(
        parameter.reader,
        parameter.names,
        parameter.even_gone,
        key=name.rstrip("_"),
        attribute=name,
        required=name not in usual,
        default=usual.get(name),
    )


class Undo(Command, frozen=True, kw_only=True):
    """Undo a command, as if it had never been given; by default the newest that this seat may undo.

    `entries` names several, `to` undoes everything after an entry; either is one step, all or
    nothing. Give at most one of `entry`, `entries` and `to`.
    """

    verb: ClassVar[str] = "undo"
    entry: Annotated[int | None, Parameter(ENTRY)] = None
    entries: Annotated[tuple[int, ...], Parameter(each(ENTRY, 1))] = ()
    to: Annotated[int | None, Parameter(whole(0, MOST))] = None


class Redo(Command, frozen=True, kw_only=True):
    """Redo an undone command at its old place in the log; by default all of the last undo.

    `entries` names several instead; that is one step, all or nothing.
    """

    verb: ClassVar[str] = "redo"
    entry: Annotated[int | None, Parameter(ENTRY)] = None
    entries: Annotated[tuple[int, ...], Parameter(each(ENTRY, 1))] = ()


class Revise(Command, frozen=True, kw_only=True):
    """Do the command of an entry again with another number, everything after it as it was.

    Only where tables write their rules: an answer, a correction, a pressed number, or one kind that
    was placed, removed or spent on one holder. `prompt` with `round` names the entry that answered
    it in that round of a score sheet.
    """

    verb: ClassVar[str] = "revise"
    entry: Annotated[int | None, Parameter(ENTRY)] = None
    prompt: Annotated[str | None, Parameter(PROMPT)] = None
    round: Annotated[int | None, Parameter(AMOUNT)] = None
    number: Annotated[int, Parameter(whole(-MOST, MOST))]
