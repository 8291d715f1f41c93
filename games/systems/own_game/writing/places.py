"""Places in the JSON of a draft: reading, changing, and the names that stand in it.

A draft is a definition under way. It may have gaps: a null, which no definition may have. A place
is the keys and indexes that lead to it: ("rules", 3, "do", 0, "of").
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..language.definition import Definition
from ..language.forms import GRAMMAR
from ..language.grammar import Json, Place
from ..language.reading import inside


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


def names(written: Json, of: str, sort: str = "definition") -> Iterator[tuple[Place, str]]:
    """Each place at which one *of* the numbers, things, zones or phases is named, and its name.

    sort: of what is written.
    """
    return GRAMMAR.names(sort, written, of)


def renamed(written: Json, of: str, old: str, new: str) -> Json:
    """*written* in which what was named *old* is named *new*."""
    for place, name in [*names(written, of)]:
        if name == old:
            written = put(written, place, new)
    return written


def used_by(written: Json, of: str, name: str) -> list[int]:
    """The rules, by index, in which one *of* the numbers, things, … is named so."""
    rules = there(written, ("rules",))
    return [
        index
        for index, rule in enumerate(rules if isinstance(rules, list) else [])
        if any(found == name for _place, found in names(rule, of, "rule"))
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


def filled(definition: Definition, sort: str, written: Json) -> Json:
    """*written* with something that fits in each gap, so that what else is wrong can be seen."""
    numbers = [each.kind for each in definition.numbers.values() if not each.follows]
    prints = [name for thing in definition.things.values() for name in thing.prints]
    turns = definition.order != "none"
    fits: Mapping[str, Json] = {
        "who": "table",
        "amount": 0,
        "condition": [0, "=", 0],
        "action": {"out": "table"},
        "when": {"begins": "round"} if turns else {"pressed": "…", "on": "table"},
        "label": "…",
        "text": "…",
        "dice": "d6",
        **dict.fromkeys(("types", "track-types"), "any"),
        "holders": "player",
        "sign": "=",
        "beginning": "turn",
        "cost": {"pay": 0, "of": next(iter(numbers), None)},
        **dict.fromkeys(("kind", "own-kind", "changing"), next(iter(numbers), None)),
        "six-digits": 0,
        "ranked": next(iter(definition.numbers), None),
        "blanks": next(iter(definition.blanks), None),
        "type": next(iter(definition.things), None),
        "printed": next(iter(prints), None),
        **dict.fromkeys(("role", "roles"), next(iter(definition.roles), None)),
        "zone": definition.zones[0],
        "phases": definition.phases[0],
    }
    for place, found, value in [*GRAMMAR.walk(sort, written)]:
        if value is None and found in fits:
            written = put(written, place, fits[found])
    return written
