"""Pokémon in play: how they come, change places and leave."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, ClassVar

from games.rules.cards import arrives, change_zone
from games.rules.commands import (
    ID,
    KINDS,
    NAME,
    OBJECT,
    SEAT,
    ZONE,
    Command,
    Parameter,
    Terms,
    whole,
)
from games.rules.events import Created, Event
from games.rules.marks import refuse_off_field
from games.rules.seating import refuse_taken
from games.rules.state import GameState, Kinds, Refused
from games.rules.system import System, cites

from .card import (
    ACTIVE,
    ASLEEP,
    BENCH,
    MOST_PRIZES,
    PARALYZED,
    TURN,
    Pokemon,
    active,
    bench,
    in_play,
    phase,
    player,
    pokemon,
    tens,
    their_turn,
    turn_number,
    worth,
)
from .conditions import all_end
from .damage import refuse_odd_kinds
from .facts import CameIntoPlay, HadPokemon, Promoted, Retreated, Switched

HP = tens(0, 990)
WORTH = whole(0, MOST_PRIZES)


# Coming and leaving


class Create(Command, frozen=True, kw_only=True):
    """Bring a Pokémon to the table, under its owner: by default the seat that does it.

    Without a zone it goes to the Bench, or to the Active Spot if it is the first. Without `prizes`,
    its name tells how many it is worth.
    """

    verb: ClassVar[str] = "create"
    as_: Annotated[str, Parameter(ID)]
    name: Annotated[str | None, Parameter(NAME)] = None
    hp: Annotated[int, Parameter(HP)] = 0
    prizes: Annotated[int | None, Parameter(WORTH)] = None
    zone: Annotated[str | None, Parameter(ZONE)] = None
    owner: Annotated[str | None, Parameter(ID, names=SEAT)] = None
    counters: Annotated[Kinds | None, Parameter(KINDS)] = None

    def check(self, system: Terms) -> None:
        refuse_odd_kinds(self.counters)


@cites("Bench 1", "Prizes 2")
def create(system: System, state: GameState, command: Create) -> Iterator[Event]:
    refuse_taken(state, command.as_)
    owner, name = command.owner or command.by, command.name or command.as_
    first = next(in_play(state, owner), None) is None
    zone = command.zone or (ACTIVE if first else BENCH)
    refuse_full(state, owner, zone)
    mon = Pokemon(
        id=command.as_,
        name=name,
        zone=zone,
        owner=owner,
        controller=owner,
        hp=command.hp,
        prizes=worth(name) if command.prizes is None else command.prizes,
        came=turn_number(state),
    )
    counters = command.counters or {}
    if any(counters.values()):
        system.counters.can_hold(system, state, mon)
        _refuse_prizes(counters)
    yield from arrives(system, state, Created.of(mon), mon, counters)


def _refuse_prizes(counters: Kinds) -> None:
    if counters.get("prizes"):
        raise Refused("wrong-target", "Prize cards belong to players, not to Pokémon.", "Prizes 1")


@cites("Bench 1")
def refuse_full(state: GameState, seat: str, zone: str) -> None:
    """Refuse a second Active Pokémon, and more on the Bench than there is room for."""
    there = active(state, seat)
    if zone == ACTIVE and there:
        sentence = "{name} is already in the Active Spot."
        raise Refused("no-room", sentence, "Bench 1", name=there.name)
    limit = player(state, seat).bench_limit
    if zone == BENCH and len(bench(state, seat)) >= limit:
        raise Refused("no-room", "The Bench is full: {n} Pokémon at most.", "Bench 1", n=limit)


class Move(Command, frozen=True, kw_only=True):
    """Change the zone of a Pokémon. It loses everything on it if it leaves play. A move to the
    Active Spot is a switch.
    """

    verb: ClassVar[str] = "move"
    object: Annotated[str, Parameter(ID, names=OBJECT)]
    to: Annotated[str, Parameter(ZONE)]
    counters: Annotated[Kinds | None, Parameter(KINDS)] = None

    def check(self, system: Terms) -> None:
        refuse_odd_kinds(self.counters)


@cites("In play 1", "Prizes 6")
def move(system: System, state: GameState, command: Move) -> Iterator[Event]:
    mon = pokemon(state, command.object)
    enters = command.to in mon.field_zones and not mon.on_field
    if command.counters is not None and not enters:
        raise Refused("wrong-target", "Only a Pokémon that comes into play can bring counters.")
    if command.to == mon.zone:
        return
    if enters:
        yield from _comes(system, state, mon, command)
    elif command.to == ACTIVE:
        yield from _becomes_active(state, mon)
    elif command.to == BENCH:
        sentence = "Which Benched Pokémon takes the place of {name}? Switch it in."
        raise Refused("choose", sentence, "Switch 1", name=mon.name)
    else:
        yield change_zone(state, mon, command.to)


@cites("Knocked Out 7")
def _refuse_past_the_bench(state: GameState, mon: Pokemon, to: str) -> None:
    """A new Active Pokémon comes from the Bench, as long as it is asked for."""
    asked = any(each.kind == "promote" and each.to == mon.owner for each in state.prompts)
    if to == ACTIVE and asked:
        sentence = "The new Active Pokémon comes from the Bench."
        raise Refused("wrong-target", sentence, "Knocked Out 7")


def _comes(system: System, state: GameState, mon: Pokemon, command: Move) -> Iterator[Event]:
    _refuse_past_the_bench(state, mon, command.to)
    refuse_full(state, mon.owner, command.to)
    counters = command.counters or {}
    _refuse_prizes(counters)
    there = change_zone(state, mon, command.to, controller=mon.owner)
    came = CameIntoPlay(
        there.object,
        there.from_,
        there.to,
        there.how,
        there.had,
        there.controller,
        turn=turn_number(state),
    )
    yield from arrives(system, state, came, came.evolve(state).objects[mon.id], counters)


def note_pokemon(
    system: System, state: GameState, event: Created | CameIntoPlay
) -> Iterator[Event]:
    """From now on, the owner of a Pokémon that comes into play has had one in this game."""
    obj = state.objects[event.object]
    if obj.on_field and not player(state, obj.owner).had_pokemon:
        yield HadPokemon(obj.owner)


# Changing places


class Switch(Command, frozen=True, kw_only=True):
    """Switch a Benched Pokémon in by an effect; the Active one goes to the Bench."""

    verb: ClassVar[str] = "switch"
    object: Annotated[str, Parameter(ID, names=OBJECT)]


@cites("Switch 1")
def switch(system: System, state: GameState, command: Switch) -> Iterator[Event]:
    mon = pokemon(state, command.object)
    refuse_off_field(mon)
    if mon.zone != BENCH:
        raise Refused("wrong-target", "{name} is not on the Bench.", "Switch 1", name=mon.name)
    yield from _becomes_active(state, mon)


@cites("Switch 1", "Conditions 3")
def _becomes_active(state: GameState, mon: Pokemon) -> Iterator[Event]:
    before = active(state, mon.owner)
    if before is None:
        yield Promoted(mon.id, mon.owner)
        return
    yield from all_end(before, "Conditions 3")
    yield Switched(mon.owner, before.id, mon.id)


class Retreat(Command, frozen=True, kw_only=True):
    """The Active Pokémon retreats; its player has paid the cost and names its replacement."""

    verb: ClassVar[str] = "retreat"
    object: Annotated[str, Parameter(ID, names=OBJECT)]
    to: Annotated[str, Parameter(ID, names=OBJECT)]


@cites("Retreat 1", "Asleep 1", "Paralyzed 1", "Confused 3", "Attack 2", "Turn 3")
def retreat(system: System, state: GameState, command: Retreat) -> Iterator[Event]:
    mon, comes = pokemon(state, command.object), pokemon(state, command.to)
    refuse_off_field(mon)
    refuse_not_active(mon)
    if comes.owner != mon.owner or comes.zone != BENCH:
        sentence = "{name} is not on the same player's Bench."
        raise Refused("wrong-target", sentence, "Retreat 1", name=comes.name)
    refuse_out_of_turn(state, mon, "Retreat 1")
    if mon.turned in (ASLEEP, PARALYZED):
        raise held_back(mon, mon.turned, "{name} is {thing} and cannot retreat.")
    if mon.cannot_retreat:
        raise Refused("prohibited", "{name} can't retreat now.", "Attack 2", name=mon.name)
    if player(state, mon.owner).retreated:
        sentence = "You have already retreated this turn. A switch by a card is not a retreat."
        raise Refused("prohibited", sentence, "Retreat 1")
    yield from all_end(mon, "Conditions 3")
    yield Retreated(mon.owner, mon.id, comes.id)


def held_back(mon: Pokemon, condition: str, sentence: str) -> Refused:
    rule = "Asleep 1" if condition == ASLEEP else "Paralyzed 1"
    facts = {"name": mon.name, "thing": condition.capitalize()}
    return Refused("prohibited", sentence, rule, **facts)


def refuse_not_active(mon: Pokemon) -> None:
    if mon.zone != ACTIVE:
        raise Refused("wrong-target", "{name} is not Active.", "Bench 1", name=mon.name)


def refuse_out_of_turn(state: GameState, mon: Pokemon, rule: str) -> None:
    """Refuse what a player can do only in their own turn and before attacking."""
    if not their_turn(state, mon.owner) or phase(state) != TURN:
        sentence = "You can do that only in your own turn, before you attack."
        raise Refused("wrong-phase", sentence, rule)
