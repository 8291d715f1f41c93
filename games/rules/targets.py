"""Commands about several at once: all or none, one after another in the order given.

Source: docs/COMMANDS.md, Evening 2.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from .commands import ID, one_or_more
from .events import Event
from .state import GameState

MOST_LISTED = 200
LISTED = one_or_more(ID, MOST_LISTED)
"""One id, or a list of up to 200 different ones."""


def one_after_another(
    state: GameState,
    listed: Iterable[str],
    of_one: Callable[[GameState, str], Iterable[Event]],
) -> Iterator[Event]:
    """The events for each of *listed*, each worked out on the state that the ones before it left.

    Raises what *of_one* raises; the first refusal refuses the whole.
    """
    for each in listed:
        for event in of_one(state, each):
            state = event.evolve(state)
            yield event
