"""Mutators: JSON stays JSON, a request stays a request, and now and then neither."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any

Mutate = Callable[[bytes, int], bytes]
STRANGE: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 2, 999_999_999, 10**9, 10**19, -(10**30), 0.5, 1e300, "", " ",
    "²", "٣", "0", "-1", "1e3", "9" * 5000, "a" * 41, "a" * 81, "a" * 501, "\u202e", "\x00",
    "é", "\U0001f600", [], {}, [[]], {"": {}}, "__class__", "..", "/", "%", "{n}", "%(n)s",
    "${1}", "</script>", "'", '"',
)  # fmt: skip


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The way to each part of *value*, the whole first."""
    yield path
    inside = enumerate(value) if isinstance(value, list) else ()
    for key, each in value.items() if isinstance(value, dict) else inside:
        yield from places(each, (*path, key))


def altered(value: Any, random: Random, words: Sequence[Any]) -> Any:
    """*value* with one part of it changed."""
    path = random.choice(list(places(value)))
    if not path:
        return random.choice([value, [value], random.choice(words)])
    at = value
    for key in path[:-1]:
        at = at[key]
    key = path[-1]
    new = random.choice(words) if random.random() < 0.7 else random.choice(STRANGE)
    how = random.randrange(8)
    if how == 0:
        del at[key]
    elif how == 1:
        at[key] = [at[key], new] if random.random() < 0.5 else [at[key]]
    elif how == 2:
        at[key] = {str(new): at[key]}
    elif how == 3 and isinstance(at, dict):
        at[str(new)[:90]] = at[key]
    elif how == 3:
        at.insert(key, at[key])
    elif how == 7 and isinstance(at, dict):
        at[str(random.choice(words))] = random.choice(STRANGE)
    elif how == 4 and type(at[key]) is int:
        at[key] += random.choice([-1, 1, 10, 1000])
    else:
        at[key] = new
    return value


def altered_json(text: bytes, random: Random, words: Sequence[Any], raw: Mutate) -> bytes:
    """JSON in *text* with a part or two changed; any text changed as bytes."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return raw(text, len(text) + 8)
    for _ in range(random.choice([1, 1, 2, 3])):
        value = altered(value, random, words)
    try:
        return json.dumps(value, ensure_ascii=False).encode()
    except (ValueError, RecursionError):
        return text
