"""The events of Grand Archive that other card games do not have."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from msgspec.structs import replace

from games.rules.events import Corrected, Event
from games.rules.state import MOST, GameState

from .card import Player, card_of


class Damaged(Event, frozen=True):
    """Damage was dealt and not prevented.

    marks: it stays on an ally as marked damage. combat_by: the unit that dealt it in combat; old
    events say so of arcane ones only. kills: that unit is dealt as much as it has life. powers: of
    which it is the sum, by id; None if nothing was added.
    """

    kind: ClassVar[str] = "damaged"
    private: ClassVar[tuple[str, ...]] = (
        "marks",
        "combat_by",
        "kills",
    )
    on: str
    amount: int
    marks: bool = False
    combat_by: str | None = None
    powers: Mapping[str, int] | None = None
    kills: bool = False

    def evolve(self, state: GameState) -> GameState:
        if not self.marks:
            return state
        card = card_of(state, self.on)
        return state.with_object(replace(card, marked=min(MOST, card.marked + self.amount)))


class Attacked(Event, frozen=True):
    """An attack that sets something off. with_: what attacks together, first the unit."""

    kind: ClassVar[str] = "attacked"
    object: str
    with_: tuple[str, ...]


class Defeated(Event, frozen=True):
    """A champion died; it stays where it is, with its counters, until it is moved."""

    kind: ClassVar[str] = "defeated"
    object: str

    def evolve(self, state: GameState) -> GameState:
        return state.with_object(replace(card_of(state, self.object), defeated=True))


class HadChampion(Event, frozen=True):
    """The player controls a champion on the field for the first time."""

    kind: ClassVar[str] = "had-champion"
    seat: str

    def evolve(self, state: GameState) -> GameState:
        player = state.seats[self.seat]
        assert isinstance(player, Player), player
        return state.with_seat(replace(player, had_champion=True))


class Recovered(Event, frozen=True):
    """A champion recovered. amount: the damage counters removed; 0 is still recovering."""

    kind: ClassVar[str] = "recovered"
    seat: str
    champion: str
    amount: int


class Drew(Event, frozen=True):
    kind: ClassVar[str] = "drew"
    seat: str
    amount: int


class Reserved(Event, frozen=True):
    """A reserve cost was paid, with cards from hand to memory."""

    kind: ClassVar[str] = "reserved"
    seat: str
    amount: int


class Leveled(Event, frozen=True):
    """A champion now has another printed level and life; it did not leave the field.

    name: its new name, if it has one. lineage: its names at lower levels, from the first. down: it
    was deleveled. classes: its own, if they were said.
    """

    kind: ClassVar[str] = "leveled"
    private: ClassVar[tuple[str, ...]] = ("lineage", "down", "classes")
    object: str
    level: int
    life: int
    name: str | None = None
    lineage: tuple[str, ...] = ()
    down: bool = False
    classes: tuple[str, ...] | None = None

    def evolve(self, state: GameState) -> GameState:
        card = card_of(state, self.object)
        base = {**card.base, "level": self.level, "life": self.life}
        name, classes = self.name or card.name, self.classes or card.classes
        leveled = replace(card, name=name, base=base, lineage=self.lineage, classes=classes)
        return state.with_object(leveled)


class Transformed(Event, frozen=True):
    """The printed values of an object were replaced. players: those it may affect."""

    kind: ClassVar[str] = "transformed"
    private: ClassVar[tuple[str, ...]] = ("players",)
    object: str
    name: str
    types: tuple[str, ...]
    base: Mapping[str, int]
    players: tuple[str, ...] = ()

    def evolve(self, state: GameState) -> GameState:
        card = card_of(state, self.object)
        return state.with_object(replace(card, name=self.name, types=self.types, base=self.base))

    def touches(self) -> tuple[str, ...]:
        return (self.object, *self.players)


class MarkedCorrected(Corrected, frozen=True):
    """A judge set the damage marked on an ally."""

    def evolve(self, state: GameState) -> GameState:
        return state.with_object(replace(card_of(state, self.on), marked=self.to))


class ChampionRestored(Corrected, frozen=True):
    """A judge set a number on a champion that may bring its player back: it stands again."""

    def evolve(self, state: GameState) -> GameState:
        state = Corrected.evolve(self, state)
        return state.with_object(replace(card_of(state, self.on), defeated=False))
