"""Removing counters as a cost (all or nothing) or by an effect (as many as there are).

They come from one card, several cards, or a part of the field.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, ClassVar

from games.rules import counting
from games.rules.commands import (
    AMOUNT,
    HOLDER,
    ID,
    KIND,
    OBJECT,
    Command,
    Names,
    Parameter,
    Terms,
    either,
    invalid,
    one_of,
    one_or_more,
    table,
)
from games.rules.events import Event, Removed, Spent
from games.rules.state import GameState, Refused
from games.rules.system import System, cites

from .card import SCOPES, holding, within
from .counters import card_only, refuse_not_enough

SCOPE = Names(
    "seat, object or part of the field",
    lambda state, i, by: i in SCOPES or HOLDER.known(state, i, by),
    lambda state, i: i not in SCOPES and HOLDER.gone(state, i),
)
SPLIT = table(ID, AMOUNT)


class Spend(Command, frozen=True, kw_only=True):
    """Remove counters as a cost: all or nothing.

    on: a card, or all of your field, the opponents' field or both. split: how many come off each
    card, if there is a choice.
    """

    verb: ClassVar[str] = "spend"
    on: Annotated[str, Parameter(ID, names=SCOPE)]
    counter: Annotated[str, Parameter(KIND)]
    amount: Annotated[int, Parameter(AMOUNT)] = 1
    split: Annotated[Mapping[str, int] | None, Parameter(SPLIT, names=OBJECT)] = None


@cites("R3", "R18", "R19")
def spend(system: System, state: GameState, command: Spend) -> Iterator[Event]:
    kind, amount = command.counter, command.amount
    available = _available(state, command.on, command.by, kind)
    refuse_not_enough(kind, amount, sum(available.values()))
    for card_id, share in _shares(state, command, command.on, kind, amount, available).items():
        if share:
            yield Spent(card_id, kind, share)


class Remove(Command, frozen=True, kw_only=True):
    """Remove counters by an effect, as many as there are; without `counter`, every kind.

    on: a card, a part of the field, or several cards; then the amount comes off each of them.
    """

    verb: ClassVar[str] = "remove"
    on: Annotated[tuple[str, ...], Parameter(one_or_more(ID), names=SCOPE)]
    counter: Annotated[str | None, Parameter(KIND)] = None
    amount: Annotated[int | str, Parameter(either(AMOUNT, one_of(counting.ALL)))] = 1
    split: Annotated[Mapping[str, int] | None, Parameter(SPLIT, names=OBJECT)] = None

    def check(self, system: Terms) -> None:
        if self.counter is None and self.amount != counting.ALL:
            raise invalid("Name the kind to remove, or set the amount to “all”.")
        if self.split is not None and self.amount == counting.ALL:
            raise invalid("“all” removes everything, so it cannot be split.")
        if len(self.on) > 1 and (self.split is not None or not set(SCOPES).isdisjoint(self.on)):
            raise invalid(
                "Several cards each lose the same number: name only cards, without a split."
            )


@cites("R3", "R12", "R18")
def remove(system: System, state: GameState, command: Remove) -> Iterator[Event]:
    """Removing affects the counter, not the card, so nothing about the card prevents it."""
    for on in command.on:
        _card_or_field(state, on)
    for on in command.on:
        yield from _off(state, command, on)


def _off(state: GameState, command: Remove, on: str) -> Iterator[Event]:
    """Counters taken off one card or a part of the field."""
    if command.amount == counting.ALL:
        for card_id, held in holding(state, command.counter, on, command.by):
            yield Removed(card_id, held, state.count(card_id, held))
        return
    kind = command.counter
    assert kind is not None
    available = _available(state, on, command.by, kind)
    amount = min(int(command.amount), sum(available.values()))
    for card_id, share in _shares(state, command, on, kind, amount, available).items():
        if share:
            yield Removed(card_id, kind, share)


def _card_or_field(state: GameState, scope: str) -> None:
    if scope not in SCOPES:
        card_only(state, scope)


def _available(state: GameState, on: str, by: str, kind: str) -> dict[str, int]:
    """By id: the cards in scope that hold *kind*, each with its number."""
    _card_or_field(state, on)
    held = holding(state, kind, on, by)
    return {card_id: state.count(card_id, kind) for card_id, _ in held}


def _shares(
    state: GameState,
    command: Spend | Remove,
    on: str,
    kind: str,
    amount: int,
    available: Mapping[str, int],
) -> Mapping[str, int]:
    """By card: how many of *amount* it gives. There are at least that many.

    Raises Refused if the split is impossible, or if there is a choice and no split.
    """
    split = command.split
    if split is not None:
        if sum(split.values()) != amount:
            sentence = "The split adds up to {n}; it must add up to {amount}."
            raise Refused("wrong-facts", sentence, "R18", n=sum(split.values()), amount=amount)
        for card_id, share in split.items():
            name = state.objects[card_id].name
            if not within(state, card_id, on, command.by):
                sentence = "{name} is not one of the cards that pay."
                raise Refused("wrong-facts", sentence, "R18", name=name)
            if share > available.get(card_id, 0):
                sentence = "{name} has {n} {kind} {n|counter|counters}, not {share}."
                facts = {"name": name, "n": available.get(card_id, 0), "kind": kind, "share": share}
                raise Refused("wrong-facts", sentence, "R18", **facts)
        return split
    if amount in (0, sum(available.values())):
        return available if amount else {}
    if len(available) > 1:
        sentence = "{n} cards have {kind} counters: say how many to take from each."
        raise Refused("choose", sentence, "R18", n=len(available), kind=kind)
    return dict.fromkeys(available, amount)
