"""Counters taken off: as a cost, all or none, or by an effect, as many as there are; from one card,
several, or a part of the field.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar

from games.rules import counting
from games.rules.commands import (
    AMOUNT,
    HOLDER,
    ID,
    KIND,
    OBJECT,
    Command,
    Names,
    either,
    invalid,
    one_of,
    one_or_more,
    parameter,
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Spend(Command):
    """Take counters off as a cost: all of them or none.

    on: a card, or the whole of one's own field, the opponents' or both. split: how many come off
    which card, where there is a choice.
    """

    verb: ClassVar[str] = "spend"
    on: str = parameter(ID, names=SCOPE)
    counter: str = parameter(KIND)
    amount: int = parameter(AMOUNT, 1)
    split: Mapping[str, int] | None = parameter(SPLIT, None, names=OBJECT)


@cites("R3", "R18", "R19")
def spend(system: System, state: GameState, command: Spend) -> Iterator[Event]:
    kind, amount = command.counter, command.amount
    there = _there(state, command.on, command.by, kind)
    refuse_not_enough(kind, amount, sum(there.values()))
    for each, share in _shares(state, command, command.on, kind, amount, there).items():
        if share:
            yield Spent(each, kind, share)


@dataclass(frozen=True, slots=True, kw_only=True)
class Remove(Command):
    """Take counters off by an effect, as many as there are; without a kind, every kind.

    on: a card, a part of the field, or several cards, off each of which so many come.
    """

    verb: ClassVar[str] = "remove"
    on: tuple[str, ...] = parameter(one_or_more(ID), names=SCOPE)
    counter: str | None = parameter(KIND, None)
    amount: int | str = parameter(either(AMOUNT, one_of(counting.ALL)), 1)
    split: Mapping[str, int] | None = parameter(SPLIT, None, names=OBJECT)

    def check(self, system: System) -> None:
        if self.counter is None and self.amount != counting.ALL:
            raise invalid("Say which kind to remove, or “all”.")
        if self.split is not None and self.amount == counting.ALL:
            raise invalid("“all” takes everything off; it is not split.")
        if len(self.on) > 1 and (self.split is not None or not set(SCOPES).isdisjoint(self.on)):
            raise invalid("Off several cards comes the same number each: name the cards alone.")


@cites("R3", "R12", "R18")
def remove(system: System, state: GameState, command: Remove) -> Iterator[Event]:
    """Removing concerns the counter, not the card: no state of the card prevents it."""
    for on in command.on:
        _card_or_field(state, on)
    for on in command.on:
        yield from _off(state, command, on)


def _off(state: GameState, command: Remove, on: str) -> Iterator[Event]:
    """What comes off one card, or off a part of the field."""
    if command.amount == counting.ALL:
        for each, held in holding(state, command.counter, on, command.by):
            yield Removed(each, held, state.count(each, held))
        return
    kind = command.counter
    assert kind is not None
    there = _there(state, on, command.by, kind)
    amount = min(int(command.amount), sum(there.values()))
    for each, share in _shares(state, command, on, kind, amount, there).items():
        if share:
            yield Removed(each, kind, share)


def _card_or_field(state: GameState, scope: str) -> None:
    if scope not in SCOPES:
        card_only(state, scope)


def _there(state: GameState, on: str, by: str, kind: str) -> dict[str, int]:
    """The cards in scope that hold *kind*, with how many, by id."""
    _card_or_field(state, on)
    held = holding(state, kind, on, by)
    return {each: state.count(each, kind) for each, _ in held}


def _shares(
    state: GameState,
    command: Spend | Remove,
    on: str,
    kind: str,
    amount: int,
    there: Mapping[str, int],
) -> Mapping[str, int]:
    """Which card gives how many of *amount*, which is not more than there are.

    Raises Refused if the split said is impossible, or none is said where there is a choice.
    """
    split = command.split
    if split is not None:
        if sum(split.values()) != amount:
            said = "The split adds up to {n}; {amount} come off."
            raise Refused("wrong-facts", said, "R18", n=sum(split.values()), amount=amount)
        for each, share in split.items():
            name = state.objects[each].name
            if not within(state, each, on, command.by):
                said = "{name} is not among the cards that pay."
                raise Refused("wrong-facts", said, "R18", name=name)
            if share > there.get(each, 0):
                said = "{name} has {n} {kind} counters, not {share}."
                facts = {"name": name, "n": there.get(each, 0), "kind": kind, "share": share}
                raise Refused("wrong-facts", said, "R18", **facts)
        return split
    if amount in (0, sum(there.values())):
        return there if amount else {}
    if len(there) > 1:
        said = "{n} cards hold {kind} counters: say how many come from each."
        raise Refused("choose", said, "R18", n=len(there), kind=kind)
    return dict.fromkeys(there, amount)
