"""Several commands given as one: all or none, one entry, one undo.

The verb does nothing itself. The engine does its steps, each on the state that the earlier ones
left. Source: docs/COMMANDS.md, Together 1.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Annotated, Any, ClassVar

from .commands import (
    HEAD,
    HOLDER,
    ID,
    OBJECT,
    Command,
    Declared,
    Parameter,
    Reader,
    Terms,
    each,
    invalid,
    parameters,
    table,
)
from .events import Event
from .state import GameState, Refused
from .system import System, Verb
from .targets import MOST_LISTED

MOST_STEPS = 40
NAMING = ("on", "source")
"""Parameters that may name an object or something else."""


def _step(value: Any, system: Terms) -> Mapping[str, Any]:
    do = value.get("do") if type(value) is dict else None
    verb = system.verbs.get(do) if type(do) is str else None
    if verb is None or verb.served or verb.steps or (HEAD - {"do"}) & value.keys():
        raise ValueError
    return dict(value)


STEP = Reader("a command without “by”, “id” and “note”, and without steps or dice", _step)


class Together(Command, frozen=True, kw_only=True):
    """Give several commands as one: all or none, one entry, one undo.

    State-based effects look once, after the last step. each: a step that names such an object is
    given for each of these instead, up to 200 commands in all.
    """

    verb: ClassVar[str] = "together"
    steps: Annotated[
        tuple[Mapping[str, Any], ...], Parameter(each(STEP, 1, MOST_STEPS, distinct=False))
    ]
    each: Annotated[Mapping[str, tuple[str, ...]] | None, Parameter(table(ID, each(ID, 1)))] = None

    def check(self, system: Terms) -> None:
        steps(system, self)


def steps(system: Terms, command: Together) -> list[Command]:
    """The commands that *command* consists of. Raises Refused "invalid" if one is malformed."""
    meant = [one for step in command.steps for one in _meant(system, step, command.each or {})]
    if len(meant) > max(MOST_STEPS, MOST_LISTED):
        raise invalid("That is more than {n} commands at once.", n=MOST_LISTED)
    return [system.verbs[step["do"]].command.read(step, command.by, system) for step in meant]


def spelled_out(system: System, raw: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    """The commands that *raw* consists of, as JSON; none if it is no such command, or malformed."""
    if raw.get("do") != Together.verb or system.verbs[Together.verb].command is not Together:
        return ()
    try:
        command = Together.read(raw, "", system)
    except Refused:
        return ()
    return [one for step in command.steps for one in _meant(system, step, command.each or {})]


def may_name(part: Declared) -> bool:
    """True if a parameter names an object of which several may be meant."""
    return (part.names in (OBJECT, HOLDER) and not part.even_gone) or part.key in NAMING


def _meant(
    system: Terms, step: Mapping[str, Any], rows: Mapping[str, Sequence[str]]
) -> Iterator[Mapping[str, Any]]:
    """*step*, or one like it for each of a row of which it names the key; what it makes gets ids
    of its own."""
    named = [p.key for p in parameters(system.verbs[step["do"]].command) if may_name(p)]
    for first, ids in rows.items():
        if names := [key for key in named if step.get(key) == first]:
            for n, one in enumerate(ids):
                new = {"as": f"{step['as']}-{n}"} if n and "as" in step else {}
                yield {**step, **dict.fromkeys(names, one), **new}
            return
    yield step


def nothing_itself(system: System, state: GameState, command: Together) -> Iterable[Event]:
    return ()


VERBS: Mapping[str, Verb] = {"together": Verb(Together, nothing_itself, steps=steps)}


def in_order(system: System, raw: Mapping[str, Any], order: Sequence[str]) -> dict[str, Any]:
    """*raw* with that `order`, itself or in its steps, wherever a verb takes one."""
    verb = system.verbs[raw["do"]]
    if verb.steps:
        return {**raw, "steps": [in_order(system, each, order) for each in raw["steps"]]}
    takes = any(part.key == "order" for part in parameters(verb.command))
    return {**raw, "order": [*order]} if takes else {**raw}
