"""Attribution: naming afterwards the seat that caused what the log already says.

Life that a player taps down says nothing about who took it. This command says it later, in the log
and for the summary; it changes no number. Source: docs/COMMANDS.md, The card games.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, ClassVar

from .commands import ENTRY, ID, SEAT, Command, Parameter, each
from .events import Event
from .state import GameState
from .system import System, Verb

MOST_ENTRIES = 40
"""The taps of one gesture; a longer one is not attributed by one touch."""


class Attribute(Command, frozen=True, kw_only=True):
    """Say that what these entries of the log did came from a seat. It changes no number."""

    verb: ClassVar[str] = "attribute"
    entries: Annotated[tuple[int, ...], Parameter(each(ENTRY, 1, MOST_ENTRIES))]
    to: Annotated[str, Parameter(ID, names=SEAT, even_gone=True)]


class Attributed(Event, frozen=True):
    """An attribution of these entries to the seat *to*."""

    kind: ClassVar[str] = "attributed"
    entries: tuple[int, ...]
    to: str


def attribute(system: System, state: GameState, command: Attribute) -> Iterator[Event]:
    """That the entries exist is checked where the log is (`history`)."""
    yield Attributed(command.entries, command.to)


VERBS: Mapping[str, Verb] = {"attribute": Verb(Attribute, attribute)}
