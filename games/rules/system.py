"""A rule system: a value that says what a game has, what it does, and what it leaves to players.

The engine asks a system what it can do, never which one it is.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, TypeVar

from msgspec import Struct, field

from .commands import Command, Reader
from .entry import Entry, Heard
from .events import Event
from .state import (
    MOST_SEATS,
    RESERVED,
    GameObject,
    GameState,
    Kinds,
    Seat,
    SlotCounter,
    Standing,
    Team,
    Words,
)


class Rule(Struct, frozen=True):
    """A numbered rule of the source, in our own words.

    document, edition: where it has that number; numbers change between editions.
    """

    text: Words
    document: str
    edition: str


class Setting(Struct, frozen=True):
    """A house rule.

    values: the accepted values, the default first. text: the question it answers.
    reader: reads the value where not all of them can be listed; `values` are then suggestions.
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


class Verb(Struct, frozen=True):
    """A system's handler of one command.

    resolve: the events; raises Refused for the verb's own reasons, in their order.
    may: raises Refused "forbidden" if the seat may not give the command.
    served: only the server gives it, for dice that it rolled.
    by_hand: a seat may give it after all, to report what happened by hand at the table.
    steps: the commands that it consists of; they are done one after another, after its own events.
    """

    command: type[Command]
    resolve: Callable[[System, GameState, Any], Iterable[Event]]
    may: Callable[[System, GameState, Any], None] | None = None
    served: bool = False
    by_hand: bool = False
    steps: Callable[[System, Any], Iterable[Command]] | None = None


Effect = Callable[["System", GameState, Collection[str]], Iterable[Event]]
"""A state-based effect: the events it causes; it looks only at the ids that have changed."""
Trigger = Callable[["System", GameState, Any], Iterable[Event]]
"""The events that an event sets off, given the state just after it."""


def _each_for_itself(state: GameState, seat: str) -> str:
    return seat


def _first_seat(state: GameState) -> str:
    return next(iter(state.seats))


def _first_state(first: GameState, last: GameState) -> GameState:
    return first


def _anyone(state: GameState, seat: str, given_by: str) -> bool:
    return True


def _nothing_more(system: System, state: GameState, obj: Any) -> dict[str, Any]:
    return {}


def _any_holder(system: System, state: GameState, holder: Seat | GameObject) -> None:
    return None


def _itself(state: GameState, holder: str, kind: str) -> str:
    return holder


def _always(state: GameState, holder: str, kind: str) -> bool:
    return True


def _nothing_printed(system: System, obj: Any) -> Mapping[str, int]:
    return {}


def _no_one(system: System, state: GameState, on: str) -> Iterable[str]:
    return ()


def _as_at_the_opening(system: System, state: GameState, seat: str) -> tuple[Seat, Kinds]:
    return system.seat(seat), {}


def _never(state: GameState) -> bool:
    return False


def _no_further(system: System, state: GameState) -> Mapping[str, Any]:
    return {}


def _no_events(before: GameState, after: GameState) -> Iterable[Event]:
    return ()


class Defined(Struct, frozen=True):
    """Rules that tables write themselves, as a definition among their settings.

    system_of: the system of a table with these settings. fault: where the first fault of what may
    be a definition is; None if it has none. given: more of the `given` of a scenario that begins
    with a state, whose other parts have been written. adopted: the definition and the `given` of a
    game that goes on from a state without rules, by its title and its main kind of counter.
    """

    system_of: Callable[[Mapping[str, Any]], System]
    fault: Callable[[Any], str | None]
    given: Callable[[System, GameState, Mapping[str, Any]], Mapping[str, Any]]
    adopted: Callable[[GameState, str, str], tuple[dict[str, Any], dict[str, Any]]]


