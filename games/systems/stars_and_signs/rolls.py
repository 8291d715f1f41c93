"""What was rolled for a counter; it stays in the log even if it is not used."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from games.rules.commands import ID, Command, invalid, parameter
from games.rules.events import Event
from games.rules.state import GameState, Refused
from games.rules.system import System, cites
from games.rules.values import frozen

from .counter import COUNTER, Sight, counter_in, sight
from .facts import Rolled
from .slots import DICE, POINTS


@frozen(kw_only=True)
class Roll(Command):
    """Record a roll for a counter; nothing else happens. Only the server gives this.

    dice: rolled by the server. points: rolled at the table, as the seat says before it asks the GM.
    """

    verb: ClassVar[str] = "roll"
    on: str = parameter(ID, names=COUNTER)
    dice: tuple[int, ...] = parameter(DICE, ())
    points: int | None = parameter(POINTS, None)

    def check(self, system: System) -> None:
        if bool(self.dice) is (self.points is not None):
            raise invalid("Give either dice or points.")


@cites("R14", "R25")
def may_roll(system: System, state: GameState, command: Roll) -> None:
    if sight(state, command.by, counter_in(state, command.on)) is not Sight.EVERYTHING:
        raise Refused("forbidden", "You can roll only for counters that you can see.", "R14")


@cites("R25")
def roll(system: System, state: GameState, command: Roll) -> Iterator[Event]:
    yield Rolled(command.on, command.dice, command.by, command.points)
