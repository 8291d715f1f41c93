"""How a rule system presents itself: the value that generic screens ask instead of knowing games.

A system's folder may have a `presentation.py` with one `PRESENTATION`. Everything in it is data, or
a small pure function of the state; nothing here knows Django or HTML. What a system leaves unsaid
is generated from its rules: each default below says how.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, NamedTuple

from games.rules.state import GameObject, GameState, Seat, Team, Words, marked
from games.rules.system import System

STRIDE = (1, 10)
"""By how much a tap and a held button change a number, where a system does not say."""


# The board


@dataclass(frozen=True, slots=True)
class Tap:
    """What one button asks for: how its name and its value "holder.kind" become a command.

    do: the verb. holder, kind, source: the parameters that get the holder, the kind of counter, and
    what places it (the holder itself, unless the phone knows a likelier card: `recalled`).
    listed: the holder is given as a list of one. counted: the command says how many. fixed: its
    other parameters.
    changes: the numbers of the holder that may show the change at once, the first that is on the
    board; none where the command names a kind. sign: 1 up, -1 down, 0 if only the server can tell.
    unless: a parameter with which only the server can tell.
    corrects: whether a judge may set that number; correction: the parameter of `correct` that
    names it, where it is not a kind of counter.
    """

    do: str
    holder: str
    kind: str = ""
    source: str = ""
    recalled: bool = False
    listed: bool = False
    counted: bool = False
    fixed: Mapping[str, Any] = field(default_factory=dict)
    changes: tuple[str, ...] = ()
    sign: int = 0
    unless: str = ""
    corrects: bool = False
    correction: str = ""


def facts(tap: Tap) -> dict[str, Any]:
    """What differs from a tap's defaults, for the script that reads it out of the page."""
    usual = Tap(tap.do, tap.holder)
    return {
        part.name: value
        for part in fields(tap)
        if (value := getattr(tap, part.name)) != getattr(usual, part.name)
        or part.name in ("do", "holder")
    }


SHARED_TAPS: Mapping[str, Tap] = {
    "less": Tap("remove", "on", kind="counter", counted=True, sign=-1),
    "more": Tap("place", "on", kind="counter", counted=True, sign=1, corrects=True),
    "begin-phase": Tap("begin-phase", "phase"),
    "begin-turn": Tap("begin-turn", "active", listed=True),
}
"""The buttons of every board; a system adds its own."""


@dataclass(frozen=True, slots=True)
class Stepper:
    """One number between a minus and a plus: a kind of counter, or a number of the system's own.

    decrement, increment: the taps of its buttons (`Tap`); "" for none. big: a hero of the board.
    stride: by how much a tap changes it, and a held button. least, most: how far it goes; no most
    where there is no maximum.
    """

    holder: str
    kind: str
    amount: int
    decrement: str = "less"
    increment: str = "more"
    big: bool = False
    stride: tuple[int, int] = STRIDE
    most: int | None = None
    least: int = 0


@dataclass(frozen=True, slots=True)
class Stat:
    """A printed value as it is now; printed is None where there is nothing to compare."""

    name: str
    now: int
    printed: int | None

    @property
    def trend(self) -> str:
        if self.printed is None or self.printed == self.now:
            return ""
        return "up" if self.now > self.printed else "down"


@dataclass(frozen=True, slots=True)
class Act:
    """Something one tap on the card itself asks for. tap: its `Tap`; label: what it says."""

    tap: str
    label: Words


class Step(NamedTuple):
    """One step from a printed value to the value now: "+2", by "buff", by rule "Buff 1"."""

    change: str
    by: str
    rule: str = ""


def every_number(
    system: System, state: GameState, thing: GameObject, derived: Mapping[str, Any]
) -> Iterator[Stat]:
    """The derived numbers of *thing*, each beside what is printed in its `base`."""
    base = getattr(thing, "base", None) or {}
    for name, now in derived.items():
        if type(now) is int:
            yield Stat(name, now, base.get(name))


def counters_on(system: System, state: GameState, thing: GameObject) -> Iterator[Stepper]:
    """The counters on *thing*, by name."""
    for kind, amount in sorted(state.on(thing.id).items()):
        yield Stepper(thing.id, kind, amount)


def _no_steppers(system: System, state: GameState, holder: Any) -> Iterable[Stepper]:
    return ()


def _no_acts(system: System, state: GameState, thing: GameObject) -> Iterable[Act]:
    return ()


def _no_steps(system: System, state: GameState, thing: GameObject, stat: str) -> Iterable[Step]:
    return ()


# Sheets

Label = Callable[[GameObject], str]
"""How an object is called in a list of several players' cards."""


def _nothing_more(system: System, state: GameState, holder: Any, label: Label) -> Mapping[str, Any]:
    return {}


def _in_play(thing: GameObject) -> bool:
    return thing.on_field


def _no_cards(typed: str) -> Sequence[Any]:
    return ()


# The log


@dataclass(frozen=True, slots=True)
class Sentence:
    """How an event is told.

    text: with places for the event's fields: "%(seat)s drew %(amount)s". "" leaves
    the event out.
    number: the number of `holder` (a field, else a counter) that it changes, told as before →
    after. sign: 1 if the event's
    `amount` is added, -1 if it is taken away; 0 if its `to` is the new value.
    """

    text: Words
    number: str = ""
    sign: int = 0
    holder: str = "seat"


