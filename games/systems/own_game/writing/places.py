"""Places in the JSON of a draft: reading, changing, and the names that stand in it.

A draft is a definition under way. It may have gaps: a null, which no definition may have. A place
is the keys and indexes that lead to it: ("rules", 3, "do", 0, "of").
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ..language.reading import inside

Json = Any
Place = tuple[str | int, ...]


def path(place: Place) -> str:
    """A place as faults name it: rules[3].do[0].of."""
    written = ""
    for step in place:
        written = f"{written}[{step}]" if isinstance(step, int) else inside(written, step)
    return written


def read_place(value: Json) -> Place:
    """The place in a JSON list; () if it is none."""
    if type(value) is list and all(type(each) in (str, int) for each in value):
        return tuple(value)
    return ()


def there(written: Json, place: Place) -> Json:
    """The value at *place*; None if there is none, or a gap."""
    for step in place:
        listed = isinstance(written, list) and isinstance(step, int) and 0 <= step < len(written)
        if not listed and not (isinstance(written, dict) and step in written):
            return None
        written = written[step]
    return written


def put(written: Json, place: Place, value: Json) -> Json:
    """*written* with *value* at *place*; unchanged if there is no such place."""
    if not place:
        return value
    step, rest = place[0], place[1:]
    if isinstance(written, dict) and isinstance(step, str):
        if rest and step not in written:
            return {**written, step: put({}, rest, value)}
        return {**written, step: put(written.get(step), rest, value)}
    if isinstance(written, list) and isinstance(step, int) and 0 <= step <= len(written):
        now = written[step] if step < len(written) else None
        return [*written[:step], put(now, rest, value), *written[step + 1 :]]
    return written


def cut(written: Json, place: Place) -> Json:
    """*written* without what is at *place*."""
    holder, step = there(written, place[:-1]), place[-1]
    if isinstance(holder, dict):
        left: Json = {key: value for key, value in holder.items() if key != step}
    elif isinstance(holder, list):
        left = [value for index, value in enumerate(holder) if index != step]
    else:
        return written
    return put(written, place[:-1], left)


def swapped(written: Json, place: Place, by: int) -> Json:
    """*written* with the item at *place* moved in its list by one."""
    items, at = there(written, place[:-1]), place[-1]
    if not isinstance(items, list) or not isinstance(at, int) or not 0 <= at < len(items):
        return written
    to = max(0, min(at + by, len(items) - 1))
    moved = [*items]
    moved.insert(to, moved.pop(at))
    return put(written, place[:-1], moved)


NAMED: Mapping[str, Sequence[tuple[str, str]]] = {
    "numbers": [
        ("number", ""),
        ("had", ""),
        ("highest", ""),
        ("lowest", ""),
        ("changes", ""),
        ("of", "add"),
        ("of", "set"),
        ("of", "pay"),
    ],
    "things": [
        ("things", ""),
        ("enters", ""),
        ("leaves", ""),
        ("create", ""),
        ("always", ""),
        ("on", "pressed"),
        ("on", "kind"),
    ],
    "zones": [("to", "move")],
    "phases": [("begins", ""), ("during", "")],
}
"""A place with the name of a number, type, zone or phase: a key, and the key beside it if that
tells it from another of the same name."""


def names(written: Json, sort: str, place: Place = ()) -> Iterator[tuple[Place, str]]:
    """Each place at which a name of that *sort* stands, and the name."""
    if isinstance(written, list):
        for index, item in enumerate(written):
            yield from names(item, sort, (*place, index))
    if not isinstance(written, dict):
        return
    for key, value in written.items():
        if any(key == named and (not beside or beside in written) for named, beside in NAMED[sort]):
            if isinstance(value, str):
                yield (*place, key), value
            elif isinstance(value, list):
                yield from (
                    ((*place, key, index), item)
                    for index, item in enumerate(value)
                    if isinstance(item, str)
                )
        if not isinstance(value, str):
            yield from names(value, sort, (*place, key))


def renamed(written: Json, sort: str, old: str, new: str) -> Json:
    """*written* in which what was named *old* is named *new*."""
    for place, name in [*names(written, sort)]:
        if name == old:
            written = put(written, place, new)
    return written


def used_by(written: Json, sort: str, name: str) -> list[int]:
    """The rules, by index, in which a name of that *sort* stands."""
    rules = there(written, ("rules",))
    return [
        index
        for index, rule in enumerate(rules if isinstance(rules, list) else [])
        if any(found == name for _place, found in names(rule, sort))
    ]


def gaps(written: Json, place: Place = ()) -> Iterator[Place]:
    """Every gap, in the order in which it is written."""
    if written is None:
        yield place
    elif isinstance(written, dict):
        for key, value in written.items():
            yield from gaps(value, (*place, key))
    elif isinstance(written, list):
        for index, item in enumerate(written):
            yield from gaps(item, (*place, index))


def items(written: Json, key: str) -> list[Any]:
    """The list under *key*; empty if there is none."""
    found = there(written, (key,))
    return found if isinstance(found, list) else []
