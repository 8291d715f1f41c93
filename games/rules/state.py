"""A game at one moment: frozen values, shared freely and never changed in place.

A system extends `Seat` and `GameObject` with fields of its own (printed stats, permits, life).
Counters are not fields of their holders: they are kept in one map, so that a tap copies that and
one small dictionary.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, ClassVar, Self, TypeVar

from msgspec import NODEFAULT, Struct, field
from msgspec.structs import fields, replace

from .at_once import AT_ONCE, Later

T = TypeVar("T")

Words = str
"""English text shown to people, each in their own language. Text in a field or constant of this
type is collected for translation."""


def marked(text: str) -> Words:
    """*text*, collected for translation; for text that is not in a field of type `Words`.

    Imported as `_`.
    """
    return text


def marked_for(context: str, text: str) -> Words:
    """*text*, collected for translation in *context*, where the same word means something else.

    Imported as `pgettext`.
    """
    return text


Kinds = Mapping[str, int]
"""The counters on one holder: kind to amount, 1 or more."""

Restores = Mapping[str, Callable[[Any], Any]]
"""By field of a class: what reads it from JSON, if it is no plain value (`from_facts`)."""

NONE: Kinds = {}
MOST = 999_999
"""The largest amount of one kind on one holder."""
MOST_EVENTS = 5_000
"""Events that one command may make: what a stranger asks of a table has an end."""
EVENTS_AT_ONCE = 100
"""Those where others wait for it."""
MOST_PROMPTS = 200
"""Prompts that may wait at one time."""
RESERVED = frozenset({"all", "game", "own-field", "any-field", "opponents-field"})
"""Words with a meaning of their own in commands; no object or seat may have one as its id."""
MOST_SEATS = 12
"""Seats at a table."""
CEASED = "ceased"
"""The zone of a token that left the field: it no longer exists, and no command can name it."""


class Seat(Struct, frozen=True):
    """A place at the table, and the player in it."""

    id: str
    lost: bool = False

    marks: ClassVar[Mapping[str, Any]] = {}
    """The fields of a seat that the command `mark` can set, each with the reader of its value.

    Only a `PlayerSeat` has any: it remembers those that end with the turn.
    """

    def __init_subclass__(cls) -> None:
        if cls.marks and not issubclass(cls, PlayerSeat):
            raise TypeError(f"{cls.__name__} has marks, so it must be a PlayerSeat, not a Seat.")


class PlayerSeat(Seat, frozen=True):
    """A seat of a card game.

    left: out for good, by leaving; no correction brings the player back. until: the marks that end
    with the turn, each with the value that it goes back to. later: of these, those that end only
    with the next turn of another seat than the one named, or as `OF_OWN` and `OF_NEXT` say.
    """

    left: bool = False
    until: Mapping[str, Any] = field(default_factory=dict)
    later: Mapping[str, str] = field(default_factory=dict)

    def in_turn_of(self, active: Collection[str], gone: Collection[str] = ()) -> Self:
        """The seat as a turn has begun. gone: who has lost, and begins no turn."""
        return replace(self, **_in_turn_of(self, active, gone))


class GameObject(Struct, frozen=True):
    """A card, token or thing that can hold counters.

    had: the counters it held when it last changed zones. until: the marks that end with the turn,
    each with the value that it goes back to. later: of these, those that end only with the next
    turn of another seat than the one named.
    """

    id: str
    name: str
    zone: str
    owner: str
    controller: str
    token: bool = False
    had: Kinds = field(default_factory=dict)
    until: Mapping[str, Any] = field(default_factory=dict)
    later: Mapping[str, str] = field(default_factory=dict)

    field_zones: ClassVar[frozenset[str]] = frozenset()
    """The zones in which an object is in play (battlefield)."""
    one_field: ClassVar[bool] = True
    """True if counters and marks stay on what moves from one zone of the field to another."""
    off_field: ClassVar[Words] = marked("{name} is not on the field ({zone}).")
    """The refusal of a command that needs an object on the field, in the words of the game."""
    marks: ClassVar[Mapping[str, Any]] = {}
    """The fields of an object on the field that `mark` can set, each with its value's reader."""
    unseen: ClassVar[bool] = False
    """True if this stands for an object in the view of a seat that may not see its face."""

    @property
    def names(self) -> tuple[str, ...]:
        """Its names, from the first to the present one."""
        return (self.name,)

    @property
    def on_field(self) -> bool:
        return self.zone in self.field_zones

    @property
    def listed(self) -> bool:
        """True if it is listed where several objects can be chosen."""
        return self.on_field

    def goes_to(self, zone: str, counters: Kinds) -> str:
        """The zone in which a move to *zone* ends: a token that leaves the field ceases to exist.

        A system overrides this for whatever goes elsewhere. counters: those on it.
        """
        leaves = self.on_field and zone not in self.field_zones
        return CEASED if self.token and leaves else zone

    def sent_by(self, zone: str, counters: Kinds) -> str | None:
        """The rule that sends it elsewhere than to *zone*, where the log should say so."""
        return None

    def moved(self, zone: str, controller: str, had: Kinds) -> Self:
        """The object after a change of zones: marks end, everything printed stays.

        A system overrides this for whatever else ends then.
        """
        ended = {name: defaults(type(self))[name] for name in self.marks}
        return replace(self, zone=zone, controller=controller, had=had, until={}, later={}, **ended)

    @property
    def temporary(self) -> bool:
        """True if something of it ends with a turn, and must be looked at as one begins."""
        return bool(self.until)

    def in_turn_of(self, active: Collection[str], gone: Collection[str] = ()) -> Self:
        """The object as a turn has begun: what waited for it ends with it. gone: who has lost."""
        return replace(self, **_in_turn_of(self, active, gone))


