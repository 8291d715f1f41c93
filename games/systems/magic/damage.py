"""Damage: life, poison, marks, loyalty and defense, as rule 120.3 says.

It stays marked on a creature until the turn ends, and kills it where the table plays so
(`effects.die`). Source: docs/COMMANDS.md, Magic 1.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, ClassVar

from msgspec.structs import replace

from games.rules.commands import (
    AMOUNT,
    FLAG,
    HOLDER,
    ID,
    OBJECT,
    Command,
    Parameter,
    whole,
)
from games.rules.events import Event, Removed
from games.rules.marks import refuse_off_field
from games.rules.state import GameState, Refused
from games.rules.system import System, cites
from games.rules.targets import LISTED

from . import designations
from .creatures import has, indestructible
from .facts import Damaged
from .life import counted_for, gained, life_lost
from .player import DEATHTOUCH, POISON, Card
from .put_counters import Puttings
from .replacement_effects import RULE, Putting

DAMAGE, SHIELD = "damage", "shield"
DAMAGEABLE = frozenset({"creature", "planeswalker", "battle"})
TAKEN_OFF = (("planeswalker", "loyalty", "120.3c"), ("battle", "defense", "120.3h"))
"""By type: the counters that damage takes off, and the rule."""


class Damage(Command, frozen=True, kw_only=True):
    """Deal damage to a player or a permanent, or to each of several: all or none.

    source: the permanent that deals it; its controller gains the life of `lifelink` and puts the
    counters of `infect`, `wither` and `toxic`, without a source the player who says so. Its own
    lifelink and deathtouch counters count by themselves.
    toxic: the poison counters that combat damage to a player gives besides.
    """

    verb: ClassVar[str] = "damage"
    on: Annotated[tuple[str, ...], Parameter(LISTED, names=HOLDER)]
    amount: Annotated[int, Parameter(AMOUNT)]
    source: Annotated[str | None, Parameter(ID, names=OBJECT)] = None
    infect: Annotated[bool, Parameter(FLAG)] = False
    wither: Annotated[bool, Parameter(FLAG)] = False
    lifelink: Annotated[bool, Parameter(FLAG)] = False
    deathtouch: Annotated[bool, Parameter(FLAG)] = False
    unpreventable: Annotated[bool, Parameter(FLAG)] = False
    toxic: Annotated[int, Parameter(whole(0, 99))] = 0
    combat: Annotated[bool, Parameter(FLAG)] = False


@cites("120.3f")
def damage(system: System, state: GameState, command: Damage) -> list[Event]:
    if command.source is not None:
        refuse_off_field(state.objects[command.source])
    for on in command.on:
        _refuse_undamageable(state, on)
    if not command.amount:
        return []
    dealer = state.objects[command.source].controller if command.source else command.by
    command = _with_keywords_of_its_source(state, command)
    puttings, events = Puttings(state), list[Event]()
    for on in command.on:
        card = state.objects.get(on)
        if isinstance(card, Card):
            events += _on_permanent(state, card, command, dealer, puttings)
        else:
            events += _on_player(system, state, on, command, dealer, puttings)
    total = sum(event.amount for event in events if isinstance(event, Damaged))
    if command.lifelink and total and not state.seats[dealer].lost:
        events.append(gained(state, dealer, total, rule="120.3f"))
    return events


def _with_keywords_of_its_source(state: GameState, command: Damage) -> Damage:
    """*command* with what its source has by itself."""
    source = state.objects.get(command.source or "")
    return replace(
        command,
        lifelink=command.lifelink or has(state, source, "lifelink"),
        deathtouch=command.deathtouch or has(state, source, DEATHTOUCH),
    )


def _refuse_undamageable(state: GameState, on: str) -> None:
    if not isinstance(card := state.objects.get(on), Card):
        return
    refuse_off_field(card)
    if DAMAGEABLE.isdisjoint(card.types):
        sentence = "{name} is no creature, planeswalker or battle: it takes no damage."
        raise Refused("wrong-target", sentence, "120.1", name=card.name)


@cites("120.1", "120.3a", "120.3b", "120.3g", "903.10a")
def _on_player(
    system: System, state: GameState, seat: str, command: Damage, dealer: str, puttings: Puttings
) -> Iterator[Event]:
    """Combat damage of a commander is counted for the player, too."""
    source = state.objects.get(command.source or "") if command.combat else None
    fighter = source if isinstance(source, Card) and "creature" in source.types else None
    yield Damaged(seat, command.amount, by={fighter.id: command.amount} if fighter else None)
    if isinstance(source, Card) and source.commander:
        yield counted_for(state, seat, source.id, command.amount)
    if fighter:
        yield from designations.taken_in_combat(system, state, seat, fighter.controller)
    if command.infect:
        putting = Putting(dealer, seat, POISON, command.amount, RULE)
        yield from puttings.put(putting, "120.3b")
    else:
        yield from life_lost(state, seat, command.amount, DAMAGE)
    if command.combat and command.toxic:
        yield from puttings.put(Putting(dealer, seat, POISON, command.toxic, RULE), "120.3g")


@cites("120.3c", "120.3d", "120.3e", "120.3h", "120.6", "122.1c", "702.2b")
def _on_permanent(
    state: GameState, card: Card, command: Damage, dealer: str, puttings: Puttings
) -> Iterator[Event]:
    """An object of several types takes all of the damage in each way.

    A shield counter is removed, and prevents damage that can be prevented. What is indestructible
    is not destroyed by deathtouch, which is not looked at again.
    """
    if state.count(card.id, SHIELD):
        yield Removed(card.id, SHIELD, 1, rule="122.1c")
        if not command.unpreventable:
            return
    shrinks = command.infect or command.wither
    creature = "creature" in card.types
    deathtouch = command.deathtouch and creature and not indestructible(state, card)
    marks = creature and not shrinks
    yield Damaged(card.id, command.amount, marks=marks, deathtouch=deathtouch or None)
    if creature and shrinks:
        yield from puttings.put(Putting(dealer, card.id, "-1/-1", command.amount, RULE), "120.3d")
    for type_, kind, rule in TAKEN_OFF:
        if type_ in card.types and (lost := min(command.amount, state.count(card.id, kind))):
            yield Removed(card.id, kind, lost, rule=rule)
