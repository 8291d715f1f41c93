"""Life points: gained, lost, paid, halved and exchanged; and leaving the Duel."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, ClassVar

from games.rules.commands import AMOUNT, FLAG, ID, SEAT, Command, Parameter
from games.rules.events import Event, Left, Lost
from games.rules.seating import Leave
from games.rules.state import MOST, GameState, Refused
from games.rules.system import System, cites
from games.rules.targets import LISTED

from .card import duelist
from .facts import LifeGained, LifeLost


class GainLife(Command, frozen=True, kw_only=True):
    """A player gains life points; or several do."""

    verb: ClassVar[str] = "gain-life"
    seat: Annotated[tuple[str, ...], Parameter(LISTED, names=SEAT)]
    amount: Annotated[int, Parameter(AMOUNT)]


@cites("Life 1")
def gain_life(system: System, state: GameState, command: GainLife) -> Iterator[Event]:
    for seat in command.seat:
        if duelist(state, seat).life + command.amount > MOST:
            sentence = "A player can have at most {most} life points."
            raise Refused("over-maximum", sentence, "Life 1", most=MOST)
    for seat in command.seat:
        if command.amount:
            yield LifeGained(seat, command.amount)


class LoseLife(Command, frozen=True, kw_only=True):
    """A player loses life points, down to 0; or several do, together.

    cost: they pay them, in full or not at all.
    """

    verb: ClassVar[str] = "lose-life"
    seat: Annotated[tuple[str, ...], Parameter(LISTED, names=SEAT)]
    amount: Annotated[int, Parameter(AMOUNT)]
    cost: Annotated[bool, Parameter(FLAG)] = False


@cites("Life 1", "Life 2")
def lose_life(system: System, state: GameState, command: LoseLife) -> Iterator[Event]:
    for seat in command.seat:
        life = duelist(state, seat).life
        if command.cost and life < command.amount:
            sentence = "{seat} has {n} life {n|point|points}; the cost is {amount}."
            raise Refused(
                "not-enough", sentence, "Life 2", seat=seat, n=life, amount=command.amount
            )
    for seat in command.seat:
        amount = min(command.amount, duelist(state, seat).life)
        if amount > 0:
            yield LifeLost(seat, amount, "cost" if command.cost else None)


class HalveLife(Command, frozen=True, kw_only=True):
    """A player loses half of their life points, as a cost or otherwise; or several do, together."""

    verb: ClassVar[str] = "halve-life"
    seat: Annotated[tuple[str, ...], Parameter(LISTED, names=SEAT)]
    cost: Annotated[bool, Parameter(FLAG)] = False


@cites("Life 2")
def halve_life(system: System, state: GameState, command: HalveLife) -> Iterator[Event]:
    """The larger half of an odd number stays, as in the engines; 1 life point stays 1."""
    for seat in command.seat:
        half = duelist(state, seat).life // 2
        if half > 0:
            yield LifeLost(seat, half, "cost" if command.cost else None)


class ExchangeLife(Command, frozen=True, kw_only=True):
    """Two players exchange their life points; nobody has lost in between."""

    verb: ClassVar[str] = "exchange-life"
    seat: Annotated[str, Parameter(ID, names=SEAT)]
    other: Annotated[str, Parameter(ID, names=SEAT)]


@cites("Life 1")
def exchange_life(system: System, state: GameState, command: ExchangeLife) -> Iterator[Event]:
    """The player with more loses the difference, and the other gains it."""
    if command.seat == command.other:
        raise Refused("wrong-target", "Choose another player to exchange with.", "Life 1")
    less, more = sorted(
        (duelist(state, command.seat), duelist(state, command.other)), key=lambda each: each.life
    )
    if difference := more.life - less.life:
        yield LifeLost(more.id, difference, None)
        yield LifeGained(less.id, difference)


@cites("Life 3")
def leave(system: System, state: GameState, command: Leave) -> Iterator[Event]:
    yield Left(command.seat)
    yield Lost(command.seat, rule="Life 3")
