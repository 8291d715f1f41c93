"""Cards that come, go and turn over; what is printed on them; and the Spell that resolved."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar

from games.rules import cards
from games.rules.commands import AMOUNT, FLAG, ID, KIND, OBJECT, Command, one_or_more, parameter
from games.rules.events import Event, Placed
from games.rules.state import GameState, Refused
from games.rules.system import System, cites

from .card import (
    GAINS,
    MAXIMUM,
    PERMITS,
    THRESHOLDS,
    ZONES,
    Card,
    Gain,
    Permit,
    bound,
    card,
    duelist,
)
from .counters import hindrance, room
from .facts import (
    Flipped,
    KindOpened,
    Permitted,
    Registered,
    Revoked,
    SpellResolved,
    Watched,
)
from .kinds import FIELD_ZONES, KINDS


@dataclass(frozen=True, slots=True, kw_only=True)
class Create(cards.CreateEmpty):
    """Bring a card to the table, without counters, with what its text says about them.

    permits: kinds it may hold. on_spell: what it places on itself when a Spell resolves.
    thresholds: the numbers at which to tell the table.
    """

    face_down: bool = parameter(FLAG, False)
    permits: Mapping[str, Permit] | None = parameter(PERMITS, None)
    on_spell: Mapping[str, Gain] | None = parameter(GAINS, None)
    thresholds: Mapping[str, int] | None = parameter(THRESHOLDS, None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Flip(Command):
    """Turn a card on the field face down or face up."""

    verb: ClassVar[str] = "flip"
    object: str = parameter(ID, names=OBJECT)
    face_down: bool = parameter(FLAG)


def flip(system: System, state: GameState, command: Flip) -> Iterator[Event]:
    thing = card(state, command.object)
    cards.refuse_off_field(thing)
    if thing.face_down != command.face_down:
        yield Flipped(thing.id, command.face_down)


# What is printed


@dataclass(frozen=True, slots=True, kw_only=True)
class PermitKind(Command):
    """Let a card hold a kind: its text places it there, or it has gained such an effect."""

    verb: ClassVar[str] = "permit"
    object: str = parameter(ID, names=OBJECT)
    counter: str = parameter(KIND)
    maximum: int | None = parameter(MAXIMUM, None)
    zones: tuple[str, ...] = parameter(ZONES, FIELD_ZONES)


@cites("R11")
def permit(system: System, state: GameState, command: PermitKind) -> Iterator[Event]:
    yield Permitted(command.object, command.counter, command.maximum, command.zones)


@dataclass(frozen=True, slots=True, kw_only=True)
class Revoke(Command):
    """Take the permission to hold a kind from a card."""

    verb: ClassVar[str] = "revoke"
    object: str = parameter(ID, names=OBJECT)
    counter: str = parameter(KIND)


@cites("R11")
def revoke(system: System, state: GameState, command: Revoke) -> Iterator[Event]:
    thing = card(state, command.object)
    if command.counter not in thing.permits:
        said = "{name} has no permission for {kind} counters."
        raise Refused("not-permitted", said, "R11", name=thing.name, kind=command.counter)
    yield Revoked(thing.id, command.counter)


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenKind(Command):
    """Say whether a kind that nobody listed may be on any card, or only where a card says so.

    The same as the setting `open_kinds`, for a new kind that turns up in the middle of a Duel.
    """

    verb: ClassVar[str] = "open-kind"
    counter: str = parameter(KIND)
    open: bool = parameter(FLAG, True)


@cites("R9")
def open_kind(system: System, state: GameState, command: OpenKind) -> Iterator[Event]:
    """A kind that is bound again goes at once from the cards without a permit."""
    kind = command.counter
    if kind in KINDS:
        said = "It is known where {kind} counters are placed: only on cards that say so."
        if KINDS[kind].open:
            said = "It is known where {kind} counters are placed: on any card."
        raise Refused("wrong-target", said, "R9", kind=kind)
    if bound(state, kind) is command.open:
        holders = sorted(each for each, kinds in state.counters.items() if kind in kinds)
        yield KindOpened(kind, command.open, tuple(holders))


@dataclass(frozen=True, slots=True, kw_only=True)
class Register(Command):
    """Say how many of a kind a card places on itself when a Spell resolves; 0: none."""

    verb: ClassVar[str] = "register"
    object: str = parameter(ID, names=OBJECT)
    counter: str = parameter(KIND)
    amount: int = parameter(AMOUNT, 1)
    zones: tuple[str, ...] = parameter(ZONES, FIELD_ZONES)


@cites("R17")
def register(system: System, state: GameState, command: Register) -> Iterator[Event]:
    before = card(state, command.object).on_spell.get(command.counter)
    after = Gain(command.amount, command.zones) if command.amount else None
    if before != after:
        yield Registered(command.object, command.counter, command.amount, command.zones)


@dataclass(frozen=True, slots=True, kw_only=True)
class Watch(Command):
    """Say at which number of a kind to tell the table; 0: when the last comes off.

    Without a number it is not told any more.
    """

    verb: ClassVar[str] = "watch"
    object: str = parameter(ID, names=OBJECT)
    counter: str = parameter(KIND)
    at: int | None = parameter(AMOUNT, None)


@cites("R3")
def watch(system: System, state: GameState, command: Watch) -> Iterator[Event]:
    if card(state, command.object).thresholds.get(command.counter) != command.at:
        yield Watched(command.object, command.counter, command.at)


# A Spell resolved


@dataclass(frozen=True, slots=True, kw_only=True)
class ResolveSpell(Command):
    """A Spell has resolved: each registered card places its own number on itself.

    on: only these cards, where others do not count this Spell; default all that are registered.
    """

    verb: ClassVar[str] = "resolve-spell"
    on: tuple[str, ...] | None = parameter(one_or_more(ID), None, names=OBJECT)


@cites("R17")
def resolve_spell(system: System, state: GameState, command: ResolveSpell) -> Iterator[Event]:
    """Each fills up to its maximum; one that cannot receive counters now is left out.

    A Spell whose activation was negated does not resolve: nobody gives this command then.
    """
    for each in command.on or ():
        if not card(state, each).on_spell:
            said = "{name} places nothing on itself when a Spell resolves."
            raise Refused("wrong-target", said, "R17", name=state.objects[each].name)
    yield SpellResolved(command.by)
    for each in command.on or sorted(state.objects):
        thing = card(state, each)
        if thing.on_spell and thing.applies:
            yield from _own_placements(state, thing)


@cites("R12", "R16", "R19")
def _own_placements(state: GameState, thing: Card) -> Iterator[Event]:
    """What the card's own effect places on it now; nothing if its controller may not place."""
    if duelist(state, thing.controller).prohibited:
        return
    for kind, gain in sorted(thing.on_spell.items()):
        if thing.zone in gain.zones and not hindrance(state, thing, kind, source=thing.id):
            amount = min(gain.amount, room(state, thing, kind))
            if amount > 0:
                yield Placed(thing.id, kind, amount, rule="R17")
