"""The events of Yu-Gi-Oh! that other card games do not have."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any, ClassVar

from games.rules.events import Correction, Created, Event, Shifted
from games.rules.state import GameObject, GameState
from games.rules.values import fast_replace, frozen

from .card import OPENED, Card, Gain, Permit, card, duelist


@frozen
class CameFaceDown(Created):
    """A card was created face-down. known_to: the seats that may read its name."""

    known_to: tuple[str, ...] = ()

    @classmethod
    def of(cls, obj: GameObject) -> CameFaceDown:
        assert isinstance(obj, Card)
        return cls(obj.id, obj.name, obj.zone, obj.controller, obj, obj.known_to or ())


@frozen
class OnCard(Event):
    """An event about one card."""

    object: str


@frozen
class Flipped(OnCard):
    """Face-up, everyone sees it; turned face-down again, everyone still knows it."""

    kind: ClassVar[str] = "flipped"
    face_down: bool

    def evolve(self, state: GameState) -> GameState:
        obj = card(state, self.object)
        known_to = obj.known_to if self.face_down else None
        turned = fast_replace(obj, face_down=self.face_down, known_to=known_to)
        return state.with_object(turned)


@frozen
class ZoneCorrected(Shifted):
    """A judge's correction: the card was in another zone of the field all along."""

    kind: ClassVar[str] = "zone-corrected"


@frozen
class Permitted(OnCard):
    """The card may now hold that kind. maximum: None for any number."""

    kind: ClassVar[str] = "permitted"
    counter: str
    maximum: int | None
    zones: tuple[str, ...]

    def evolve(self, state: GameState) -> GameState:
        permit = Permit(self.maximum, self.zones)
        permits = card(state, self.object).permits
        return _printed(state, self.object, permits=_with(permits, self.counter, permit))


@frozen
class Revoked(OnCard):
    kind: ClassVar[str] = "revoked"
    counter: str

    def evolve(self, state: GameState) -> GameState:
        permits = card(state, self.object).permits
        return _printed(state, self.object, permits=_with(permits, self.counter, None))


@frozen
class Registered(OnCard):
    """How many of a kind the card places on itself when a Spell resolves; 0 is none."""

    kind: ClassVar[str] = "registered"
    counter: str
    amount: int
    zones: tuple[str, ...]

    def evolve(self, state: GameState) -> GameState:
        gain = Gain(self.amount, self.zones) if self.amount else None
        gains = card(state, self.object).on_spell
        return _printed(state, self.object, on_spell=_with(gains, self.counter, gain))


@frozen
class Watched(OnCard):
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
    return state.with_object(fast_replace(card(state, card_id), **change))


@frozen
class KindOpened(Event):
    """The table said whether an unlisted kind may be on any card.

    holders: the cards that hold it now.
    """

    kind: ClassVar[str] = "kind-opened"
    counter: str
    open: bool
    holders: tuple[str, ...] = field(default=(), metadata={"private": True})

    def evolve(self, state: GameState) -> GameState:
        others = [kind for kind in state.settings.get(OPENED, ()) if kind != self.counter]
        kinds = [*others, self.counter] if self.open else others
        return fast_replace(state, settings={**state.settings, OPENED: kinds})

    def touches(self) -> tuple[str, ...]:
        return self.holders


@frozen
class SpellResolved(Event):
    """A Spell Card's activation resolved. seat: the seat that reported it."""

    kind: ClassVar[str] = "spell-resolved"
    seat: str


@frozen
class ThresholdReached(Event):
    """The card has just reached a number of counters at which its text does something.

    threshold: 0 if the last one was removed.
    """

    kind: ClassVar[str] = "threshold-reached"
    on: str
    counter: str
    threshold: int


@frozen
class LifeChanged(Event):
    """Life points went up or down. cause: "cost" if they were paid."""

    seat: str
    amount: int
    cause: str | None = None

    sign: ClassVar[int]

    def evolve(self, state: GameState) -> GameState:
        player = duelist(state, self.seat)
        return state.with_seat(fast_replace(player, life=player.life + self.sign * self.amount))


@frozen
class LifeGained(LifeChanged):
    kind: ClassVar[str] = "life-gained"
    sign: ClassVar[int] = 1


@frozen
class LifeLost(LifeChanged):
    kind: ClassVar[str] = "life-lost"
    sign: ClassVar[int] = -1


@frozen
class LifeCorrected(Correction):
    """A judge set life points. life: the new number."""

    life: int
    from_: int
    to: int

    def evolve(self, state: GameState) -> GameState:
        return state.with_seat(fast_replace(duelist(state, self.on), life=self.life))
