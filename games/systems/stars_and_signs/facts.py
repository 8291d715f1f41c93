"""The events of slot counters: what has happened to one, and what that changes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from typing import Any, ClassVar

from games.rules.events import Answered, Event
from games.rules.state import GameState, Prompt
from games.rules.values import fast_replace, frozen

from .counter import Counter, Item, Player, UnusedRoll, counter_in
from .follow_ups import waits_too


@frozen
class CounterFact(Event):
    """An event about the slot counter `on`."""

    on: str

    def changed(self, counter: Counter) -> Counter:
        """The counter after the event; most events change nothing."""
        return counter

    def evolve(self, state: GameState) -> GameState:
        before = counter_in(state, self.on)
        after = self.changed(before)
        return state if after is before else state.with_slot_counter(after)


def without_rolls(counter: Counter, seat: str) -> Counter:
    """*counter* without what *seat* rolled for it and did not use."""
    return fast_replace(counter, rolls=tuple(r for r in counter.rolls if r.seat != seat))


# Slots


@frozen
class TemporaryLost(CounterFact):
    """Temporary slots were filled, and so lost."""

    kind: ClassVar[str] = "temporary-lost"
    slots: int

    def changed(self, counter: Counter) -> Counter:
        return fast_replace(counter, temporary=counter.temporary - self.slots)


@frozen
class Filled(CounterFact):
    kind: ClassVar[str] = "filled"
    slots: int

    def changed(self, counter: Counter) -> Counter:
        return fast_replace(counter, filled=counter.filled + self.slots)


@frozen
class ThresholdReached(CounterFact):
    kind: ClassVar[str] = "threshold-reached"
    threshold: str


@frozen
class Completed(CounterFact):
    kind: ClassVar[str] = "completed"
    completes: str | None


@frozen
class Overflowed(CounterFact):
    """What did not fit was lost. points: the points among it, if points were given."""

    kind: ClassVar[str] = "overflowed"
    slots: int
    points: int | None


@frozen
class GainedWhileFull(CounterFact):
    kind: ClassVar[str] = "gained-while-full"
    slots: int


@frozen
class Reopened(CounterFact):
    """The counter is no longer complete."""

    kind: ClassVar[str] = "reopened"


@frozen
class Retracted(CounterFact):
    """An undo or redo reversed its completion."""

    kind: ClassVar[str] = "retracted"


@frozen
class SlotsSpent(CounterFact):
    """A cost was paid; the filled slots follow as separate events."""

    kind: ClassVar[str] = "spent"
    slots: int


@frozen
class Cleared(CounterFact):
    kind: ClassVar[str] = "cleared"
    slots: int

    def changed(self, counter: Counter) -> Counter:
        return fast_replace(counter, filled=counter.filled - self.slots)


@frozen
class TemporaryAdded(CounterFact):
    """Temporary slots were added. over: how many did not fit."""

    kind: ClassVar[str] = "temporary-added"
    slots: int
    over: int

    def changed(self, counter: Counter) -> Counter:
        return (
            fast_replace(counter, temporary=counter.temporary + self.slots)
            if self.slots
            else counter
        )


@frozen
class Wounded(CounterFact):
    """Despair that was suffered while full became a Wound."""

    kind: ClassVar[str] = "wounded"
    rank: int


@frozen
class SlotsCorrected(CounterFact):
    """The GM set the slots. from_, to: filled slots. temporary: the new number."""

    kind: ClassVar[str] = "corrected"
    from_: int
    to: int
    temporary: int

    def changed(self, counter: Counter) -> Counter:
        return fast_replace(counter, filled=self.to, temporary=self.temporary)


@frozen
class Restarted(CounterFact):
    """The counter started again, empty, with these slots and temporary slots."""

    kind: ClassVar[str] = "restarted"
    slots: int
    temporary: int = 0

    def changed(self, counter: Counter) -> Counter:
        return fast_replace(counter, filled=0, slots=self.slots, temporary=self.temporary)


# Dice


MOST_ROLLS = 8
"""The rolls that a counter remembers until they are used or proposed."""


@frozen
class Rolled(CounterFact):
    """Dice were rolled for the counter. seat: for whom; None in old logs.

    points: what a player says to have rolled at the table; then there are no dice.
    """

    kind: ClassVar[str] = "rolled"
    dice: tuple[int, ...]
    seat: str | None = None
    points: int | None = None
    touch: ClassVar[tuple[str, ...]] = ("on",)

    def changed(self, counter: Counter) -> Counter:
        if self.seat is None:
            return counter
        rolls = (*counter.rolls, UnusedRoll(self.seat, self.dice, self.points))
        return fast_replace(counter, rolls=rolls[-MOST_ROLLS:])


@frozen
class RollsUsed(CounterFact):
    """A seat acted on the counter, so what it rolled for it before counts no more."""

    kind: ClassVar[str] = "rolls-used"
    seat: str
    touch: ClassVar[tuple[str, ...]] = ("on",)

    def changed(self, counter: Counter) -> Counter:
        return without_rolls(counter, self.seat)


# Items


@frozen
class Put(CounterFact):
    kind: ClassVar[str] = "put"
    item: str
    size: int

    def changed(self, counter: Counter) -> Counter:
        return _holding(counter, (*counter.items, Item(self.item, self.size)))


@frozen
class TakenOut(CounterFact):
    kind: ClassVar[str] = "taken-out"
    item: str

    def changed(self, counter: Counter) -> Counter:
        return _holding(counter, tuple(i for i in counter.items if i.name != self.item))


@frozen
class Released(CounterFact):
    """A full inventory released everything. items: the names."""

    kind: ClassVar[str] = "released"
    items: tuple[str, ...]

    def changed(self, counter: Counter) -> Counter:
        return _holding(counter, ())


def _holding(counter: Counter, items: tuple[Item, ...]) -> Counter:
    """The inventory with exactly *items*; its filled slots are their total size."""
    return fast_replace(counter, items=items, filled=sum(item.size for item in items))


# Making and changing counters


@frozen
class CounterCreated(CounterFact):
    kind: ClassVar[str] = "created"
    made: Counter = field(metadata={"private": True})

    def evolve(self, state: GameState) -> GameState:
        return state.with_slot_counter(self.made)


@frozen
class Edited(CounterFact):
    """Fields were changed. fields: their names. secret: only the GM knows of them."""

    kind: ClassVar[str] = "edited"
    fields: tuple[str, ...]
    changes: Mapping[str, Any] = field(metadata={"private": True})
    secret: bool | None = field(default=None, kw_only=True)

    def changed(self, counter: Counter) -> Counter:
        after = fast_replace(counter, **self.changes)
        return fast_replace(after, filled=min(after.filled, after.slots))


@frozen
class Resolved(CounterFact):
    """The counter was locked, or opened again."""

    kind: ClassVar[str] = "resolved"
    resolved: bool

    def changed(self, counter: Counter) -> Counter:
        return fast_replace(counter, resolved=self.resolved)


@frozen
class Discarded(CounterFact):
    """The counter is gone, and so are the links to it, which the counters `linked` had."""

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


@frozen
class MadeWay(CounterFact):
    """The counter has the id `to` now, and so have the links to it, which `linked` had."""

    kind: ClassVar[str] = "made-way"
    to: str
    linked: tuple[str, ...] = field(default=(), metadata={"private": True})

    def evolve(self, state: GameState) -> GameState:
        counters: dict[str, Any] = {}
        for key in state.slot_counters:
            counter = counter_in(state, key)
            if key == self.on:
                counters[self.to] = fast_replace(counter, id=self.to)
                continue
            if key in self.linked:
                links = [
                    replace(link, to=self.to) if link.to == self.on else link
                    for link in counter.links
                ]
                counter = fast_replace(counter, links=tuple(links))
            counters[key] = counter
        return fast_replace(state, slot_counters=counters)

    def touches(self) -> tuple[str, ...]:
        return (self.on, self.to, *self.linked)


@frozen
class PastShared(CounterFact):
    """Those who see the counter may read what happened to it until now (R31)."""

    kind: ClassVar[str] = "past-shared"


# The table


@frozen
class Acted(Event):
    """A seat took an Action or a Reaction. waiting: what it calls for, as only the GM knows."""

    kind: ClassVar[str] = "acted"
    seat: str
    outcome: str | None
    reaction: bool | None
    waiting: Prompt | None = field(default=None, metadata={"private": True})

    def evolve(self, state: GameState) -> GameState:
        return waits_too(state, self.waiting) if self.waiting else state


@frozen
class MilestoneReached(Event):
    kind: ClassVar[str] = "milestone-reached"
    milestone: str


@frozen
class Appointed(Event):
    """A seat became co-GM, or stopped being co-GM."""

    kind: ClassVar[str] = "appointed"
    seat: str
    co_gm: bool

    def evolve(self, state: GameState) -> GameState:
        player = state.seats[self.seat]
        assert isinstance(player, Player), player
        return state.with_seat(fast_replace(player, co_gm=self.co_gm))


@frozen
class ChairAdded(Event):
    """A co-GM got a seat of their own, without a protagonist."""

    kind: ClassVar[str] = "chair-added"
    seat: str

    def evolve(self, state: GameState) -> GameState:
        return state.with_seat(Player(self.seat, co_gm=True, chair=True))


@frozen
class Proposed(CounterFact):
    """A seat proposed a command about the counter to the GM. do: its verb.

    What it had rolled for the counter goes with the proposal.
    """

    kind: ClassVar[str] = "proposed"
    seat: str
    do: str

    def changed(self, counter: Counter) -> Counter:
        return without_rolls(counter, self.seat)


@frozen
class Decided(Answered):
    """A proposal was accepted or declined.

    on: the counter that it was about. slots, points: what was accepted instead of what it asked.
    """

    accepted: bool
    on: str | None = None
    slots: int | None = None
    points: int | None = None

    def touches(self) -> tuple[str, ...]:
        return (self.on,) if self.on else ()


@frozen
class Replied(Event):
    """The GM said something about a proposal to the seat that made it."""

    kind: ClassVar[str] = "replied"
    prompt: str
    text: str
    by: str
    to: tuple[str, ...]
    secret: bool = True

    def evolve(self, state: GameState) -> GameState:
        def told(prompt: Prompt) -> Prompt:
            if prompt.id != self.prompt:
                return prompt
            return fast_replace(prompt, facts={**prompt.facts, "reply": self.text})

        return fast_replace(state, prompts=tuple(told(prompt) for prompt in state.prompts))


@frozen
class Allowed(Event):
    """Who may do what with the table's counters of a type was settled. acts: all of it."""

    kind: ClassVar[str] = "allowed"
    type: str
    acts: Mapping[str, str]

    def evolve(self, state: GameState) -> GameState:
        types = {**state.settings.get("permissions", {}), self.type: dict(self.acts)}
        return fast_replace(state, settings={**state.settings, "permissions": types})
