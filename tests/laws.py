"""Invariants of every command in every system, checked during play."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from games.rules.engine import read, step
from games.rules.entry import Entry, views_as_json, views_from_json
from games.rules.history import Applied, History, fold
from games.rules.log import Stored
from games.rules.snapshot import as_json, from_json
from games.rules.state import CEASED, MOST, GameState, Refused
from games.rules.system import Effect, System
from games.systems import SYSTEMS, current, named_by
from tests.systems import tables

SCENARIOS = Path(__file__).parent / "scenarios"
Scenario = Mapping[str, Any]


def say(history: History, do: str, **parameters: Any) -> list[dict[str, Any]]:
    """The events of the command *do*, which must be accepted."""
    given = history.give({"do": do, **{key.rstrip("_"): each for key, each in parameters.items()}})
    assert given.entry
    return list(given.entry.events)


def refusal(history: History, do: str, **parameters: Any) -> Refused:
    """The reason why the command *do* is refused, which it must be."""
    with pytest.raises(Refused) as refused:
        say(history, do, **parameters)
    return refused.value


def ids_of(entries: Iterable[Entry]) -> list[tuple[str, int]]:
    """The ids of *entries*, with their numbers."""
    return [(entry.id, entry.number) for entry in entries if entry.id is not None]


def all_systems() -> list[System]:
    """Every edition of every system."""
    return [system for editions in SYSTEMS.values() for system in editions]


def all_scenarios() -> Iterator[tuple[Scenario, System]]:
    """Every scenario of every system, with each edition that it names, newest first."""
    for path in sorted(SCENARIOS.glob("*.json")):
        for each in map(current, json.loads(path.read_text(encoding="utf8"))):
            if each["system"] in SYSTEMS:
                if {"refused_definition", "refused_opening"}.isdisjoint(each["then"]):
                    listed = [system.edition for system in SYSTEMS[each["system"]]]
                    newest_first = sorted(named_by(each), key=lambda its: listed.index(its.edition))
                    yield from ((each, system) for system in newest_first)


def editions() -> list[Any]:
    """Every edition of every system, as parameters of a test; old ones are for a sweep."""
    return [
        pytest.param(
            system,
            id=f"{system.name}-{system.edition}",
            marks=[pytest.mark.sweep] * (system is not newest),
        )
        for newest, *older in SYSTEMS.values()
        for system in (newest, *older)
    ]


def cases() -> list[Any]:
    """`all_scenarios` as parameters; of the editions that a case names, a sweep has all but one."""
    newest = {case["id"]: system for case, system in reversed(list(all_scenarios()))}
    return [
        pytest.param(
            case,
            system,
            id=f"{case['id']}-{system.edition}",
            marks=[pytest.mark.sweep] * (system is not newest[case["id"]]),
        )
        for case, system in all_scenarios()
    ]


def reordered(system: System, effects: Iterable[Effect]) -> System:
    """*system* with its effects in another order."""
    return replace(system, automatic=replace(system.automatic, effects=tuple(effects)))


def stored(system: System, state: GameState) -> GameState:
    """*state* after being stored and loaded."""
    return from_json(system, json.loads(json.dumps(as_json(state))))


def give(history: History, command: Mapping[str, Any]) -> Refused | None:
    """Give *command* and check the laws; returns the refusal, if there is one."""
    before, described, number = history.state, as_json(history.state), history.number
    refusal = None
    try:
        given = history.give(command)
    except Refused as refused:
        refusal = refused
    assert described == as_json(before), f"{command} changed a state in place"
    if refusal:
        assert history.state is before, command
        assert history.number == number, command
        assert refusal.message[-1] in ".?!", refusal.message
    else:
        what_changed_is_said_to_have(given)
        its_events_lead_there(history.system, given)
        who_won_stays(given)
        what_ceased_stays_gone(given)
        who_is_out_leaves_nothing(history.system, given)
        for law in tables.LAWS.get(history.system.name, ()):
            law(history.system, given)
        hold(history)
    return refusal


def its_events_lead_there(system: System, given: Applied) -> None:
    """The state after a command is the one before, with the command's events, one by one."""
    if given.entry is None or given.touched is None:
        return  # undone or redone: resolved again from an earlier state
    raw, by = given.entry.command, given.entry.by
    system = system.of_table(given.before.settings)
    after, events = step(system, given.before, read(system, raw, by))
    state = given.before
    for event in events:
        state = event.evolve(state)
    assert replace(state, settled=True) == after == given.after, raw


def who_won_stays(given: Applied) -> None:
    """A won game has winners, and only an undo or its withdrawal changes them."""
    before, after = given.before, given.after
    assert bool(after.winners) == (after.result == "won"), after.winners
    if given.entry is None or given.touched is None or before.result is None:
        return
    if "result-withdrawn" not in [event["kind"] for event in given.entry.events]:
        assert (before.result, before.winners) == (after.result, after.winners)


