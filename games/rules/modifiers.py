"""Changes that effects make to a card's numbers, until the turn ends or for good.

They apply in the order they were made: the latest set replaces what is printed, additions and
multiplications follow, switches come last. Systems differ in which numbers, and in when counters
count. Source: docs/COMMANDS.md, Evening 8 and 9; Grand Archive and Magic have them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Annotated, Any, ClassVar, Self

from msgspec import Struct, field
from msgspec.structs import replace

from .commands import FLAG, OBJECT, Command, Parameter, Terms, invalid, one_of
from .events import Event
from .marks import LATER, NEXT, OWN, TURN, ends_with, refuse_off_field
from .state import GameObject, GameState, Kinds, Restores, from_facts, is_over, waits
from .system import System
from .targets import LISTED, one_after_another

FURTHEST = 2**53 - 1
"""The largest number, and below 0 the smallest: a browser shows no larger whole number exactly."""


class Change(Struct, frozen=True):
    """One effect's changes to the numbers of a card.

    how: add, multiply, set or swap. amounts: by number; empty for a swap.
    lasting: it does not end with the turn. later: whose next turn ends it, as that of marks.
    """

    how: str
    amounts: Mapping[str, int] = field(default_factory=dict)
    lasting: bool = False
    later: str | None = None


def _restored(changes: Any) -> tuple[Change, ...]:
    return tuple(from_facts(Change, change) for change in changes)


class Changeable(GameObject, frozen=True):
    """A card whose numbers effects can change; a change of zones ends the changes."""

    restores: ClassVar[Restores] = {"changes": _restored}
    changes: tuple[Change, ...] = ()

    def moved(self, zone: str, controller: str, had: Kinds) -> Self:
        return replace(GameObject.moved(self, zone, controller, had), changes=())

    def without_temporary(self) -> Self:
        """The card as the turn ends: only what lasts stays."""
        return self.lasting

    def in_turn_of(self, active: Collection[str], gone: Collection[str] = ()) -> Self:
        changes = tuple(
            replace(change, later=None)
            if change.later and not waits(change.later, active, gone)
            else change
            for change in self.changes
            if not is_over(change.later or "", (*active, *gone))
        )
        return replace(GameObject.in_turn_of(self, active, gone), changes=changes)

    @property
    def temporary(self) -> bool:
        return bool(self.until) or any(change.later for change in self.changes)

    def latest(self, name: str, printed: int | None) -> int | None:
        """The last value that number was set to; without one, what is *printed*."""
        for change in self.changes:
            if change.how == "set":
                printed = change.amounts.get(name, printed)
        return printed

    def adjusted(self, name: str, value: int) -> int:
        """*value* after all additions and multiplications, in the order they were made."""
        for change in self.changes:
            amount = change.amounts.get(name)
            if amount is not None and change.how == "add":
                value += amount
            elif amount is not None and change.how == "multiply":
                value *= amount
            value = max(-FURTHEST, min(FURTHEST, value))
        return value

    @property
    def lasting(self) -> Self:
        """The card with those changes only that do not end with the turn."""
        lasting = tuple(change for change in self.changes if change.lasting or change.later)
        return self if len(lasting) == len(self.changes) else replace(self, changes=lasting)

    @property
    def swapped(self) -> bool:
        """True if an odd number of effects switched its two numbers."""
        return sum(change.how == "swap" for change in self.changes) % 2 == 1


def changeable(state: GameState, card_id: str) -> Changeable:
    """The card with that id."""
    card = state.objects[card_id]
    assert isinstance(card, Changeable), card
    return card


# The command


WAYS = ("add", "multiply", "set")


class Alter(Command, frozen=True, kw_only=True):
    """Change the numbers of cards by an effect, until the turn ends or, if `lasting`, for good.

    until: it ends as a mark does. A system adds the ways that it knows, each with its numbers:
    `add`, `multiply`, `set`.
    """

    verb: ClassVar[str] = "change"
    object: Annotated[tuple[str, ...], Parameter(LISTED, names=OBJECT)]
    swap: Annotated[bool, Parameter(FLAG)] = False
    lasting: Annotated[bool, Parameter(FLAG)] = False
    until: Annotated[str | None, Parameter(one_of(TURN, LATER, NEXT, OWN))] = None

    def given(self) -> dict[str, Mapping[str, int]]:
        """The ways with numbers that were given."""
        ways = {way: getattr(self, way, None) for way in WAYS}
        return {way: amounts for way, amounts in ways.items() if amounts is not None}

    def check(self, system: Terms) -> None:
        if len(self.given()) + self.swap != 1:
            known = [way for way in WAYS if hasattr(self, way)]
            raise invalid("Give exactly one of {ways}.", ways=", ".join((*known, "swap")))
        if self.lasting and self.until:
            raise invalid("What lasts for good has no “until”.")


def alter(system: System, state: GameState, command: Alter) -> Iterator[Event]:
    return one_after_another(
        state, command.object, lambda now, each: _altered(now.objects[each], command)
    )


def _altered(obj: GameObject, command: Alter) -> Iterator[Event]:
    refuse_off_field(obj)
    given = command.given()
    yield Changed(
        obj.id,
        add=given.get("add"),
        multiply=given.get("multiply"),
        set=given.get("set"),
        swap=command.swap or None,
        lasting=command.lasting,
        later=ends_with(command.until, command.by),
    )


class Changed(Event, frozen=True):
    """An effect changed numbers; exactly one of add, multiply, set and swap is given."""

    kind: ClassVar[str] = "changed"
    object: str
    add: Mapping[str, int] | None = None
    multiply: Mapping[str, int] | None = None
    set: Mapping[str, int] | None = None
    swap: bool | None = None
    lasting: bool = False
    later: str | None = None

    def evolve(self, state: GameState) -> GameState:
        card = changeable(state, self.object)
        given: dict[str, Any] = {"add": self.add, "multiply": self.multiply, "set": self.set}
        how = next((how for how, amounts in given.items() if amounts is not None), "swap")
        change = Change(how, given.get(how) or {}, self.lasting, self.later)
        return state.with_object(replace(card, changes=(*card.changes, change)))


# The end of the turn


class TurnEnded(Event, frozen=True):
    """*objects* lost all that was only until the turn ended, except marks."""

    kind: ClassVar[str] = "turn-ended"
    objects: tuple[str, ...]

    def evolve(self, state: GameState) -> GameState:
        ended = {each: changeable(state, each).without_temporary() for each in self.objects}
        return replace(state, objects={**state.objects, **ended})

    def touches(self) -> tuple[str, ...]:
        return self.objects


def end(state: GameState, rule: str) -> Iterator[Event]:
    """The changes that do not last end, on all cards at the same moment."""
    ending = [
        card.id
        for card in state.objects.values()
        if isinstance(card, Changeable) and card.without_temporary() != card
    ]
    if ending:
        yield TurnEnded(tuple(sorted(ending)), rule=rule)
