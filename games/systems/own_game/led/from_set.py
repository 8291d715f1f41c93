"""What older versions wrote of Any RPG, as of a game with a GM: its sets, commands and tables.

Any RPG was a system of its own, whose tables kept a set; a set is a definition with the key `gm`.
Source: docs/OWN-GAMES.md, GM 1.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from games.rules.input import UNPRINTABLE
from games.tracks.sets import definition as sets
from games.tracks.sets.plain import PLAIN

from ..language.definition import DEFINITION
from ..language.sorts import OF_HOLDERS

MOST_PLAYERS = 11
SYSTEM, NOW, EDITION = "any-rpg", "own-game", "1"
"""The name that the system had; what it is now, and in which edition."""
READY = {
    "blades": "blades-in-the-dark",
    "cthulhu": "call-of-cthulhu",
    "fabula": "fabula-ultima",
    "fifth-edition": "dungeons-and-dragons",
}
"""The ready games that had another name."""
TURN = {"active": [], "phase": "turn"}


def is_set(written: Any) -> bool:
    """True if that is a set of Any RPG."""
    try:
        sets.understood(written)
    except sets.Fault:
        return False
    return True


def definition(written: Mapping[str, Any]) -> dict[str, Any]:
    """The definition of a set that has been read."""
    gm = {
        key: renamed(part)
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


def settings(kept: Mapping[str, Any]) -> dict[str, Any]:
    """The settings of a table."""
    made = {**kept, DEFINITION: definition(kept.get(DEFINITION) or PLAIN)}
    if permissions := kept.get("permissions"):
        made["permissions"] = {type_of(kind): acts for kind, acts in permissions.items()}
    return made


def command(given: Mapping[str, Any]) -> dict[str, Any]:
    """A command of a table with that set, for the table with its definition."""
    if given.get("do") != "change-rules":
        return dict(renamed(given))
    written = given.get("definition", {})
    return {**given, "definition": definition(written)} if is_set(written) else dict(given)


def scenario(written: Mapping[str, Any]) -> dict[str, Any]:
    """A scenario of Any RPG, perhaps an exported table; what was no set stays for its refusal."""
    when, made = written.get("when"), written.get("definition") or PLAIN
    return {
        **renamed({key: part for key, part in written.items() if key != "when"}),
        "system": NOW,
        "edition": EDITION,
        "definition": definition(made) if is_set(made) else made,
        "when": [command(each) if isinstance(each, dict) else each for each in when]
        if isinstance(when, list)
        else when,
    }


def opening(state: Mapping[str, Any]) -> dict[str, Any]:
    """A stored state."""
    made = renamed({key: part for key, part in state.items() if key != "settings"})
    return {**made, "settings": settings(state["settings"]), "turn": TURN}


def event(kept: Mapping[str, Any]) -> dict[str, Any]:
    """An event in a log."""
    made: dict[str, Any] = renamed(kept)
    return {**made, "kind": "rules-changed"} if kept["kind"] == "set-changed" else made


def type_of(word: str) -> str:
    """The type of a set in a definition: some words have a meaning of their own there."""
    return f"{word}-track" if word in OF_HOLDERS else word


def renamed(part: Any) -> Any:
    """JSON with the types of tracks as definitions have them."""
    if isinstance(part, list):
        return [renamed(one) for one in part]
    if not isinstance(part, dict):
        return part
    return {
        key: type_of(one) if key == "type" and isinstance(one, str) else renamed(one)
        for key, one in part.items()
    }


def _clean(text: str) -> str:
    """*text* as a definition takes it."""
    return UNPRINTABLE.sub("", text).strip()
