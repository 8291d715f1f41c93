"""Words of the current game for its slot counters."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from games.rules.state import GameState
from games.screens.words import said, spoken
from games.systems.slot_counters import Slots


def its() -> Slots:
    """The counters of the game that is speaking."""
    own = spoken().slots
    assert own is not None, "this game has no slot counters"
    return own


def outcome_word(key: str) -> str:
    """The outcome of an Action in words; as it was given, if the game has it no more."""
    known = its().outcomes.get(key)
    return said(known.word) if known else key


def turn_shown(state: GameState, seat: str | None) -> Mapping[str, Any] | None:
    """The turn that *seat* is shown; None without a turn order."""
    turns = its().turns
    return turns.shown(state, seat) if turns else None
