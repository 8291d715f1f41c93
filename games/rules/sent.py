"""The one way to read JSON that someone sent, and what is said of JSON that cannot be read."""

from __future__ import annotations

import json as python_json
import math
import re
from typing import Any

from msgspec import json

from .state import Phrase, Words
from .state import marked as _

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


# In words


class _NoNumber(ValueError):
    """JSON has a number that is none, such as NaN or 1e999."""


def wrong_json(text: str) -> Words:
    """What is wrong with *text*, which `read_json` refuses, and in which line."""
    if not text.strip():
        return _("there is nothing in it")
    try:
        python_json.loads(text, parse_constant=_none, parse_float=_finite)
    except python_json.JSONDecodeError as error:
        begins = max(text.rfind("\n", 0, error.pos) + 1, error.pos - 20)
        near = " ".join(text[begins : error.pos + 10].split()) or "…"
        sentence = _("its JSON is wrong in line {line}, near “{near}”")
        return Phrase(sentence, line=error.lineno, near=near)
    except _NoNumber as error:
        line = text.count("\n", 0, text.find(str(error))) + 1
        sentence = _("“{number}” in line {line} is no number that a game can have")
        return Phrase(sentence, number=str(error)[:40], line=line)
    except (RecursionError, ValueError):
        pass
    return Phrase(_("its JSON is nested deeper than {n} levels"), n=MOST_NESTED)


def _none(name: str) -> Any:
    raise _NoNumber(name)


def _finite(digits: str) -> float:
    number = float(digits)
    return number if math.isfinite(number) else _none(digits)


WITHOUT_WIDTH = re.compile(
    "[\u00ad\u180e\u200b\u2060-\u2064\ufeff]"
    "|(?<![^\x00-\x7f])[\u200c\u200d]|[\u200c\u200d](?![^\x00-\x7f])"
)
"""Characters that nobody can see. Joiners are none within emoji, or in scripts that need them."""


def hidden_in(text: str) -> Words | None:
    """What nobody sees in the JSON *text*: a key that stands twice, a character without width."""
    twice: list[str] = []

    def without_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        keys = [key for key, _value in pairs]
        twice.extend(key for key in {*keys} if keys.count(key) > 1)
        return dict(pairs)

    value = python_json.loads(text, object_pairs_hook=without_doubles)
    if twice:
        return Phrase(_("“{key}” stands there twice; leave one out"), key=min(twice)[:40])
    if found := WITHOUT_WIDTH.search(python_json.dumps(value, ensure_ascii=False)):
        sentence = _("it has a character that nobody can see (U+{code}); leave it out")
        return Phrase(sentence, code=f"{ord(found[0]):04X}")
    return None
