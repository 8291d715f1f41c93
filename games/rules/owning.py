"""Whose things a command is about, for tables at which each seat changes only its own."""

from __future__ import annotations

from collections.abc import Iterator

from .commands import Command
from .engine import names_in
from .state import GameState
from .system import System

FREE = frozenset(
    """add-seat answer attribute begin-phase begin-turn draw-seat note sit-down sit-out strike throw
    toss""".split()
)
"""The verbs about the whole table, and those that rules ask one seat for."""


def others(system: System, state: GameState, command: Command) -> list[str]:
    """The seats whose things *command* names, without the one that gives it."""
    named = dict.fromkeys(_owners(system, state, command))
    return [seat for seat in named if seat != command.by]


def _owners(system: System, state: GameState, command: Command) -> Iterator[str]:
    verb = system.verbs[command.verb]
    if command.verb in FREE:
        return
    for _names, ids in names_in(command):
        for each in ids:
            if seat := _owner(state, each):
                yield seat
    for step in verb.steps(system, command) if verb.steps else ():
        yield from _owners(system, state, step)


def _owner(state: GameState, thing: str) -> str:
    """The seat that *thing* is, that controls it, or that it asks; "" if it is nobody's."""
    if thing in state.seats:
        return thing
    if obj := state.objects.get(thing):
        return obj.controller
    prompt = state.prompt(thing)
    return prompt.to if prompt else ""
