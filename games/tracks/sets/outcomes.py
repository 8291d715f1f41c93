"""The effects of an outcome: what leaves no choice happens with the Action, in its entry.

The rest waits for the GM. What a scale counts is the GM's too: only they have said its step. A
secret counter must not show by what does not happen, so it is no choice beside one that all know.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from ...rules.state import GameState
from ...rules.system import cites
from .. import play
from ..counter import (
    Counter,
    Sight,
    counters_in,
    game_master,
    runs,
    sight,
)
from ..course import Course
from .definition import Set, Ticks
from .set_system import SetSystem

Step = dict[str, Any]


def name_of(n: int) -> str:
    """The name of the tick in place *n* of its outcome."""
    return f"ticks-{n}"


def _named(made: Set, outcome: str) -> Iterator[tuple[str, Ticks]]:
    said = made.by_outcome.get(outcome)
    for n, tick in enumerate(said.ticks if said else ()):
        yield name_of(n), tick


def _possible(state: GameState, tick: Ticks) -> list[Counter]:
    """The counters in play that *tick* would change."""
    return [
        counter
        for counter in counters_in(state).values()
        if tick.type in ("", counter.type)
        and runs(state, counter)
        and not (counter.resolved or counter.inventory)
        and (counter.filled if tick.clears else not counter.complete)
    ]


def _only(state: GameState, found: list[Counter]) -> list[Counter]:
    """Those of *found* that all players know; without any, all of them, unless some know one."""
    players = [seat for seat in state.seats if not game_master(state, seat)]
    known = {
        counter.id: [sight(state, seat, counter) is not Sight.NOTHING for seat in players]
        for counter in found
    }
    to_all = [counter for counter in found if all(known[counter.id])]
    to_some = [counter for counter in found if any(known[counter.id])]
    return to_all or ([] if to_some else found)


@cites("Any 8")
def _certain(made: Set, state: GameState, who: str, tick: Ticks) -> Counter | None:
    """The counter that *tick* means without a choice."""
    found = _possible(state, tick)
    if tick.type in {scale.type for scale in made.scales}:
        return None
    if tick.type in {kit.type for kit in made.kit}:
        found = [counter for counter in found if counter.role and counter.owner == who]
    else:
        found = _only(state, found)
    return found[0] if len(found) == 1 else None


def by_itself(made: Set, outcome: str, state: GameState, who: str) -> dict[str, Step]:
    """The steps that an outcome of *who* brings along, by the names of its ticks."""
    return {
        name: {"do": "clear" if tick.clears else "fill", "on": only.id, "slots": tick.slots}
        for name, tick in _named(made, outcome)
        if (only := _certain(made, state, who, tick))
    }


def _asks(made: Set, state: GameState, who: str, outcome: str) -> bool:
    """True if an outcome leaves the GM something to choose; of another set's, all that follows."""
    return outcome not in made.by_outcome or any(
        _possible(state, tick) and not _certain(made, state, who, tick)
        for _name, tick in _named(made, outcome)
    )


@cites("Any 8", "R33")
def act(
    system: SetSystem,
    state: GameState,
    command: play.Action,
    advance: Callable[[Course, str], None] | None = None,
) -> Course:
    """advance: as in `play.acted`."""
    who, outcome = command.seat or command.by, command.outcome or ""
    follows = {} if command.reaction else by_itself(system.set, outcome, state, who)
    asks = _asks(system.set, state, who, outcome)
    return play.acted(system, state, command, follows, "Any 8", asks=asks, advance=advance)
