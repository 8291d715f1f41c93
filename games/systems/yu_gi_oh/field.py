"""Cards that arrive, leave and turn over; what is printed on them; Spells that resolve."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, ClassVar

from msgspec.structs import replace

from games.rules import cards, marks, modifiers
from games.rules.cards import refuse_while_waiting
from games.rules.commands import (
    AMOUNT,
    FLAG,
    ID,
    KIND,
    OBJECT,
    Command,
    Parameter,
    one_of,
    one_or_more,
    table,
    whole,
)
from games.rules.events import Created, Event, Placed, TurnBegan
from games.rules.marks import refuse_off_field
from games.rules.state import GameState, Refused
from games.rules.system import System, cites
from games.rules.targets import LISTED

from .card import (
    ATK,
    DEF,
    GAINS,
    IN_BATTLE,
    MAXIMUM,
    PER_COUNTER,
    PER_FIELD,
    PERMITS,
    SHIFT,
    STATS,
    THRESHOLDS,
    ZONES,
    Card,
    Gain,
    Permit,
    bound,
    card,
    duelist,
)
from .card_table import KINDS
from .counters import hindrance, room
from .facts import (
    CameFaceDown,
    Flipped,
    KindOpened,
    Permitted,
    Registered,
    Revoked,
    SpellResolved,
    Watched,
    ZoneCorrected,
)
from .zones import FIELD_ZONES

PRINTED = table(one_of(*STATS), AMOUNT)
TIMES = table(one_of(*STATS), whole(0, 99))


class Create(cards.CreateEmpty, frozen=True, kw_only=True):
    """Bring a card to the table, without counters but with what its text says about them.

    permits: the kinds it may hold. on_spell: what it places on itself when a Spell resolves.
    thresholds: the numbers at which the table is alerted. base: its printed ATK, DEF and Level.
    per_counter: by kind, what each counter on it adds to these. per_field: by a part of the field
    and by kind, what each counter there adds. in_battle: what those on any monster add in the
    damage calculation, by a part of the name of what it battles, and by kind.
    """

    face_down: Annotated[bool, Parameter(FLAG)] = False
    permits: Annotated[Mapping[str, Permit] | None, Parameter(PERMITS)] = None
    on_spell: Annotated[Mapping[str, Gain] | None, Parameter(GAINS)] = None
    thresholds: Annotated[Mapping[str, int] | None, Parameter(THRESHOLDS)] = None
    base: Annotated[Mapping[str, int] | None, Parameter(PRINTED)] = None
    per_counter: Annotated[Mapping[str, Mapping[str, int]] | None, Parameter(PER_COUNTER)] = None
    per_field: Annotated[
        Mapping[str, Mapping[str, Mapping[str, int]]] | None, Parameter(PER_FIELD)
    ] = None
    in_battle: Annotated[
        Mapping[str, Mapping[str, Mapping[str, int]]] | None, Parameter(IN_BATTLE)
    ] = None


def create(system: System, state: GameState, command: Create) -> Iterator[Event]:
    """Only its controller, and who named it, have seen the face of a card set face-down."""
    for event in cards.create(system, state, command):
        if isinstance(event, Created) and command.face_down:
            knowing = tuple(dict.fromkeys((event.controller, command.by)))
            yield CameFaceDown.of(replace(event.obj, known_to=knowing))
        else:
            yield event


class Describe(cards.Describe, frozen=True, kw_only=True):
    """Correct what a card says, in any zone; no counter comes or goes with it.

    base: its printed ATK, DEF and Level. per_counter: by kind, what each counter on it adds to
    these, by its own text or that of another card. per_field: as of a new card.
    """

    base: Annotated[Mapping[str, int] | None, Parameter(PRINTED)] = None
    per_counter: Annotated[Mapping[str, Mapping[str, int]] | None, Parameter(PER_COUNTER)] = None
    per_field: Annotated[
        Mapping[str, Mapping[str, Mapping[str, int]]] | None, Parameter(PER_FIELD)
    ] = None

    def said(self) -> dict[str, Any]:
        """A base without a number says nothing."""
        said = cards.Describe.said(self)
        return {key: each for key, each in said.items() if key != "base" or each}


class Alter(modifiers.Alter, frozen=True, kw_only=True):
    """Change ATK, DEF or Level by an effect, until the turn ends or, if `lasting`, for good.

    until: with `later` the next turn of the opponent ends it. swap: ATK and DEF are switched.
    """

    add: Annotated[Mapping[str, int] | None, Parameter(SHIFT)] = None
    multiply: Annotated[Mapping[str, int] | None, Parameter(TIMES)] = None
    set: Annotated[Mapping[str, int] | None, Parameter(PRINTED)] = None


@cites("Stats 1", "Stats 3")
def alter(system: System, state: GameState, command: Alter) -> Iterator[Event]:
    """Refused for a card that is face-down, or has not that number."""
    for each in command.object:
        obj = card(state, each)
        refuse_off_field(obj)
        if obj.face_down:
            sentence = "{name} is face-down: its numbers do not change."
            raise Refused("wrong-target", sentence, "Stats 3", name=obj.name)
        named = {stat for amounts in command.given().values() for stat in amounts}
        if not (named or {ATK, DEF}) <= obj.base.keys():
            sentence = "{name} has no such number."
            raise Refused("wrong-target", sentence, "Stats 1", name=obj.name)
    yield from modifiers.alter(system, state, command)


@cites("Stats 4")
def begin_turn(system: System, state: GameState, command: cards.BeginTurn) -> Iterator[Event]:
    """Changes that were only until the turn ended end with it."""
    refuse_while_waiting(state)
    back = marks.go_back(system, state, command.active)
    for event in (*back, *modifiers.end(state, "Stats 4")):
        state = event.evolve(state)
        yield event
    yield TurnBegan(command.active, system.phases[0], marks.temporary(state))


class Flip(Command, frozen=True, kw_only=True):
    """Turn cards on the field face-down or face-up, all or none."""

    verb: ClassVar[str] = "flip"
    object: Annotated[tuple[str, ...], Parameter(LISTED, names=OBJECT)]
    face_down: Annotated[bool, Parameter(FLAG)]


def flip(system: System, state: GameState, command: Flip) -> Iterator[Event]:
    for each in command.object:
        obj = card(state, each)
        refuse_off_field(obj)
        if obj.face_down != command.face_down:
            yield Flipped(obj.id, command.face_down)


class CorrectZone(Command, frozen=True, kw_only=True):
    """A system's text for an id of its own: a zone, a choice, a condition."""

    verb: ClassVar[str] = "correct-zone"
    object: Annotated[str, Parameter(ID, names=OBJECT)]
    to: Annotated[str, Parameter(one_of(*FIELD_ZONES))]


