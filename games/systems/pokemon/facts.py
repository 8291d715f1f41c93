"""The events of the Pokémon TCG that other card games do not have."""

from __future__ import annotations

from dataclasses import field, replace
from typing import Any, ClassVar

from games.rules import events
from games.rules.events import Event, Moved, Removed
from games.rules.maps import Map
from games.rules.state import GameState, Turn
from games.rules.values import fast_replace, frozen

from .card import (
    ACTIVE,
    ASLEEP,
    BENCH,
    BURNED,
    CONFUSED,
    EACH_TURN,
    LEFT_ACTIVE,
    PARALYZED,
    POISONED,
    PRIZES,
    SETUP,
    Player,
    Stage,
    player,
    pokemon,
)


@frozen
class OnPokemon(Event):
    """Something about one Pokémon."""

    object: str

    def touches(self) -> tuple[str, ...]:
        return (self.object,)


@frozen
class OfSeat(Event):
    """Something about one player."""

    seat: str

    def touches(self) -> tuple[str, ...]:
        return (self.seat,)


def _with(state: GameState, pokemon_id: str, **change: Any) -> GameState:
    return state.with_object(fast_replace(pokemon(state, pokemon_id), **change))


# Damage


@frozen
class Damaged(Event):
    """Damage was done; the counters follow as a separate event.

    cause: attack, effect, ability, trainer, recoil, checkup or confused, if known.
    """

    kind: ClassVar[str] = "damaged"
    on: str
    amount: int
    cause: str | None = None

    def touches(self) -> tuple[str, ...]:
        return (self.on,)


@frozen
class Healed(Event):
    """amount: the damage removed, which follows as a separate event."""

    kind: ClassVar[str] = "healed"
    on: str
    amount: int

    def touches(self) -> tuple[str, ...]:
        return (self.on,)


@frozen
class HpChanged(OnPokemon):
    """by: how much more HP it has now; below 0 for less. hp: the HP with all changes."""

    kind: ClassVar[str] = "hp-changed"
    by: int
    hp: int

    def evolve(self, state: GameState) -> GameState:
        change = pokemon(state, self.object).hp_change + self.by
        return _with(state, self.object, hp_change=change)


@frozen
class Described(OnPokemon):
    """What the card says was corrected. fields: which parts of it."""

    kind: ClassVar[str] = "described"
    fields: tuple[str, ...]
    name: str = field(metadata={"private": True})
    hp: int = field(metadata={"private": True})
    prizes: int = field(metadata={"private": True})

    def evolve(self, state: GameState) -> GameState:
        return _with(state, self.object, name=self.name, hp=self.hp, prizes=self.prizes)


# Special Conditions


@frozen
class Afflicted(OnPokemon):
    """A Special Condition began. damage: at each Checkup. coins: to wake it, if more than one.

    turn: the number of the turn in which it began.
    """

    kind: ClassVar[str] = "afflicted"
    condition: str
    damage: int | None = None
    coins: int | None = None
    turn: int = field(default=-1, metadata={"private": True})

    def evolve(self, state: GameState) -> GameState:
        if self.condition in (POISONED, BURNED):
            return _with(state, self.object, **{self.condition: self.damage})
        change = {"turned": self.condition, "turned_in": self.turn, "coins": self.coins or 1}
        return _with(state, self.object, **change)


@frozen
class Cured(OnPokemon):
    """A Special Condition ended."""

    kind: ClassVar[str] = "cured"
    condition: str

    def evolve(self, state: GameState) -> GameState:
        if self.condition in (POISONED, BURNED):
            return _with(state, self.object, **{self.condition: 0})
        assert self.condition in (ASLEEP, CONFUSED, PARALYZED), self.condition
        return _with(state, self.object, turned="", turned_in=-1, coins=1)


# In play


@frozen
class HadPokemon(OfSeat):
    """For the first time in this game, a Pokémon of that player is in play."""

    kind: ClassVar[str] = "had-pokemon"

    def evolve(self, state: GameState) -> GameState:
        return state.with_seat(fast_replace(player(state, self.seat), had_pokemon=True))


@frozen
class CameIntoPlay(Moved):
    """turn: the number of this turn; until it ends the Pokémon does not evolve."""

    turn: int = field(default=-1, kw_only=True, metadata={"private": True})

    def evolve(self, state: GameState) -> GameState:
        there = Moved.evolve(self, state)
        return _with(there, self.object, came=self.turn)


@frozen
class Promoted(OnPokemon):
    """A Benched Pokémon moved to the empty Active Spot."""

    kind: ClassVar[str] = "promoted"
    seat: str

    def evolve(self, state: GameState) -> GameState:
        return _with(state, self.object, zone=ACTIVE)

    def touches(self) -> tuple[str, ...]:
        return (self.object, self.seat)


