"""A set of Any RPG as the definition of a game with a GM: the same table, and rules may be added.

Source: docs/OWN-GAMES.md, GM 1.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from games.rules.input import UNPRINTABLE

from ..language.sorts import OF_HOLDERS

MOST_PLAYERS = 11


def definition(written: Mapping[str, Any]) -> dict[str, Any]:
    """The definition of a set that has been read."""
    gm = {
        key: _renamed(part)
        for key, part in written.items()
        if key not in ("title", "about", "aliases")
    }
    aliases = [*dict.fromkeys(filter(None, map(_clean, written.get("aliases", ()))))]
    return {
        "title": _clean(written["title"]) or "Our game",
        **({"about": about} if (about := _clean(written.get("about", ""))) else {}),
        **({"aliases": aliases} if aliases else {}),
        "players": {"most": MOST_PLAYERS},
        "gm": gm,
    }


def command(given: Mapping[str, Any]) -> dict[str, Any]:
    """A command of a table with that set, for the table with its definition."""
    if given.get("do") != "change-rules" or not isinstance(given["definition"].get("title"), str):
        return dict(given)
    return {**given, "definition": definition(given["definition"])}


def type_of(word: str) -> str:
    """The type of a set in a definition: some words have a meaning of their own there."""
    return f"{word}-track" if word in OF_HOLDERS else word


def _renamed(part: Any) -> Any:
    if isinstance(part, list):
        return [_renamed(one) for one in part]
    if not isinstance(part, dict):
        return part
    return {
        key: type_of(one) if key == "type" and isinstance(one, str) else _renamed(one)
        for key, one in part.items()
    }


def _clean(text: str) -> str:
    """*text* as a definition takes it."""
    return UNPRINTABLE.sub("", text).strip()
