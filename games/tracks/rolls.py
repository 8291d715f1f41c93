"""Rolls for a counter; they stay in the log even if unused."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, ClassVar

from ..rules.commands import ID, Command, Parameter, Terms, invalid
from ..rules.events import Event
from ..rules.state import GameState, Refused
from ..rules.system import System, cites
from .counter import COUNTER, Sight, counter_in, sight
from .facts import Rolled
from .filling import DICE, POINTS


class Roll(Command, frozen=True, kw_only=True):
    """Record a roll for a counter; nothing else happens. Only the server gives this.

    dice: rolled by the server. points: rolled at the table, as the seat says before it asks the GM.
    """

    verb: ClassVar[str] = "roll"
    on: Annotated[str, Parameter(ID, names=COUNTER)]
    dice: Annotated[tuple[int, ...], Parameter(DICE)] = ()
    points: Annotated[int | None, Parameter(POINTS)] = None

    def check(self, system: Terms) -> None:
        if bool(self.dice) is (self.points is not None):
            raise invalid("Give either dice or points.")


@cites("R14", "R25")
def may_roll(system: System, state: GameState, command: Roll) -> None:
    if sight(state, command.by, counter_in(state, command.on)) is not Sight.EVERYTHING:
        raise Refused("forbidden", "You can roll only for counters that you can see.", "R14")


@cites("R25")
def roll(system: System, state: GameState, command: Roll) -> Iterator[Event]:
    yield Rolled(command.on, command.dice, command.by, command.points)
