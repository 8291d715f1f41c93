"""The one way to read JSON that someone sent."""

from __future__ import annotations

from typing import Any

from msgspec import json

MOST_NESTED = 32
"""Lists and objects within one another, in each part of an object. No command has half as many;
of hundreds Python can read more than it can write, so that nobody could be told what was wrong."""
_NESTING = (dict, list)


def read_json(text: str | bytes) -> Any:
    """The value in *text*. Raises ValueError if it is not JSON, or nested as no command is."""
    try:
        value = json.decode(text)
    except RecursionError:
        raise ValueError("nested too deep") from None
    # A tap has numbers and words only: nothing is called for it.
    for part in value.values() if type(value) is dict else (value,):
        if type(part) in _NESTING and _deeper(part, MOST_NESTED):
            raise ValueError("nested too deep")
    return value


def _deeper(nest: Any, most: int) -> bool:
    """True if *nest* has more than *most* lists and objects within one another, it among them."""
    if most == 0:
        return True
    for each in nest.values() if type(nest) is dict else nest:
        if type(each) in _NESTING and _deeper(each, most - 1):
            return True
    return False
