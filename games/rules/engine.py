"""The engine: from one command to facts. Theory of operation.

A command is checked in the order that docs/COMMANDS.md gives under Commands 3. Steps 1, 2 and 4
happen while it is read (`head`, `read`); step 3, whether its id was accepted before, belongs to the
log (`history`); `step` does the rest:

  5. every id it names exists, else "unknown" (a prompt: "not-waiting");
  6. the seat may do it, else "forbidden";
  7. nothing it names has lost or ceased to exist, else "gone";
  8. the verb has no reason of its own to refuse.

Then the verb's events happen one by one. An event may set off triggers (found by its kind); their
events happen right after it. If the command has steps, each is then checked (5 to 8) and done in
the same way, on the state that the earlier ones left; the first refusal refuses the whole. Finally
the state settles: each state-based effect in turn looks at what has changed and makes its events
happen, until all in a row have found nothing more. Effects are never collected from one state and
applied together: two that hit the same object would take too much. Their order does not matter.
Seats that lose are found last, and only once; their prompts are voided. A judge's correction may
bring a seat back now. Then the game may have a result, or no longer have one.

Nothing here slows down as the board grows: effects see only what has changed. A command that would
make more events than `MOST_EVENTS`, or ask more than may wait, is refused while it is worked out,
so that nobody holds up the other tables; a verb that works ahead of its events counts them first.
Where others wait for a command (`at_once`), it is left for `Later` after `EVENTS_AT_ONCE`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from functools import cache
from itertools import cycle
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from .commands import (
    COMMAND_ID,
    ID,
    NOTE,
    Command,
    Names,
    Redo,
    Revise,
    Terms,
    Undo,
    invalid,
    parameters,
)
from .events import (
    Correction,
    Ended,
    Event,
    Lost,
    Placed,
    Removed,
    Restored,
    ResultWithdrawn,
    SatOut,
    Spent,
    Voided,
)
from .resolution import Resolution
from .state import EVENTS_AT_ONCE, GameState, Refused, refuse_ceased, refuse_too_much
from .system import System, Then


class Head(Struct, frozen=True):
    """The part that all commands share, read before anything else: verb, seat and id."""

    verb: str
    by: str
    id: str | None


def head(system: System, state: GameState, raw: Mapping[str, Any]) -> Head:
    """Read the verb, seat, id and note of *raw* (checks 1 and 2).

    Raises Refused "invalid" if one is malformed, "unknown" if there is no such seat.
    """
    verb = raw.get("do")
    if type(verb) is not str or (verb not in system.verbs and verb not in _of_the_log(system)):
        raise invalid("{system} knows no command “{verb}”.", system=system.title, verb=verb)
    by = raw["by"] if "by" in raw else system.seating.default_by(state)
    seated = type(by) is str and by in state.seats
    if not seated:
        _well_formed("by", by, ID, system)
    if "id" in raw:
        _well_formed("id", raw["id"], COMMAND_ID, system)
    if "note" in raw:
        _well_formed("note", raw["note"], NOTE, system)
    if not seated:
        raise _no_seat(by)
    return Head(verb, by, raw.get("id"))


def _of_the_log(system: System) -> Mapping[str, type[Command]]:
    """The verbs of the log itself."""
    return OF_THE_LOG if system.revises else OF_EVERY_LOG


OF_EVERY_LOG: Mapping[str, type[Command]] = {"undo": Undo, "redo": Redo}
OF_THE_LOG: Mapping[str, type[Command]] = {**OF_EVERY_LOG, "revise": Revise}


def _no_seat(by: str) -> Refused:
    return Refused("unknown", "There is no seat “{seat}” at this table.", None, seat=by)


def _well_formed(key: str, value: Any, reader: Any, system: System) -> None:
    try:
        reader.read(value, system)
    except ValueError:
        raise invalid("“{key}” must be {must}.", key=key, must=reader.text) from None


def read(system: Terms, raw: Mapping[str, Any], by: str) -> Command:
    """The command in *raw*, whose head has been read already (check 4)."""
    verb = raw["do"]
    kind = system.verbs[verb].command if verb in system.verbs else OF_THE_LOG[verb]
    return kind.read(raw, by, system)


def step(system: System, state: GameState, command: Command) -> tuple[GameState, list[Event]]:
    """The settled state after *command*, and the events that led to it.

    Raises Refused; nothing has changed then.
    """
    state, events = done(system, state, command)
    return (system.automatic.settle or settle)(system, state, events), events


def done(system: System, state: GameState, command: Command) -> tuple[GameState, list[Event]]:
    """The same before the state settles: *command* as a part of another. Raises Refused."""
    events: list[Event] = []
    if command.by not in state.seats:
        raise _no_seat(command.by)
    return _do(system, state, command, events), events


def _do(system: System, state: GameState, command: Command, events: list[Event]) -> GameState:
    """The state after *command* and its steps, not yet settled; appends to *events*."""
    verb = system.verbs[command.verb]
    named = names_in(command)
    _refuse_unknown(state, command.by, named)
    if verb.may:
        verb.may(system, state, command)
    for names, ids in named:
        for named_id in ids:
            if names.gone(state, named_id) and not command.reaches(state, named_id):
                _refuse_gone(state, named_id)
    facts = verb.resolve(system, state, command)
    if isinstance(facts, Resolution):
        state = facts.state
        events += facts.events
        refuse_too_much(len(events))
    else:
        state = _happen(system, state, facts, events)
    looked = 0
    for step_of_it in verb.steps(system, command) if verb.steps else ():
        state = _do(system, state, step_of_it, events)
        if system.automatic.effects_at_once:
            anew = _touched(events[looked:]) if looked else _seen_anew(state, events)
            state, _changed = _take_effect(system, state, events, anew)
            looked = len(events)
        state = _void_of_the_lost(system, state, events)
    return state


def refuse_served(system: System, raw: Mapping[str, Any]) -> None:
    """Refuse a command from a seat that only the server may give.

    A seat may still report what happened by hand at the table, if it sets `by_hand`.
    """
    do = raw.get("do")
    verb = system.verbs.get(do) if type(do) is str else None
    if verb is None or not verb.served or (verb.by_hand and raw.get("by_hand") is True):
        return
    if verb.by_hand:
        sentence = "The server rolls these dice. To report a roll of your own, set “by_hand”."
        raise Refused("forbidden", sentence)
    raise Refused(
        "forbidden", "“{verb}” is carried out on the table’s page, not by a command.", None, verb=do
    )


def refuse_unknown(state: GameState, command: Command) -> None:
    """Refuse a command that names something missing, or something its seat may not know of."""
    _refuse_unknown(state, command.by, names_in(command))


def _refuse_unknown(state: GameState, by: str, named: list[tuple[Names, tuple[str, ...]]]) -> None:
    for names, ids in named:
        for named_id in ids:
            if not names.known(state, named_id, by):
                raise _unknown(names, named_id)


def _unknown(names: Names, named_id: str) -> Refused:
    if names.code == "not-waiting":
        return Refused(names.code, "That question is no longer waiting for an answer.")
    sentence = "There is no {thing} “{id}” here."
    return Refused(names.code, sentence, None, thing=names.text, id=named_id)


def _refuse_gone(state: GameState, named_id: str) -> None:
    if named_id in state.objects:
        refuse_ceased(state.objects[named_id])
    raise Refused("gone", "That player has lost and is out of the game.")


@cache
def _naming(cls: type[Command]) -> tuple[tuple[str, Names], ...]:
    """The parameters of *cls* that name something, each with what its ids stand for."""
    return tuple(
        (part.attribute, replace(part.names, gone=_never) if part.even_gone else part.names)
        for part in parameters(cls)
        if part.names
    )


def names_in(command: Command) -> list[tuple[Names, tuple[str, ...]]]:
    """The ids that *command* names, with what each stands for, in the order of its parameters."""
    found = []
    for attribute, names in _naming(type(command)):
        value = getattr(command, attribute)
        if value is None:
            continue
        ids = (value,) if type(value) is str else tuple(value)
        found.append((names, ids))
    return found


def _never(state: GameState, named_id: str) -> bool:
    return False


def _happen(
    system: System, state: GameState, facts: Iterable[Event | Then], events: list[Event]
) -> GameState:
    """The state after *facts* and everything they set off; all of it is appended to *events*."""
    triggers = system.automatic.triggers
    for event in facts:
        if not isinstance(event, Event):
            state = _happen(system, state, event(state), events)
            continue
        if len(events) >= EVENTS_AT_ONCE:
            refuse_too_much(len(events) + 1)
        state = event.evolve(state)
        events.append(event)
        for trigger in triggers.get(event.kind, ()):
            state = _happen(system, state, trigger(system, state, event), events)
    return state


LEAVING = frozenset({Lost, SatOut})
"""The events after which there may be a result."""


def settle(system: System, state: GameState, events: list[Event]) -> GameState:
    """The state after all state-based effects; their events are appended to *events*."""
    automatic = system.automatic
    watched = None if state.standings else automatic.watched
    if state.settled and watched is not None and _only_unwatched(events, watched):
        return state
    changed = _seen_anew(state, events) if automatic.effects or automatic.losing else ()
    if not state.settled:
        state = replace(state, settled=True)
    if automatic.effects:
        state, changed = _take_effect(system, state, events, changed)
    if automatic.losing and (lost := tuple(automatic.losing(system, state, changed))):
        state = _happen(system, state, lost, events)
    happened = len(events)
    state = _void_of_the_lost(system, state, events)
    if automatic.effects and len(events) > happened:
        state, _changed = _take_effect(system, state, events, _touched(events[happened:]))
    back = _come_back(system, state, events)
    if back:
        state = _happen(system, state, back, events)
    if back or (state.result is None and not LEAVING.isdisjoint(map(type, events))):
        state = _happen(system, state, _result(system, state), events)
    return state


def _come_back(system: System, state: GameState, events: list[Event]) -> list[Event]:
    """The seats that corrections bring back, each once, in the order of the corrections."""
    comes_back = system.automatic.comes_back
    if comes_back is None:
        return []
    seats: dict[str, None] = {}
    for each in events:
        if isinstance(each, Correction) and each.restore:
            seats |= dict.fromkeys(comes_back(system, state, each.on))
    return [*map(Restored, seats)]


def _seen_anew(state: GameState, events: list[Event]) -> Collection[str]:
    """The ids that state-based effects look at: those touched, or all after an opening."""
    return _touched(events) if state.settled else _all_ids(state)


def _take_effect(
    system: System, state: GameState, events: list[Event], changed: Collection[str]
) -> tuple[GameState, Collection[str]]:
    """The state in which no state-based effect finds anything more, and all that has changed."""
    effects, found_nothing = system.automatic.effects, 0
    for effect in cycle(effects):
        happened = len(events)
        facts = effect(system, state, changed)
        if facts != ():
            state = _happen(system, state, facts, events)
        if len(events) > happened:
            found_nothing = 0
            changed = {*changed, *_touched(events[happened:])}
            continue
        found_nothing += 1
        if found_nothing == len(effects):
            break
    return state, changed


def _void_of_the_lost(system: System, state: GameState, events: list[Event]) -> GameState:
    """The state without prompts to seats that have lost."""
    if not state.prompts:
        return state
    rule = system.automatic.outcomes.get("voided")
    unanswerable = [Voided.of(state, p, rule) for p in state.prompts if state.seats[p.to].lost]
    return _happen(system, state, unanswerable, events)


def _touched(events: list[Event]) -> Collection[str]:
    """The ids that *events* may have changed, each once; a tap makes one event, so that is fast."""
    if len(events) == 1 and len(one := events[0].touches()) == 1:
        return one
    return {touched for event in events for touched in event.touches()}


def _only_unwatched(events: list[Event], watched: frozenset[str]) -> bool:
    """True if *events* only place or remove counters of kinds that no effect looks at."""
    for event in events:  # noqa: SIM110 a generator costs as much as this saves
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
    """A draw if nobody is left; a win if two or more sat down and one side is left.

    A result that no longer holds is withdrawn.
    """
    side = system.seating.side
    sides = {side(state, seat.id) for seat in state.remaining()}
    result, winners = None, tuple[str, ...]()
    if not sides:
        result = "draw"
    elif len(sides) == 1 and len(state.seats) >= 2:
        result = "won"
        there = (seat for seat in state.seats if seat not in (state.absent or ()))
        winners = tuple(seat for seat in there if side(state, seat) in sides)
    if (result, winners) == (state.result, state.winners):
        return
    if state.result:
        yield ResultWithdrawn()
    if result:
        yield Ended(result, winners, rule=system.automatic.outcomes.get(result))
