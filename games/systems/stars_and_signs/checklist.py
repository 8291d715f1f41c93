"""The GM's checklist of a milestone, made from the counters on the table.

It recognises the rulebook's own counters by their `role`. Source: our notes on milestones. In the
rulebook "clear" means to empty, and "refresh" to empty and lose temporary slots.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct

from games.rules.state import GameState, Phrase
from games.rules.system import cites

from .counter import Counter, counter_in, runs

MILESTONES = ("minor", "major")


class Line(Struct, frozen=True):
    """One thing to do at a milestone.

    about: the counter it concerns. steps: the commands that do it; none if the players do it.
    wanted: whether it is ticked at first.
    """

    about: str
    text: str
    steps: tuple[Mapping[str, Any], ...] = ()
    wanted: bool = True


@cites("R19", "R30", "Clearing Despair", "Energy Counter")
def checklist(state: GameState, milestone: str, *, trades: bool = True) -> list[Line]:
    """The lines of a minor or major milestone, by counter, in the order they were made.

    Only counters in play have lines. trades: also what may be traded, which is never ticked at
    first.
    """
    every = (counter_in(state, counter_id) for counter_id in state.slot_counters)
    counters = [counter for counter in every if runs(state, counter)]
    played = [counter for counter in counters if not counter.resolved and not counter.inventory]
    lines = [line for counter in played for line in _minor(counter, played if trades else [])]
    if milestone == "major":
        lines += [line for counter in played for line in _major(counter)]
    lines += [line for counter in counters for line in _reminders(counter)]
    return lines


def _minor(counter: Counter, played: list[Counter]) -> Iterator[Line]:
    if counter.role == "energy" and counter.filled:
        text = Phrase("{name}: clear all; a Transformation ends.", name=counter.name)
        yield Line(counter.id, text, _emptied(counter))
    if counter.role == "hope":
        for despair in played:
            if despair.role == "despair" and despair.owner == counter.owner:
                yield from _exchange(counter, despair)


def _exchange(hope: Counter, despair: Counter) -> Iterator[Line]:
    """Hope can be spent to clear the same number of slots of Despair; one slot is offered."""
    if hope.unfilled and despair.filled:
        most = min(hope.unfilled, despair.filled)
        steps = (
            {"do": "spend", "on": hope.id, "slots": 1},
            {"do": "clear", "on": despair.id, "slots": 1},
        )
        text = Phrase(
            "{name} for {despair}: trade one slot for one, up to {most}.",
            name=hope.name, despair=despair.name, most=most,
        )  # fmt: skip
        yield Line(hope.id, text, steps, wanted=False)


def _major(counter: Counter) -> Iterator[Line]:
    if counter.role in ("despair", "aura") and counter.filled:
        text = Phrase("{name}: clear all.", name=counter.name)
        yield Line(counter.id, text, _emptied(counter))
    if counter.role == "hope" and (counter.filled or counter.temporary):
        text = Phrase(
            "{name}: refresh, then a temporary slot for each negative Connection.",
            name=counter.name,
        )
        yield Line(counter.id, text, ({"do": "restart", "on": counter.id},))


def _reminders(counter: Counter) -> Iterator[Line]:
    if counter.resolved:
        return
    if counter.role == "wound":
        text = Phrase("{name}: test Recovery; a success heals 1d10.", name=counter.name)
        yield Line(counter.id, text)
    if counter.role == "memories":
        yield Line(counter.id, Phrase("{name}: add up to three.", name=counter.name))
    if counter.role == "corruption" and counter.filled:
        text = Phrase(
            "{name}: {n} of {slots} filled.",
            name=counter.name, n=counter.filled, slots=counter.slots,
        )  # fmt: skip
        yield Line(counter.id, text)


def _emptied(counter: Counter) -> tuple[Mapping[str, Any], ...]:
    return ({"do": "clear", "on": counter.id, "all": True},)
