"""Names as they are typed, and the words beneath: what no kind can be called is a label."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from games.rules.input import UNPRINTABLE

from ..language.meaning import PLAYER, TABLE
from ..language.reading import WORD

LONGEST_NAME = 40
RESERVED = (PLAYER, TABLE, "any")
APART = str.maketrans({"ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ı": "i"})


def shown(named: Mapping[str, Any]) -> str:
    """The name of a number, thing, role, zone or phase as people read it."""
    words = (named.get(key) for key in ("label", "kind", "type", "role", "zone", "phase"))
    return str(next(filter(None, words), ""))


def folded(name: str) -> str:
    """What two names have in common that one takes for the same."""
    return unicodedata.normalize("NFKC", name).casefold().strip()


def is_among(name: str, others: Iterable[Mapping[str, Any]]) -> bool:
    """True if one would take it for the name of one of the *others*."""
    return any(folded(name) == folded(shown(each)) for each in others)


def wrong_name(name: str) -> bool:
    return not name or len(name) > LONGEST_NAME or bool(UNPRINTABLE.search(name))


def names_in(text: str) -> list[str]:
    """The names in a text with commas between, each once."""
    said = (" ".join(each.split()) for each in text.split(","))
    return [*dict.fromkeys(each for each in said if not wrong_name(each))]


def worded(key: str, name: str, taken: Collection[str]) -> dict[str, str]:
    """The word for a name, under *key*, and the name as its label if it is not that word.

    taken: the words that others have.
    """
    if WORD(name) and name not in taken:
        return {key: name}
    letters = re.sub(r"[^a-z0-9 +\-/'.]", "", plain(name)).lstrip("/'. ")
    stem = " ".join(letters[:36].split())
    free = (f"{stem} {n}" if n > 1 else stem for n in range(1, 100))
    if not stem:
        free = (f"n{n}" for n in range(1, 100))
    return {key: next(word for word in free if word not in taken), "label": name}


def plain(name: str) -> str:
    """*name* as kinds are kept: small letters without accents."""
    letters = unicodedata.normalize("NFKD", name.replace("’", "'").lower().translate(APART))
    return " ".join("".join(c for c in letters if not unicodedata.combining(c)).split())
