"""Conditions: what something is in, until it is ended or ends by itself.

Source: docs/ANY-RPG.md.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, ClassVar

from msgspec.structs import replace

from ...rules.commands import FLAG, ID, NAME, Command, Parameter, whole
from ...rules.events import Event
from ...rules.state import GameState, Refused
from ...rules.system import System, cites
from ..counter import COUNTER, Counter, counter_in, refuse_strangers
from ..facts import CounterFact
from .tracker import Condition, Tracker

MOST_CONDITIONS = 12


class Afflict(Command, frozen=True, kw_only=True):
    """Put something in a condition, or set anew how long one lasts.

    rounds: how many of its turns begin before it ends; without, until it is ended. good: whoever
    has it is glad.
    """

    verb: ClassVar[str] = "afflict"
    on: Annotated[str, Parameter(ID, names=COUNTER)]
    name: Annotated[str, Parameter(NAME)]
    rounds: Annotated[int | None, Parameter(whole(1, 99))] = None
    good: Annotated[bool, Parameter(FLAG)] = False


class Relieve(Command, frozen=True, kw_only=True):
    """End a condition."""

    verb: ClassVar[str] = "relieve"
    on: Annotated[str, Parameter(ID, names=COUNTER)]
    name: Annotated[str, Parameter(NAME)]


class Afflicted(CounterFact, frozen=True):
    kind: ClassVar[str] = "afflicted"
    name: str
    rounds: int | None = None
    good: bool = False

    def changed(self, counter: Counter) -> Counter:
        assert isinstance(counter, Tracker)
        now = Condition(self.name, self.rounds, self.good)
        if self.name in [each.name for each in counter.conditions]:
            return _with(counter, [now if e.name == self.name else e for e in counter.conditions])
        return _with(counter, [*counter.conditions, now])


class Waned(CounterFact, frozen=True):
    """A condition lasts so many rounds more."""

    kind: ClassVar[str] = "waned"
    name: str
    rounds: int

    def changed(self, counter: Counter) -> Counter:
        assert isinstance(counter, Tracker)
        return _with(
            counter,
            [
                replace(each, rounds=self.rounds) if each.name == self.name else each
                for each in counter.conditions
            ],
        )


class Relieved(CounterFact, frozen=True):
    """A condition is over."""

    kind: ClassVar[str] = "relieved"
    name: str

    def changed(self, counter: Counter) -> Counter:
        assert isinstance(counter, Tracker)
        return _with(counter, [each for each in counter.conditions if each.name != self.name])


def _with(counter: Tracker, conditions: list[Condition]) -> Tracker:
    return replace(counter, conditions=tuple(conditions))


def may_afflict(system: System, state: GameState, command: Afflict | Relieve) -> None:
    refuse_strangers(state, command.by, (command.on,))


@cites("Any 6")
def afflict(system: System, state: GameState, command: Afflict) -> Iterator[Event]:
    there = _of(state, command.on)
    names = [each.name for each in there]
    if command.name not in names and len(there) >= MOST_CONDITIONS:
        sentence = "There are at most {most} conditions on one counter."
        raise Refused("over-maximum", sentence, "Any 6", most=MOST_CONDITIONS)
    if Condition(command.name, command.rounds, command.good) not in there:
        yield Afflicted(command.on, command.name, command.rounds, command.good)


@cites("Any 6")
def relieve(system: System, state: GameState, command: Relieve) -> Iterator[Event]:
    if command.name not in [each.name for each in _of(state, command.on)]:
        raise Refused("unknown", "It isn’t {condition}.", "Any 6", condition=command.name)
    yield Relieved(command.on, command.name)


def _of(state: GameState, on: str) -> tuple[Condition, ...]:
    counter = counter_in(state, on)
    return counter.conditions if isinstance(counter, Tracker) else ()


@cites("Any 6")
def wane(counter: Tracker) -> Iterator[Event]:
    """The effects of a turn's beginning on the conditions of its owner."""
    for each in counter.conditions:
        if each.rounds == 1:
            yield Relieved(counter.id, each.name, rule="Any 6")
        elif each.rounds is not None:
            yield Waned(counter.id, each.name, each.rounds - 1, rule="Any 6")
