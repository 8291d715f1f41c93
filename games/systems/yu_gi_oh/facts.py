"""The events of Yu-Gi-Oh! that other card games do not have."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from msgspec.structs import replace

from games.rules.events import Correction, Created, Event, Shifted
from games.rules.state import GameObject, GameState

from .card import OPENED, Card, Gain, Permit, card, duelist


class CameFaceDown(Created, frozen=True):
    """A card was created face-down. known_to: the seats that may read its name."""

    known_to: tuple[str, ...] = ()

    @classmethod
    def of(cls, obj: GameObject) -> CameFaceDown:
        assert isinstance(obj, Card)
        return cls(obj.id, obj.name, obj.zone, obj.controller, obj, known_to=obj.known_to or ())


class OnCard(Event, frozen=True):
    """An event about one card."""

    object: str


class Flipped(OnCard, frozen=True):
    """Face-up, everyone sees it; turned face-down again, everyone still knows it.

    What is turned face-up is in Attack Position unless a mark says otherwise, as by a Flip Summon.
    """

    kind: ClassVar[str] = "flipped"
    face_down: bool

    def evolve(self, state: GameState) -> GameState:
        obj = card(state, self.object)
        known_to = obj.known_to if self.face_down else None
        changes = () if self.face_down else obj.changes
        turned = replace(obj, face_down=self.face_down, known_to=known_to, changes=changes)
        return state.with_object(replace(turned, defense=False))


class Attacked(OnCard, frozen=True):
    """A monster attacks a monster or a player: said before what follows."""

    kind: ClassVar[str] = "attacked"
    on: str


class ZoneCorrected(Shifted, frozen=True):
    """A judge's correction: the card was in another zone of the field all along."""

    kind: ClassVar[str] = "zone-corrected"


class Permitted(OnCard, frozen=True):
    """The card may now hold that kind. maximum: None for any number."""

    kind: ClassVar[str] = "permitted"
    counter: str
    maximum: int | None
    zones: tuple[str, ...]

    def evolve(self, state: GameState) -> GameState:
        permit = Permit(self.maximum, self.zones)
        permits = card(state, self.object).permits
        return _printed(state, self.object, permits=_with(permits, self.counter, permit))


class Revoked(OnCard, frozen=True):
    kind: ClassVar[str] = "revoked"
    counter: str

    def evolve(self, state: GameState) -> GameState:
        permits = card(state, self.object).permits
        return _printed(state, self.object, permits=_with(permits, self.counter, None))


class Registered(OnCard, frozen=True):
    """The number of a kind that the card places on itself when a Spell resolves; 0 is none."""

    kind: ClassVar[str] = "registered"
    counter: str
    amount: int
    zones: tuple[str, ...]

    def evolve(self, state: GameState) -> GameState:
        gain = Gain(self.amount, self.zones) if self.amount else None
        gains = card(state, self.object).on_spell
        return _printed(state, self.object, on_spell=_with(gains, self.counter, gain))


class Watched(OnCard, frozen=True):
    """The number of a kind at which the table is alerted; None for no alert."""

    kind: ClassVar[str] = "watched"
    counter: str
    at: int | None

    def evolve(self, state: GameState) -> GameState:
        thresholds = card(state, self.object).thresholds
        return _printed(state, self.object, thresholds=_with(thresholds, self.counter, self.at))


def _with(printed: Mapping[str, Any], kind: str, value: Any) -> dict[str, Any]:
    """*printed* with *value* for *kind*, or without *kind* if *value* is None."""
    others = {other: printed[other] for other in printed if other != kind}
    return others if value is None else {**others, kind: value}


def _printed(state: GameState, card_id: str, **change: Any) -> GameState:
    return state.with_object(replace(card(state, card_id), **change))


class KindOpened(Event, frozen=True):
    """The table said whether an unlisted kind may be on any card.

    holders: the cards that hold it now.
    """

    kind: ClassVar[str] = "kind-opened"
    private: ClassVar[tuple[str, ...]] = ("holders",)
    counter: str
    open: bool
    holders: tuple[str, ...] = ()

    def evolve(self, state: GameState) -> GameState:
        others = [kind for kind in state.settings.get(OPENED, ()) if kind != self.counter]
        kinds = [*others, self.counter] if self.open else others
        return replace(state, settings={**state.settings, OPENED: kinds})

    def touches(self) -> tuple[str, ...]:
        return self.holders


class SpellResolved(Event, frozen=True):
    """A Spell Card's activation resolved. seat: the seat that reported it."""

    kind: ClassVar[str] = "spell-resolved"
    seat: str


class ThresholdReached(Event, frozen=True):
    """The card has just reached a number of counters at which its text does something.

    threshold: 0 if the last one was removed.
    """

    kind: ClassVar[str] = "threshold-reached"
    on: str
    counter: str
    threshold: int


class LifeChanged(Event, frozen=True):
    """Life points went up or down. cause: "cost" if they were paid, "battle"."""

    seat: str
    amount: int
    cause: str | None = None

    sign: ClassVar[int]

    def evolve(self, state: GameState) -> GameState:
        player = duelist(state, self.seat)
        return state.with_seat(replace(player, life=player.life + self.sign * self.amount))


class LifeGained(LifeChanged, frozen=True):
    kind: ClassVar[str] = "life-gained"
    sign: ClassVar[int] = 1


class LifeLost(LifeChanged, frozen=True):
    kind: ClassVar[str] = "life-lost"
    sign: ClassVar[int] = -1


class LifeCorrected(Correction, frozen=True, kw_only=True):
    """A judge set life points. life: the new number."""

    life: int
    from_: int
    to: int

    def evolve(self, state: GameState) -> GameState:
        return state.with_seat(replace(duelist(state, self.on), life=self.life))