def what_ceased_stays_gone(given: Applied) -> None:
    """What ceased to exist comes back by an undo, or with its owner; nothing else moves it."""
    if given.entry is None or given.touched is None:
        return
    back = set()
    for event in given.entry.events:
        assert event.get("from") != CEASED, event
        if event["kind"] == "came-back":
            assert given.before.seats[event["seat"]].lost
            assert not given.after.seats[event["seat"]].lost
            back.update(event["objects"])
    for obj in given.before.objects.values():
        if obj.zone == CEASED and obj.id in given.after.objects and obj.id not in back:
            assert given.after.objects[obj.id].zone == CEASED, obj.id


def who_is_out_leaves_nothing(system: System, given: Applied) -> None:
    """Of who lost just now while others play on, nothing stays but a champion."""
    if given.entry is None or given.touched is None or given.after.result:
        return
    if system.name not in ("magic", "grand-archive") or system.edition in ("2024", "2025-07"):
        return
    lost = [event["seat"] for event in given.entry.events if event["kind"] == "lost"]
    for obj in given.after.objects.values():
        if obj.zone != CEASED and "champion" not in getattr(obj, "types", ()):
            assert not {obj.owner, obj.controller} & {
                seat for seat in lost if given.after.seats[seat].lost
            }, obj.id


def what_changed_is_said_to_have(given: Applied) -> None:
    """A screen, and a row in the database, is drawn anew only for what an event touches."""
    if given.touched is None:
        return  # all may have changed, and all is drawn
    for part in ("seats", "objects", "counters", "slot_counters"):
        was, now = getattr(given.before, part), getattr(given.after, part)
        if was is not now:
            changed = {each for each in {*was, *now} if was.get(each) != now.get(each)}
            assert changed <= given.touched, (part, changed - given.touched)


def hold(history: History) -> None:
    """Check what must hold for the current state and the newest entry."""
    state = history.state
    assert state == stored(history.system, state)
    for holder, kinds in state.counters.items():
        assert kinds, f"{holder} is kept without counters"
        least = -MOST if history.system.counters.below_zero else 1
        assert all(type(n) is int and least <= n <= MOST and n for n in kinds.values()), kinds
    if state.turn:
        assert not any(state.seats[seat].lost for seat in state.turn.active)
    for prompt in state.prompts:
        assert not state.seats[prompt.to].lost, prompt
    assert len({prompt.id for prompt in state.prompts}) == len(state.prompts)
    if history.number:
        newest = history.entries[-1]
        assert newest.number == history.number
        assert list(newest.events) == json.loads(json.dumps(newest.events))
        assert all(event["entry"] == newest.number for event in newest.events)


def log_leads_to_state(history: History) -> None:
    """Check that the log leads from the opening to the state, also when stored and loaded."""
    assert history.state == fold(history.system, history.opening, history.entries)


def reloaded(history: History) -> History:
    """The same game, as a newly started process would load it."""
    entries = [
        type(entry)(
            entry.number,
            entry.by,
            entry.id,
            json.loads(json.dumps(entry.command)),
            tuple(json.loads(json.dumps(entry.events))),
            entry.undone_by,
            views_from_json(json.loads(json.dumps(views_as_json(entry.views)))),
        )
        for entry in history.entries
    ]
    return History(
        history.system,
        stored(history.system, history.opening),
        state=stored(history.system, history.state),
        number=history.number,
        ids=lambda after, last: ids_of(entries[after:last]),
        stored=Stored(lambda after, last: entries[after:last]),
        lines=history.lines,
    )


# What a command costs


def copies_of(state: GameState, ids: Iterable[str], copies: int) -> list[str]:
    """The ids that `copied` gives the copies of those of *ids* that it copies."""
    things = {**state.objects, **state.slot_counters, **state.standings}
    return [f"{each}-x{n}" for each in ids if each in things for n in range(1, copies)]


def copied(state: GameState, copies: int) -> GameState:
    """*state* with everything on the table so many times, the first as it was.

    What a copy is linked to is the copy of that number.
    """
    objects, slots = dict(state.objects), dict(state.slot_counters)
    standings, counters = dict(state.standings), dict(state.counters)
    for n in range(1, copies):

        def new(old: str | None, n: int = n) -> Any:
            return old and f"{old}-x{n}"

        objects |= {new(i): replace(o, id=new(i)) for i, o in state.objects.items()}
        slots |= {new(i): _linked(c, new) for i, c in state.slot_counters.items()}
        for i, standing in state.standings.items():
            standings[new(i)] = replace(standing, id=new(i), object=new(standing.object))
        for holder, kinds in state.counters.items():
            if holder in state.objects:
                counters[new(holder)] = kinds
    return replace(
        state,
        objects=objects,
        slot_counters=slots,
        standings=standings,
        counters=counters,
    )


def _linked(counter: Any, new: Callable[[str], str]) -> Any:
    links = tuple(replace(link, to=new(link.to)) for link in counter.links)
    return replace(counter, id=new(counter.id), links=links)


def work(system: System, state: GameState, command: Mapping[str, Any]) -> int:
    """The number of function calls of *command* on *state*, refused or not."""
    called = 0

    def count(_frame: Any, event: str, _function: Any) -> None:
        nonlocal called
        called += event in ("call", "c_call")

    for counting in (None, count):  # the first time fills the caches
        history = History(system, state)
        before = sys.getprofile()
        sys.setprofile(counting)
        try:
            history.give(command)
        except Refused:
            pass
        finally:
            sys.setprofile(before)
    return called