class PrivateLog(Struct, frozen=True, kw_only=True):
    """A log of which seats hear different parts, as where a GM acts in secret."""

    knows: Callable[[GameState, str], bool]
    """Whether a seat sees what others must not see. Only the state's seats decide that."""
    view: Callable[[System, GameState, str, Sequence[Entry]], dict[str, Any]]
    """The view of a seat."""
    sees: Callable[[GameState, str | None, str], bool]
    """Whether a seat (None: someone without one) sees all of a slot counter."""
    hears: Callable[
        [System, GameState, GameState, Entry, Sequence[Event], Sequence[Entry]],
        Mapping[str, Heard | None],
    ]
    """By audience (`entry.Hearing`), what it hears of an accepted command; None if nothing. It gets
    the states around the command, the new entry with its events, and the entries that an undo or
    redo was about."""
    in_the_way: Callable[
        [GameState, Mapping[str, Any], Callable[[], str]], Iterable[Mapping[str, Any]]
    ]
    """The commands that the table gives before a seat's command, because its refusal would tell a
    secret: that an id it chose is taken. It gets a function that makes random ids: a number that
    counts would tell how many others there are."""


class HiddenFaces(Struct, frozen=True, kw_only=True):
    """Objects that may lie face-down."""

    as_seen: Callable[[Any, str | None], Any]
    """An object as a seat (None: someone without one) sees it: the very same, or one that is
    `unseen` in its place."""
    private_verbs: frozenset[str]
    """The verbs about what is printed on an object. At the table only seats that see the object may
    give them, and only they read of it."""


class Secrets(Struct, frozen=True, kw_only=True):
    """What seats keep from each other. `secrecy` applies it; nothing else asks for it."""

    log: PrivateLog | None = None
    faces: HiddenFaces | None = None


