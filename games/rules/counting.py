"""Counters in card games: place, spend, remove, transfer, correct.

A verb means the same in every game: `place` and `remove` are done by an effect, `spend` is a cost,
`transfer` is an effect that moves counters, `correct` is done by a judge. Source: docs/COMMANDS.md,
Verbs 1.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated, ClassVar

from .commands import (
    AMOUNT,
    FLAG,
    HOLDER,
    ID,
    KIND,
    KINDS,
    OBJECT,
    Command,
    Parameter,
    Terms,
    either,
    invalid,
    one_of,
    one_or_more,
)
from .events import Corrected, Event, Placed, Removed, Spent
from .state import MOST, GameState, Kinds, PlayerSeat, Refused, refuse_too_much
from .system import System

ALL, DOUBLE = "all", "double"
OR_DOUBLE = Parameter(either(AMOUNT, one_of(DOUBLE)))


class PlaceGiven(Command, frozen=True, kw_only=True):
    """Put counters on a holder by an effect, or on each of several: on all or on none.

    had_by: as many as that object had when it last changed zones.
    counters: several kinds at once, instead of one kind and amount.
    """

    verb: ClassVar[str] = "place"
    on: Annotated[tuple[str, ...], Parameter(one_or_more(ID), names=HOLDER)]
    counter: Annotated[str | None, Parameter(KIND)] = None
    amount: Annotated[int | None, Parameter(AMOUNT)] = None
    had_by: Annotated[str | None, Parameter(ID, names=OBJECT, even_gone=True)] = None
    counters: Annotated[Kinds | None, Parameter(KINDS)] = None

    def check(self, system: Terms) -> None:
        amount, had_by, counters = self.amount, self.had_by, self.counters
        ways = (amount is not None) + (had_by is not None) + (counters is not None)
        named = (self.counter is not None) + (counters is not None)
        if ways > 1 or named > 1 or not (named or self.is_of_every_kind()):
            raise invalid("Name a kind, with an amount or “had_by”; or give “counters” alone.")

    def is_of_every_kind(self) -> bool:
        """True if it names no kind because it means every kind there is."""
        return False

    def wanted(self, state: GameState) -> list[tuple[str, int]]:
        """The kinds and amounts that were asked for, by name, the same for each holder."""
        if self.counters is not None:
            return sorted(self.counters.items())
        had = {} if self.had_by is None else state.objects[self.had_by].had
        if self.counter is None:
            return sorted(had.items())
        if self.had_by is not None:
            return [(self.counter, had.get(self.counter, 0))]
        return [(self.counter, 1 if self.amount is None else self.amount)]


class Place(PlaceGiven, frozen=True, kw_only=True):
    """Put counters on a holder by an effect, or on each of several: on all or on none.

    had_by: as many as that object had when it last changed zones; without a kind, of every kind.
    counters: several kinds at once, instead of one kind and amount.
    An amount of "double" is as many as there are; without a kind, of every kind there is.
    """

    amount: Annotated[int | str | None, OR_DOUBLE] = None  # type: ignore[assignment]

    def is_of_every_kind(self) -> bool:
        return self.had_by is not None or self.amount == DOUBLE


def doubles(system: System) -> bool:
    """True if counters can be doubled in *system*."""
    return "place" in system.verbs and issubclass(system.verbs["place"].command, Place)


def moves_all(system: System) -> bool:
    """True if all counters of every kind can be moved at once in *system*."""
    return "transfer" in system.verbs and issubclass(system.verbs["transfer"].command, Transfer)


Coming = dict[tuple[str, str], int]
"""The counters a command has put so far, by their owner and kind."""


def place(system: System, state: GameState, command: Place) -> list[Placed]:
    placed: list[Placed] = []
    coming: Coming = {}
    puttings, counters = wanted_of_each(system, state, command, coming), system.counters
    for holder, wanted in puttings:
        for kind, amount in wanted:
            counter_owner = counters.owner(state, holder, kind)
            with_it = coming[counter_owner, kind] = amount + coming.get((counter_owner, kind), 0)
            refuse_over_maximum(state, counter_owner, kind, with_it)
            team = team_of(holder, counter_owner)
            placed.append(Placed(holder, kind, amount, team=team))
    return placed


def wanted_of_each(
    system: System, state: GameState, command: Place, coming: Coming
) -> Iterator[tuple[str, list[tuple[str, int]]]]:
    """Each holder with the kinds and amounts to put on it, as it is when its turn comes.

    Raises Refused at once if that is too much, or if one can't hold them. coming: is filled
    meanwhile.
    """
    refuse_unable(system, state, command.on)
    if command.amount != DOUBLE:
        wanted = [(kind, amount) for kind, amount in command.wanted(state) if amount]
        refuse_too_much(len(command.on) * len(wanted))
        return ((holder, wanted) for holder in command.on)
    kinds = {on: _named_or_held(system, state, on, command.counter) for on in command.on}
    refuse_too_much(sum(map(len, kinds.values())))
    return (
        (
            holder,
            [
                (kind, amount)
                for kind in found
                if (amount := _there(system, state, holder, kind, coming))
            ],
        )
        for holder, found in kinds.items()
    )


def _named_or_held(
    system: System, state: GameState, holder: str, kind: str | None
) -> Sequence[str]:
    return (kind,) if kind else sorted(system.counters.held(state, holder))


def _there(system: System, state: GameState, holder: str, kind: str, coming: Coming) -> int:
    owner = system.counters.owner(state, holder, kind)
    return state.count(owner, kind) + coming.get((owner, kind), 0)


def team_of(holder: str, counter_owner: str) -> str | None:
    """The team that shares the counters of *holder*; None if *holder* has them itself."""
    return None if counter_owner == holder else counter_owner.removeprefix("team:")


def refuse_over_maximum(state: GameState, holder: str, kind: str, amount: int) -> None:
    """Refuse a placement that would make more than 999999 of one kind."""
    if state.count(holder, kind) + amount > MOST:
        raise too_many(kind)


def too_many(kind: str) -> Refused:
    """The refusal of more than 999999 counters of one kind."""
    sentence = "There can be at most {most} {kind} counters in one place."
    return Refused("over-maximum", sentence, None, most=MOST, kind=kind)


def refuse_unable(system: System, state: GameState, holders: tuple[str, ...]) -> None:
    """Refuse if one of *holders* can have no counters put on it, or taken from it."""
    for holder in holders:
        system.counters.can_hold(system, state, state.objects.get(holder) or state.seats[holder])


class Spend(Command, frozen=True, kw_only=True):
    """Take counters off as a cost: all or nothing."""

    verb: ClassVar[str] = "spend"
    on: Annotated[str, Parameter(ID, names=HOLDER)]
    counter: Annotated[str, Parameter(KIND)]
    amount: Annotated[int, Parameter(AMOUNT)] = 1


def spend(system: System, state: GameState, command: Spend) -> Iterator[Event]:
    refuse_unable(system, state, (command.on,))
    holder = system.counters.owner(state, command.on, command.counter)
    refuse_not_enough(state, holder, command.counter, command.amount)
    if command.amount:
        team = team_of(command.on, holder)
        yield Spent(command.on, command.counter, command.amount, team=team)


def refuse_not_enough(state: GameState, holder: str, kind: str, amount: int) -> None:
    """Refuse a cost that cannot be paid in full."""
    available = state.count(holder, kind)
    if available < amount:
        raise not_enough(available, kind, amount)


def not_enough(available: int, kind: str, amount: int, rule: str | None = None) -> Refused:
    """The refusal of a cost of *amount* when only so many counters are *available*."""
    sentence = "There {n|is|are} only {n} {kind} {n|counter|counters}; the cost is {amount}."
    if available == 0:
        sentence = "There are no {kind} counters; the cost is {amount}."
    return Refused("not-enough", sentence, rule, n=available, kind=kind, amount=amount)


class Remove(Command, frozen=True, kw_only=True):
    """Take counters off a holder by an effect, or off each of several, as many as there are.

    Without `counter`, every kind.
    """

    verb: ClassVar[str] = "remove"
    on: Annotated[tuple[str, ...], Parameter(one_or_more(ID), names=HOLDER)]
    counter: Annotated[str | None, Parameter(KIND)] = None
    amount: Annotated[int | str, Parameter(either(AMOUNT, one_of(ALL)))] = 1

    def check(self, system: Terms) -> None:
        if self.counter is None and self.amount != ALL:
            raise invalid("Name the kind to remove, or set the amount to “all”.")


def remove(system: System, state: GameState, command: Remove) -> Iterator[Event]:
    """Seats that share their team's counters each take off what the seats before them left."""
    refuse_unable(system, state, command.on)
    left: dict[tuple[str, str], int] = {}
    for on in command.on:
        for kind in _named_or_held(system, state, on, command.counter):
            holder = system.counters.owner(state, on, kind)
            available = left.get((holder, kind), state.count(holder, kind))
            amount = available if command.amount == ALL else min(available, int(command.amount))
            if amount:
                left[holder, kind] = available - amount
                yield Removed(on, kind, amount, team=team_of(on, holder))


