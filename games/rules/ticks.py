"""Ticks: numbers that change by themselves as a turn or a phase begins.

A chapter is added, a countdown goes down, income comes in. What a tick does is what the commands
`place` and `remove` would do, so that every rule sees it. A system takes `VERBS`, and `tick` as the
last of its triggers for the turns and phases that begin. Source: docs/COMMANDS.md, Ticks 1 and 2.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping
from typing import Annotated, Any, ClassVar

from msgspec import Struct
from msgspec.structs import replace

from .commands import (
    HOLDER,
    ID,
    KIND,
    ZONE,
    Command,
    Names,
    Parameter,
    Reader,
    Terms,
    either,
    invalid,
    one_of,
    whole,
)
from .counting import ALL
from .events import Event, PhaseBegan, TurnBegan
from .state import GameState, Refused, to_facts
from .system import System, Verb

TURN, EACH, CLEAR = "turn", "each", "clear"
MOST_TICKS = 500
"""Ticks on a table: all of them may tick as a turn begins."""


def _moment(value: Any, system: Terms) -> str:
    if type(value) is str and (value == TURN or value in system.phases):
        return value
    raise ValueError


MOMENT = Reader("“turn”, or a phase of the game", _moment, schema={"type": "string"})
TICK = Names("tick", lambda state, i, by: i in state.ticks, lambda state, i: False)


class Tick(Struct, frozen=True):
    """A number that changes by itself.

    begins: the phase with whose beginning it does, or "turn". whose: "holder" if only in the turns
    of the holder, or of its controller; "each" in every turn. change: by how much, or "clear".
    at_zero: the zone to which its object goes as the last counter is taken off. if_none: the zone
    to which it goes if none is there to take off.
    """

    on: str
    counter: str
    begins: str
    change: int | str
    whose: str = "holder"
    at_zero: str | None = None
    if_none: str | None = None


class StartTick(Command, frozen=True, kw_only=True):
    """Say that a number changes by itself, as a turn or a phase begins.

    whose: in the turns of the holder (of a card: of its controller), or in `each` turn.
    change: by how much, or “clear”. at_zero: where an object goes as its last counter comes off.
    if_none: where it goes if no counter is there to come off.
    """

    verb: ClassVar[str] = "tick"
    as_: Annotated[str, Parameter(ID)]
    on: Annotated[str, Parameter(ID, names=HOLDER)]
    counter: Annotated[str, Parameter(KIND)]
    begins: Annotated[str, Parameter(MOMENT)]
    whose: Annotated[str, Parameter(one_of("holder", EACH))] = "holder"
    change: Annotated[int | str, Parameter(either(whole(-999, 999), one_of(CLEAR)))]
    at_zero: Annotated[str | None, Parameter(ZONE)] = None
    if_none: Annotated[str | None, Parameter(ZONE)] = None

    def check(self, system: Terms) -> None:
        if self.change == 0:
            raise invalid("A number changes by 1 at least.")

    def said(self) -> Tick:
        zones = self.at_zero, self.if_none
        return Tick(self.on, self.counter, self.begins, self.change, self.whose, *zones)


class EndTick(Command, frozen=True, kw_only=True):
    """A number no longer changes by itself."""

    verb: ClassVar[str] = "end-tick"
    tick: Annotated[str, Parameter(ID, names=TICK)]


class TickBegan(Event, frozen=True):
    """A number changes by itself from now on. on, counter: which. said: all that was said."""

    kind: ClassVar[str] = "tick-began"
    private: ClassVar[tuple[str, ...]] = ("said",)
    tick: str
    on: str
    counter: str
    said: Tick

    def evolve(self, state: GameState) -> GameState:
        return state.with_ticks({**state.ticks, self.tick: to_facts(self.said)})


class TickEnded(Event, frozen=True):
    """A number no longer changes by itself. on, counter: as in `TickBegan`."""

    kind: ClassVar[str] = "tick-ended"
    tick: str
    on: str
    counter: str

    def evolve(self, state: GameState) -> GameState:
        return state.with_ticks({k: said for k, said in state.ticks.items() if k != self.tick})


def start(system: System, state: GameState, command: StartTick) -> Iterator[Event]:
    """A counter that cannot be put on the holder does not tick there either."""
    if (command.at_zero or command.if_none) and command.on in state.seats:
        raise Refused("wrong-target", "A player goes to no zone.")
    list(_given(system, state, command.on, "place", counter=command.counter, amount=0))
    if command.as_ in state.ticks:
        sentence = "The id “{id}” is already in use; choose another."
        raise Refused("taken", sentence, None, id=command.as_)
    if len(state.ticks) >= MOST_TICKS:
        sentence = "At most {most} numbers can change by themselves. End one first."
        raise Refused("over-maximum", sentence, None, most=MOST_TICKS)
    yield TickBegan(command.as_, command.on, command.counter, command.said())


def end(system: System, state: GameState, command: EndTick) -> Iterator[Event]:
    ended = Tick(**state.ticks[command.tick])
    yield TickEnded(command.tick, ended.on, ended.counter)


VERBS: Mapping[str, Verb] = {"tick": Verb(StartTick, start), "end-tick": Verb(EndTick, end)}


# As a turn or a phase begins


def tick(system: System, state: GameState, event: TurnBegan | PhaseBegan) -> Iterator[Event]:
    """The ticks due now, by id, each on the state that the ones before it left."""
    moments = {event.phase, TURN} if isinstance(event, TurnBegan) else {event.phase}
    for tick_id in sorted(state.ticks):
        if tick_id not in state.ticks:  # one before it has moved its object
            continue
        one = Tick(**state.ticks[tick_id])
        if one.begins in moments and _is_due(state, one):
            for happened in _ticks(system, state, tick_id, one):
                state = happened.evolve(state)
                yield happened


def on_the_way(system: System, state: GameState, to: str) -> Generator[Event, None, str]:
    """Begin the phases before *to* in which a number changes by itself; return the last begun."""
    now = system.phases[0]
    for phase in system.phases[1 : system.phases.index(to)]:
        if due(state, phase):
            yield PhaseBegan(phase, now)
            now = phase
    return now


def due(state: GameState, phase: str) -> bool:
    """True if a number changes by itself if *phase* begins now."""
    ticking = (Tick(**each) for each in state.ticks.values())
    return any(one.begins == phase and _is_due(state, one) for one in ticking)


def _is_due(state: GameState, one: Tick) -> bool:
    return one.whose == EACH or (
        state.turn is not None and _giver(state, one.on) in state.turn.active
    )


def _giver(state: GameState, holder: str) -> str:
    """The seat that *holder* is, or that controls it."""
    return state.objects[holder].controller if holder in state.objects else holder


def _ticks(system: System, state: GameState, tick_id: str, one: Tick) -> Iterator[Event]:
    """A tick that the rules refuse is dropped in silence."""
    change = one.change
    if isinstance(change, int) and change > 0:
        facts: dict[str, Any] = {"counter": one.counter, "amount": change, "cause": "rule"}
        yield from _by(tick_id, _unless_refused(system, state, one.on, "place", **facts))
        return
    amount = ALL if isinstance(change, str) else -change
    taken = _unless_refused(system, state, one.on, "remove", counter=one.counter, amount=amount)
    yield from _by(tick_id, taken)
    if one.if_none is not None and not taken and state.objects[one.on].on_field:
        yield from _unless_refused(system, state, one.on, "move", to=one.if_none)
    if one.at_zero is None or not taken:
        return
    for event in taken:
        state = event.evolve(state)
    if not state.count(system.counters.owner(state, one.on, one.counter), one.counter):
        yield from _unless_refused(system, state, one.on, "move", to=one.at_zero)


def _by(tick_id: str, events: list[Event]) -> Iterator[Event]:
    """*events* as those of a tick, where they can say so."""
    for event in events:
        yield replace(event, tick=tick_id) if "tick" in event.__struct_fields__ else event


def _unless_refused(
    system: System, state: GameState, holder: str, verb: str, **facts: Any
) -> list[Event]:
    try:
        return list(_given(system, state, holder, verb, **facts))
    except Refused:
        return []


def _given(
    system: System, state: GameState, holder: str, verb: str, **facts: Any
) -> Iterator[Event]:
    """The events if the seat of *holder* gave that command about it."""
    does = system.verbs[verb]
    known = {key: fact for key, fact in facts.items() if key in does.command.__struct_fields__}
    about = {"object" if verb == "move" else "on": (holder,)}
    facts_of_it: dict[str, Any] = {**about, **known}
    command = does.command(by=_giver(state, holder), **facts_of_it)
    yield from does.resolve(system, state, command)


def opening(system: System, state: GameState, given: Mapping[str, Any]) -> GameState:
    """*state* with the `ticks` of an opening, but for those of seats that have lost.

    Raises ValueError if one cannot be.
    """
    ticks = {}
    for tick_id, facts in given.get("ticks", {}).items():
        said = {key: fact for key, fact in facts.items() if fact is not None}
        by = next(iter(state.seats))
        try:
            command = StartTick.read({**said, "as": tick_id}, by, system)
        except Refused as refused:
            raise ValueError(f"tick “{tick_id}”: {refused.message}") from None
        if command.on not in state.seats and command.on not in state.objects:
            raise ValueError(f"tick “{tick_id}” names what is not at this table")
        if command.on not in state.seats or not state.seats[command.on].lost:
            ticks[tick_id] = to_facts(command.said())
    if given.get("ticks") and "tick" not in system.verbs:
        raise ValueError(f"{system.name} has no ticks")
    return state.with_ticks(ticks) if ticks else state
