"""Life: lost, gained and corrected; commander damage, which costs life too."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, ClassVar

from games.rules import counting
from games.rules.attribution import MOST_ENTRIES
from games.rules.commands import (
    AMOUNT,
    ENTRY,
    FLAG,
    HOLDER,
    ID,
    KIND,
    NAME,
    SEAT,
    Command,
    Parameter,
    Terms,
    each,
    invalid,
    whole,
)
from games.rules.events import Event
from games.rules.state import MOST, GameState, Refused
from games.rules.system import System, cites
from games.rules.targets import LISTED, one_after_another

from .facts import (
    CommanderDamageCorrected,
    CommanderDamaged,
    Drawn,
    LifeCorrected,
    LifeGained,
    LifeLost,
)
from .player import LEAST_LIFE, MOST_LIFE, life_of, player, sharing_life, side
from .rules import here

RADIATION, COMMANDER = "radiation", "commander"


@cites("119.8", "614.17", "614.1a", "728.1a", "725.1a")
def life_lost(
    state: GameState, seat: str, amount: int, cause: str | None = None, rule: str | None = None
) -> Iterator[Event]:
    """The player loses life, or gains it instead of losing it to radiation, or nothing happens.

    If the player cannot lose life, there is no loss to replace with a gain.
    """
    loser, team = player(state, seat), sharing_life(state, seat)
    if not amount or loser.cannot_lose_life:
        return
    shared = team.id if team else None
    if cause == RADIATION and loser.gains_from_radiation:
        yield LifeGained(seat, amount, cause, shared, rule="614.1a")
    else:
        yield LifeLost(seat, amount, cause, shared, rule=rule)


class LoseLife(Command, frozen=True, kw_only=True):
    """A player loses life, by damage or otherwise; or several do, at the same moment."""

    verb: ClassVar[str] = "lose-life"
    seat: Annotated[str | None, Parameter(ID, names=SEAT)] = None
    amount: Annotated[int, Parameter(AMOUNT)]
    seats: Annotated[tuple[str, ...], Parameter(each(ID, 1), names=SEAT)] = ()

    def check(self, system: Terms) -> None:
        if (self.seat is None) == (not self.seats):
            raise invalid("Name the player in “seat”, or several players in “seats”.")

    def players(self) -> tuple[str, ...]:
        return self.seats if self.seat is None else (self.seat,)


class GainLife(LoseLife, frozen=True, kw_only=True):
    """A player gains life; or several do."""

    verb: ClassVar[str] = "gain-life"


class Draw(LoseLife, frozen=True, kw_only=True):
    """A player draws cards; or several do. The table says so, and nothing follows from it."""

    verb: ClassVar[str] = "draw-cards"


def draw(system: System, state: GameState, command: Draw) -> Iterator[Event]:
    for seat in command.players() if command.amount else ():
        yield Drawn(seat, command.amount)


def lose_life(system: System, state: GameState, command: LoseLife) -> Iterator[Event]:
    for seat in command.players():
        yield from life_lost(state, seat, command.amount)


def gain_life(system: System, state: GameState, command: GainLife) -> Iterator[Event]:
    for seat in command.players() if command.amount else ():
        yield gained(state, seat, command.amount)


def gained(state: GameState, seat: str, amount: int, rule: str | None = None) -> LifeGained:
    """The player gains life; a team does, if it shares its life."""
    team = sharing_life(state, seat)
    return LifeGained(seat, amount, None, team.id if team else None, rule=rule)


class SetLife(Command, frozen=True, kw_only=True):
    """A player's life becomes a number; or that of several does."""

    verb: ClassVar[str] = "set-life"
    seat: Annotated[tuple[str, ...], Parameter(LISTED, names=SEAT)]
    to: Annotated[int, Parameter(AMOUNT)]


@cites("119.5")
def set_life(system: System, state: GameState, command: SetLife) -> Iterator[Event]:
    return one_after_another(state, command.seat, lambda now, seat: becomes(now, seat, command.to))


def becomes(state: GameState, seat: str, to: int) -> Iterator[Event]:
    """The player gains or loses the difference; a team's, if it shares its life."""
    by = to - life_of(state, seat)
    if by > 0:
        yield gained(state, seat, by)
    else:
        yield from life_lost(state, seat, -by)


class ExchangeLife(Command, frozen=True, kw_only=True):
    """Two players exchange their life totals, or neither does."""

    verb: ClassVar[str] = "exchange-life"
    seats: Annotated[tuple[str, ...], Parameter(each(ID, 2, 2), names=SEAT)]


@cites("119.7", "701.12c", "701.10c")
def exchange_life(system: System, state: GameState, command: ExchangeLife) -> Iterator[Event]:
    first, second = command.seats
    if side(state, first) == side(state, second):
        rule = here(system, "701.12c")
        raise Refused("wrong-target", "Teammates cannot exchange their life totals.", rule)
    lives = life_of(state, first), life_of(state, second)
    loser = first if lives[0] > lives[1] else second
    if lives[0] != lives[1] and player(state, loser).cannot_lose_life:
        return
    yield from becomes(state, first, lives[1])
    yield from becomes(state, second, lives[0])