class System(Struct, frozen=True, kw_only=True):
    """A rule system in one edition: a value that reads like a table of contents.

    Only `name`, `title`, `sentence`, `edition`, `document`, `verbs` and `opening` are required; the
    other defaults are a game that has none of it.
    """

    # What people read when they choose it.

    name: str
    """Its id, in lower case with dashes."""
    title: Words
    sentence: Words
    """One sentence about what it counts."""
    edition: str
    document: Words
    """The source, with its date."""
    translated: frozenset[str] = frozenset()
    """The languages that must have all its words. In other languages a missing word is listed by
    `manage.py translations`, and shown in English."""

    # What is on the table.

    seat: type[Seat] = Seat
    object: type[GameObject] = GameObject
    team: type[Team] = Team
    slot_counter: type[SlotCounter] = SlotCounter
    standing: type[Standing] = Standing
    zones: tuple[str, ...] = ()
    """The first is where a new object goes."""
    phases: tuple[str, ...] = ()
    """In the order of a turn."""
    again: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """By phase: the phases that may begin from it although they are not later."""
    opening: Callable[[System, Mapping[str, Any], Mapping[str, Any]], GameState]
    """The state that the `given` and `settings` of a scenario describe."""

    rematch: Callable[[GameState, GameState], GameState] = _first_state
    """The opening of a rematch of a game that began with one state and ended with another."""

    # The rules as text.

    kinds: Mapping[str, Words] = field(default_factory=dict)
    """The special kinds of counters, each with its meaning; never a whitelist."""
    rules: Mapping[str, Rule] = field(default_factory=dict)
    not_tracked: Mapping[str, Words] = field(default_factory=dict)
    """Rules left to the players, each with the reason."""
    settings: Mapping[str, Setting] = field(default_factory=dict)
    """The house rules."""

    # The rules at work.

    verbs: Mapping[str, Verb]
    effects: tuple[Effect, ...] = ()
    effects_at_once: bool = False
    """Whether the effects look after each step of a command that has steps, not only at its end."""
    watched: frozenset[str] | None = None
    """The kinds that `effects` and `losing` look at; None is any. If only other kinds came and
    went, the state is settled already."""
    triggers: Mapping[str, tuple[Trigger, ...]] = field(default_factory=dict)
    """By the kind of event that sets them off."""
    settle: Callable[[System, GameState, list[Event]], GameState] | None = None
    """How the state settles after a command, in place of the engine's own way with `effects`,
    `losing` and the result; it appends its events."""
    losing: Effect | None = None
    """The seats that lose now."""
    comes_back: Callable[[System, GameState, str], Iterable[str]] = _no_one
    """The seats that have lost, and that a judge's correction of a seat or object brings back: if
    nothing makes them lose any more."""
    outcomes: Mapping[str, str] = field(default_factory=dict)
    """The rules by which a game is "won" or a "draw", the prompts of losers are "voided", and marks
    go back as the "turn-ends"."""

    # Counters and who holds them.

    can_hold_counters: Callable[[System, GameState, Any], None] = _any_holder
    """Raises Refused "wrong-target" for an object or seat that cannot."""
    counter_owner: Callable[[GameState, str, str], str] = _itself
    """The receiver of counters of a kind that are put on a holder: itself, or its team."""
    accepts: Callable[[GameState, str, str], bool] = _always
    """Whether a holder gets counters of a kind at all; if not, nothing happens."""
    held: Callable[[GameState, str], Kinds] = GameState.on
    """All counters that the rules say a holder has, including those shared with its team."""
    printed: Callable[[System, Any], Mapping[str, int]] = _nothing_printed
    """The counters with which an object enters the field."""
    printed_first: bool = False
    """Whether printed counters are put on by themselves, before any others."""
    printed_by: Mapping[str, str] = field(default_factory=dict)
    """By kind: the rule that puts printed counters on an object."""

    # Seats: sides, permissions, secrets.

    side: Callable[[GameState, str], str] = _each_for_itself
    """The side that a seat plays on: itself, or its team."""
    default_by: Callable[[GameState], str] = _first_seat
    """The seat that gives a command without `by`."""
    may_undo: Callable[[GameState, str, str], bool] = _anyone
    """Whether a seat may undo a command that another seat gave."""
    reserved: frozenset[str] = RESERVED
    """Words with a meaning of their own in commands; no object or seat may have one as its id."""
    below_zero: bool = False
    """Whether there may be fewer than none of a counter, as of a number on a track."""
    most_seats: int = MOST_SEATS
    late_seat: Callable[[System, GameState, str], tuple[Seat, Kinds]] = _as_at_the_opening
    """The seat of a guest who comes late, and the counters that it begins with."""
    result_stays: Callable[[GameState], bool] = _never
    """Whether the result of a game stays when a guest comes late."""
    reversed: Callable[[GameState, GameState], Iterable[Event]] = _no_events
    """Further events when an undo or redo leads from one state to another."""
    secrets: Secrets | None = None
    """What seats keep from each other; None if all seats see everything."""

    # What follows from a state: shown and compared, never stored.

    further: Callable[[System, GameState], Mapping[str, Any]] = _no_further
    """More parts of the state, by name, as scenarios compare them."""
    defined: Defined | None = None
    """The compiler of a table's settings into rules, where tables write these themselves."""

    derived: Callable[[System, GameState, Any], dict[str, Any]] = _nothing_more
    """A seat, object, team, prompt, slot counter or standing."""
    totals: Callable[[System, GameState], dict[str, int]] | None = None
    """Sums over the table."""

    @property
    def restores(self) -> bool:
        """Whether a judge's correction may bring back a seat that has lost."""
        return self.comes_back is not _no_one

    def of_table(self, settings: Mapping[str, Any]) -> System:
        """The system of a table with these settings."""
        return self.defined.system_of(settings) if self.defined else self

    def setting(self, state: GameState, name: str) -> Any:
        """The value of the house rule *name* in this game."""
        return state.settings.get(name, self.settings[name].values[0])


F = TypeVar("F", bound=Callable[..., Any])


def cites(*numbers: str) -> Callable[[F], F]:
    """Say which rules a function implements; a test compares this with the system's `rules`."""

    def decorate(function: F) -> F:
        CITED.setdefault(function.__module__, set()).update(numbers)
        return function

    return decorate


CITED: dict[str, set[str]] = {}
"""By module: the rule numbers that its functions cite."""
