"""Contents of a board: the numbers, buttons and panels of cards, seats and teams."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar

from msgspec import Struct, field

from games.rules.commands import Command, Itself
from games.rules.modifiers import Changeable
from games.rules.state import GameObject, GameState, Seat
from games.rules.system import System

from .controls import SHARED_TAPS, Act, AmountPreview, Panel, Stat, Stepper, Tap
from .sheets import Label


def every_number(
    system: System, state: GameState, obj: GameObject, derived: Mapping[str, Any]
) -> Iterator[Stat]:
    """The derived numbers of *obj*, each with the printed one from its `base`, and with what
    effects change until the turn ends."""
    base = getattr(obj, "base", None) or {}
    later = None
    if isinstance(obj, Changeable) and obj.changes:
        later = system.derived(system, state, obj.lasting)
    for name, now in derived.items():
        if type(now) is int:
            ending = now - (later.get(name) or 0) if later else 0
            yield Stat(name, now, base.get(name), ending)


def counters_on(system: System, state: GameState, obj: GameObject) -> Iterator[Stepper]:
    """The counters on *obj*, in order of kind."""
    for kind, amount in sorted(state.on(obj.id).items()):
        yield Stepper(obj.id, kind, amount)


def counted(state: GameState, obj: GameObject, *kinds: str) -> Iterator[Stepper]:
    """A stepper for each of *kinds* on *obj*, even at 0."""
    there = state.on(obj.id)
    for kind in kinds:
        yield Stepper(obj.id, kind, there.get(kind, 0))


def first_number(system: System, state: GameState, seat: Seat, numbers: Sequence[Stepper]) -> Panel:
    """The first of a seat's own *numbers* big, the others in their order."""
    hero = next((each for each in numbers if each.big), numbers[0] if numbers else None)
    return Panel(hero, places=tuple(each for each in numbers if each is not hero))


class Previews(Struct, frozen=True, kw_only=True):
    """Previews of numbers that cards of the table change, before a command is given."""

    gives: Callable[[Itself, GameState, Stepper], Iterable[AmountPreview]]
    """The results of one tap on a stepper's plus, by the tapping seat where that matters, if
    standings may change it. They depend on standings, objects, teams and the flags of seats
    only."""
    becomes: Callable[[Itself, GameState, Mapping[str, Any]], Iterable[AmountPreview]]
    """The results of a command that puts counters of one kind on one holder, where standings
    change it: in the usual order first, then in each order that ends with another number.
    Nothing if it is put as it is."""
    ways: Callable[[Itself, GameState, Command], Iterable[AmountPreview]]
    """The orders in which what stands may change what a command puts, where it matters."""
    kinds: frozenset[str]
    """The kinds of events that say so when it happens; a form tells them before it is sent."""
    told: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """By verb of which a form tells more: the kinds of events that it tells."""
    whom: Mapping[str, Callable[[Itself, GameState, Mapping[str, Any], str, Label], Any]] = field(
        default_factory=dict
    )
    """By verb of an attack, complete or not: what that seat may attack, as `attacks.Target`s."""


class Board(Struct, frozen=True, kw_only=True):
    """The board of a game: its fields are lists that games fill in, its methods are questions that
    a game's own board answers. Every default is generated from the rules."""

    taps: Mapping[str, Tap] = field(default_factory=dict)
    """The system's own buttons."""
    types: tuple[str, ...] = ()
    """The first of these that a card has is the type it is drawn as."""
    player_kinds: tuple[str, ...] = ()
    """The kinds of counters that players have, the usual ones first."""
    always_shown: tuple[str, ...] = ()
    """The kinds of a player that are shown even at 0."""
    plain: frozenset[str] = frozenset()
    """The numbers that change nothing of the board but themselves, though rules know them: fields
    of seats, and kinds of counters, which may lower a card's stats and what its panel says is left.
    """
    heroes: ClassVar[frozenset[str]] = frozenset()
    """The types that are drawn big."""
    finishing_questions: ClassVar[frozenset[str]] = frozenset()
    """The kinds of questions whose answer finishes an act: it is of the same line of the log, and
    is undone with it. If they come from a seat, that one may answer, too."""
    kind: ClassVar[str] = "cards"
    """Kind of board: "cards", or "slots" for slot counters."""
    passed_phases: ClassVar[tuple[str, ...]] = ()
    """The phases through which the next turn's button goes where a number changes by itself."""

    @property
    def counting_phases(self) -> tuple[str, ...]:
        """The phases in which the next step follows from counters, too."""
        return ()

    def stats(
        self, system: Itself, state: GameState, obj: Any, derived: Mapping[str, Any], /
    ) -> Iterable[Stat]:
        """The stats of an object, given its derived values."""
        return every_number(system, state, obj, derived)

    def object_steppers(self, system: Itself, state: GameState, obj: Any, /) -> Iterable[Stepper]:
        """The numbers with buttons on an object: every counter on it, for a kind that is left out
        is shown nowhere, and those that are shown even at 0."""
        return counters_on(system, state, obj)

    def upcoming(self, system: Itself, state: GameState, /) -> Sequence[str] | None:
        """The seats in the order of their next turns; None if that is the table's."""
        return None

    def seat_steppers(self, system: Itself, state: GameState, seat: Any, /) -> Iterable[Stepper]:
        """The numbers of a seat or team that come before its counters."""
        return ()

    def table(self, system: Itself, state: GameState, /) -> Iterable[Stepper]:
        """The numbers of the table itself, which stand in the strip before the seats."""
        return ()

    def acts(self, system: Itself, state: GameState, obj: Any, /) -> Iterable[Act]:
        """The acts of an object, one tap each."""
        return ()

    def stacked(self, obj: Any, /) -> bool:
        """True if an object shares a row with others that are alike, as twenty tokens do."""
        return True

    def panel(
        self, system: Itself, state: GameState, seat: Any, numbers: Sequence[Stepper], /
    ) -> Panel:
        """The panel of a seat, given its own numbers and counters."""
        return first_number(system, state, seat, numbers)

    def shown_by_all(self, before: GameState, after: GameState, holder: str, /) -> bool:
        """True if every panel and card may show what a command changed on a holder. Else only it
        and the panels of its seat, or its owner, controller and team, are worked out."""
        return False

    def next_phases(self, system: System, state: GameState, /) -> Sequence[str]:
        """The phases that the next step goes to; the others are begun from the header, unless a
        number changes by itself in them."""
        return system.phases

    @property
    def turns(self) -> str:
        """Owner of a turn: "one" seat after the other, "all" seats at once, or "none": then the
        board shows no turn unless one has begun."""
        return "one"

    @property
    def counts(self) -> bool:
        """True if something is counted besides slot counters on their board, or rules have buttons
        there."""
        return False

    @property
    def redraws(self) -> frozenset[str]:
        """The kinds of counters that change more of the board than their own number."""
        return frozenset()

    @property
    def previews(self) -> Previews | None:
        """Previews of numbers that cards of the table change on their way in; None if none do."""
        return None

    def lowers(self, number: Stepper) -> bool:
        """True if *number* lowers the stats of its card."""
        tap = self.taps.get(number.increment) or SHARED_TAPS.get(number.increment)
        return tap is not None and tap.lowers
