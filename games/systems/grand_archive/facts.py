"""What can have happened in Grand Archive beside what happens in every card game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from games.rules.events import Corrected, Event
from games.rules.quick import fast_replace
from games.rules.state import MOST, GameState

from .card import Change, Player, card_of


@dataclass(frozen=True, slots=True)
class Damaged(Event):
    """Damage was dealt, not prevented. marks: it stays on an ally as marked damage."""

    kind: ClassVar[str] = "damaged"
    touch = ("on",)
    on: str
    amount: int
    marks: bool = field(default=False, metadata={"private": True})

    def evolve(self, state: GameState) -> GameState:
        if not self.marks:
            return state
        card = card_of(state, self.on)
        return state.with_object(fast_replace(card, marked=min(MOST, card.marked + self.amount)))


@dataclass(frozen=True, slots=True)
class Defeated(Event):
    """A champion died; it stays where it is, with its counters, until it is moved."""

    kind: ClassVar[str] = "defeated"
    touch = ("object",)
    object: str

    def evolve(self, state: GameState) -> GameState:
        return state.with_object(fast_replace(card_of(state, self.object), defeated=True))


@dataclass(frozen=True, slots=True)
class HadChampion(Event):
    """For the first time, a champion is on the field under that player."""

    kind: ClassVar[str] = "had-champion"
    touch = ("seat",)
    seat: str

    def evolve(self, state: GameState) -> GameState:
        player = state.seats[self.seat]
        assert isinstance(player, Player), player
        return state.with_seat(fast_replace(player, had_champion=True))


@dataclass(frozen=True, slots=True)
class Recovered(Event):
    """amount: the damage counters that came off; 0 still was recovering."""

    kind: ClassVar[str] = "recovered"
    seat: str
    champion: str
    amount: int


@dataclass(frozen=True, slots=True)
class Drew(Event):
    kind: ClassVar[str] = "drew"
    seat: str
    amount: int


@dataclass(frozen=True, slots=True)
class Reserved(Event):
    """A reserve cost was paid, with cards from hand to memory."""

    kind: ClassVar[str] = "reserved"
    seat: str
    amount: int


@dataclass(frozen=True, slots=True)
class Leveled(Event):
    """A champion has another printed level and life now; it never left the field.

    name: the new one, if it has one. lineage: the names below it, the first one first.
    """

    kind: ClassVar[str] = "leveled"
    touch = ("object",)
    object: str
    level: int
    life: int
    name: str | None = None
    lineage: tuple[str, ...] = field(default=(), metadata={"private": True})

    def evolve(self, state: GameState) -> GameState:
        card = card_of(state, self.object)
        base = {**card.base, "level": self.level, "life": self.life}
        name = self.name or card.name
        return state.with_object(fast_replace(card, name=name, base=base, lineage=self.lineage))


@dataclass(frozen=True, slots=True)
class Transformed(Event):
    """Something else is printed on it now. players: whose board that concerns."""

    kind: ClassVar[str] = "transformed"
    object: str
    name: str
    types: tuple[str, ...]
    base: Mapping[str, int]
    players: tuple[str, ...] = field(default=(), metadata={"private": True})

    def evolve(self, state: GameState) -> GameState:
        card = card_of(state, self.object)
        return state.with_object(
            fast_replace(card, name=self.name, types=self.types, base=self.base)
        )

    def touches(self) -> tuple[str, ...]:
        return (self.object, *self.players)


@dataclass(frozen=True, slots=True)
class Changed(Event):
    """An effect changes power or life; just one of add, multiply, set and swap is given."""

    kind: ClassVar[str] = "changed"
    touch = ("object",)
    object: str
    add: Mapping[str, int] | None = None
    multiply: Mapping[str, int] | None = None
    set: Mapping[str, int] | None = None
    swap: bool | None = None
    lasting: bool = False

    def evolve(self, state: GameState) -> GameState:
        card = card_of(state, self.object)
        given: dict[str, Any] = {"add": self.add, "multiply": self.multiply, "set": self.set}
        how = next((how for how, amounts in given.items() if amounts is not None), "swap")
        change = Change(how, given.get(how) or {}, self.lasting)
        return state.with_object(fast_replace(card, changes=(*card.changes, change)))


@dataclass(frozen=True, slots=True)
class MarkedCorrected(Corrected):
    """The damage marked on an ally was set by a judge."""

    def evolve(self, state: GameState) -> GameState:
        return state.with_object(fast_replace(card_of(state, self.on), marked=self.to))


@dataclass(frozen=True, slots=True)
class TurnEnded(Event):
    """Marked damage is gone from *objects*, and every change but the lasting ones."""

    kind: ClassVar[str] = "turn-ended"
    objects: tuple[str, ...]

    def evolve(self, state: GameState) -> GameState:
        healed = {}
        for each in self.objects:
            card = card_of(state, each)
            lasting = tuple(change for change in card.changes if change.lasting)
            healed[each] = fast_replace(card, marked=0, changes=lasting)
        return fast_replace(state, objects={**state.objects, **healed})

    def touches(self) -> tuple[str, ...]:
        return self.objects
