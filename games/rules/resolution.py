"""The events of a command that builds on its own events, each worked out after the one before."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from .events import Event
from .state import GameState
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
        """Apply and record *event*."""
        self.state = event.evolve(self.state)
        self.events.append(event)
