"""The events of slot counters: what has happened to one, and what that changes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from msgspec.structs import replace

from ..rules.events import Answered, Event
from ..rules.state import NONE, GameState, Prompt
from .counter import GM, Counter, Item, Player, UnusedRoll, counter_in
from .follow_ups import waits_too


class CounterFact(Event, frozen=True):
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
    return replace(counter, rolls=tuple(r for r in counter.rolls if r.seat != seat))


# Slots


class TemporaryLost(CounterFact, frozen=True):
    """Temporary slots were filled, and so lost."""

    kind: ClassVar[str] = "temporary-lost"
    slots: int

    def changed(self, counter: Counter) -> Counter:
        return replace(counter, temporary=counter.temporary - self.slots)


class Filled(CounterFact, frozen=True):
    kind: ClassVar[str] = "filled"
    slots: int

    def changed(self, counter: Counter) -> Counter:
        return replace(counter, filled=counter.filled + self.slots)


class ThresholdReached(CounterFact, frozen=True):
    kind: ClassVar[str] = "threshold-reached"
    threshold: str


class Completed(CounterFact, frozen=True):
    kind: ClassVar[str] = "completed"
    completes: str | None


class Overflowed(CounterFact, frozen=True):
    """The surplus was lost. points: the points among it, if points were given."""

    kind: ClassVar[str] = "overflowed"
    slots: int
    points: int | None


class GainedWhileFull(CounterFact, frozen=True):
    kind: ClassVar[str] = "gained-while-full"
    slots: int


class Reopened(CounterFact, frozen=True):
    """The counter is no longer complete."""

    kind: ClassVar[str] = "reopened"


class Retracted(CounterFact, frozen=True):
    """An undo or redo reversed its completion."""

    kind: ClassVar[str] = "retracted"


class SlotsSpent(CounterFact, frozen=True):
    """A cost was paid; the filled slots follow as separate events."""

    kind: ClassVar[str] = "spent"
    slots: int


class Cleared(CounterFact, frozen=True):
    kind: ClassVar[str] = "cleared"
    slots: int

    def changed(self, counter: Counter) -> Counter:
        return replace(counter, filled=counter.filled - self.slots)


class TemporaryAdded(CounterFact, frozen=True):
    """Temporary slots were added. over: how many did not fit."""

    kind: ClassVar[str] = "temporary-added"
    slots: int
    over: int

    def changed(self, counter: Counter) -> Counter:
        return replace(counter, temporary=counter.temporary + self.slots) if self.slots else counter


class SlotsCorrected(CounterFact, frozen=True):
    """The GM set the slots. from_, to: filled slots. temporary: the new number."""

    kind: ClassVar[str] = "corrected"
    from_: int
    to: int
    temporary: int

    def changed(self, counter: Counter) -> Counter:
        return replace(counter, filled=self.to, temporary=self.temporary)


class Restarted(CounterFact, frozen=True):
    """The counter started again, empty, with these slots and temporary slots."""

    kind: ClassVar[str] = "restarted"
    slots: int
    temporary: int = 0

    def changed(self, counter: Counter) -> Counter:
        return replace(counter, filled=0, slots=self.slots, temporary=self.temporary)


# Dice


MOST_ROLLS = 8
"""The rolls that a counter remembers until they are used or proposed."""


class Rolled(CounterFact, frozen=True):
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
        return replace(counter, rolls=rolls[-MOST_ROLLS:])


class RollsUsed(CounterFact, frozen=True):
    """A seat acted on the counter, so what it rolled for it before counts no more."""

    kind: ClassVar[str] = "rolls-used"
    seat: str
    touch: ClassVar[tuple[str, ...]] = ("on",)

    def changed(self, counter: Counter) -> Counter:
        return without_rolls(counter, self.seat)


# Items


class Put(CounterFact, frozen=True):
    """An item was put into an inventory. text, secret: its lines, if it brings them (R34)."""

    kind: ClassVar[str] = "put"
    private: ClassVar[tuple[str, ...]] = ("text", "secret")
    item: str
    size: int
    text: str | None = None
    secret: str | None = None

    def changed(self, counter: Counter) -> Counter:
        after = _holding(counter, (*counter.items, Item(self.item, self.size)))
        if self.text:
            after = replace(after, item_texts={**counter.item_texts, self.item: self.text})
        if self.secret:
            after = replace(after, item_secrets={**counter.item_secrets, self.item: self.secret})
        return after


class TakenOut(CounterFact, frozen=True):
    kind: ClassVar[str] = "taken-out"
    item: str

    def changed(self, counter: Counter) -> Counter:
        return _holding(counter, tuple(i for i in counter.items if i.name != self.item))


class Released(CounterFact, frozen=True):
    """A full inventory released everything. items: the names."""

    kind: ClassVar[str] = "released"
    items: tuple[str, ...]

    def changed(self, counter: Counter) -> Counter:
        return _holding(counter, ())


def _holding(counter: Counter, items: tuple[Item, ...]) -> Counter:
    """The inventory with exactly *items* and their lines; its filled slots are their total size."""
    names = {item.name for item in items}
    return replace(
        counter,
        items=items,
        filled=sum(item.size for item in items),
        item_texts={name: line for name, line in counter.item_texts.items() if name in names},
        item_secrets={name: line for name, line in counter.item_secrets.items() if name in names},
    )


# Making and changing counters


class CounterCreated(CounterFact, frozen=True):
    kind: ClassVar[str] = "created"
    private: ClassVar[tuple[str, ...]] = ("made",)
    made: Counter

    def evolve(self, state: GameState) -> GameState:
        return state.with_slot_counter(self.made)


class Edited(CounterFact, frozen=True):
    """Fields were changed. fields: their names. secret: only the GM knows of them."""

    kind: ClassVar[str] = "edited"
    private: ClassVar[tuple[str, ...]] = ("changes",)
    fields: tuple[str, ...]
    changes: Mapping[str, Any]
    secret: bool | None = None

    def changed(self, counter: Counter) -> Counter:
        after = replace(counter, **self.changes)
        return replace(after, filled=min(after.filled, after.slots))


class Resolved(CounterFact, frozen=True):
    """The counter was locked, or opened again."""

    kind: ClassVar[str] = "resolved"
    resolved: bool

    def changed(self, counter: Counter) -> Counter:
        return replace(counter, resolved=self.resolved)


class Discarded(CounterFact, frozen=True):
    """The counter is gone, with its numbers and the links to it, which `linked` had."""

    kind: ClassVar[str] = "discarded"
    private: ClassVar[tuple[str, ...]] = ("linked",)
    linked: tuple[str, ...] = ()

    def evolve(self, state: GameState) -> GameState:
        left = {i: counter for i, counter in state.slot_counters.items() if i != self.on}
        for other in self.linked:
            counter = counter_in(state, other)
            kept = tuple(link for link in counter.links if link.to != self.on)
            left[other] = replace(counter, links=kept)
        return replace(state.with_counters(self.on, NONE), slot_counters=left)

    def touches(self) -> tuple[str, ...]:
        return (self.on, *self.linked)


class MadeWay(CounterFact, frozen=True):
    """The counter has the id `to` now, with its numbers and the links to it, which `linked` had."""

    kind: ClassVar[str] = "made-way"
    private: ClassVar[tuple[str, ...]] = ("linked",)
    to: str
    linked: tuple[str, ...] = ()

    def evolve(self, state: GameState) -> GameState:
        counters: dict[str, Any] = {}
        for key in state.slot_counters:
            counter = counter_in(state, key)
            if key == self.on:
                counters[self.to] = replace(counter, id=self.to)
                continue
            if key in self.linked:
                links = [
                    replace(link, to=self.to) if link.to == self.on else link
                    for link in counter.links
                ]
                counter = replace(counter, links=tuple(links))
            counters[key] = counter
        numbers = state.on(self.on)
        state = state.with_counters(self.on, NONE).with_counters(self.to, numbers)
        return replace(state, slot_counters=counters)

    def touches(self) -> tuple[str, ...]:
        return (self.on, self.to, *self.linked)


class PastShared(CounterFact, frozen=True):
    """Those who see the counter may read what happened to it until now (R31)."""

    kind: ClassVar[str] = "past-shared"


# The table


class Acted(Event, frozen=True):
    """A seat took an Action or a Reaction. waiting: what it calls for, as only the GM knows."""

    kind: ClassVar[str] = "acted"
    private: ClassVar[tuple[str, ...]] = ("waiting",)
    seat: str
    outcome: str | None
    reaction: bool | None
    waiting: Prompt | None = None

    def evolve(self, state: GameState) -> GameState:
        return waits_too(state, self.waiting) if self.waiting else state


class Appointed(Event, frozen=True):
    """A seat became co-GM, or stopped being co-GM."""

    kind: ClassVar[str] = "appointed"
    seat: str
    co_gm: bool

    def evolve(self, state: GameState) -> GameState:
        player = state.seats[self.seat]
        assert isinstance(player, Player), player
        return state.with_seat(replace(player, co_gm=self.co_gm))


class ChairAdded(Event, frozen=True):
    """A co-GM got a seat of their own, without a protagonist."""

    kind: ClassVar[str] = "chair-added"
    seat: str

    def evolve(self, state: GameState) -> GameState:
        kind: Any = type(state.seats[GM])
        return state.with_seat(kind(self.seat, co_gm=True, chair=True))


class Proposed(CounterFact, frozen=True):
    """A seat proposed a command about the counter to the GM. do: its verb.

    What it had rolled for the counter goes with the proposal. hits: the slots of a hit that counted
    at once.
    """

    kind: ClassVar[str] = "proposed"
    seat: str
    do: str
    hits: int = 0

    def changed(self, counter: Counter) -> Counter:
        return without_rolls(counter, self.seat)


class Decided(Answered, frozen=True):
    """A proposal was accepted or declined.

    on: the counter that it was about. slots, points: what was accepted instead of what it asked.
    """

    accepted: bool
    on: str | None = None
    slots: int | None = None
    points: int | None = None

    def touches(self) -> tuple[str, ...]:
        return (self.on,) if self.on else ()


class Replied(Event, frozen=True):
    """The GM said something about a proposal to the seat that made it."""

    kind: ClassVar[str] = "replied"
    prompt: str
    text: str
    by: str
    to: tuple[str, ...]
    secret: bool = True

    def evolve(self, state: GameState) -> GameState:
        def answered(prompt: Prompt) -> Prompt:
            if prompt.id != self.prompt:
                return prompt
            return replace(prompt, facts={**prompt.facts, "reply": self.text})

        return replace(state, prompts=tuple(answered(prompt) for prompt in state.prompts))


class Allowed(Event, frozen=True):
    """Permissions on the table's counters of a type were set. acts: all of them."""

    kind: ClassVar[str] = "allowed"
    type: str
    acts: Mapping[str, str]

    def evolve(self, state: GameState) -> GameState:
        types = {**state.settings.get("permissions", {}), self.type: dict(self.acts)}
        return replace(state, settings={**state.settings, "permissions": types})
