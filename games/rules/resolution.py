"""The events of a command that builds on its own events, each worked out after the one before."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from .events import Event
from .state import GameState, refuse_too_much
from .system import System


@dataclass(slots=True)
class Resolution:
    """The events of one command so far, and the state they lead to.

    A verb that returns one has worked out that state, and the engine takes it as it is;
    so this is for systems without triggers.
    """

    system: System
    state: GameState
    events: list[Event] = field(default_factory=list)

    def __iter__(self) -> Iterator[Event]:
        return iter(self.events)

    def happen(self, event: Event) -> None:
        """Apply and record *event*. Raises Refused if it is one too many."""
        refuse_too_much(len(self.events) + 1)
        self.state = event.evolve(self.state)
        self.events.append(event)

    def take(self, state: GameState, events: Iterable[Event]) -> None:
        """Record *events*, which have led to *state*. Raises Refused if they are too many."""
        self.events += events
        refuse_too_much(len(self.events))
        self.state = state
