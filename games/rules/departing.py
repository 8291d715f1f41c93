"""Players who are out: what is theirs leaves the game with them, and comes back with them.

What they own ceases to exist, and what they controlled of others goes back to its owner. The state
remembers how it lay, for a correction that brings the player back.
Source: docs/COMMANDS.md, Evening 10.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, ClassVar

from msgspec.structs import replace

from .events import Controlled, Event, Restored, Voided
from .state import CEASED, GameObject, GameState, from_facts, to_facts
from .system import System

AWAY = "away"
"""Its place among the parts of a state: by seat, the things that left with it, as they lay, by id
under `objects`; their `counters` and `ticks`; and the ids of what it `controlled` of others."""

NOTHING: Mapping[str, Any] = {"objects": {}, "counters": {}, "ticks": {}, "controlled": ()}


def _away(state: GameState) -> Mapping[str, Any]:
    found: Mapping[str, Any] = state.parts.get(AWAY, {})
    return found


def _with_away(state: GameState, away: Mapping[str, Any]) -> GameState:
    return state.with_parts(**{AWAY: away or None})


def restarted(state: GameState) -> GameState:
    """A game that starts over: what left with its player lies without counters, too."""
    away = _away(state).items()
    return _with_away(state, {seat: {**was, "counters": {}, "ticks": {}} for seat, was in away})


class TookAlong(Event, frozen=True):
    """What a seat that is out owns left the game with it; it died by no rule.

    objects: the ids of what it owned. controlled: those of what it controlled of others.
    """

    kind: ClassVar[str] = "took-along"
    private: ClassVar[tuple[str, ...]] = ("controlled",)
    seat: str
    objects: tuple[str, ...]
    controlled: tuple[str, ...] = ()

    def evolve(self, state: GameState) -> GameState:
        objects = {each: to_facts(state.objects[each]) for each in self.objects}
        counters = {each: dict(held) for each in self.objects if (held := state.on(each))}
        ticks = {key: one for key, one in state.ticks.items() if one["on"] in objects}
        before = _away(state).get(self.seat, NOTHING)
        remembered = {
            "objects": {**before["objects"], **objects},
            "counters": {**before["counters"], **counters},
            "ticks": {**before["ticks"], **ticks},
            "controlled": [*before["controlled"], *self.controlled],
        }
        gone = {
            each: state.objects[each].moved(CEASED, self.seat, counters.get(each, {}))
            for each in self.objects
        }
        left = {key: held for key, held in state.counters.items() if key not in objects}
        state = replace(state, objects={**state.objects, **gone}, counters=left)
        if ticks:
            state = state.with_ticks({k: one for k, one in state.ticks.items() if k not in ticks})
        return _with_away(state, {**_away(state), self.seat: remembered})

    def touches(self) -> tuple[str, ...]:
        return (self.seat, *self.objects)


class CameBack(Event, frozen=True):
    """A seat is back, and what had left the game with it. objects: their ids."""

    kind: ClassVar[str] = "came-back"
    seat: str
    objects: tuple[str, ...]

    def evolve(self, state: GameState) -> GameState:
        was = _away(state)[self.seat]
        back = {
            each: from_facts(type(state.objects[each]), was["objects"][each])
            for each in self.objects
        }
        counters = {**state.counters, **was["counters"]}
        state = replace(state, objects={**state.objects, **back}, counters=counters)
        if was["ticks"]:
            state = state.with_ticks({**was["ticks"], **state.ticks})
        return _with_away(state, {k: each for k, each in _away(state).items() if k != self.seat})

    def touches(self) -> tuple[str, ...]:
        return (self.seat, *self.objects)


def leave(
    system: System,
    state: GameState,
    rule: str,
    stays: Callable[[GameObject], bool] = lambda obj: False,
) -> Iterator[Event]:
    """What all seats that are out take along, while the others play on.

    Those at which nobody ever sat have nothing to take. stays: what does not leave.
    """
    if len({system.seating.side(state, seat.id) for seat in state.remaining()}) < 2:
        return
    for seat in state.seats.values():
        if seat.lost and seat.id not in (state.absent or ()):
            for event in _leaves(state, seat.id, rule, stays):
                state = event.evolve(state)
                yield event


def _leaves(
    state: GameState, seat: str, rule: str, stays: Callable[[GameObject], bool]
) -> Iterator[Event]:
    there = [obj for obj in state.objects.values() if obj.zone != CEASED and not stays(obj)]
    own = tuple(sorted(obj.id for obj in there if obj.owner == seat))
    others = sorted(obj.id for obj in there if obj.controller == seat and obj.owner != seat)
    if not own and not others:
        return
    for each in others:
        yield Controlled(each, seat, state.objects[each].owner, rule=rule)
    for prompt in state.prompts:
        if prompt.source in own:
            yield Voided.of(state, prompt, rule)
    yield TookAlong(seat, own, tuple(others), rule=rule)


def come_back(system: System, state: GameState, event: Restored) -> Iterator[Event]:
    """What left the game with a seat is back with it, and so is what it still may control."""
    was = _away(state).get(event.seat)
    if was is None:
        return
    yield CameBack(event.seat, tuple(was["objects"]), rule=event.rule)
    for each in was["controlled"]:
        obj = state.objects[each]
        if obj.on_field and obj.controller == obj.owner and not state.seats[obj.owner].lost:
            yield Controlled(each, obj.owner, event.seat)