def _in_turn_of(
    holder: PlayerSeat | GameObject, active: Collection[str], gone: Collection[str]
) -> dict[str, Any]:
    """The marks of *holder* that end, as the turn of *active* has begun."""
    over = {mark for mark, whose in holder.later.items() if is_over(whose, (*active, *gone))}
    until = {mark: it for mark, it in holder.until.items() if mark in holder.later.keys() - over}
    later = {mark: it for mark, it in holder.later.items() if waits(it, active, gone)}
    return {"until": until, "later": {mark: it for mark, it in later.items() if mark in until}}


OF_OWN, OF_NEXT = "own:", "next:"
"""Before the seat in whose own next turn something ends, and not in that of another; or as whose
next turn begins."""


def waits(whose: str, active: Collection[str], gone: Collection[str] = ()) -> bool:
    """True if a turn of *active* is not the one with which something of *whose* ends.

    gone: who has lost: nothing waits for their turns.
    """
    if whose.startswith(OF_OWN):
        return whose.removeprefix(OF_OWN) not in (*active, *gone)
    return whose.startswith(OF_NEXT) or whose in active


def is_over(whose: str, active: Collection[str]) -> bool:
    """True if something of *whose* ends as the turn of *active* begins."""
    return whose.startswith(OF_NEXT) and whose.removeprefix(OF_NEXT) in active


class SlotCounter(Struct, frozen=True):
    """A counter of 1 to 10 slots to fill: progress, danger, a resource, an inventory."""

    id: str


class Team(Struct, frozen=True):
    """Seats that play on one side."""

    id: str
    seats: tuple[str, ...] = ()


class Turn(Struct, frozen=True):
    """The turn: its seat (several where turns are shared) and its phase.

    began: who was active before the first of them lost in this turn; empty while nobody has.
    """

    active: tuple[str, ...]
    phase: str
    began: tuple[str, ...] = ()


class Prompt(Struct, frozen=True):
    """A question that a trigger or ability asks a seat; it waits until it is answered or voided.

    source: the object it comes from, "game" for the game itself, None for a rule without a source.
    facts: what else it shows, as JSON values.
    """

    id: str
    kind: str
    to: str
    source: str | None
    facts: Mapping[str, Any] = field(default_factory=dict)


class Note(Struct, frozen=True):
    """A line on the table's list of notes.

    by: the seat that wrote it. secret: only some seats may read it. to: the seats that a secret one
    was told to. answers: the note that it answers. title, picture: of a handout, whose picture is
    stored beside the game under that id. own: a player's, for that player.
    """

    id: str
    by: str
    text: str
    secret: bool = False
    to: tuple[str, ...] = ()
    answers: str | None = None
    title: str | None = None
    picture: str | None = None
    own: bool = False


class Standing(Struct, frozen=True):
    """An ability or effect that was said once and counts from then on, until it is taken off.

    object: the object whose text it is. seat: whose it is, without an object.
    """

    id: str
    name: str
    object: str | None = None
    seat: str | None = None


