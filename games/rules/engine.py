"""How one command becomes facts: the theory of operation.

A command is checked in the order of docs/COMMANDS.md, Commands 3. Reading it (`read`) settles
1, 2 and 4; whether its id was accepted before (3) is the log's affair (`history`); `step` does the
rest:

  5. every id it names stands for something, else "unknown" (a prompt: "not-waiting");
  6. the seat may do it, else "forbidden";
  7. nothing it names has lost or ceased, else "gone";
  8. the verb's own reasons.

Then the verb's events happen, one after the other. An event may set off triggers (found by its
kind), whose events happen right after it. At last the state settles: each state-based effect in
turn looks at what has changed and makes its events happen, until a whole pass changes nothing.
Effects are never collected from one state and applied together: two that hit one object would
take too much. Their order does not matter. Seats that lose are found last and once; their prompts
are voided, and the game may have a result.

Nothing here grows with the board: effects see only what changed since they last agreed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from .commands import COMMAND_ID, ID, NOTE, Command, Names, Redo, Undo, invalid, parameters
from .events import Ended, Event, Lost, Placed, Removed, Spent, Voided
from .quick import quick
from .state import GameState, Refused
from .system import System


@quick
@dataclass(frozen=True, slots=True)
class Head:
    """What every command has: who gives it, and its id, read before anything else."""

    verb: str
    by: str
    id: str | None


def head(system: System, state: GameState, raw: Mapping[str, Any]) -> Head:
    """Read verb, by, id and note of *raw*: "invalid", then "unknown" for the seat (1 and 2)."""
    verb = raw.get("do")
    if type(verb) is not str or (verb not in system.verbs and verb not in ("undo", "redo")):
        raise invalid("{system} knows no command “{verb}”.", system=system.title, verb=verb)
    by = raw["by"] if "by" in raw else system.default_by(state)
    seated = type(by) is str and by in state.seats
    if not seated:
        _well_formed("by", by, ID, system)
    if "id" in raw:
        _well_formed("id", raw["id"], COMMAND_ID, system)
    if "note" in raw:
        _well_formed("note", raw["note"], NOTE, system)
    if not seated:
        raise Refused("unknown", "There is no seat “{seat}” at this table.", None, seat=by)
    return Head(verb, by, raw.get("id"))


def _well_formed(key: str, value: Any, reader: Any, system: System) -> None:
    try:
        reader.read(value, system)
    except ValueError:
        raise invalid("“{key}” must be {must}.", key=key, must=reader.text) from None


def read(system: System, raw: Mapping[str, Any], by: str) -> Command:
    """The command in *raw*, whose head is known to be good (4)."""
    verb = raw["do"]
    if verb in system.verbs:
        return system.verbs[verb].command.read(raw, by, system)
    return (Undo if verb == "undo" else Redo).read(raw, by, system)


def step(system: System, state: GameState, command: Command) -> tuple[GameState, list[Event]]:
    """The state after *command*, settled, and the facts that led there.

    Raises Refused; then nothing has changed.
    """
    verb = system.verbs[command.verb]
    named = _named(command)
    _refuse_unknown(state, command.by, named)
    if verb.may:
        verb.may(system, state, command)
    for names, ids in named:
        for each in ids:
            if names.gone(state, each):
                _refuse_gone(state, each)
    events: list[Event] = []
    state = _happen(system, state, verb.resolve(system, state, command), events)
    return settle(system, state, events), events


def refuse_served(system: System, raw: Mapping[str, Any]) -> None:
    """Refuse a command that came in by a door and that only the server gives.

    What happened by hand at the table a seat may say, if it says that too.
    """
    named = raw.get("do")
    verb = system.verbs.get(named) if type(named) is str else None
    if verb and verb.served and not (verb.by_hand and raw.get("by_hand") is True):
        raise Refused("forbidden", "Only the table itself throws these dice.")


def refuse_unknown(state: GameState, command: Command) -> None:
    """Refuse a command that names what is not there, or what its seat may not know of."""
    _refuse_unknown(state, command.by, _named(command))


def _refuse_unknown(state: GameState, by: str, named: list[tuple[Names, tuple[str, ...]]]) -> None:
    for names, ids in named:
        for each in ids:
            if not names.known(state, each, by):
                raise _unknown(names, each)


def _unknown(names: Names, each: str) -> Refused:
    if names.code == "not-waiting":
        return Refused(names.code, "That question is not waiting any more.")
    said = "There is no {thing} “{id}” here."
    return Refused(names.code, said, None, thing=names.text, id=each)


def _refuse_gone(state: GameState, each: str) -> None:
    if each in state.objects:
        name = state.objects[each].name
        raise Refused("gone", "The token {name} has ceased to exist.", None, name=name)
    raise Refused("gone", "That player has lost and is out of the game.")


_NAMED: dict[type[Command], tuple[tuple[str, Names], ...]] = {}


def _named(command: Command) -> list[tuple[Names, tuple[str, ...]]]:
    """What the command names, in the order of its parameters."""
    cls = type(command)
    if cls not in _NAMED:
        _NAMED[cls] = tuple(
            (part.attribute, replace(part.names, gone=_never) if part.even_gone else part.names)
            for part in parameters(cls)
            if part.names
        )
    found = []
    for attribute, names in _NAMED[cls]:
        value = getattr(command, attribute)
        if value is None:
            continue
        ids = (value,) if type(value) is str else tuple(value)
        found.append((names, ids))
    return found


def _never(state: GameState, each: str) -> bool:
    return False


def _happen(
    system: System, state: GameState, facts: Iterable[Event], events: list[Event]
) -> GameState:
    """The state after *facts* and all that they set off, appended to *events*."""
    triggers = system.triggers
    for event in facts:
        state = event.evolve(state)
        events.append(event)
        for trigger in triggers.get(event.kind, ()):
            state = _happen(system, state, trigger(system, state, event), events)
    return state


def settle(system: System, state: GameState, events: list[Event]) -> GameState:
    """The state after all state-based effects; their facts are appended to *events*."""
    changed: Collection[str]
    if state.settled:
        if system.watched is not None and _only_unwatched(events, system.watched):
            return state
        changed = _touched(events)
    else:
        changed = _all_ids(state)
        state = replace(state, settled=True)
    while True:
        happened = len(events)
        for effect in system.effects:
            facts = effect(system, state, changed)
            if facts == ():
                continue
            before = len(events)
            state = _happen(system, state, facts, events)
            if len(events) > before:
                changed = {*changed, *(i for event in events[before:] for i in event.touches())}
        if len(events) == happened:
            break
    if system.losing and (lost := tuple(system.losing(system, state, changed))):
        state = _happen(system, state, lost, events)
    if state.prompts:
        rule = system.outcomes.get("voided")
        unanswerable = [Voided(p.id, rule=rule) for p in state.prompts if state.seats[p.to].lost]
        state = _happen(system, state, unanswerable, events)
    if state.result is None and Lost in map(type, events):
        state = _happen(system, state, _result(system, state), events)
    return state


def _touched(events: list[Event]) -> Collection[str]:
    """The ids that *events* may have changed, each once; quick for the one event of a tap."""
    if len(events) == 1 and len(one := events[0].touches()) == 1:
        return one
    return {each for event in events for each in event.touches()}


def _only_unwatched(events: list[Event], watched: frozenset[str]) -> bool:
    """Whether counters came and went whose kinds no effect looks at, and nothing else happened."""
    for event in events:  # noqa: SIM110 a generator costs as much as what it saves
        if type(event) not in _COUNTED or event.counter in watched:  # type: ignore[attr-defined]
            return False
    return True


_COUNTED = (Placed, Removed, Spent)


def _all_ids(state: GameState) -> set[str]:
    return {
        *state.seats,
        *state.objects,
        *state.slot_counters,
        *(f"team:{team}" for team in state.teams),
    }


def _result(system: System, state: GameState) -> Iterable[Event]:
    """A draw if nobody is left; won if at least two sat down and one side is left."""
    sides = {system.side(state, seat.id) for seat in state.standing()}
    if not sides:
        yield Ended("draw", rule=system.outcomes.get("draw"))
    elif len(sides) == 1 and len(state.seats) >= 2:
        yield Ended("won", rule=system.outcomes.get("won"))
