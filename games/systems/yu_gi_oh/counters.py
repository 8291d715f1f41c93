"""Placing, moving and correcting counters, with the reasons to refuse in the order of the rules."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, ClassVar

from games.rules import counting
from games.rules.commands import (
    AMOUNT,
    FLAG,
    HOLDER,
    ID,
    KIND,
    NAME,
    OBJECT,
    Command,
    Parameter,
    Terms,
    invalid,
    one_or_more,
)
from games.rules.events import Corrected, Event, Placed, Removed
from games.rules.state import MOST, GameObject, GameState, Refused, Seat
from games.rules.system import System, cites

from .card import Card, bound, card, duelist
from .facts import LifeCorrected

# Placing


class Place(Command, frozen=True, kw_only=True):
    """Put counters on a card by an effect, or on each of several: on all or on none.

    source: the card whose effect it is, or its name.
    had_by: as many as that card had when it last changed zones.
    up_to_maximum: fill the card up (“one for each”); otherwise the exact number must fit.
    activation: the placement is part of activating the card, not an effect.
    """

    verb: ClassVar[str] = "place"
    on: Annotated[tuple[str, ...], Parameter(one_or_more(ID), names=HOLDER)]
    counter: Annotated[str, Parameter(KIND)]
    amount: Annotated[int | None, Parameter(AMOUNT)] = None
    had_by: Annotated[str | None, Parameter(ID, names=OBJECT, even_gone=True)] = None
    source: Annotated[str | None, Parameter(NAME)] = None
    up_to_maximum: Annotated[bool, Parameter(FLAG)] = False
    activation: Annotated[bool, Parameter(FLAG)] = False

    def check(self, system: Terms) -> None:
        if self.amount is not None and self.had_by is not None:
            raise invalid("Give an amount or “had_by”, not both.")

    @cites("R20")
    def wanted(self, state: GameState) -> int:
        """The amount, or as many as a card had when it last changed zones."""
        if self.had_by is not None:
            return state.objects[self.had_by].had.get(self.counter, 0)
        return 1 if self.amount is None else self.amount


def place(system: System, state: GameState, command: Place) -> Iterator[Event]:
    source = _allowed_source(state, command.by, command.source)
    wanted, kind = command.wanted(state), command.counter
    fitting = []
    for card_id in command.on:
        obj = card_only(state, card_id)
        if hindered := hindrance(state, obj, kind, source, activation=command.activation):
            raise hindered
        fits = max(1, room(state, obj, kind)) if command.up_to_maximum else wanted
        fitting.append((card_id, min(wanted, fits)))
        _refuse_over_maximum(state, obj, kind, min(wanted, fits))
    for card_id, amount in fitting:
        if amount:
            yield Placed(card_id, kind, amount)


@cites("R2", "R19")
def _allowed_source(state: GameState, by: str, source: str | None) -> str:
    """The source of a placement. Raises Refused without one, or if *by* may not place counters."""
    if source is None:
        sentence = "Only a card effect places counters: name the card."
        raise Refused("no-effect", sentence, "R2")
    if duelist(state, by).prohibited:
        raise Refused("prohibited", "A card stops this player from placing counters.", "R19")
    return source


@cites("R1")
def can_hold_counters(system: System, state: GameState, holder: Seat | GameObject) -> None:
    """Refuse players: only cards have counters."""
    if isinstance(holder, Seat):
        raise _not_a_card()


def card_only(state: GameState, holder: str) -> Card:
    """The card with that id. Raises Refused for a player."""
    if holder in state.seats:
        raise _not_a_card()
    return card(state, holder)


def _not_a_card() -> Refused:
    return Refused("wrong-target", "Only cards can have counters, not players.", "R1")


@cites("R1", "R2", "R5", "R8", "R10", "R12", "R14", "R15")
def hindrance(
    state: GameState, obj: Card, kind: str, source: str, *, activation: bool = False
) -> Refused | None:
    """The first reason why a card cannot receive a kind, apart from its maximum; None if it can.

    An unaffected card still receives what it places on itself, and what comes with an activation.
    """
    name = obj.name
    if not obj.on_field:
        return _off_field(obj)
    if obj.face_down:
        return _face_down(obj)
    if obj.doomed:
        sentence = "{name} is about to be destroyed; it receives no more counters."
        return Refused("doomed", sentence, "R15", name=name)
    if obj.unaffected and source != obj.id and not activation:
        sentence = "{name} is unaffected by other cards' effects."
        return Refused("unaffected", sentence, "R12", name=name)
    if not bound(state, kind):
        return None
    if hindered := _unlawful(obj, kind):
        return hindered
    if (obj.activating or obj.summoning) and not activation:
        sentence = "{name} is still being Summoned; it cannot receive {kind} counters yet."
        if obj.activating:
            sentence = "{name} is still being activated; it cannot receive {kind} counters yet."
        return Refused("pending", sentence, "R15", name=name, kind=kind)
    return None


def _off_field(obj: Card) -> Refused:
    sentence = "{name} is not on the field ({zone}); only cards there can hold counters."
    return Refused("not-on-field", sentence, "R1", name=obj.name, zone=obj.zone)


def _face_down(obj: Card) -> Refused:
    sentence = "{name} is face-down and cannot hold counters."
    return Refused("face-down", sentence, "R5", name=obj.name)


def _unlawful(obj: Card, kind: str) -> Refused | None:
    """The reason why a card on the field cannot hold a bound kind, whatever places it; None if
    it can.
    """
    facts = {"name": obj.name, "kind": kind}
    if not obj.permit(kind):
        if kind in obj.permits:
            sentence = "{name} can hold {kind} counters, but not in this zone ({zone})."
            return Refused("not-permitted", sentence, "R14", zone=obj.zone, **facts)
        sentence = "You cannot place {kind} counters on {name}: its text does not allow it."
        return Refused("not-permitted", sentence, "R2", **facts)
    if obj.negated:
        sentence = "The effects of {name} are negated; it cannot hold {kind} counters now."
        return Refused("negated", sentence, "R8", **facts)
    if obj.unusable:
        sentence = "{name} cannot be used; it cannot hold {kind} counters now."
        return Refused("negated", sentence, "R10", **facts)
    return None


@cites("R16")
def room(state: GameState, obj: Card, kind: str) -> int:
    """The number of *kind* that still fit; below 0 if the maximum was lowered later.

    An open kind has a maximum too, if the card's text gives one in its zone.
    """
    return _maximum(obj, kind) - state.count(obj.id, kind)


def _maximum(obj: Card, kind: str) -> int:
    permit = obj.permit(kind)
    return permit.maximum if permit and permit.maximum else MOST


def _refuse_over_maximum(state: GameState, obj: Card, kind: str, amount: int) -> None:
    """Refuse more than fits. 0 always fits, even above a maximum that was lowered (Commands 2)."""
    if amount > max(0, room(state, obj, kind)):
        facts = {"name": obj.name, "most": _maximum(obj, kind), "kind": kind}
        sentence = "{name} can hold at most {most} {kind} {most|counter|counters}; it has {n}."
        raise Refused("over-maximum", sentence, "R16", n=state.count(obj.id, kind), **facts)


# Moving


def refuse_not_enough(kind: str, amount: int, available: int) -> None:
    """Refuse a cost of *amount* if fewer counters of *kind* are *available*."""
    if available < amount:
        raise counting.not_enough(available, kind, amount, "R18")


class Transfer(counting.TransferOne, frozen=True, kw_only=True):
    """Move counters from one card to another by an effect: all or nothing."""

    source: Annotated[str | None, Parameter(NAME)] = None


@cites("R16", "R20")
def transfer(system: System, state: GameState, command: Transfer) -> Iterator[Event]:
    """They are taken off only if the other card can take all of them."""
    kind, amount = command.counter, command.amount
    card_only(state, command.from_)
    refuse_not_enough(kind, amount, state.count(command.from_, kind))
    source = _allowed_source(state, command.by, command.source)
    target = card_only(state, command.to)
    if hindered := hindrance(state, target, kind, source):
        raise hindered
    _refuse_over_maximum(state, target, kind, amount)
    if amount:
        yield Removed(command.from_, kind, amount)
        yield Placed(command.to, kind, amount)


# Correcting


class Correct(Command, frozen=True, kw_only=True):
    """Set a number of counters or life points, as a judge does; the log shows a correction.

    restore: it may bring back a player whom nothing makes lose any more.
    """

    verb: ClassVar[str] = "correct"
    on: Annotated[str, Parameter(ID, names=HOLDER)]
    counter: Annotated[str | None, Parameter(KIND)] = None
    to: Annotated[int | None, Parameter(AMOUNT)] = None
    life: Annotated[int | None, Parameter(AMOUNT)] = None
    restore: Annotated[bool, Parameter(FLAG)] = False

    def reaches(self, state: GameState, gone: str) -> bool:
        return self.restore and counting.may_come_back(state, gone)

    def check(self, system: Terms) -> None:
        counters = (self.counter is not None, self.to is not None)
        if counters not in ((True, True), (False, False)) or counters[0] is (self.life is not None):
            raise invalid("Give “counter” with “to”, or “life” alone.")


@cites("R2", "R5", "R8", "R14", "R16", "Life 1")
def correct(system: System, state: GameState, command: Correct) -> Iterator[Event]:
    restore = command.restore or None
    if command.life is not None:
        if command.on in state.objects:
            raise Refused("wrong-target", "Cards have no life points.", "Life 1")
        before = duelist(state, command.on).life
        life = command.life
        yield LifeCorrected(on=command.on, life=life, from_=before, to=life, restore=restore)
        return
    assert command.counter is not None
    assert command.to is not None
    kind, amount = command.counter, command.to
    obj = card_only(state, command.on)
    before = state.count(obj.id, kind)
    if amount > 0:
        _refuse_number(state, obj, kind, amount)
    yield Corrected(on=obj.id, counter=kind, from_=before, to=amount, restore=restore)


def _refuse_number(state: GameState, obj: Card, kind: str, amount: int) -> None:
    """Refuse a number of counters that the card could not have.

    What only stops effects (doomed, unaffected, pending) does not matter: counters already there
    would stay.
    """
    if not obj.on_field:
        raise _off_field(obj)
    if obj.face_down:
        raise _face_down(obj)
    if bound(state, kind) and (unlawful := _unlawful(obj, kind)):
        raise unlawful
    if amount > _maximum(obj, kind):
        facts = {"name": obj.name, "most": _maximum(obj, kind), "kind": kind}
        sentence = "{name} can hold at most {most} {kind} {most|counter|counters}."
        raise Refused("over-maximum", sentence, "R16", **facts)
