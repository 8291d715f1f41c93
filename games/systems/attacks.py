"""The attacks of a card, each with what it would come to: for its sheet.

Nothing here decides a rule: an attack is tried out, and what it leaves is compared.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from games.rules import engine
from games.rules.state import GameState, Refused
from games.rules.system import System

MOST_TARGETS = 24
"""Each is tried out with each way to attack."""


class Ends(Struct, frozen=True):
    """The main number of a player, now and after an attack. lost: the player is out by it."""

    seat: str
    now: int
    then: int
    lost: bool = False


class Target(Struct, frozen=True):
    """Something to attack. name: "" of a player, whom the page names. number: what it defends
    with; None if nobody knows. falls: it goes by the attack. back: so does the attacker."""

    id: str
    name: str
    number: int | None = None
    falls: bool = False
    back: bool = False
    ends: Sequence[Ends] = ()


def tried(system: System, state: GameState, command: Mapping[str, Any]) -> GameState:
    """The state after *command*; the same state if it is refused."""
    try:
        given = engine.read(system, command, engine.head(system, state, command).by)
        return engine.step(system, state, given)[0]
    except Refused:
        return state


def gone(state: GameState, card_id: str) -> bool:
    """True if that card is no longer on the field, or is there as defeated."""
    card = state.objects[card_id]
    return not card.on_field or getattr(card, "defeated", False)


def ends(
    before: GameState, after: GameState, number: Callable[[GameState, str], int]
) -> list[Ends]:
    """The players whose *number* changes, in table order."""
    return [
        Ends(seat, number(before, seat), number(after, seat), after.seats[seat].lost)
        for seat in before.seats
        if number(before, seat) != number(after, seat)
    ]
