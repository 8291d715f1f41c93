"""The texts that people wrote in a definition, for translators: its names, sentences and words.

Only the library's games are translated, by catalogues like the words of any other system: their
context is the title of the game. What a table wrote is shown as written.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

AUTHOR = "Countersite"
"""The author of the library's games."""
NAMES = frozenset(
    {"title", "about", "kind", "type", "rule", "says", "label", "tell", "ask", "pressed"}
)
LISTS = frozenset({"zones", "phases", "choose"})
_LIBRARY: dict[str, frozenset[str]] = {}
"""By title, the numbers and rules of each game of the library, once `learn` has been given them."""


def learn(games: Iterable[Mapping[str, Any]]) -> None:
    """Take *games* for those of the library; the rules read no files, so the site brings them."""
    _LIBRARY.update({game["title"]: frozenset(_parts(game)) for game in games})


def texts(written: Any) -> Iterator[str]:
    """Each text in the JSON of a definition that people read."""
    if isinstance(written, list):
        for each in written:
            yield from texts(each)
    elif isinstance(written, dict):
        for key, value in written.items():
            if key in NAMES and isinstance(value, str):
                yield value
            elif key in LISTS or key == "prints":
                yield from value
            else:
                yield from texts(value)


def translated_as(written: Mapping[str, Any]) -> str:
    """The context of a definition's texts in the catalogues; "" if it is not of the library.

    Title and author are what anybody may claim: at least half of its numbers and rules must be that
    game's own. So a table that changes some of them keeps the translation of all else.
    """
    title = str(written["title"])
    if written.get("author") != AUTHOR:
        return ""
    parts = _parts(written)
    own = [each for each in parts if each in _LIBRARY.get(title, ())]
    return title if 2 * len(own) >= len(parts) > 0 else ""


def _parts(written: Mapping[str, Any]) -> list[str]:
    return [
        json.dumps(each, sort_keys=True)
        for key in ("numbers", "rules")
        for each in written.get(key, ())
    ]