@cites("R6", "R14")
def correct_zone(system: System, state: GameState, command: CorrectZone) -> Iterator[Event]:
    """Its counters and marks stay, for it never changed zones: it held them in that zone all along.

    So a text that was said to allow a kind only elsewhere allows it there too. Counters that were
    lost by leaving the field do not come back: undo the move instead.
    """
    obj = card(state, command.object)
    refuse_off_field(obj)
    if obj.zone == command.to:
        return
    for kind in sorted(state.on(obj.id)):
        permit = obj.permits.get(kind)
        if permit and command.to not in permit.zones:
            yield Permitted(obj.id, kind, permit.maximum, (*permit.zones, command.to))
    yield ZoneCorrected(obj.id, obj.zone, command.to)


# What is printed


class PermitKind(Command, frozen=True, kw_only=True):
    """Let cards hold a kind: their own text places it there, or they gained such an effect."""

    verb: ClassVar[str] = "permit"
    object: Annotated[tuple[str, ...], Parameter(LISTED, names=OBJECT)]
    counter: Annotated[str, Parameter(KIND)]
    maximum: Annotated[int | None, Parameter(MAXIMUM)] = None
    zones: Annotated[tuple[str, ...], Parameter(ZONES)] = FIELD_ZONES


@cites("R11")
def permit(system: System, state: GameState, command: PermitKind) -> Iterator[Event]:
    for each in command.object:
        yield Permitted(each, command.counter, command.maximum, command.zones)


class Revoke(Command, frozen=True, kw_only=True):
    """Take away the permission of cards to hold a kind, of all or none."""

    verb: ClassVar[str] = "revoke"
    object: Annotated[tuple[str, ...], Parameter(LISTED, names=OBJECT)]
    counter: Annotated[str, Parameter(KIND)]


