"""Dice that the server throws: kept in the log whether they are used afterwards or not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from games.rules.commands import ID, Command, parameter
from games.rules.events import Event
from games.rules.state import GameState, Refused
from games.rules.system import System, cites

from .counter import COUNTER, Sight, counter_in, sight
from .facts import CounterFact
from .slots import DICE


@dataclass(frozen=True, slots=True, kw_only=True)
class Roll(Command):
    """Dice were thrown for a counter; nothing else happens. Only the server itself gives this."""

    verb: ClassVar[str] = "roll"
    on: str = parameter(ID, names=COUNTER)
    dice: tuple[int, ...] = parameter(DICE)


@dataclass(frozen=True, slots=True)
class Rolled(CounterFact):
    kind: ClassVar[str] = "rolled"
    dice: tuple[int, ...]


@cites("R14", "R25")
def may_roll(system: System, state: GameState, command: Roll) -> None:
    if sight(state, command.by, counter_in(state, command.on)) is not Sight.EVERYTHING:
        raise Refused("forbidden", "You roll for counters that you see.", "R14")


@cites("R25")
def roll(system: System, state: GameState, command: Roll) -> Iterator[Event]:
    yield Rolled(command.on, command.dice)
