"""Late guests, for whom a seat is added, and chairs at which nobody sits, which do not play.

Source: docs/COMMANDS.md, Seats 1 and 2.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, ClassVar

from msgspec.structs import replace

from .commands import ID, SEAT, Command, Parameter
from .events import Event, Left, Lost, ResultWithdrawn, SatDown, SatOut
from .state import NONE, RESERVED, GameState, Kinds, Refused, Seat
from .system import System, Verb


def refuse_taken(state: GameState, new_id: str, reserved: frozenset[str] = RESERVED) -> None:
    """Refuse an id that is already in use."""
    if (
        new_id in state.objects
        or new_id in state.seats
        or new_id in state.slot_counters
        or new_id in reserved
    ):
        raise Refused("taken", "The id “{id}” is already in use; choose another.", None, id=new_id)


class Leave(Command, frozen=True, kw_only=True):
    """A player concedes or leaves the game, and so loses."""

    verb: ClassVar[str] = "leave"
    seat: Annotated[str, Parameter(ID, names=SEAT)]


def leave(system: System, state: GameState, command: Leave) -> Iterator[Event]:
    yield Left(command.seat)
    yield Lost(command.seat)


class AddSeat(Command, frozen=True, kw_only=True):
    """A guest who comes late sits down after another seat, or last, as at the opening."""

    verb: ClassVar[str] = "add-seat"
    as_: Annotated[str, Parameter(ID)]
    after: Annotated[str | None, Parameter(ID, names=SEAT, even_gone=True)] = None


class SeatAdded(Event, frozen=True):
    """A seat came to the table. after: the seat that it follows. counters: what it begins with."""

    kind: ClassVar[str] = "seat-added"
    seat: str
    private: ClassVar[tuple[str, ...]] = ("after", "made", "counters")
    after: str
    made: Seat
    counters: Kinds = NONE

    def evolve(self, state: GameState) -> GameState:
        seats: dict[str, Seat] = {}
        for key, seat in state.seats.items():
            seats[key] = seat
            if key == self.after:
                seats[self.seat] = self.made
        return replace(state, seats=seats).with_counters(self.seat, self.counters)


def add_seat(system: System, state: GameState, command: AddSeat) -> Iterator[Event]:
    refuse_taken(state, command.as_, system.components.reserved)
    most = system.seating.most_seats
    if len(state.seats) >= most:
        sentence = "There {n|is|are} at most {n} {n|seat|seats} at this table."
        raise Refused("over-maximum", sentence, None, n=most)
    made, counters = system.seating.late_seat(system, state, command.as_)
    yield SeatAdded(command.as_, command.after or [*state.seats][-1], made, counters)
    if state.result is not None:
        yield ResultWithdrawn()


class SitOut(Command, frozen=True, kw_only=True):
    """A chair at which nobody sits does not play. The table gives it as the game begins."""

    verb: ClassVar[str] = "sit-out"
    seat: Annotated[str, Parameter(ID, names=SEAT)]


def sit_out(system: System, state: GameState, command: SitOut) -> Iterator[Event]:
    yield SatOut(command.seat, rule="Seats 2")


class SitDown(Command, frozen=True, kw_only=True):
    """Somebody sits down on a chair that was taken away, and plays too."""

    verb: ClassVar[str] = "sit-down"
    seat: Annotated[str, Parameter(ID, names=SEAT, even_gone=True)]


def sit_down(system: System, state: GameState, command: SitDown) -> Iterator[Event]:
    if command.seat not in (state.absent or ()):
        raise Refused("taken", "Only a chair that was taken away can come back.", "Seats 2")
    yield SatDown(command.seat)
    if state.result is not None:
        yield ResultWithdrawn()


VERBS: Mapping[str, Verb] = {
    "add-seat": Verb(AddSeat, add_seat),
    "sit-out": Verb(SitOut, sit_out),
    "sit-down": Verb(SitDown, sit_down),
}
