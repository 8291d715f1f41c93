"""Marks: what is true of a seat or an object because a card says so, for good or for a turn.

Source: docs/COMMANDS.md, Verbs 1 and Evening 3.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Annotated, ClassVar

from .commands import HOLDER, Command, Parameter, Reader, Terms, invalid, one_of
from .events import Event, Marked
from .state import OF_NEXT, OF_OWN, GameObject, GameState, PlayerSeat, Refused, is_over
from .system import System
from .targets import LISTED, one_after_another

TURN, LATER, NEXT, OWN = "turn", "later", "next", "own"
MARK = Reader("a mark of the game", lambda value, system: value)
VALUE = Reader("a value that the mark accepts", lambda value, system: value)


class Mark(Command, frozen=True, kw_only=True):
    """Set or clear a mark on a seat, or on an object on the field; or on several, all or none.

    until: when the turn ends, or the next turn of another player, or as one’s own next turn begins,
    or when that ends, the mark goes back to what it was before.
    """

    verb: ClassVar[str] = "mark"
    on: Annotated[tuple[str, ...], Parameter(LISTED, names=HOLDER)]
    mark: Annotated[str, Parameter(MARK)]
    value: Annotated[bool | int, Parameter(VALUE)] = True
    until: Annotated[str | None, Parameter(one_of(TURN, LATER, NEXT, OWN))] = None

    def check(self, system: Terms) -> None:
        types = system.components
        listed = {**types.object.marks, **types.seat.marks}
        if type(self.mark) is not str or self.mark not in listed:
            raise invalid("{system} has no mark “{mark}”.", system=system.title, mark=self.mark)
        try:
            listed[self.mark].read(self.value, system)
        except ValueError:
            must = listed[self.mark].text
            raise invalid("“{key}” must be {must}.", key=self.mark, must=must) from None


def mark(system: System, state: GameState, command: Mark) -> Iterator[Event]:
    return one_after_another(state, command.on, lambda now, on: marked(system, now, command, on))


def marked(system: System, state: GameState, command: Mark, on: str) -> Iterator[Event]:
    """The mark that *command* sets on one holder. Raises Refused."""
    obj = state.objects.get(on)
    if command.mark not in (obj.marks if obj else system.components.seat.marks):
        sentence = "{on} cannot have the mark “{mark}”."
        raise Refused("wrong-target", sentence, None, mark=command.mark, on=on)
    if obj:
        refuse_off_field(obj)
    yield said(command, on)


def said(command: Mark, on: str) -> Marked:
    """The event that *command* says of one holder."""
    ends = ends_with(command.until, command.by)
    return Marked(on, command.mark, command.value, command.until, ends)


def ends_with(until: str | None, by: str) -> str | None:
    """Whose next turn the end of that is, as `later` has it; None if it is this turn’s."""
    return {LATER: by, NEXT: f"{OF_NEXT}{by}", OWN: f"{OF_OWN}{by}"}.get(until or "")


def ends(holder: PlayerSeat | GameObject, mark: str) -> str:
    """When *mark* goes back, as `until` says it; "" if it does not."""
    if mark not in holder.until:
        return ""
    return ending(holder.later.get(mark, ""))


def ending(whose: str) -> str:
    """The `until` of what is in `later` as *whose*; "" there is the end of the turn."""
    found = {OF_OWN: OWN, OF_NEXT: NEXT}
    other = LATER if whose else TURN
    return next((end for of, end in found.items() if whose.startswith(of)), other)


def refuse_off_field(obj: GameObject) -> None:
    """Refuse what is possible only on the field."""
    if not obj.on_field:
        sentence = obj.off_field
        raise Refused("not-on-field", sentence, None, name=obj.name, zone=obj.zone)


def go_back(system: System, state: GameState, active: Collection[str] = ()) -> Iterator[Event]:
    """The marks that were set until the turn ends, or until the turn of *active* begins, go back to
    what they were before.

    Seats come first, then objects, by id; a mark that is so already needs no event (`TurnBegan`
    ends those).
    """
    seats = [seat for seat in state.seats.values() if isinstance(seat, PlayerSeat) and seat.until]
    objects = [obj for obj in state.objects.values() if obj.until]
    holders: list[PlayerSeat | GameObject] = [
        *sorted(seats, key=lambda seat: seat.id),
        *sorted(objects, key=lambda obj: obj.id),
    ]
    rule = system.automatic.outcomes.get("turn-ends")
    begin = (*active, *(seat.id for seat in state.seats.values() if seat.lost))
    for holder in holders:
        for name, before in sorted(holder.until.items()):
            over = name not in holder.later or is_over(holder.later[name], begin)
            if over and getattr(holder, name) != before:
                yield Marked(holder.id, name, before, rule=rule)


def temporary(state: GameState) -> tuple[str, ...]:
    """The seats and objects with what lasts until a turn ends."""
    seats = [seat.id for seat in state.seats.values() if getattr(seat, "until", None)]
    return (*seats, *(obj.id for obj in state.objects.values() if obj.temporary))
