"""The texts that people wrote in a definition, for translators: its names, sentences and words.

Only the library's games are translated, by catalogues like the words of any other system: their
context is the title of the game. What a table wrote is shown as written.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

NAMES = frozenset(
    {"title", "about", "kind", "type", "rule", "says", "label", "tell", "ask", "pressed"}
    | {"afflict", "relieve"}
)
OF_A_SET = frozenset({"name", "full", "word"})
LISTS = frozenset({"zones", "phases", "choose", "roles"})
LABELLED = ("kind", "type")
"""The words in whose place people read a label, if there is one."""
MANY = 8
"""The parts of a game that nobody writes like another's by chance."""
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
            if key == "gm":
                yield from _named(value)
            elif key in NAMES and isinstance(value, str):
                if key not in LABELLED or "label" not in written:
                    yield value
            elif key in LISTS or key == "prints":
                for each in value:
                    yield from [each] if isinstance(each, str) else texts(each)
            else:
                yield from texts(value)


def _named(part: Any) -> Iterator[str]:
    """Each text in a set that people read: what says of a table what it counts."""
    for key, value in part.items() if isinstance(part, dict) else enumerate(part):
        if key in OF_A_SET and isinstance(value, str):
            yield value
        elif isinstance(value, list | dict):
            yield from _named(value)


def translated_as(written: Mapping[str, Any]) -> str:
    """The context of a definition's texts in the catalogues; "" if it is not of the library.

    Its title is what anybody may claim, and a part what anybody may write: at least half of its
    numbers, rules and sorts of tracks must be that game's own, and more than a few where the title
    is another. So a table that changes some of them keeps the translation of all else, and so does
    one that an older version wrote.
    """
    parts = _parts(written)
    for title, known in _LIBRARY.items():
        own = sum(each in known for each in parts)
        if 2 * own >= len(parts) > 0 and (title == written["title"] or own >= MANY):
            return title
    return ""


def _parts(written: Mapping[str, Any]) -> list[str]:
    gm = written.get("gm", {})
    return [
        json.dumps(each, sort_keys=True)
        for part in (written, gm)
        for key in ("numbers", "rules", "types", "outcomes", "conditions")
        for each in part.get(key, ())
    ]