# Commander damage


class CommanderDamage(Command, frozen=True, kw_only=True):
    """A commander deals combat damage to a player, who loses that much life.

    from: the commander, as the id of an object or as a name.
    back: a correction: that much was not dealt, as far as there is, and the life comes back.
    entries: those of the log with which the player lost the life already; then only the damage
    counts.
    """

    verb: ClassVar[str] = "commander-damage"
    seat: Annotated[str, Parameter(ID, names=SEAT)]
    from_: Annotated[str, Parameter(NAME)]
    amount: Annotated[int, Parameter(AMOUNT)]
    back: Annotated[bool, Parameter(FLAG)] = False
    entries: Annotated[tuple[int, ...], Parameter(each(ENTRY, 0, MOST_ENTRIES))] = ()

    def check(self, system: Terms) -> None:
        if self.back and self.entries:
            raise invalid("Damage that comes back has no “entries”.")


@cites("903.10a", "702.124d")
def commander_damage(system: System, state: GameState, command: CommanderDamage) -> Iterator[Event]:
    """Damage counts even if the life cannot be lost; each player of a team has their own count."""
    commander = commander_of(state, command.from_)
    if command.back:
        yield from _taken_back(state, command.seat, commander, command.amount)
        return
    counted = counted_for(state, command.seat, commander, command.amount)
    if command.amount:
        yield counted
        if not command.entries:
            yield from life_lost(state, command.seat, command.amount, COMMANDER)


def counted_for(state: GameState, seat: str, commander: str, amount: int) -> CommanderDamaged:
    """Combat damage of *commander* is added to what it has dealt *seat* so far."""
    total = player(state, seat).commander_damage.get(commander, 0) + amount
    if total > MOST:
        sentence = "A commander can deal at most {most} damage in total."
        raise Refused("over-maximum", sentence, None, most=MOST)
    return CommanderDamaged(seat, commander, amount, total)


def _taken_back(state: GameState, seat: str, commander: str, amount: int) -> Iterator[Event]:
    """Damage that was not dealt after all; a player who cannot lose life had lost none."""
    hurt = player(state, seat)
    dealt = hurt.commander_damage.get(commander, 0)
    if not (too_much := min(amount, dealt)):
        return
    left = dealt - too_much
    yield CommanderDamageCorrected(on=seat, commander=commander, from_=dealt, to=left)
    if not hurt.cannot_lose_life:
        team, before = sharing_life(state, seat), life_of(state, seat)
        after = before + too_much
        shared = team.id if team else None
        yield LifeCorrected(on=seat, life=after, from_=before, to=after, team=shared)


def commander_of(state: GameState, named: str) -> str:
    """The object with the id *named*, or the only one with that name; else the name itself."""
    if named in state.objects:
        return named
    alike = [obj.id for obj in state.objects.values() if obj.name == named]
    return alike[0] if len(alike) == 1 else named


# Corrections


class Correct(Command, frozen=True, kw_only=True):
    """Set a number of counters, a life total, or a commander's damage, as a judge does.

    restore: it may bring back a player, or a team, whom nothing makes lose any more.
    """

    verb: ClassVar[str] = "correct"
    on: Annotated[str, Parameter(ID, names=HOLDER)]
    counter: Annotated[str | None, Parameter(KIND)] = None
    to: Annotated[int | None, Parameter(AMOUNT)] = None
    life: Annotated[int | None, Parameter(whole(LEAST_LIFE, MOST_LIFE))] = None
    commander: Annotated[str | None, Parameter(NAME)] = None
    restore: Annotated[bool, Parameter(FLAG)] = False

    def reaches(self, state: GameState, gone: str) -> bool:
        return self.restore and counting.may_come_back(state, gone)

    def check(self, system: Terms) -> None:
        named = [part for part in (self.counter, self.life, self.commander) if part is not None]
        if len(named) != 1 or (self.to is None) != (self.life is not None):
            raise invalid("Give “counter” or “commander” with “to”, or “life” alone.")


def correct(system: System, state: GameState, command: Correct) -> Iterator[Event]:
    restore = command.restore or None
    if command.counter is not None and command.to is not None:
        counted = counting.CorrectAndRestore(
            by=command.by,
            on=command.on,
            counter=command.counter,
            to=command.to,
            restore=command.restore,
        )
        yield from counting.correct(system, state, counted)
        return
    if command.on in state.objects:
        name = state.objects[command.on].name
        raise Refused("wrong-target", "{name} is not a player.", None, name=name)
    if command.life is not None:
        team, before = sharing_life(state, command.on), life_of(state, command.on)
        shared = team.id if team else None
        life = command.life
        yield LifeCorrected(
            on=command.on, life=life, from_=before, to=life, team=shared, restore=restore
        )
    elif command.commander is not None and command.to is not None:
        commander = commander_of(state, command.commander)
        before = player(state, command.on).commander_damage.get(commander, 0)
        yield CommanderDamageCorrected(
            on=command.on, commander=commander, from_=before, to=command.to, restore=restore
        )
