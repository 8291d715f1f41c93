"""The referee's loop, offered after an Action: how a check came out, and what may follow.

Nothing here happens by itself; the screens turn the GM's choices into steps of an `action`.
Source: our notes on checks, complications and fallout.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Annotated, ClassVar

from games.rules.commands import Parameter, one_of
from games.rules.state import Words
from games.rules.state import marked as _
from games.systems.slot_counters import After, Move
from games.tracks import play
from games.tracks.counter import Counter

WORDS: Mapping[str, str] = {
    "miss": _("Miss"),
    "graze": _("Graze"),
    "hit": _("Hit"),
    "critical": _("Critical"),
}
OUTCOMES = tuple(WORDS)
RANGES: Mapping[str, str] = {
    "miss": _("under 10"),
    "graze": "10–14",
    "hit": "15–19",
    "critical": _("20 or more"),
}


class Action(play.Action, frozen=True, kw_only=True):
    """Record an Action or a Reaction. An Action advances each running timer by one slot.

    seat: who acted, if the GM reports it for someone else.
    steps: what else follows, in the same entry, after the timers.
    """

    verb: ClassVar[str] = "action"
    outcome: Annotated[str | None, Parameter(one_of(*OUTCOMES))] = None


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


def counts_as(result: str, despair: Counter | None) -> str:
    """The outcome for a protagonist with that Despair."""
    if despair is None or not despair.flags:
        return result
    return shifted(result, ["Broken" if despair.complete else "Fragile"])


CONTRIBUTION: Mapping[str, Words] = {
    "miss": "",
    "graze": "half of 1d10",
    "hit": "1d10",
    "critical": "2d10",
}
"""The points that a success adds to Progress."""


COMPLICATIONS: Mapping[str, Move] = {
    "foreshadow": Move("Foreshadow", "A Danger comes closer.", types=("danger",), slots=1),
    "spotlight": Move("Spotlight", "Turn to someone else."),
    "threaten": Move("Threaten", "Show what will hurt if no one acts."),
    "pressure": Move("Pressure", "Leave less time or room."),
    "unveil": Move(
        "Unveil", "Show something unwelcome; a hidden counter may be revealed.", reveals=True
    ),
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


def after(outcome: str) -> After:
    """Follow-ups of an Action: progress after a success, complications, fallout after a Miss."""
    fallout = {_("Fallout"): FALLOUT} if outcome == "miss" else {}
    return After(
        gain=CONTRIBUTION.get(outcome, ""),
        to=("progress",) if CONTRIBUTION.get(outcome) else (),
        dice=2 if outcome == "critical" else 1,
        halve=outcome == "graze",
        moves={**fallout, _("Complications"): COMPLICATIONS},
    )
