"""The referee's loop, offered after an Action: how a check came out, and what may follow.

Nothing here happens by itself; the screens turn the GM's choices into steps of an `action`.
Source: our notes on checks, complications and fallout.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from msgspec import Struct

from games.rules.state import Words

from .counter import Counter

OUTCOMES = ("miss", "graze", "hit", "critical")


def outcome(total: int) -> str:
    """The outcome of a check of *total*."""
    return OUTCOMES[(total >= 10) + (total >= 15) + (total >= 20)]


def shifted(result: str, flags: Collection[str]) -> str:
    """The outcome for a protagonist with these flags of Despair.

    Fragile lowers every success by one step. Broken turns a Critical into a Graze and everything
    else into a Miss.
    """
    lower = {flag.lower() for flag in flags}
    if "broken" in lower:
        return "graze" if result == "critical" else "miss"
    if "fragile" in lower:
        return OUTCOMES[max(0, OUTCOMES.index(result) - 1)]
    return result


CONTRIBUTION: Mapping[str, Words] = {
    "miss": "",
    "graze": "half of 1d10",
    "hit": "1d10",
    "critical": "2d10",
}
"""The points that a success adds to Progress."""


class Move(Struct, frozen=True):
    """The referee's options after an Action.

    types, roles: the counters it can move; empty if it moves none. verb: the command that does it.
    slots: by how many slots; or dice: by the points of how many d10; or points: by how many points.
    """

    title: Words
    text: Words
    types: tuple[str, ...] = ()
    roles: tuple[str, ...] = ()
    verb: str = "fill"
    slots: int = 0
    dice: int = 0
    points: int = 0

    def fits(self, counter: Counter) -> bool:
        """Whether it could move *counter*."""
        if counter.resolved or counter.inventory:
            return False
        return counter.type in self.types or counter.role in self.roles

    def step(self, on: str, dice: Collection[int] = ()) -> dict[str, Any]:
        """The command that moves the counter *on*, with the rolled *dice*."""
        command: dict[str, Any] = {"do": self.verb, "on": on}
        if self.dice:
            return {**command, "dice": list(dice)}
        if self.points:
            return {**command, "points": self.points}
        return {**command, "slots": self.slots}


COMPLICATIONS: Mapping[str, Move] = {
    "foreshadow": Move("Foreshadow", "A Danger comes closer.", types=("danger",), slots=1),
    "spotlight": Move("Spotlight", "Turn to someone else."),
    "threaten": Move("Threaten", "Show what will hurt if no one acts."),
    "pressure": Move("Pressure", "Leave less time or room."),
    "unveil": Move("Unveil", "Show something unwelcome; a hidden counter may be revealed."),
    "setback": Move("Setback", "Something gained is lost again."),
    "drain": Move("Drain", "Energy runs out.", roles=("energy",), dice=1),
    "shift": Move("Shift", "The scene changes."),
}
"""Consequences of any Action."""

FALLOUT: Mapping[str, Move] = {
    "harm": Move(
        "Harm", "A protagonist suffers Despair.", roles=("despair",), verb="suffer", dice=1
    ),
    "deplete": Move("Deplete", "A resource runs down.", types=("resource",), slots=1),
    "escalate": Move("Escalate", "A Danger grows.", types=("danger",), slots=1),
    "impend": Move("Impend", "A Defeat comes closer.", types=("defeat",), dice=1),
    "oppose": Move("Oppose", "Someone stands in the way."),
    "backlash": Move("Backlash", "It comes back on whoever did it."),
    "corrupt": Move("Corrupt", "A protagonist gains Corruption.", roles=("corruption",), points=1),
}
"""Consequences of a Miss or a failed Test."""
