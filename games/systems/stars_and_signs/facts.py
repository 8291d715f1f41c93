"""The facts of slot counters: what has happened to one, and what that changes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from games.rules.events import Answered, Event
from games.rules.quick import fast_replace, quick
from games.rules.state import GameState

from .counter import Counter, Item, Player, counter_in


@dataclass(frozen=True, slots=True)
class CounterFact(Event):
    """Something about the slot counter `on`."""

    touch = ("on",)
    on: str

    def changed(self, counter: Counter) -> Counter:
        """The counter after it; most facts only tell."""
        return counter

    def evolve(self, state: GameState) -> GameState:
        before = counter_in(state, self.on)
        after = self.changed(before)
        return state if after is before else state.with_slot_counter(after)


# Slots


@quick
@dataclass(frozen=True, slots=True)
class TemporaryLost(CounterFact):
    """Temporary slots were filled, and are gone with that."""

    kind: ClassVar[str] = "temporary-lost"
    slots: int

    def changed(self, counter: Counter) -> Counter:
        return fast_replace(counter, temporary=counter.temporary - self.slots)


@quick
@dataclass(frozen=True, slots=True)
class Filled(CounterFact):
    kind: ClassVar[str] = "filled"
    slots: int

    def changed(self, counter: Counter) -> Counter:
        return fast_replace(counter, filled=counter.filled + self.slots)


@dataclass(frozen=True, slots=True)
class ThresholdReached(CounterFact):
    kind: ClassVar[str] = "threshold-reached"
    threshold: str


@dataclass(frozen=True, slots=True)
class Completed(CounterFact):
    kind: ClassVar[str] = "completed"
    completes: str | None


@dataclass(frozen=True, slots=True)
class Overflowed(CounterFact):
    """What did not fit is lost: so many slots, and so many points if points were given."""

    kind: ClassVar[str] = "overflowed"
    slots: int
    points: int | None


@dataclass(frozen=True, slots=True)
class GainedWhileFull(CounterFact):
    kind: ClassVar[str] = "gained-while-full"
    slots: int


@dataclass(frozen=True, slots=True)
class Reopened(CounterFact):
    """It is no longer complete."""

    kind: ClassVar[str] = "reopened"


@dataclass(frozen=True, slots=True)
class Retracted(CounterFact):
    """An undo or redo took its completion back."""

    kind: ClassVar[str] = "retracted"


@dataclass(frozen=True, slots=True)
class SlotsSpent(CounterFact):
    """A cost was paid; the slots it filled follow."""

    kind: ClassVar[str] = "spent"
    slots: int


@quick
@dataclass(frozen=True, slots=True)
class Cleared(CounterFact):
    kind: ClassVar[str] = "cleared"
    slots: int

    def changed(self, counter: Counter) -> Counter:
        return fast_replace(counter, filled=counter.filled - self.slots)


@dataclass(frozen=True, slots=True)
class TemporaryAdded(CounterFact):
    """over: how many more there was no room for."""

    kind: ClassVar[str] = "temporary-added"
    slots: int
    over: int

    def changed(self, counter: Counter) -> Counter:
        return (
            fast_replace(counter, temporary=counter.temporary + self.slots)
            if self.slots
            else counter
        )


@dataclass(frozen=True, slots=True)
class Wounded(CounterFact):
    """What was suffered while full is a Wound."""

    kind: ClassVar[str] = "wounded"
    rank: int


@dataclass(frozen=True, slots=True)
class SlotsCorrected(CounterFact):
    """Set by the GM. from_, to: filled slots. temporary: what there are now."""

    kind: ClassVar[str] = "corrected"
    from_: int
    to: int
    temporary: int

    def changed(self, counter: Counter) -> Counter:
        return fast_replace(counter, filled=self.to, temporary=self.temporary)


@dataclass(frozen=True, slots=True)
class Restarted(CounterFact):
    """It begins again, empty, with so many slots and temporary slots."""

    kind: ClassVar[str] = "restarted"
    slots: int
    temporary: int = 0

    def changed(self, counter: Counter) -> Counter:
        return fast_replace(counter, filled=0, slots=self.slots, temporary=self.temporary)


# Items


@dataclass(frozen=True, slots=True)
class Put(CounterFact):
    kind: ClassVar[str] = "put"
    item: str
    size: int

    def changed(self, counter: Counter) -> Counter:
        return _holding(counter, (*counter.items, Item(self.item, self.size)))


@dataclass(frozen=True, slots=True)
class TakenOut(CounterFact):
    kind: ClassVar[str] = "taken-out"
    item: str

    def changed(self, counter: Counter) -> Counter:
        return _holding(counter, tuple(i for i in counter.items if i.name != self.item))


@dataclass(frozen=True, slots=True)
class Released(CounterFact):
    """A full inventory let go of everything. items: their names."""

    kind: ClassVar[str] = "released"
    items: tuple[str, ...]

    def changed(self, counter: Counter) -> Counter:
        return _holding(counter, ())


def _holding(counter: Counter, items: tuple[Item, ...]) -> Counter:
    """The inventory with just *items*; its filled slots are the places they take."""
    return fast_replace(counter, items=items, filled=sum(item.size for item in items))


# Making and changing counters


@dataclass(frozen=True, slots=True)
class CounterCreated(CounterFact):
    kind: ClassVar[str] = "created"
    made: Counter = field(metadata={"private": True})

    def evolve(self, state: GameState) -> GameState:
        return state.with_slot_counter(self.made)


@dataclass(frozen=True, slots=True)
class Edited(CounterFact):
    """fields: what was given anew, by name."""

    kind: ClassVar[str] = "edited"
    fields: tuple[str, ...]
    changes: Mapping[str, Any] = field(metadata={"private": True})

    def changed(self, counter: Counter) -> Counter:
        after = fast_replace(counter, **self.changes)
        return fast_replace(after, filled=min(after.filled, after.slots))


@dataclass(frozen=True, slots=True)
class Resolved(CounterFact):
    """It is locked from now on, or no longer."""

    kind: ClassVar[str] = "resolved"
    resolved: bool

    def changed(self, counter: Counter) -> Counter:
        return fast_replace(counter, resolved=self.resolved)


@dataclass(frozen=True, slots=True)
class Discarded(CounterFact):
    """It is gone, and so are the links that led to it, from the counters `linked`."""

    kind: ClassVar[str] = "discarded"
    linked: tuple[str, ...] = field(default=(), metadata={"private": True})

    def evolve(self, state: GameState) -> GameState:
        left = {i: counter for i, counter in state.slot_counters.items() if i != self.on}
        for other in self.linked:
            counter = counter_in(state, other)
            kept = tuple(link for link in counter.links if link.to != self.on)
            left[other] = fast_replace(counter, links=kept)
        return fast_replace(state, slot_counters=left)

    def touches(self) -> tuple[str, ...]:
        return (self.on, *self.linked)


# The table


@dataclass(frozen=True, slots=True)
class Acted(Event):
    """A seat took an Action, or only reacted."""

    kind: ClassVar[str] = "acted"
    seat: str
    outcome: str | None
    reaction: bool | None


@dataclass(frozen=True, slots=True)
class MilestoneReached(Event):
    kind: ClassVar[str] = "milestone-reached"
    milestone: str


@dataclass(frozen=True, slots=True)
class Appointed(Event):
    """A seat is co-GM from now on, or no longer."""

    kind: ClassVar[str] = "appointed"
    touch = ("seat",)
    seat: str
    co_gm: bool

    def evolve(self, state: GameState) -> GameState:
        player = state.seats[self.seat]
        assert isinstance(player, Player), player
        return state.with_seat(fast_replace(player, co_gm=self.co_gm))


@dataclass(frozen=True, slots=True)
class Proposed(CounterFact):
    """A seat asked the GM for a command about the counter. do: its verb."""

    kind: ClassVar[str] = "proposed"
    seat: str
    do: str


@dataclass(frozen=True, slots=True)
class Decided(Answered):
    """A proposal was accepted or declined."""

    accepted: bool
