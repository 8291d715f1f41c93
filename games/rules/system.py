"""A rule system: a value that says what a game has, what it does, and what it leaves to players.

The engine asks a system what it can do, never which one it is.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, ClassVar, NamedTuple, Self, TypeVar

from msgspec import Struct, field

from .commands import Command, Itself, Reader
from .entry import Entry, EntryView
from .events import Event
from .state import MOST_SEATS, Components, GameState, Kinds, Seat, Words


class Rule(Struct, frozen=True):
    """A numbered rule of the source, in our own words.

    document, edition: where it has that number; numbers change between editions.
    """

    text: Words
    document: str
    edition: str

    def why(self, event: Mapping[str, Any]) -> Words:
        """The text, with what the log keeps of the moment at which the rule made *event* happen."""
        return self.text


class Setting(Struct, frozen=True):
    """A house rule.

    values: the accepted values, the default first. text: the question it answers.
    reader: reads the value where not all of them can be listed; `values` are then suggestions.
    """

    values: tuple[Words | Any, ...]
    text: Words
    reader: Reader | None = None

    def accepts(self, system: System, value: Any) -> bool:
        """True if a game may be set up with *value*."""
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
    resolve: Callable[[Itself, GameState, Any], Iterable[Event]]
    may: Callable[[Itself, GameState, Any], None] | None = None
    served: bool = False
    by_hand: bool = False
    steps: Callable[[Itself, Any], Iterable[Command]] | None = None

    @property
    def alone(self) -> bool:
        """True if it has steps of a sort of its own, and is none itself."""
        return self.steps is None and "steps" in self.command.__struct_fields__


Effect = Callable[[Itself, GameState, Collection[str]], Iterable[Event]]
"""A state-based effect: the events it causes; it looks only at the ids that have changed."""
Then = Callable[[GameState], Iterable[Event]]
"""Facts of the state as it is when their turn comes, after all that went before has set off."""
Trigger = Callable[[Itself, GameState, Any], Iterable[Event | Then]]
"""The events that an event sets off, given the state just after it."""


class Happening(NamedTuple):
    """Something that happened: to which seat, and to which object if it is about one.

    amount: how much of it. had: the counters that what left had. kind: that of counters that are
    put on. types: of what it is about, if that is no object.
    """

    seat: str
    to: str | None = None
    amount: int = 1
    had: Kinds = {}
    kind: str | None = None
    types: Sequence[str] = ()


Occasion = Callable[[GameState, Any], Iterable[Happening]]
"""What an event tells of, given the state just after it; nothing if it is about something else."""
Group = Callable[[GameState, str], Iterable[str]]
"""The holders in a group of a seat."""


class Defined(Struct, frozen=True):
    """Rules that tables write themselves, as a definition among their settings."""

    def system_of(self, settings: Mapping[str, Any], /) -> Itself:
        """The system of a table with these settings."""
        raise NotImplementedError

    def fault(self, written: Any, /) -> str | None:
        """The place of the first fault of what may be a definition; None if it has none."""
        raise NotImplementedError

    def given(
        self, system: Itself, state: GameState, parts: Mapping[str, Any], /
    ) -> Mapping[str, Any]:
        """More of the `given` of a scenario that begins with a state, whose other parts have been
        written."""
        return {}

    def texts(self, written: Any, /) -> Iterable[str]:
        """What people wrote in a definition."""
        return ()

    def learn(self, ready: Iterable[Mapping[str, Any]], /) -> None:
        """Take the definitions that come with the system."""

    def in_a_line(self, text: str, /) -> Mapping[str, Any]:
        """The definition of a ready game that one line says. Raises ValueError."""
        raise NotImplementedError

    def shown(self, written: Mapping[str, Any], /) -> Mapping[str, Any]:
        """The parts of a scenario that plays such a game to its end."""
        raise NotImplementedError

    def current(self, written: Any, /) -> Any:
        """A definition in the language of today, if an older version could have written it."""
        return written

    def read_by(self, system: Itself, /, *, knows: bool) -> Itself:
        """The system with the rules that a seat may read. knows: whether it knows all secrets."""
        return system

    def advice(self, written: Any, /) -> Words:
        """What to do about the first fault; "" if its place says enough."""
        return ""

    def begun(self, written: Mapping[str, Any], state: GameState, /) -> Mapping[str, Any]:
        """The definition from which a table in that state goes on as it writes its rules anew."""
        return written

    @property
    def held(self) -> Callable[[GameState], Mapping[str, tuple[str, int]]] | None:
        """The answers that nobody else may see yet: by prompt, the seat and its number; None if no
        number of an earlier command can be made another."""
        return None

    def round(self, state: GameState, /) -> int | None:
        """The round that stands last on a score sheet; None without a sheet of rounds."""
        return None

    @property
    def schema(self) -> Callable[[], Mapping[str, Any]] | None:
        """A definition as JSON Schema; None if it has none."""
        return None


class PrivateLog(Struct, frozen=True, kw_only=True):
    """A log of which seats hear different parts, as where a GM acts in secret."""

    knows: Callable[[GameState, str], bool]
    """True if a seat sees what others must not see. Only the state's seats decide that."""
    view: Callable[[Itself, GameState, str, Sequence[Entry]], dict[str, Any]]
    """The view of a seat."""
    sees: Callable[[GameState, str | None, str], bool]
    """True if a seat (None: someone without one) sees all of a slot counter."""
    views: Callable[
        [Itself, GameState, GameState, Entry, Sequence[Event], Sequence[Entry]],
        Mapping[str, EntryView | None],
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
    gives_way: ClassVar[bool] = False
    """True if what a seat never heard of, and cannot stand without what it takes back, goes back
    with it; else that is refused, which tells the seat that there is something."""


class HiddenFaces(Struct, frozen=True, kw_only=True):
    """Objects that may lie face-down."""

    private_verbs: ClassVar[frozenset[str]] = frozenset()
    """The verbs about what is printed on an object. At the table only seats that see the object may
    give them, and only they read of it."""

    def as_seen(self, obj: Any, seat: str | None, /) -> Any:
        """An object as a seat (None: someone without one) sees it: the very same, or one that is
        `unseen` in its place."""
        return obj


class Secrets(Struct, frozen=True, kw_only=True):
    """The secrets between seats. `secrecy` applies it; nothing else asks for it."""

    log: PrivateLog | None = None
    faces: HiddenFaces | None = None


class Rulebook(Struct, frozen=True, kw_only=True):
    """The rules as text."""

    document: Words
    """The source, with its date."""
    kinds: Mapping[str, Words] = field(default_factory=dict)
    """The special kinds of counters, each with its meaning; never a whitelist."""
    rules: Mapping[str, Rule] = field(default_factory=dict)
    not_tracked: Mapping[str, Words] = field(default_factory=dict)
    """Rules left to the players, each with the reason."""
    settings: Mapping[str, Setting] = field(default_factory=dict)
    """The house rules."""
    translated: frozenset[str] = frozenset()
    """The languages that must have all words of the game. In other languages a missing word is
    listed by `manage.py translations`, and shown in English."""
    formerly: ClassVar[frozenset[str]] = frozenset()
    """Names that the edition had before: stored games and scenarios still have them."""


class Automatic(Struct, frozen=True, kw_only=True):
    """Automatic parts of the rules."""

    effects: tuple[Effect, ...] = ()
    watched: frozenset[str] | None = None
    """The kinds that `effects` and `losing` look at while nothing stands; None is any. If only
    other kinds came and went, the state is settled already."""
    triggers: Mapping[str, tuple[Trigger, ...]] = field(default_factory=dict)
    """By the kind of event that sets them off."""
    occasions: ClassVar[Mapping[str, Occasion]] = {}
    """By name: what may happen besides turns and phases, so that numbers change by themselves."""
    groups: ClassVar[Mapping[str, Group]] = {}
    """By name: the holders whose numbers may change so, together."""
    numbers: ClassVar[Mapping[str, str]] = {}
    """By kind: the verb that changes a number of players that is no counter."""
    put_by_rule: ClassVar[frozenset[str]] = frozenset()
    """The kinds that a rule puts as a phase begins, and no effect."""
    losing: Effect | None = None
    """The seats that lose now."""
    comes_back: Callable[[Itself, GameState, str], Iterable[str]] | None = None
    """The seats that have lost, and that a judge's correction of a seat or object brings back: if
    nothing makes them lose any more. None: a correction brings back nobody."""
    outcomes: Mapping[str, str] = field(default_factory=dict)
    """The rules by which a game is "won" or a "draw", the prompts of losers are "voided", marks go
    back as the "turn-ends", and numbers change by themselves as something "happens"."""
    reversed: Callable[[GameState, GameState], Iterable[Event]] = lambda *_: ()
    """Further events when an undo or redo leads from one state to another."""
    effects_at_once: ClassVar[bool] = False
    """True if the effects look after each step of a command that has steps, not only at its end."""

    def stays(self, system: Itself, state: GameState, on: str, /) -> bool:
        """False of what leaves before anything else happens: nothing is put on it by itself."""
        return True

    def is_of(self, state: GameState, happening: Happening, sort: str, /) -> bool | None:
        """True if it is about that sort, such as a creature type; None if nobody has said."""
        return None

    @property
    def settle(self) -> Callable[[Itself, GameState, list[Event]], GameState] | None:
        """The settling of the state after a command, in place of the engine's own with `effects`,
        `losing` and the result; it appends its events."""
        return None


class Counters(Struct, frozen=True, kw_only=True):
    """Holders of counters, and the rules of holding."""

    printed_by: Mapping[str, str] = field(default_factory=dict)
    """By kind: the rule that puts printed counters on an object."""
    printed_first: ClassVar[bool] = False
    """True if printed counters are put on by themselves, before any others."""
    below_zero: ClassVar[bool] = False
    """True if there may be fewer than none of a counter, as of a number on a track."""

    def can_hold(self, system: Itself, state: GameState, holder: Any, /) -> None:
        """Raise Refused "wrong-target" for an object or seat that cannot."""

    def owner(self, state: GameState, holder: str, kind: str, /) -> str:
        """The receiver of counters of a kind that are put on a holder: itself, or its team."""
        return holder

    def held(self, state: GameState, holder: str, /) -> Kinds:
        """All counters that the rules say a holder has, including those shared with its team."""
        return state.on(holder)

    def printed(self, system: Itself, obj: Any, /) -> Mapping[str, int]:
        """The counters with which an object enters the field."""
        return {}


class Seating(Struct, frozen=True, kw_only=True):
    """Seats: sides, permissions, guests who come late, and the next game."""

    most_seats: int = MOST_SEATS

    def side(self, state: GameState, seat: str, /) -> str:
        """The side that a seat plays on: itself, or its team."""
        return seat

    def default_by(self, state: GameState, /) -> str:
        """The seat that gives a command without `by`, and hosts the game."""
        return next(iter(state.seats))

    def may_undo(self, state: GameState, seat: str, other: str, /) -> bool:
        """True if a seat may undo a command that another seat gave."""
        return True

    def late_seat(self, system: Itself, state: GameState, seat: str, /) -> tuple[Seat, Kinds]:
        """The seat of a guest who comes late, and the counters that it begins with."""
        return system.components.seat(seat), {}

    def rematch(self, first: GameState, last: GameState, /) -> GameState:
        """The opening of a rematch of a game that began with one state and ended with another."""
        return first


class System(Struct, frozen=True, kw_only=True):
    """A rule system in one edition: a value that reads like a table of contents.

    Only `name`, `title`, `sentence`, `edition`, `rulebook`, `verbs` and `opening` are required; the
    other defaults are a game that has none of it.
    """

    name: str
    """Its id, in lower case with dashes."""
    title: Words
    sentence: Words
    """One sentence about what it counts."""
    edition: str
    rulebook: Rulebook
    """The rules as text."""
    components: Components = Components()
    """The types of seats, objects, teams, slot counters and standings."""
    zones: tuple[str, ...] = ()
    """The first is where a new object goes."""
    phases: tuple[str, ...] = ()
    """In the order of a turn."""
    again: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """By phase: the phases that may begin from it although they are not later."""
    opening: Callable[[Itself, Mapping[str, Any], Mapping[str, Any]], GameState]
    """The state that the `given` and `settings` of a scenario describe."""
    verbs: Mapping[str, Verb]
    """Commands of players."""
    automatic: Automatic = Automatic()
    """Automatic parts of the rules: effects, triggers, losing."""
    counters: Counters = Counters()
    """Holders of counters, and the rules of holding."""
    seating: Seating = Seating()
    """Seats: sides, permissions, guests who come late."""
    secrets: Secrets | None = None
    """The secrets between seats; None if all seats see everything."""
    defined: Defined | None = None
    """The compiler of a table's settings into rules, where tables write these themselves."""
    derived: Callable[[Itself, GameState, Any], dict[str, Any]] = lambda *_: {}
    """Derived values of a seat, object, team, prompt, slot counter or standing: shown and
    compared, never stored."""
    further: Callable[[Itself, GameState], Mapping[str, Any]] = lambda *_: {}
    """The same about the table: more parts of the state, by name."""

    @property
    def restores(self) -> bool:
        """True if a judge's correction may bring back a seat that has lost."""
        return self.automatic.comes_back is not None

    @property
    def revises(self) -> bool:
        """True if the number of an earlier command can be made another."""
        return self.defined is not None and self.defined.held is not None

    def held(self, state: GameState) -> Mapping[str, tuple[str, int]]:
        """The answers that nobody else may see yet: by prompt, the seat and its number."""
        return self.defined.held(state) if self.defined and self.defined.held else {}

    def round(self, state: GameState) -> int | None:
        """The round that stands last on a score sheet; None without a sheet of rounds."""
        return self.defined.round(state) if self.defined else None

    def of_table(self, settings: Mapping[str, Any]) -> Self:
        """The system of a table with these settings."""
        made: Self = self.defined.system_of(settings) if self.defined else self
        return made

    def setting(self, state: GameState, name: str) -> Any:
        """The value of the house rule *name* in this game."""
        return state.settings.get(name, self.rulebook.settings[name].values[0])


F = TypeVar("F", bound=Callable[..., Any])


def cites(*numbers: str) -> Callable[[F], F]:
    """Say which rules a function implements; a test compares this with the system's `rules`."""

    def decorate(function: F) -> F:
        CITED.setdefault(function.__module__, set()).update(numbers)
        return function

    return decorate


CITED: dict[str, set[str]] = {}
"""By module: the rule numbers that its functions cite."""
