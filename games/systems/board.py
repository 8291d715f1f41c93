"""What lies on a board: the numbers, buttons and panels of cards, seats and teams."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal

from msgspec import Struct, field

from games.rules.commands import Command
from games.rules.state import GameObject, GameState, Seat
from games.rules.system import System

from .pieces import Act, Becomes, Panel, Stat, Stepper, Tap


def every_number(
    system: System, state: GameState, obj: GameObject, derived: Mapping[str, Any]
) -> Iterator[Stat]:
    """The derived numbers of *obj*, each with the printed one from its `base`."""
    base = getattr(obj, "base", None) or {}
    for name, now in derived.items():
        if type(now) is int:
            yield Stat(name, now, base.get(name))


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


def _no_steppers(system: System, state: GameState, holder: Any) -> Iterable[Stepper]:
    return ()


def _no_table(system: System, state: GameState) -> Iterable[Stepper]:
    return ()


def _only_by_its_own(before: GameState, after: GameState, holder: str) -> bool:
    return False


def _no_acts(system: System, state: GameState, obj: GameObject) -> Iterable[Act]:
    return ()


def _always(obj: GameObject) -> bool:
    return True


class Foretelling(Struct, frozen=True, kw_only=True):
    """What becomes of numbers that cards of the table change, before a command is given."""

    gives: Callable[[System, GameState, Stepper], Iterable[Becomes]]
    """What one tap of a stepper's plus gives, by the seat that taps where that matters, if what
    stands may change it. It depends on standings, objects, teams and the flags of seats only."""
    becomes: Callable[[System, GameState, Mapping[str, Any]], Iterable[Becomes]]
    """What a command that puts counters of one kind on one holder would put, where what stands
    changes it: in the usual order first, then in each order that ends with another number. Nothing
    if it is put as it is."""
    ways: Callable[[System, GameState, Command], Iterable[Becomes]]
    """The orders in which what stands may change what a command puts, where it matters."""
    foretold: frozenset[str]
    """The kinds of events that say so when it happens; a form tells them before it is sent."""
    completed: Callable[[System, GameState, Mapping[str, Any]], Mapping[str, Any]]
    """A seat's command with all that it means: a form may say in short what takes several."""


class Board(Struct, frozen=True, kw_only=True):
    """The board of a game. Every field has a default, generated from the rules."""

    kind: Literal["cards", "slots"] = "cards"
    """What lies on it: cards, or slot counters."""
    taps: Mapping[str, Tap] = field(default_factory=dict)
    """The system's own buttons."""
    zone_names: bool | None = None
    """Whether each zone of the field has a heading; None is only if there are several."""
    types: tuple[str, ...] = ()
    """The first of these that a card has is the type it is drawn as."""
    heroes: frozenset[str] = frozenset()
    """The types that are drawn big."""
    stats: Callable[[System, GameState, Any, Mapping[str, Any]], Iterable[Stat]] = every_number
    """The stats of an object, given its derived values."""
    object_steppers: Callable[[System, GameState, Any], Iterable[Stepper]] = counters_on
    """The numbers with buttons on an object."""
    seat_steppers: Callable[[System, GameState, Any], Iterable[Stepper]] = _no_steppers
    """The numbers of a seat that come before its counters."""
    team_steppers: Callable[[System, GameState, Any], Iterable[Stepper]] = _no_steppers
    """The numbers of a team that come before its counters."""
    table: Callable[[System, GameState], Iterable[Stepper]] = _no_table
    """The numbers of the table itself, which stand in the strip before the seats."""
    acts: Callable[[System, GameState, Any], Iterable[Act]] = _no_acts
    """What one tap on an object can do."""
    stacked: Callable[[Any], bool] = _always
    """Whether an object shares a row with others that are alike, as twenty tokens do."""
    player_kinds: tuple[str, ...] = ()
    """The kinds of counters that players have, the usual ones first."""
    always_shown: tuple[str, ...] = ()
    """The kinds of a player that are shown even at 0."""
    redraws: frozenset[str] = frozenset()
    """The kinds of counters that change more of the board than their own number."""
    panel: Callable[[System, GameState, Any, Sequence[Stepper]], Panel] = first_number
    """The panel of a seat, given its own numbers and counters."""
    turns: str = "one"
    """Whose a turn is: "one" seat's after the other, "all" seats' at once, or "none": no one's."""
    shown_by_all: Callable[[GameState, GameState, str], bool] = _only_by_its_own
    """Whether every panel and card may show what a command changed on a holder, given the states
    before and after. Else only it and the panels of its seat, or its owner, controller and team,
    are worked out."""
    next_phases: tuple[str, ...] | None = None
    """The phases that the next step goes to; the others are begun from the header. None is all."""
    foretelling: Foretelling | None = None
    """How cards of the table change numbers on their way in; None if none do."""

    def completed(
        self, system: System, state: GameState, command: Mapping[str, Any]
    ) -> Mapping[str, Any]:
        """A seat's *command* with all that it means; see `Foretelling.completed`."""
        if self.foretelling is None:
            return command
        return self.foretelling.completed(system, state, command)