class TransferOne(Command, frozen=True, kw_only=True):
    """Move counters of one kind from one holder to another: all or nothing."""

    verb: ClassVar[str] = "transfer"
    from_: Annotated[str, Parameter(ID, names=HOLDER)]
    to: Annotated[str, Parameter(ID, names=HOLDER)]
    counter: Annotated[str, Parameter(KIND)]
    amount: Annotated[int, Parameter(AMOUNT)] = 1

    def check(self, system: Terms) -> None:
        if self.from_ == self.to:
            raise invalid("“from” and “to” must be different.")


class Transfer(TransferOne, frozen=True, kw_only=True):
    """Move counters from one holder to another: all or nothing.

    Without a kind, all counters of every kind.
    """

    counter: Annotated[str | None, Parameter(KIND)] = None  # type: ignore[assignment]
    amount: Annotated[int | None, Parameter(AMOUNT)] = None  # type: ignore[assignment]

    def check(self, system: Terms) -> None:
        TransferOne.check(self, system)
        if self.counter is None and self.amount is not None:
            raise invalid("An amount needs its kind in “counter”.")


def moving(system: System, state: GameState, command: TransferOne) -> list[tuple[str, int]]:
    """The kinds and amounts that *command* moves. Raises Refused "not-enough" if there is none.

    Refused too if nothing can be taken from there.
    """
    refuse_unable(system, state, (command.from_,))
    if command.counter is not None:
        return [(command.counter, 1 if command.amount is None else command.amount)]
    if held := sorted(system.counters.held(state, command.from_).items()):
        return held
    raise Refused("not-enough", "There are no counters to move.")


