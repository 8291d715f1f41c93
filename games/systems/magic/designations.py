"""Designations: what the game or a player is called, and where a player stands.

The monarch, the initiative, day and night, the Ring, dungeons, the spells of a turn and the planar
die. The table keeps who and where; what follows from it is left to the players.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, ClassVar

from games.rules import marks
from games.rules.commands import (
    AMOUNT,
    FLAG,
    ID,
    OBJECT,
    SEAT,
    Command,
    Parameter,
    each,
    one_of,
    whole,
)
from games.rules.dice import Thrown
from games.rules.events import Answered, Controlled, Event, Marked, PhaseBegan, Prompted
from games.rules.marks import refuse_off_field
from games.rules.state import GameObject, GameState, Prompt, Refused
from games.rules.system import System, cites
from games.rules.targets import one_after_another

from .dungeons import DUNGEONS, exits, room_of
from .facts import (
    DaytimeChanged,
    DungeonCompleted,
    LifeLost,
    RingTempted,
    SpedUp,
    SpellsCast,
    SpellsReset,
    Ventured,
)
from .player import (
    HELD_BY_ONE,
    MOST_SPEED,
    MOST_SPELLS,
    RING_LEVELS,
    TYPES,
    UNDERCITY,
    Card,
    player,
    side,
)
from .rules import here
from .tapping import PHASED_OUT, TAPPED, is_tapped, stunned, unstunned

# Marks that only one can have


def mark(system: System, state: GameState, command: marks.Mark) -> Iterator[Event]:
    return one_after_another(state, command.on, lambda now, on: _marked(system, now, command, on))


@cites("725.3", "726.3", "722.3", "723.3")
def _marked(system: System, state: GameState, command: marks.Mark, on: str) -> Iterator[Event]:
    """Take the monarchy, the initiative or the Ring from its holder.

    What is stunned does not untap.
    """
    if command.mark in HELD_BY_ONE and command.value:
        for seat in state.seats.values():
            if seat.id != on and getattr(seat, command.mark):
                rule = "725.3" if command.mark == "monarch" else "726.3"
                yield Marked(seat.id, command.mark, False, rule=here(system, rule))
    card = state.objects.get(on)
    if command.mark == TAPPED and not command.value and is_tapped(card) and stunned(state, on):
        yield unstunned(on)
        return
    if command.mark == PHASED_OUT and isinstance(card, Card) and card.phased_out:
        yield marks.said(command, on)
        return
    if command.mark == "ring_bearer" and command.value and isinstance(card, Card) and card.on_field:
        yield from _other_bearers(system, state, card)
    yield from marks.marked(system, state, command, on)


@cites("725.2", "726.2", "722.2", "723.2")
def taken_in_combat(system: System, state: GameState, seat: str, by: str) -> Iterator[Event]:
    """Who deals combat damage with a creature to the monarch, or to the player who has the
    initiative, becomes and takes it."""
    for mark, rule in zip(HELD_BY_ONE, ("725.2", "726.2"), strict=True):
        if getattr(state.seats[seat], mark) and by != seat and not state.seats[by].lost:
            yield Marked(seat, mark, False, rule=here(system, rule))
            yield Marked(by, mark, True, rule=here(system, rule))


@cites("701.54a", "701.52a")
def _other_bearers(system: System, state: GameState, card: GameObject) -> Iterator[Event]:
    for other in state.objects.values():
        if isinstance(other, Card) and other.ring_bearer and other.id != card.id:
            if other.controller == card.controller:
                yield Marked(other.id, "ring_bearer", False, rule=here(system, "701.54a"))


@cites("701.54a", "701.52a")
def lose_the_ring(system: System, state: GameState, event: Controlled) -> Iterator[Event]:
    """A Ring-bearer that another player gains control of is one no longer."""
    card = state.objects[event.object]
    if isinstance(card, Card) and card.ring_bearer:
        yield Marked(card.id, "ring_bearer", False, rule=here(system, "701.54a"))


# Day and night


class DayNight(Command, frozen=True, kw_only=True):
    """It becomes day, or night, for the whole game."""

    verb: ClassVar[str] = "day-night"
    to: Annotated[str, Parameter(one_of("day", "night"))]


@cites("731.1", "728.1")
def day_night(system: System, state: GameState, command: DayNight) -> Iterator[Event]:
    before = next((player(state, seat).daytime for seat in state.seats), None)
    if before != command.to:
        yield DaytimeChanged(command.to, before, tuple(state.seats))


@cites("731.2a", "731.2b", "728.2a", "728.2b")
def next_daytime(system: System, state: GameState) -> Iterator[Event]:
    """As a turn ends: it becomes day after two spells of its player, and night after none.

    It says nothing where nobody's spells were counted, in that turn and in the one before: not
    every table counts them.
    """
    before = next((player(state, seat).daytime for seat in state.seats), None)
    cast = {seat: player(state, seat).spells_cast for seat in state.seats}
    counted = any(cast.values()) or any(player(state, seat).spells_before for seat in state.seats)
    if before is None or state.turn is None or not counted:
        return
    own = max((cast[seat] for seat in state.turn.began or state.turn.active), default=0)
    if before == "night" and own >= 2:
        rule = here(system, "731.2b")
        yield DaytimeChanged("day", before, tuple(state.seats), rule=rule)
    elif before == "day" and not own:
        rule = here(system, "731.2a")
        yield DaytimeChanged("night", before, tuple(state.seats), rule=rule)


# Speed


@cites("702.179c", "702.179d")
def speed_up(system: System, state: GameState, event: LifeLost) -> Iterator[Event]:
    """An active player with a speed becomes faster as an opponent loses life, once in a turn."""
    active = state.turn.active if state.turn else ()
    for seat in active if "702.179c" in system.rulebook.rules else ():
        racer = player(state, seat)
        if 0 < racer.speed < MOST_SPEED and not racer.sped_up:
            if side(state, event.seat) != side(state, seat):
                yield SpedUp(seat, racer.speed + 1, rule="702.179c")


# The spells of a turn


class CountSpells(Command, frozen=True, kw_only=True):
    """A player cast spells this turn; the count goes back to 0 when a turn begins.

    types: the card types of each, if they are known. back: a correction: that many were not cast,
    as far as there are.
    """

    verb: ClassVar[str] = "count-spells"
    seat: Annotated[str, Parameter(ID, names=SEAT)]
    amount: Annotated[int, Parameter(AMOUNT)] = 1
    types: Annotated[tuple[str, ...], Parameter(each(one_of(*TYPES)))] = ()
    back: Annotated[bool, Parameter(FLAG)] = False


@cites("702.40a")
def count_spells(system: System, state: GameState, command: CountSpells) -> Iterator[Event]:
    before = player(state, command.seat).spells_cast
    if command.back:
        if by := min(before, command.amount):
            yield Marked(command.seat, "spells_cast", before - by)
        return
    if before + command.amount > MOST_SPELLS:
        sentence = "The table counts at most {most} spells in a turn."
        raise Refused("over-maximum", sentence, None, most=MOST_SPELLS)
    if command.amount:
        yield SpellsCast(command.seat, command.amount, command.types)


def new_turn(system: System, state: GameState) -> Iterator[Event]:
    """It becomes day or night; the spells of the turn that ends are counted no longer."""
    yield from next_daytime(system, state)
    seats = [player(state, seat) for seat in state.seats]
    cast = tuple(
        each.id for each in seats if each.spells_cast or each.spells_before or each.sped_up
    )
    if cast:
        yield SpellsReset(cast)


# The Ring


class Tempt(Command, frozen=True, kw_only=True):
    """The Ring tempts a player, who may choose a creature as Ring-bearer.

    The Ring has four levels; after the fourth it still tempts.
    """

    verb: ClassVar[str] = "tempt"
    seat: Annotated[str, Parameter(ID, names=SEAT)]
    bearer: Annotated[str | None, Parameter(ID, names=OBJECT)] = None


@cites("701.54a", "701.54c", "701.54d", "701.52a", "701.52c", "701.52d")
def tempt(system: System, state: GameState, command: Tempt) -> Iterator[Event]:
    """Without a creature to choose the Ring tempts all the same."""
    bearer = state.objects[command.bearer] if command.bearer else None
    if bearer:
        refuse_off_field(bearer)
        if bearer.controller != command.seat:
            rule = here(system, "701.54a")
            sentence = "{name} is not a creature of the player the Ring tempts."
            raise Refused("wrong-target", sentence, rule, name=bearer.name)
    level = min(player(state, command.seat).ring_level + 1, RING_LEVELS)
    yield RingTempted(command.seat, level)
    if bearer:
        yield from _other_bearers(system, state, bearer)
        yield Marked(bearer.id, "ring_bearer", True)


# Dungeons

ROOM = whole(1, 99)


class Venture(Command, frozen=True, kw_only=True):
    """A player ventures into the dungeon: into the next room, or into the first of a new dungeon.

    dungeon: needed to enter one. room: the number of the next room, where the way forks. In the
    last room the dungeon is completed, and a new one entered.
    """

    verb: ClassVar[str] = "venture"
    seat: Annotated[str, Parameter(ID, names=SEAT)]
    dungeon: Annotated[str | None, Parameter(one_of(*DUNGEONS))] = None
    room: Annotated[int | None, Parameter(ROOM)] = None


@cites("309.4", "701.49a", "701.49b", "701.49c", "701.46a", "701.46b", "701.46c")
def venture(system: System, state: GameState, command: Venture) -> Iterator[Event]:
    explorer = player(state, command.seat)
    ways = exits(explorer.dungeon, explorer.room)
    if ways:
        yield from _next_room(system, state, command, ways)
        return
    inside = room_of(explorer.dungeon, explorer.room) is not None
    rule = here(system, "701.49c" if inside else "701.49a")
    if command.dungeon is None:
        raise Refused("choose", "Which dungeon does the player enter?", rule)
    if command.room not in (None, 1):
        raise Refused("wrong-facts", "A dungeon is entered at its first room.", rule)
    if inside:
        yield _completed(system, state, command.seat)
    yield _entered(command.seat, command.dungeon, 1)


def _next_room(
    system: System, state: GameState, command: Venture, ways: list[int]
) -> Iterator[Event]:
    dungeon = player(state, command.seat).dungeon
    rule = here(system, "701.49b")
    if command.dungeon not in (None, dungeon):
        raise Refused("wrong-facts", "The player is still in another dungeon.", rule)
    if command.room is None and len(ways) > 1:
        raise Refused("choose", "The way forks here. Which room is next?", rule)
    room = command.room or ways[0]
    if room not in ways:
        raise Refused("wrong-facts", "No arrow leads to that room from here.", rule)
    assert dungeon is not None
    yield _entered(command.seat, dungeon, room)


def _entered(seat: str, dungeon: str, room: int) -> Ventured:
    name = room_of(dungeon, room)
    assert name is not None, (dungeon, room)
    return Ventured(seat, dungeon, room, name)


def _completed(system: System, state: GameState, seat: str) -> DungeonCompleted:
    explorer = player(state, seat)
    assert explorer.dungeon is not None, seat
    times = explorer.dungeons_completed + 1
    return DungeonCompleted(seat, explorer.dungeon, times, rule=here(system, "309.7"))


UPKEEP = "upkeep"


def begins_with(state: GameState) -> tuple[str, ...]:
    """The upkeep, if a player whose turn it is has the initiative."""
    active = state.turn.active if state.turn else ()
    return (UPKEEP,) if any(player(state, seat).initiative for seat in active) else ()


@cites("726.2", "726.5", "723.2", "723.5")
def explore(system: System, state: GameState, event: Marked | PhaseBegan) -> Iterator[Event]:
    """Who takes the initiative is asked to venture into Undercity, even if it was theirs, and so is
    who has it as their upkeep begins."""
    seats: tuple[str, ...] = ()
    if isinstance(event, Marked):
        seats = (event.on,) if event.mark == "initiative" and event.value else ()
    elif state.turn and event.phase == UPKEEP:
        seats = state.turn.active
    for seat in seats:
        if player(state, seat).initiative and not state.seats[seat].lost:
            waiting = Prompt(f"{UNDERCITY}:{seat}", UNDERCITY, seat, source=None)
            yield Prompted.of(state, waiting, rule=here(system, "726.2"))


@cites("701.49d", "701.46d")
def explored(system: System, state: GameState, prompt: Prompt, room: int | None) -> Iterator[Event]:
    """The player ventures: on in the dungeon they are in, or else into Undercity."""
    yield Answered(prompt.id)
    explorer = player(state, prompt.to)
    dungeon = None if exits(explorer.dungeon, explorer.room) else UNDERCITY
    yield from venture(
        system, state, Venture(by=prompt.to, seat=prompt.to, dungeon=dungeon, room=room)
    )


class CompleteDungeon(Command, frozen=True, kw_only=True):
    """A player completes the dungeon, once the ability of its last room has left the stack."""

    verb: ClassVar[str] = "complete-dungeon"
    seat: Annotated[str, Parameter(ID, names=SEAT)]


@cites("309.6", "309.7")
def complete_dungeon(system: System, state: GameState, command: CompleteDungeon) -> Iterator[Event]:
    explorer = player(state, command.seat)
    inside = room_of(explorer.dungeon, explorer.room) is not None
    if not inside or exits(explorer.dungeon, explorer.room):
        sentence = "The player is not in the last room of a dungeon."
        raise Refused("wrong-facts", sentence, here(system, "309.6"))
    yield _completed(system, state, command.seat)


# The planar die

PLANAR_DIE = ("blank", "blank", "blank", "blank", "chaos", "planeswalk")
"""The numbers on its faces, 1 to 6."""


class RollPlanar(Command, frozen=True, kw_only=True):
    """Record a roll of the planar die: 1 to 4 are blank, 5 is chaos, 6 the Planeswalker symbol.

    The server rolls; `by_hand` is a roll that a seat made itself.
    """

    verb: ClassVar[str] = "planar-die"
    result: Annotated[int, Parameter(whole(1, len(PLANAR_DIE)))]
    by_hand: Annotated[bool, Parameter(FLAG)] = False


@cites("901.3a", "901.9")
def roll_planar(system: System, state: GameState, command: RollPlanar) -> Iterator[Event]:
    symbol, fell = PLANAR_DIE[command.result - 1], command.result
    yield Thrown(command.by, "planar-die", (fell,), fell, command.by_hand, symbol=symbol)
