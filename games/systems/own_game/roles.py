"""Roles of players: each has starts and numbers of its own.

Source: docs/OWN-GAMES.md, Pad 10.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar

from games.rules.commands import ID, SEAT, Command, Parameter, Reader
from games.rules.events import Event
from games.rules.state import GameState, Refused
from games.rules.system import Verb, cites

from .course import Course
from .events import ROLES, with_written, written_on
from .holders import OwnSystem, role_of, roles_in
from .language.definition import DEFINITION, understood
from .language.meaning import GM, PLAYER
from .verbs import resolved


def _role(value: Any, system: OwnSystem) -> str:
    if type(value) is str and value in system.definition.roles:
        return value
    raise ValueError


class TakeRole(Command, frozen=True, kw_only=True):
    """A player takes a role; without one, has none."""

    verb: ClassVar[str] = "take-role"
    seat: Annotated[str, Parameter(ID, names=SEAT)]
    role: Annotated[
        str | None, Parameter(Reader("a role of the game", _role, schema={"type": "string"}))
    ] = None


class RoleTaken(Event, frozen=True):
    """A player has another role, and its starts and numbers."""

    kind: ClassVar[str] = "role-taken"
    seat: str
    role: str | None

    def evolve(self, state: GameState) -> GameState:
        was, now = role_of(state, self.seat), self.role or PLAYER
        taken = {**roles_in(state), self.seat: self.role}
        kept = {seat: role for seat, role in taken.items() if role}
        state = state.with_parts(**{ROLES: kept or None})
        for number in understood(state.settings[DEFINITION]).numbers.values():
            kind = number.kind
            had, has = was in number.on, now in number.on
            if had and not has:
                state = state.with_count(self.seat, kind, 0)
                left = {*written_on(state, self.seat)} - {kind}
                state = with_written(state, self.seat, left)
            elif has and not (had and number.start_of(was) == number.start_of(now)):
                state = state.with_count(self.seat, kind, number.start_of(now))
        return state

    def touches(self) -> tuple[str, ...]:
        return (self.seat,)


@cites("Pad 10")
def take_role(course: Course, command: TakeRole) -> None:
    if course.sort_of(command.seat) == GM:
        raise Refused("wrong-target", "The GM has no role.", "GM 1")
    if (command.role or PLAYER) == role_of(course.state, command.seat):
        raise Refused("wrong-target", "That is the role already.", "Pad 10")
    course.happen(RoleTaken(command.seat, command.role))


VERBS: Mapping[str, Verb] = {"take-role": Verb(TakeRole, resolved(take_role))}