def transfer(system: System, state: GameState, command: TransferOne) -> Iterator[Event]:
    for kind, amount in moving(system, state, command):
        yield from _transferred(system, state, command, kind, amount)


def _transferred(
    system: System, state: GameState, command: TransferOne, kind: str, amount: int
) -> Iterator[Event]:
    source = system.counters.owner(state, command.from_, kind)
    refuse_not_enough(state, source, kind, amount)
    refuse_unable(system, state, (command.to,))
    target = system.counters.owner(state, command.to, kind)
    if source == target:
        return
    refuse_over_maximum(state, target, kind, amount)
    if amount:
        yield Removed(command.from_, kind, amount, team=team_of(command.from_, source))
        yield Placed(command.to, kind, amount, team=team_of(command.to, target))


class Correct(Command, frozen=True, kw_only=True):
    """Set a number of counters, as a judge does; the log shows it as a correction."""

    verb: ClassVar[str] = "correct"
    on: Annotated[str, Parameter(ID, names=HOLDER)]
    counter: Annotated[str, Parameter(KIND)]
    to: Annotated[int, Parameter(AMOUNT)]


class CorrectAndRestore(Correct, frozen=True, kw_only=True):
    """Set a number of counters, as a judge does; the log shows it as a correction.

    restore: it may bring back a player whom nothing makes lose any more.
    """

    restore: Annotated[bool, Parameter(FLAG)] = False

    def reaches(self, state: GameState, gone: str) -> bool:
        return self.restore and may_come_back(state, gone)


def may_come_back(state: GameState, gone: str) -> bool:
    """True if *gone* is a seat that has lost without leaving the game."""
    seat = state.seats.get(gone)
    return isinstance(seat, PlayerSeat) and not seat.left


def correct(system: System, state: GameState, command: Correct) -> Iterator[Corrected]:
    refuse_unable(system, state, (command.on,))
    holder = system.counters.owner(state, command.on, command.counter)
    before, team = state.count(holder, command.counter), team_of(command.on, holder)
    restore = getattr(command, "restore", None) or None
    yield Corrected(
        on=command.on,
        counter=command.counter,
        from_=before,
        to=command.to,
        team=team,
        restore=restore,
    )
