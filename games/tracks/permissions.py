"""Permissions to act on the table's counters without asking the GM, set once for each type."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, ClassVar

from ..rules.commands import Command, Parameter, one_of, table
from ..rules.events import Event
from ..rules.state import GameState
from ..rules.system import System, cites
from .counter import ACTS, PERMITTED, TYPES
from .facts import Allowed

TYPE = one_of(*TYPES)
BY_ACT = table(one_of(*ACTS), one_of(*PERMITTED))
BY_TYPE = table(TYPE, BY_ACT)
NEW_SESSION = {"progress": {"fill": "everyone"}}
"""The permissions of a new session: a success adds to Progress by itself."""


class Allow(Command, frozen=True, kw_only=True):
    """Say who may do what with the table's counters of a type without asking. GM only.

    acts: all that is settled for the type; what is left out is the owner's.
    """

    verb: ClassVar[str] = "allow"
    type: Annotated[str, Parameter(TYPE)]
    acts: Annotated[dict[str, str], Parameter(BY_ACT)]


@cites("R28")
def allow(system: System, state: GameState, command: Allow) -> Iterator[Event]:
    if command.acts != state.settings.get("permissions", {}).get(command.type, {}):
        yield Allowed(command.type, command.acts)
