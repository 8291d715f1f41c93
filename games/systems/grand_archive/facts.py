"""The events of Grand Archive that other card games do not have."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import ClassVar

from games.rules.events import Corrected, Event
from games.rules.state import MOST, GameState
from games.rules.values import fast_replace, frozen

from .card import Player, card_of


@frozen
class Damaged(Event):
    """Damage was dealt and not prevented.

    marks: it stays on an ally as marked damage. combat_by: the arcane unit that dealt it in combat.
    """

    kind: ClassVar[str] = "damaged"
    on: str
    amount: int
    marks: bool = field(default=False, metadata={"private": True})
    combat_by: str | None = field(default=None, metadata={"private": True})

    def evolve(self, state: GameState) -> GameState:
        if not self.marks:
            return state
        card = card_of(state, self.on)
        return state.with_object(fast_replace(card, marked=min(MOST, card.marked + self.amount)))


@frozen
class Defeated(Event):
    """A champion died; it stays where it is, with its counters, until it is moved."""

    kind: ClassVar[str] = "defeated"
    object: str

    def evolve(self, state: GameState) -> GameState:
        return state.with_object(fast_replace(card_of(state, self.object), defeated=True))


@frozen
class HadChampion(Event):
    """The player controls a champion on the field for the first time."""

    kind: ClassVar[str] = "had-champion"
    seat: str

    def evolve(self, state: GameState) -> GameState:
        player = state.seats[self.seat]
        assert isinstance(player, Player), player
        return state.with_seat(fast_replace(player, had_champion=True))


@frozen
class Recovered(Event):
    """A champion recovered. amount: the damage counters removed; 0 is still recovering."""

    kind: ClassVar[str] = "recovered"
    seat: str
    champion: str
    amount: int


@frozen
class Drew(Event):
    kind: ClassVar[str] = "drew"
    seat: str
    amount: int


@frozen
class Reserved(Event):
    """A reserve cost was paid, with cards from hand to memory."""

    kind: ClassVar[str] = "reserved"
    seat: str
    amount: int


@frozen
class Leveled(Event):
    """A champion now has another printed level and life; it did not leave the field.

    name: its new name, if it has one. lineage: its names at lower levels, from the first.
    """

    kind: ClassVar[str] = "leveled"
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


@frozen
class Transformed(Event):
    """The printed values of an object were replaced. players: those it may affect."""

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


@frozen
class MarkedCorrected(Corrected):
    """A judge set the damage marked on an ally."""

    def evolve(self, state: GameState) -> GameState:
        return state.with_object(fast_replace(card_of(state, self.on), marked=self.to))


@frozen
class ChampionRestored(Corrected):
    """A judge set a number on a champion that may bring its player back: it stands again."""

    def evolve(self, state: GameState) -> GameState:
        state = Corrected.evolve(self, state)
        return state.with_object(fast_replace(card_of(state, self.on), defeated=False))
