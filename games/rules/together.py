"""Several commands given as one: all or none, one entry, one undo.

The verb does nothing itself. The engine does its steps, each on the state that the earlier ones
left. Source: docs/COMMANDS.md, Together 1.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from .commands import HEAD, Command, Reader, each, parameter
from .events import Event
from .state import GameState
from .system import System, Verb

MOST_STEPS = 40


def _step(value: Any, system: System) -> Mapping[str, Any]:
    do = value.get("do") if type(value) is dict else None
    verb = system.verbs.get(do) if type(do) is str else None
    if verb is None or verb.served or verb.steps or (HEAD - {"do"}) & value.keys():
        raise ValueError
    return dict(value)


STEP = Reader("a command without “by”, “id” and “note”, and without steps or dice", _step)


@dataclass(frozen=True, slots=True, kw_only=True)
class Together(Command):
    """Give several commands as one: all or none, one entry, one undo.

    State-based effects look once, after the last step.
    """

    verb: ClassVar[str] = "together"
    steps: tuple[Mapping[str, Any], ...] = parameter(each(STEP, 1, MOST_STEPS, distinct=False))

    def check(self, system: System) -> None:
        steps(system, self)


def steps(system: System, command: Together) -> list[Command]:
    """The commands that *command* consists of. Raises Refused "invalid" if one is malformed."""
    return [
        system.verbs[step["do"]].command.read(step, command.by, system) for step in command.steps
    ]


def nothing_itself(system: System, state: GameState, command: Together) -> Iterable[Event]:
    return ()


VERBS: Mapping[str, Verb] = {"together": Verb(Together, nothing_itself, steps=steps)}