class GameState(Struct, frozen=True):
    """A whole game at one moment.

    seats: in table order. objects, slot counters and notes: in the order they were made.
    scenes: by name, the state of each part of a session that has one, in the order they got it.
    counters: holder (seat, object, or "team:" and its id) to its kinds; no empty holders.
    standings: what was said to stand, in the order it was said.
    parts: what else a system counts, by name, as JSON values.
    winners: the seats that won when the result was "won", whatever has become of them since.
    settled: state-based effects have seen all of it; False only for an opening.
    """

    seats: Mapping[str, Seat]
    objects: Mapping[str, GameObject] = field(default_factory=dict)
    counters: Mapping[str, Kinds] = field(default_factory=dict)
    slot_counters: Mapping[str, SlotCounter] = field(default_factory=dict)
    teams: Mapping[str, Team] = field(default_factory=dict)
    turn: Turn | None = None
    prompts: tuple[Prompt, ...] = ()
    result: str | None = None
    winners: tuple[str, ...] = ()
    settings: Mapping[str, Any] = field(default_factory=dict)
    settled: bool = False
    notes: Mapping[str, Note] = field(default_factory=dict)
    scenes: Mapping[str, str] = field(default_factory=dict)
    standings: Mapping[str, Standing] = field(default_factory=dict)
    parts: Mapping[str, Any] = field(default_factory=dict)

    def on(self, holder: str) -> Kinds:
        """All counters on *holder*; empty if it has none."""
        return self.counters.get(holder, NONE)

    def count(self, holder: str, kind: str) -> int:
        """The number of counters of *kind* on *holder*."""
        return self.counters.get(holder, NONE).get(kind, 0)

    def remaining(self) -> Iterator[Seat]:
        """The seats still in the game, in table order."""
        return (seat for seat in self.seats.values() if not seat.lost)

    def prompt(self, prompt_id: str) -> Prompt | None:
        """The waiting prompt with that id; None if there is none."""
        return next((prompt for prompt in self.prompts if prompt.id == prompt_id), None)

    @property
    def ticks(self) -> Mapping[str, Mapping[str, Any]]:
        """The ticks: changes that happen by themselves, by id, as JSON values (`rules.ticks`)."""
        ticks: Mapping[str, Mapping[str, Any]] = self.parts.get("ticks", {})
        return ticks

    @property
    def absent(self) -> Sequence[str] | None:
        """The chairs at which nobody has sat since the game began; None before that (Seats 2)."""
        return self.parts.get("absent")

    @property
    def fallen(self) -> Sequence[str]:
        """The seats that have lost, first to last, also those that are back in the game since."""
        fallen: Sequence[str] = self.parts.get("fallen", ())
        return fallen

    # New states with one part changed. Only `evolve` uses these.

    def begun(self) -> GameState:
        """The state of a game that has begun: who sits there plays."""
        return self if "absent" in self.parts else self.with_absent(())

    def with_absent(self, seats: Iterable[str]) -> GameState:
        return self.with_parts(absent=[*seats])

    def with_ticks(self, ticks: Mapping[str, Mapping[str, Any]]) -> GameState:
        return self.with_parts(ticks=ticks or None)

    def with_parts(self, **changed: Any) -> GameState:
        """The state with some of its `parts` changed; None takes one away."""
        parts = {**self.parts, **changed}
        return replace(self, parts={name: part for name, part in parts.items() if part is not None})

    def without_ticks(self, holder: str) -> GameState:
        """The state in which nothing on *holder* changes by itself any more."""
        left = {key: tick for key, tick in self.ticks.items() if tick["on"] != holder}
        return self if len(left) == len(self.ticks) else self.with_ticks(left)

    def with_count(self, holder: str, kind: str, amount: int) -> GameState:
        """The state with *amount* (0 or more) of *kind* on *holder*."""
        kinds = dict(self.counters.get(holder, NONE))
        if amount:
            kinds[kind] = amount
        else:
            kinds.pop(kind, None)
        return self.with_counters(holder, kinds)

    def with_counters(self, holder: str, kinds: Kinds) -> GameState:
        """The state with exactly *kinds* on *holder*."""
        if kinds:
            return replace(self, counters={**self.counters, holder: kinds})
        if holder not in self.counters:
            return self
        left = {each: held for each, held in self.counters.items() if each != holder}
        return replace(self, counters=left)

    def with_seat(self, seat: Seat) -> GameState:
        return replace(self, seats={**self.seats, seat.id: seat})

    def with_object(self, obj: GameObject) -> GameState:
        return replace(self, objects={**self.objects, obj.id: obj})

    def with_slot_counter(self, counter: SlotCounter) -> GameState:
        return replace(self, slot_counters={**self.slot_counters, counter.id: counter})

    def with_team(self, team: Team) -> GameState:
        return replace(self, teams={**self.teams, team.id: team})

    def without_prompt(self, prompt_id: str) -> GameState:
        return replace(self, prompts=tuple(p for p in self.prompts if p.id != prompt_id))


@cache
def defaults(cls: type[Struct]) -> Mapping[str, Any]:
    """The defaults of the fields of *cls* that have one."""
    return {part.name: part.default for part in fields(cls) if part.default is not NODEFAULT}


