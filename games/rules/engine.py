"""How one command becomes facts: the theory of operation.

A command is checked in the order that SCENARIOS gives (Commands 3). Reading it (`read`) settles
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

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from .commands import (
    COMMAND_ID,
    ID,
    NOTE,
    Command,
    Names,
    Reader,
    Redo,
    Undo,
    invalid,
    parameters,
)
from .events import Ended, Event, Lost, Placed, Removed, Spent, Voided
from .quick import quick
from .state import GameObject, GameState, Kinds, Refused, Seat, SlotCounter, Team


@dataclass(frozen=True, slots=True)
class Rule:
    """A numbered rule of the source, in our own words.

    document and edition: where that number stands; numbers move between editions.
    """

    text: str
    document: str
    edition: str


@dataclass(frozen=True, slots=True)
class Setting:
    """A house rule: its values, the default first, and the question it settles.

    reader: how other values are read, where they cannot be listed; then values is the default.
    """

    values: tuple[Any, ...]
    text: str
    reader: Reader | None = None

    def accepts(self, system: System, value: Any) -> bool:
        """Whether a game may be set up with *value*."""
        if self.reader is None:
            return any(type(value) is type(one) and value == one for one in self.values)
        try:
            self.reader.read(value, system)
        except ValueError:
            return False
        return True


@dataclass(frozen=True, slots=True)
class Verb:
    """What a system does with one command.

    resolve: the events, or Refused with the verb's own reasons, in their order.
    may: raises Refused "forbidden" if this seat may not.
    served: no seat gives it by itself; the server does, for dice that it threw.
    """

    command: type[Command]
    resolve: Callable[[System, GameState, Any], Iterable[Event]]
    may: Callable[[System, GameState, Any], None] | None = None
    served: bool = False


Effect = Callable[["System", GameState, Collection[str]], Iterable[Event]]
"""A state-based effect: the events it makes happen, looking only at the ids that changed."""
Trigger = Callable[["System", GameState, Any], Iterable[Event]]
"""What an event sets off, looking at the state just after it."""


def _each_for_itself(state: GameState, seat: str) -> str:
    return seat


def _first_seat(state: GameState) -> str:
    return next(iter(state.seats))


def _anyone(state: GameState, seat: str, given_by: str) -> bool:
    return True


def _nothing_more(system: System, state: GameState, thing: Any) -> dict[str, Any]:
    return {}


def _any_holder(system: System, state: GameState, holder: Seat | GameObject) -> None:
    return None


def _itself(state: GameState, holder: str, kind: str) -> str:
    return holder


def _always(state: GameState, holder: str, kind: str) -> bool:
    return True


def _nothing_printed(system: System, thing: Any) -> Mapping[str, int]:
    return {}


def _no_cards(typed: str) -> Sequence[Any]:
    return ()


def _no_events(before: GameState, after: GameState) -> Iterable[Event]:
    return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class System:
    """A rule system in one edition: a value, read like a table of contents.

    title, sentence: for the person who chooses. document: the source, with its date.
    phases: in order; `again` lists, by phase, those that may begin from it though not later.
    kinds: special counters, kind to meaning; never a whitelist.
    suggested: generic kinds that its cards use, to offer.
    watched: the kinds of counters that effects and losing look at; None is any. When only other
    kinds have come and gone, nothing more can happen.
    may_hold: raises Refused "wrong-target" for what cannot hold counters.
    bearer: who really holds counters of a kind that are put on a holder.
    takes: whether a holder gets counters of a kind at all; if not, nothing happens.
    held: all counters that a holder has in the eyes of the rules, its share of a team's included.
    printed: the counters with which an object enters the field.
    derived: what follows for a seat, object, team, prompt or slot counter and is shown or compared,
    never stored. totals: sums over the table.
    opening: the state that `given` of a scenario describes.
    view: what a seat may see, where that is not everything.
    side: the side a seat plays on. may_undo: whether a seat may take back a command of another.
    reversed: further facts when an undo or redo led from one state to another.
    known_cards: the cards whose name has a text in it, each with `name` and `printed`, its fields
    for `create`. kind_question: what to ask about a kind that is not one of `kinds`; "" if nothing.
    holds: by number, how much a held tap turns it, where that is not ten.
    player_kinds: the kinds that players have, the usual ones first. always_shown: those that
    a player's part of the board shows also when there are none.
    """

    name: str
    title: str
    sentence: str
    edition: str
    document: str
    seat: type[Seat] = Seat
    object: type[GameObject] = GameObject
    team: type[Team] = Team
    slot_counter: type[SlotCounter] = SlotCounter
    zones: tuple[str, ...] = ()
    phases: tuple[str, ...] = ()
    again: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    kinds: Mapping[str, str] = field(default_factory=dict)
    suggested: tuple[str, ...] = ()
    rules: Mapping[str, Rule] = field(default_factory=dict)
    not_tracked: Mapping[str, str] = field(default_factory=dict)
    settings: Mapping[str, Setting] = field(default_factory=dict)
    verbs: Mapping[str, Verb]
    effects: tuple[Effect, ...] = ()
    watched: frozenset[str] | None = None
    triggers: Mapping[str, tuple[Trigger, ...]] = field(default_factory=dict)
    losing: Effect | None = None
    may_hold: Callable[[System, GameState, Any], None] = _any_holder
    bearer: Callable[[GameState, str, str], str] = _itself
    takes: Callable[[GameState, str, str], bool] = _always
    held: Callable[[GameState, str], Kinds] = GameState.on
    printed: Callable[[System, Any], Mapping[str, int]] = _nothing_printed
    side: Callable[[GameState, str], str] = _each_for_itself
    default_by: Callable[[GameState], str] = _first_seat
    may_undo: Callable[[GameState, str, str], bool] = _anyone
    reversed: Callable[[GameState, GameState], Iterable[Event]] = _no_events
    known_cards: Callable[[str], Sequence[Any]] = _no_cards
    kind_question: str = ""
    holds: Mapping[str, int] = field(default_factory=dict)
    player_kinds: tuple[str, ...] = ()
    always_shown: tuple[str, ...] = ()
    derived: Callable[[System, GameState, Any], dict[str, Any]] = _nothing_more
    totals: Callable[[System, GameState], dict[str, int]] | None = None
    opening: Callable[[System, Mapping[str, Any], Mapping[str, Any]], GameState]
    view: Callable[[System, GameState, str, Sequence[Entry]], dict[str, Any]] | None = None

    def setting(self, state: GameState, name: str) -> Any:
        """The value of house rule *name* in this game."""
        return state.settings.get(name, self.settings[name].values[0])


@quick
@dataclass(frozen=True, slots=True)
class Entry:
    """One accepted command in the log, numbered from 1.

    command: as it was given, with its `by`. events: the facts of that moment, as JSON; undoing an
    earlier command changes what stands, not what was written.
    undone_by: the number of the entry that took it back; None while it stands.
    """

    number: int
    by: str
    id: str | None
    command: Mapping[str, Any]
    events: tuple[dict[str, Any], ...]
    undone_by: int | None = None


F = TypeVar("F", bound=Callable[..., Any])


def cites(*numbers: str) -> Callable[[F], F]:
    """Say which rules a function carries out; a test holds this against the system's `rules`."""

    def decorate(function: F) -> F:
        CITED.setdefault(function.__module__, set()).update(numbers)
        return function

    return decorate


