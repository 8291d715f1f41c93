"""Dice that the server rolls; they stay in the log even if they are not used."""

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
    """Record a roll of dice for a counter; nothing else happens. Only the server gives this."""

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
        raise Refused("forbidden", "You can roll only for counters that you can see.", "R14")


@cites("R25")
def roll(system: System, state: GameState, command: Roll) -> Iterator[Event]:
    yield Rolled(command.on, command.dice)
