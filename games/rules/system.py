"""What a rule system is: a value that says what a game has, does and never does.

The engine asks a system what it can do, never which it is.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from .commands import (
    Command,
    Reader,
)
from .events import Event
from .quick import quick
from .state import GameObject, GameState, Kinds, Seat, SlotCounter, Team, Words


@dataclass(frozen=True, slots=True)
class Rule:
    """A numbered rule of the source, in our own words.

    document and edition: where that number stands; numbers move between editions.
    """

    text: Words
    document: str
    edition: str


@dataclass(frozen=True, slots=True)
class Setting:
    """A house rule: its values, the default first, and the question it settles.

    reader: how other values are read, where they cannot be listed; then values is the default.
    """

    values: tuple[Words | Any, ...]
    text: Words
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
    by_hand: a seat may give it after all, if it says that this happened at the table.
    """

    command: type[Command]
    resolve: Callable[[System, GameState, Any], Iterable[Event]]
    may: Callable[[System, GameState, Any], None] | None = None
    served: bool = False
    by_hand: bool = False


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


def _no_secrets(state: GameState, seat: str) -> bool:
    return False


def _no_events(before: GameState, after: GameState) -> Iterable[Event]:
    return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class System:
    """A rule system in one edition: a value, read like a table of contents.

    title, sentence: for the person who chooses. document: the source, with its date.
    phases: in order; `again` lists, by phase, those that may begin from it though not later.
    kinds: special counters, kind to meaning; never a whitelist.
    watched: the kinds of counters that effects and losing look at; None is any. When only other
    kinds have come and gone, nothing more can happen.
    may_hold: raises Refused "wrong-target" for what cannot hold counters.
    bearer: who really holds counters of a kind that are put on a holder.
    takes: whether a holder gets counters of a kind at all; if not, nothing happens.
    held: all counters that a holder has in the eyes of the rules, its share of a team's included.
    printed: the counters with which an object enters the field. printed_by: kind to the rule.
    outcomes: the rules by which a game is "won" or a "draw", and the prompts of who lost "voided".
    derived: what follows for a seat, object, team, prompt or slot counter and is shown or compared,
    never stored. totals: sums over the table.
    opening: the state that `given` of a scenario describes.
    view: what a seat may see, where that is not everything.
    side: the side a seat plays on. may_undo: whether a seat may take back a command of another.
    reversed: further facts when an undo or redo led from one state to another.
    knows_secrets: whether a seat sees what others must not.
    translated: the languages in which all its words must be; in others what is missing is listed,
    and read in English until it is there.
    """

    name: str
    title: Words
    sentence: Words
    edition: str
    document: Words
    seat: type[Seat] = Seat
    object: type[GameObject] = GameObject
    team: type[Team] = Team
    slot_counter: type[SlotCounter] = SlotCounter
    zones: tuple[str, ...] = ()
    phases: tuple[str, ...] = ()
    again: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    kinds: Mapping[str, Words] = field(default_factory=dict)
    rules: Mapping[str, Rule] = field(default_factory=dict)
    not_tracked: Mapping[str, Words] = field(default_factory=dict)
    settings: Mapping[str, Setting] = field(default_factory=dict)
    verbs: Mapping[str, Verb]
    effects: tuple[Effect, ...] = ()
    watched: frozenset[str] | None = None
    triggers: Mapping[str, tuple[Trigger, ...]] = field(default_factory=dict)
    losing: Effect | None = None
    can_hold_counters: Callable[[System, GameState, Any], None] = _any_holder
    counter_owner: Callable[[GameState, str, str], str] = _itself
    accepts: Callable[[GameState, str, str], bool] = _always
    held: Callable[[GameState, str], Kinds] = GameState.on
    printed: Callable[[System, Any], Mapping[str, int]] = _nothing_printed
    printed_by: Mapping[str, str] = field(default_factory=dict)
    outcomes: Mapping[str, str] = field(default_factory=dict)
    side: Callable[[GameState, str], str] = _each_for_itself
    default_by: Callable[[GameState], str] = _first_seat
    may_undo: Callable[[GameState, str, str], bool] = _anyone
    reversed: Callable[[GameState, GameState], Iterable[Event]] = _no_events
    knows_secrets: Callable[[GameState, str], bool] = _no_secrets
    translated: frozenset[str] = frozenset()
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