Telling = Sentence | Callable[[Mapping[str, Any]], Sentence | None]
"""A sentence, or the choice of one by the event's fields; None leaves it to the shared ones."""


# A new game

Opening = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Preset:
    """What lies on the table at first. title, sentence: marked words.

    given: the opening for those seats, as a scenario writes it. seats: how many may play, least
    and most. usual: how many mostly do; None leaves the number that is chosen.
    """

    key: str
    title: Words
    sentence: Words
    given: Callable[[Sequence[str]], Opening]
    seats: tuple[int, int] = (1, 8)
    usual: int | None = None


def _only_seats(seats: Sequence[str]) -> Opening:
    return {"seats": {seat: {} for seat in seats}}


EMPTY = Preset("empty", marked("Empty table"), marked("Add cards as you play them."), _only_seats)


# All of it


Curve = tuple[str, str, int]
"""A number of the summary: what is counted, the seat or team whose it is, and how much it is."""


def _no_curves(
    system: System, state: GameState, holder: Seat | GameObject | Team
) -> Iterable[Curve]:
    return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Presentation:
    """How one rule system presents itself, in all its editions.

    Words. words: how ids are said (zones, phases, types, stats, marks, prompts); others are said
    as they are written, with blanks for dashes. numbers: the numbers that are turned like counters
    and are none, with the word for each. sentences: by kind of event; an event without one is told
    by its fields.

    A new game. board: "cards", or "slots" for a table of slot counters. usual_seats: how many sit
    down where no preset says otherwise. presets: the usual one first.

    The board. taps: the system's own buttons. zone_names: whether each zone of the field stands
    under its name; None where there are several. types: of several types, the one that a card is
    drawn as, in this order; heroes: those drawn big. stats, object_steppers, acts: of an object.
    seat_steppers, team_steppers: the numbers before its counters. player_kinds: the kinds that
    players have, the usual ones first; always_shown: those shown also when there are none.
    strides: by how much a tap and a held button change a kind. steps: how a stat came about.

    Sheets. object_verbs, seat_verbs: what is done with an object and with a player, in order; None
    for all verbs of the system's own. edit_verbs: what else an object's sheet offers. object_facts,
    seat_facts: what the system's own templates need besides. listed: whether an object matters to
    what concerns several. several: the verbs that several holders can share, with their titles.
    usual_kinds: the kinds to offer first for an object, None for all that are not players';
    suggested: generic kinds to offer. asks: the parameters of `answer` that answer a prompt, by its
    kind; else all.

    Cards. known_cards: the cards whose name has a text in it, each with `name`, `zone` and
    `printed`, its fields for `create`. kind_question: what to ask about a kind that is new.

    Moments and summary. announced: the rules whose doing every screen is told; news: the events.
    hero: the number that the game is about. curves: the system's own numbers besides counters.
    deals: the verbs by which somebody takes from another's hero number.
    """

    words: Mapping[str, Words] = field(default_factory=dict)
    numbers: Mapping[str, Words] = field(default_factory=dict)
    sentences: Mapping[str, Telling] = field(default_factory=dict)

    board: str = "cards"
    usual_seats: int = 2
    presets: tuple[Preset, ...] = (EMPTY,)

    taps: Mapping[str, Tap] = field(default_factory=dict)
    zone_names: bool | None = None
    types: tuple[str, ...] = ()
    heroes: frozenset[str] = frozenset()
    stats: Callable[[System, GameState, Any, Mapping[str, Any]], Iterable[Stat]] = every_number
    object_steppers: Callable[[System, GameState, Any], Iterable[Stepper]] = counters_on
    seat_steppers: Callable[[System, GameState, Any], Iterable[Stepper]] = _no_steppers
    team_steppers: Callable[[System, GameState, Any], Iterable[Stepper]] = _no_steppers
    acts: Callable[[System, GameState, Any], Iterable[Act]] = _no_acts
    player_kinds: tuple[str, ...] = ()
    always_shown: tuple[str, ...] = ()
    strides: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    steps: Callable[[System, GameState, Any, str], Iterable[Step]] = _no_steps

    object_verbs: tuple[str, ...] | None = None
    seat_verbs: tuple[str, ...] | None = None
    edit_verbs: tuple[str, ...] = ("mark", "control", "copy", "place")
    object_facts: Callable[[System, GameState, Any, Label], Mapping[str, Any]] = _nothing_more
    seat_facts: Callable[[System, GameState, Any, Label], Mapping[str, Any]] = _nothing_more
    listed: Callable[[Any], bool] = _in_play
    several: Mapping[str, Words] = field(default_factory=dict)
    usual_kinds: Callable[[System, Any], Sequence[str]] | None = None
    suggested: tuple[str, ...] = ()
    asks: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    known_cards: Callable[[str], Sequence[Any]] = _no_cards
    kind_question: Words = ""

    announced: frozenset[str] = frozenset()
    news: frozenset[str] = frozenset()
    hero: str = ""
    curves: Callable[[System, GameState, Any], Iterable[Curve]] = _no_curves
    deals: frozenset[str] = frozenset()