@frozen
class Switched(Event):
    """The Active Pokémon and a Benched one changed places; damage stays on both."""

    kind: ClassVar[str] = "switched"
    seat: str
    out: str
    in_: str

    def evolve(self, state: GameState) -> GameState:
        state = _with(state, self.out, zone=BENCH, **LEFT_ACTIVE)
        return _with(state, self.in_, zone=ACTIVE)

    def touches(self) -> tuple[str, ...]:
        return (self.out, self.in_, self.seat)


@frozen
class Retreated(Switched):
    """The Active Pokémon retreated for a Benched one, at its player's choice and cost."""

    kind: ClassVar[str] = "retreated"

    def evolve(self, state: GameState) -> GameState:
        state = Switched.evolve(self, state)
        return state.with_seat(fast_replace(player(state, self.seat), retreated=True))


@frozen
class Evolved(OnPokemon):
    """from_: the name of the card below. turn: the number of this turn."""

    kind: ClassVar[str] = "evolved"
    from_: str
    to: str
    hp: int
    prizes: int
    turn: int = field(default=-1, metadata={"private": True})

    def evolve(self, state: GameState) -> GameState:
        before = pokemon(state, self.object)
        below = (*before.below, Stage(before.name, before.hp, before.prizes))
        return _with(state, self.object, below=below, **self._new_top())

    def _new_top(self) -> dict[str, Any]:
        """What is true of the Pokémon under its new top card."""
        top = {"name": self.to, "hp": self.hp, "prizes": self.prizes, "came": self.turn}
        return {**top, **LEFT_ACTIVE, "ability_used": False}


@frozen
class Devolved(Evolved):
    """The top card came off. from_: its name. to: the name of the card on top now."""

    kind: ClassVar[str] = "devolved"

    def evolve(self, state: GameState) -> GameState:
        below = pokemon(state, self.object).below[:-1]
        return _with(state, self.object, below=below, **self._new_top())


# Attacks and Knock Outs


@frozen
class Attacked(OnPokemon):
    """A Pokémon attacks; what the attack does follows, until it ends."""

    kind: ClassVar[str] = "attacked"


@frozen
class Doomed(OnPokemon):
    """A card's text Knocks the Pokémon Out at the next moment for Knock Outs."""

    kind: ClassVar[str] = "doomed"

    def evolve(self, state: GameState) -> GameState:
        return _with(state, self.object, doomed=True)


@frozen
class KnockedOut(OnPokemon):
    """A Pokémon is Knocked Out; its move to the discard pile follows as a separate event.

    seat: its owner. prizes: what it is worth. turn: the number of the opponent's turn in which it
    happened; 0 in the owner's own turn and in Checkup.
    """

    kind: ClassVar[str] = "knocked-out"
    seat: str
    prizes: int
    turn: int = field(default=0, metadata={"private": True})

    def evolve(self, state: GameState) -> GameState:
        if not self.turn:
            return state
        return state.with_seat(fast_replace(player(state, self.seat), knocked_out_in=self.turn))

    def touches(self) -> tuple[str, ...]:
        return (self.object, self.seat)


@frozen
class PrizesTaken(Removed):
    """A player took Prize cards; `amount` of them."""

    kind: ClassVar[str] = "prizes-taken"


# The game


@frozen
class TurnBegan(events.TurnBegan):
    """Everything allowed once a turn is allowed again. number: of this turn in this game. free: the
    Pokémon whose Abilities were used and can be used again.
    """

    number: int = field(default=0, kw_only=True)
    free: tuple[str, ...] = field(default=(), kw_only=True, metadata={"private": True})

    def evolve(self, state: GameState) -> GameState:
        state = events.TurnBegan.evolve(self, state)
        for seat in self.active:
            before = player(state, seat)
            anew = dict.fromkeys(EACH_TURN, False)
            state = state.with_seat(fast_replace(before, turns=before.turns + 1, **anew))
        for each in self.free:
            state = _with(state, each, ability_used=False)
        return state

    def touches(self) -> tuple[str, ...]:
        return (*self.active, *self.free, *self.temporary)


@frozen
class SuddenDeathBegan(Event):
    """A tie is settled by a new game. prizes: how many each player begins it with."""

    kind: ClassVar[str] = "sudden-death-began"
    prizes: int
    seats: tuple[str, ...] = field(metadata={"private": True})

    def evolve(self, state: GameState) -> GameState:
        anew = {
            each.id: Player(each.id, lost=each.lost, starting_prizes=self.prizes)
            for each in state.seats.values()
        }
        counters = Map({seat: {PRIZES: self.prizes} for seat in anew})
        active = state.turn.active if state.turn else ()
        return replace(state, seats=anew, counters=counters, prompts=(), turn=Turn(active, SETUP))

    def touches(self) -> tuple[str, ...]:
        return self.seats


@frozen
class DeckedOut(OfSeat):
    """A player could not draw at the start of the turn; the loss follows as a separate event."""

    kind: ClassVar[str] = "decked-out"


@frozen
class Left(OfSeat):
    """A player left the game; the loss follows as a separate event."""

    kind: ClassVar[str] = "left"