@cites("R11")
def revoke(system: System, state: GameState, command: Revoke) -> Iterator[Event]:
    for each in command.object:
        obj = card(state, each)
        if command.counter not in obj.permits:
            sentence = "{name} does not have permission for {kind} counters."
            raise Refused("not-permitted", sentence, "R11", name=obj.name, kind=command.counter)
        yield Revoked(obj.id, command.counter)


class OpenKind(Command, frozen=True, kw_only=True):
    """Say whether an unlisted kind may be on any card, or only on cards that say so.

    Does the same as the setting `open_kinds`, for a new kind that turns up during a Duel.
    """

    verb: ClassVar[str] = "open-kind"
    counter: Annotated[str, Parameter(KIND)]
    open: Annotated[bool, Parameter(FLAG)] = True


@cites("R9")
def open_kind(system: System, state: GameState, command: OpenKind) -> Iterator[Event]:
    """If a kind becomes bound again, cards without a permit lose it at once."""
    kind = command.counter
    if kind in KINDS:
        sentence = "The rule for {kind} counters is known: only on cards that say so."
        if KINDS[kind].open:
            sentence = "The rule for {kind} counters is known: on any card."
        raise Refused("wrong-target", sentence, "R9", kind=kind)
    if bound(state, kind) is command.open:
        holders = sorted(holder for holder, kinds in state.counters.items() if kind in kinds)
        yield KindOpened(kind, command.open, tuple(holders))


class Register(Command, frozen=True, kw_only=True):
    """Say how many of a kind a card places on itself when a Spell resolves; 0 for none."""

    verb: ClassVar[str] = "register"
    object: Annotated[str, Parameter(ID, names=OBJECT)]
    counter: Annotated[str, Parameter(KIND)]
    amount: Annotated[int, Parameter(AMOUNT)] = 1
    zones: Annotated[tuple[str, ...], Parameter(ZONES)] = FIELD_ZONES


@cites("R17")
def register(system: System, state: GameState, command: Register) -> Iterator[Event]:
    before = card(state, command.object).on_spell.get(command.counter)
    after = Gain(command.amount, command.zones) if command.amount else None
    if before != after:
        yield Registered(command.object, command.counter, command.amount, command.zones)


class Watch(Command, frozen=True, kw_only=True):
    """Say at which number of a kind the table is alerted; 0 is when the last one is removed.
    Without a number the alert ends.
    """

    verb: ClassVar[str] = "watch"
    object: Annotated[str, Parameter(ID, names=OBJECT)]
    counter: Annotated[str, Parameter(KIND)]
    at: Annotated[int | None, Parameter(AMOUNT)] = None


@cites("R3")
def watch(system: System, state: GameState, command: Watch) -> Iterator[Event]:
    if card(state, command.object).thresholds.get(command.counter) != command.at:
        yield Watched(command.object, command.counter, command.at)


# A Spell resolved


class ResolveSpell(Command, frozen=True, kw_only=True):
    """A Spell has resolved: each registered card places its own number on itself.

    on: only these cards, if others do not count this Spell; by default all registered cards.
    """

    verb: ClassVar[str] = "resolve-spell"
    on: Annotated[tuple[str, ...] | None, Parameter(one_or_more(ID), names=OBJECT)] = None


@cites("R17")
def resolve_spell(system: System, state: GameState, command: ResolveSpell) -> Iterator[Event]:
    """Each card fills up to its maximum; cards that cannot receive counters now are skipped.

    A Spell whose activation was negated does not resolve, so this command is not given for it.
    """
    for card_id in command.on or ():
        if not card(state, card_id).on_spell:
            sentence = "{name} does not place counters on itself when a Spell resolves."
            raise Refused("wrong-target", sentence, "R17", name=state.objects[card_id].name)
    yield SpellResolved(command.by)
    for card_id in command.on or sorted(state.objects):
        obj = card(state, card_id)
        if obj.on_spell and obj.applies:
            yield from _own_placements(state, obj)


@cites("R12", "R16", "R19")
def _own_placements(state: GameState, obj: Card) -> Iterator[Event]:
    """Counters the card's own effect places on it now; none if its controller is prohibited."""
    if duelist(state, obj.controller).prohibited:
        return
    for kind, gain in sorted(obj.on_spell.items()):
        if obj.zone in gain.zones and not hindrance(state, obj, kind, source=obj.id):
            amount = min(gain.amount, room(state, obj, kind))
            if amount > 0:
                yield Placed(obj.id, kind, amount, rule="R17")
