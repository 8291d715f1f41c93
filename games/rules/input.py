"""Input from outside: numbers, JSON and text as people and programs send them.

There is one way to read each, and words for what cannot be read.
"""

from __future__ import annotations

import json as python_json
import math
import re
import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping
from typing import Any

from msgspec import json

from .state import Phrase, Words
from .state import marked as _

# Numbers

MOST_NUMBER = 10**9
_WHOLE = re.compile(r"[+-]?[0-9]{1,10}", re.ASCII).fullmatch


def whole_number(text: str, least: int = -MOST_NUMBER, most: int = MOST_NUMBER) -> int | None:
    """The whole number in *text* if it is between *least* and *most*; None for anything else.

    `int` reads more than people mean ("1_0"), `str.isdigit` says yes to "²", and neither likes
    five thousand digits.
    """
    text = text.strip()
    number = int(text) if _WHOLE(text) else None
    return number if number is not None and least <= number <= most else None


# JSON

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


# What is wrong with it


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


# Text

UNPRINTABLE = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
)
"""Control characters (a terminal obeys some), marks that turn the direction of text, separators of
lines, and halves of surrogate pairs. Names have none (`commands`, `games.pages.forms`); a header,
a file or an old row may."""


def printable(text: str) -> str:
    r"""*text* as it may go to a terminal or into a log: an escape character as "\x1b"."""
    return UNPRINTABLE.sub(lambda each: each[0].encode("unicode_escape").decode(), text)


# Definitions of rules, as a word that fits into a link: JSON, compressed, in base64url

MOST_BYTES = 64 * 1024
"""Of the JSON. What would unpack to more is not unpacked."""
MOST_PACKED = 96 * 1024
"""Characters of the word, even if nothing in it can be compressed."""


class TooLong(ValueError):
    """A word holds more than a definition may be."""


def packed(written: Mapping[str, Any]) -> str:
    """*written* as a word of letters, digits, "-" and "_"; the same for all that say the same."""
    text = python_json.dumps(written, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return urlsafe_b64encode(zlib.compress(text.encode(), 9)).decode().rstrip("=")


def unpacked(word: str) -> str:
    """The text in *word*. Raises ValueError if that is not whole, TooLong if too long."""
    if len(word) > MOST_PACKED:
        raise TooLong
    try:
        body = urlsafe_b64decode(word + "=" * (-len(word) % 4))
        reader = zlib.decompressobj()
        text = reader.decompress(body, MOST_BYTES + 1)
    except zlib.error as error:
        raise ValueError("not whole") from error
    if len(text) > MOST_BYTES:
        raise TooLong
    if not reader.eof:
        raise ValueError("not whole")
    return text.decode()