CITED: dict[str, set[str]] = {}
"""Module to the rule numbers that its functions cite."""


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
        raise invalid(f"{system.title} knows no command “{verb}”.")
    by = raw["by"] if "by" in raw else system.default_by(state)
    seated = type(by) is str and by in state.seats
    if not seated:
        _well_formed("by", by, ID, system)
    if "id" in raw:
        _well_formed("id", raw["id"], COMMAND_ID, system)
    if "note" in raw:
        _well_formed("note", raw["note"], NOTE, system)
    if not seated:
        raise Refused("unknown", f"There is no seat “{by}” at this table.")
    return Head(verb, by, raw.get("id"))


def _well_formed(key: str, value: Any, reader: Any, system: System) -> None:
    try:
        reader.read(value, system)
    except ValueError:
        raise invalid(f"“{key}” must be {reader.text}.") from None


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
    """Refuse a command that came in by a door and that only the server gives."""
    verb = raw.get("do")
    if type(verb) is str and verb in system.verbs and system.verbs[verb].served:
        raise Refused("forbidden", "Only the table itself throws these dice.")


def refuse_unknown(state: GameState, command: Command) -> None:
    """Refuse a command that names what is not there, or what its seat may not know of."""
    _refuse_unknown(state, command.by, _named(command))


def _refuse_unknown(state: GameState, by: str, named: list[tuple[Names, tuple[str, ...]]]) -> None:
    for names, ids in named:
        for each in ids:
            if not names.known(state, each, by):
                raise Refused(names.code, _unknown(names, each))


def _unknown(names: Names, each: str) -> str:
    if names.code == "not-waiting":
        return "That question is not waiting any more."
    return f"There is no {names.text} “{each}” here."


def _refuse_gone(state: GameState, each: str) -> None:
    if each in state.objects:
        raise Refused("gone", f"The token {state.objects[each].name} has ceased to exist.")
    raise Refused("gone", f"{each} has lost and is out of the game.")


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
        unanswerable = [Voided(p.id) for p in state.prompts if state.seats[p.to].lost]
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
        yield Ended("draw")
    elif len(sides) == 1 and len(state.seats) >= 2:
        yield Ended("won")
