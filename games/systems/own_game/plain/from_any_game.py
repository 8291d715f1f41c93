"""What older versions wrote of Any game, as of an own game whose turns are free."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..language.definition import DEFINITION

SYSTEM, NOW = "any-game", "own-game"
"""The name that the system had, and what it is now; its one edition was 1, too."""
EMPTY: Mapping[str, Any] = {
    "title": "Any game",
    "players": {"most": 12},
    "turns": {"order": "free"},
}


def scenario(written: Mapping[str, Any]) -> dict[str, Any]:
    """A scenario of Any game, perhaps an exported table."""
    return {**written, "system": NOW, DEFINITION: EMPTY}


def opening(state: Mapping[str, Any]) -> dict[str, Any]:
    """A stored state."""
    return {**state, "settings": settings(state["settings"])}


def settings(kept: Mapping[str, Any]) -> dict[str, Any]:
    """The settings of a table."""
    return {**kept, DEFINITION: EMPTY}
