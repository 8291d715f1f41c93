"""Chairs at which nobody sits: they do not play, unless somebody names a player for them."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from games.models import Seat
from games.rules.state import GameState
from games.systems.presentation import Presentation

LEAST = 2
"""The players of a table at which each has a phone or a name; one phone alone plays for all."""
BEGINS = ("begin-turn", "press", "draw-seat")
"""The verbs with which a game begins."""


def absent(presentation: Presentation, state: GameState) -> Collection[str]:
    """The chairs that were taken away as the game began: no screen lists them as players."""
    return presentation.new_game.absent(state) or ()


def empty(presentation: Presentation, seats: Mapping[str, Seat], state: GameState) -> list[str]:
    """The chairs that are taken away as the game begins; none once it has begun."""
    if presentation.new_game.absent(state) is not None:
        return []
    playing = [seat.id for seat in state.remaining()]
    found = [each for each in playing if each in seats and seats[each].free]
    return found if len(playing) - len(found) >= LEAST else []


def taken_away(chairs: Collection[str], command: Mapping[str, Any]) -> list[dict[str, Any]]:
    """*command*, with which a game begins, after the empty *chairs* have gone.

    They go in the same entry, so that Undo brings them back; only dice, which the server rolls,
    stand alone.
    """
    if not chairs or command["do"] not in BEGINS:
        return [dict(command)]
    away = [{"do": "leave", "seat": each} for each in chairs]
    if command["do"] == "draw-seat":
        first = {"do": "together", "steps": away, "by": command["by"]}
        return [first, dict(command)] if command.get("begin") else [dict(command)]
    head = {key: command[key] for key in ("by", "id", "note") if key in command}
    step = {key: value for key, value in command.items() if key not in head}
    return [{"do": "together", "steps": [*away, step], **head}]
