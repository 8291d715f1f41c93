"""The notes on a table's list, for its sheet: all of them, where a game has no secret ones."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from games.rules.state import GameState, to_facts

Facts = dict[str, Any]


def listed(state: GameState, seat: str | None, names: Mapping[str, str]) -> Facts:
    """The notes, newest first, as the sheet's context."""
    return {"listed": [signed(to_facts(note), names) for note in state.notes.values()][::-1]}


def signed(note: Mapping[str, Any], names: Mapping[str, str]) -> Facts:
    """A note's facts with its writer's name, and place at the table (0 if it has left)."""
    places = list(names)
    place = places.index(note["by"]) + 1 if note["by"] in places else 0
    return {**note, "place": place, "name": names.get(note["by"], note["by"])}