def to_facts(value: Struct, leave_out: Container[str] = ()) -> dict[str, Any]:
    """The fields of a value as JSON values, except those in *leave_out*."""
    return {
        name: part if type(part := getattr(value, name)) in SCALARS or part == {} else plain(part)
        for name in value.__struct_fields__
        if name not in leave_out
    }


def from_facts(cls: type[T], facts: Mapping[str, Any]) -> T:
    """The value that `to_facts` turned into *facts*. Lists become tuples.

    What its class names in `restores` is read by the function there instead.
    Raises TypeError if *facts* has an unknown field, or lacks one without a default.
    """
    restores: Restores = getattr(cls, "restores", {})
    return cls(**{name: restores.get(name, _frozen)(value) for name, value in facts.items()})


SCALARS = frozenset({str, int, bool})
"""The types that JSON has, too: most of what is stored with each tap."""


def plain(value: Any) -> Any:
    """*value* in JSON's types: tuples as lists, structs and mappings as dictionaries."""
    if isinstance(value, Mapping):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, frozenset):
        return sorted(value)
    if isinstance(value, tuple | list):
        return [plain(item) for item in value]
    if isinstance(value, Struct):
        return to_facts(value)
    return value


def _frozen(value: Any) -> Any:
    return tuple(_frozen(item) for item in value) if isinstance(value, list) else value


FORMS = re.compile(r"\{(\w+)\|([^{}|]*)\|([^{}|]*)\}")


def inflected(text: str, numbers: Mapping[str, Any]) -> str:
    """*text* with words as their numbers ask for: "{n|slot|slots}" is "slot" where n is 1.

    A word may stand for the number: one that ends like a plural, in English or Spanish, is many.
    """
    if "|" not in text:
        return text
    return FORMS.sub(lambda found: found[3 if is_many(numbers[found[1]]) else 2], text)


def is_many(of: int | str) -> bool:
    """True if words about it stand in the plural."""
    if isinstance(of, str):
        noun = of.partition(" of ")[0].partition(" de ")[0]
        return noun.endswith("s") and not noun.endswith(("ss", "us", "is", "és"))
    return abs(of) != 1


class Components(Struct, frozen=True, kw_only=True):
    """The types of what a table has."""

    seat: type[Seat] = Seat
    object: type[GameObject] = GameObject
    team: type[Team] = Team
    slot_counter: type[SlotCounter] = SlotCounter
    standing: ClassVar[type[Standing]] = Standing
    """The type of what stands beside the objects and replaces what happens."""
    reserved: ClassVar[frozenset[str]] = RESERVED
    """Words with a meaning of their own in commands; no component may have one as its id."""


class Phrase(str):
    """An English sentence that keeps its template and facts, so that it can be translated.

    template: the sentence with places for the facts ("Only {n} are there."), and words that follow
    a number (`inflected`). facts: the values in those places; a fact may be a phrase itself.
    """

    __slots__ = ("facts", "template")

    template: str
    facts: Mapping[str, Any]

    def __new__(cls, template: str, /, **facts: Any) -> Self:
        made = super().__new__(
            cls, inflected(template, facts).format(**facts) if facts else template
        )
        made.template = template
        made.facts = facts
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        return _phrase, (self.template, self.facts)


def _phrase(template: str, facts: Mapping[str, Any]) -> Phrase:
    return Phrase(template, **facts)


class Refused(Exception):
    """The only way in which the rules say no; nothing has changed.

    code: one of the codes in docs/COMMANDS.md ("not-enough").
    message: a sentence for the player, with places for the facts ("Only {n} are there.").
    rule: the number of the rule behind it ("Counters 4"), of the system or of `table_rules`; None
    if there is none.
    """

    def __init__(self, code: str, message: str, rule: str | None = None, /, **facts: Any) -> None:
        phrase = message if isinstance(message, Phrase) else Phrase(message, **facts)
        super().__init__(code, phrase, rule)
        self.code = code
        self.message = phrase
        self.rule = rule

    @property
    def template(self) -> str:
        return self.message.template

    @property
    def facts(self) -> Mapping[str, Any]:
        return self.message.facts


def refuse_too_much(events: int) -> None:
    """Refuse a command that would make so many *events* (Budget 1). Raises Later."""
    if events > EVENTS_AT_ONCE and AT_ONCE.get():
        raise Later
    if events > MOST_EVENTS:
        sentence = "That would change more than {most} things at once. Do it in several steps."
        raise Refused("over-maximum", sentence, None, most=MOST_EVENTS)


def refuse_ceased(obj: GameObject) -> None:
    """Refuse a token that has ceased to exist."""
    if obj.zone == CEASED:
        raise Refused("gone", "The token {name} has ceased to exist.", None, name=obj.name)
