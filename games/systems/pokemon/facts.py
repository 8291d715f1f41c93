"""The events of the Pokémon TCG that other card games do not have."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from msgspec.structs import replace

from games.rules import events
from games.rules.events import Event, Moved, Placed, Removed
from games.rules.state import GameState, Turn

from .card import (
    ACTIVE,
    ASLEEP,
    BENCH,
    BURNED,
    CONFUSED,
    EACH_TURN,
    PARALYZED,
    POISONED,
    PRIZES,
    SETUP,
    Player,
    Pokemon,
    Stage,
    left_active,
    player,
    pokemon,
)


class OnPokemon(Event, frozen=True):
    """Something about one Pokémon."""

    object: str

    def touches(self) -> tuple[str, ...]:
        return (self.object,)


class OfSeat(Event, frozen=True):
    """Something about one player."""

    seat: str

    def touches(self) -> tuple[str, ...]:
        return (self.seat,)


MOST_SAID = 5
"""Amounts that are remembered of attacks by Pokémon of one name."""


def attacks_of(state: GameState, name: str) -> Mapping[str, Any]:
    """What attacks by Pokémon of that name were at this table: the damage `said`, the latest first,
    and, by the name of what was hit, whether its Weakness and its Resistance counted, or the
    numbers that did."""
    known: Mapping[str, Any] = state.parts.get("attacks", {}).get(name, {"said": [], "on": {}})
    return known


def _with(state: GameState, pokemon_id: str, **change: Any) -> GameState:
    return state.with_object(replace(pokemon(state, pokemon_id), **change))


# Damage


class Damaged(Event, frozen=True):
    """Damage was done; the counters follow as a separate event.

    cause: attack, effect, ability, trainer, recoil, checkup or confused, if known. said: the damage
    before Weakness and Resistance, if they count; resisted: Resistance does, or by how much if not
    by 30. less: by how much it takes less. more: by how much for Weakness, if not twice.
    """

    kind: ClassVar[str] = "damaged"
    on: str
    amount: int
    cause: str | None = None
    said: int | None = None
    resisted: bool | int | None = None
    less: int | None = None
    more: int | None = None

    def touches(self) -> tuple[str, ...]:
        return (self.on,)


class Healed(Event, frozen=True):
    """amount: the damage removed, which follows as a separate event."""

    kind: ClassVar[str] = "healed"
    on: str
    amount: int

    def touches(self) -> tuple[str, ...]:
        return (self.on,)


class HpChanged(OnPokemon, frozen=True):
    """by: how much more HP it has now; below 0 for less. hp: the HP with all changes."""

    kind: ClassVar[str] = "hp-changed"
    by: int
    hp: int

    def evolve(self, state: GameState) -> GameState:
        change = pokemon(state, self.object).hp_change + self.by
        return _with(state, self.object, hp_change=change)


class Described(OnPokemon, frozen=True):
    """The text of the card was corrected. fields: the parts changed."""

    kind: ClassVar[str] = "described"
    private: ClassVar[tuple[str, ...]] = (
        "name",
        "hp",
        "prizes",
    )
    fields: tuple[str, ...]
    name: str
    hp: int
    prizes: int

    def evolve(self, state: GameState) -> GameState:
        return _with(state, self.object, name=self.name, hp=self.hp, prizes=self.prizes)


# Special Conditions


class Afflicted(OnPokemon, frozen=True):
    """A Special Condition began. damage: at each Checkup. coins: to wake it, if more than one.

    turn: the number of the turn in which it began.
    """

    kind: ClassVar[str] = "afflicted"
    private: ClassVar[tuple[str, ...]] = ("turn",)
    condition: str
    damage: int | None = None
    coins: int | None = None
    turn: int = -1

    def evolve(self, state: GameState) -> GameState:
        if self.condition in (POISONED, BURNED):
            return _with(state, self.object, **{self.condition: self.damage})
        change = {"turned": self.condition, "turned_in": self.turn, "coins": self.coins or 1}
        return _with(state, self.object, **change)


class Cured(OnPokemon, frozen=True):
    """A Special Condition ended."""

    kind: ClassVar[str] = "cured"
    condition: str

    def evolve(self, state: GameState) -> GameState:
        if self.condition in (POISONED, BURNED):
            return _with(state, self.object, **{self.condition: 0})
        assert self.condition in (ASLEEP, CONFUSED, PARALYZED), self.condition
        return _with(state, self.object, turned="", turned_in=-1, coins=1)


# In play


class HadPokemon(OfSeat, frozen=True):
    """For the first time in this game, a Pokémon of that player is in play."""

    kind: ClassVar[str] = "had-pokemon"

    def evolve(self, state: GameState) -> GameState:
        return state.with_seat(replace(player(state, self.seat), had_pokemon=True))


class NoneLeft(OfSeat, frozen=True):
    """A player said that no Pokémon is left; the loss follows as a separate event."""

    kind: ClassVar[str] = "none-left"

    def evolve(self, state: GameState) -> GameState:
        return state.with_seat(replace(player(state, self.seat), none_left=True))


class CameIntoPlay(Moved, frozen=True, kw_only=True):
    """turn: the number of this turn; until it ends the Pokémon does not evolve."""

    private: ClassVar[tuple[str, ...]] = ("turn",)
    turn: int = -1

    def evolve(self, state: GameState) -> GameState:
        there = Moved.evolve(self, state)
        return _with(there, self.object, came=self.turn)


class Promoted(OnPokemon, frozen=True):
    """A Benched Pokémon moved to the empty Active Spot."""

    kind: ClassVar[str] = "promoted"
    seat: str

    def evolve(self, state: GameState) -> GameState:
        return _with(state, self.object, zone=ACTIVE)

    def touches(self) -> tuple[str, ...]:
        return (self.object, self.seat)


class Switched(Event, frozen=True):
    """The Active Pokémon and a Benched one changed places; damage stays on both."""

    kind: ClassVar[str] = "switched"
    seat: str
    out: str
    in_: str

    def evolve(self, state: GameState) -> GameState:
        state = _with(state, self.out, zone=BENCH, **left_active(pokemon(state, self.out)))
        return _with(state, self.in_, zone=ACTIVE)

    def touches(self) -> tuple[str, ...]:
        return (self.out, self.in_, self.seat)


class Retreated(Switched, frozen=True):
    """The Active Pokémon retreated for a Benched one, at its player's choice and cost."""

    kind: ClassVar[str] = "retreated"

    def evolve(self, state: GameState) -> GameState:
        state = Switched.evolve(self, state)
        return state.with_seat(replace(player(state, self.seat), retreated=True))


class Evolved(OnPokemon, frozen=True):
    """from_: the name of the card below. turn: the number of this turn."""

    kind: ClassVar[str] = "evolved"
    private: ClassVar[tuple[str, ...]] = ("turn",)
    from_: str
    to: str
    hp: int
    prizes: int
    turn: int = -1

    def evolve(self, state: GameState) -> GameState:
        before = pokemon(state, self.object)
        below = (*before.below, Stage(before.name, before.hp, before.prizes))
        return _with(state, self.object, below=below, **self._new_top(before))

    def _new_top(self, before: Pokemon) -> dict[str, Any]:
        """The state of the Pokémon under its new top card."""
        top = {"name": self.to, "hp": self.hp, "prizes": self.prizes, "came": self.turn}
        return {**top, **left_active(before), "ability_used": False}


class Devolved(Evolved, frozen=True):
    """The top card came off. from_: its name. to: the name of the card on top now."""

    kind: ClassVar[str] = "devolved"

    def evolve(self, state: GameState) -> GameState:
        before = pokemon(state, self.object)
        return _with(state, self.object, below=before.below[:-1], **self._new_top(before))


# Attacks and Knock Outs


class Attacked(OnPokemon, frozen=True):
    """A Pokémon attacks; what the attack does follows, until it ends.

    on: what it hits, for the damage said; weak, resists: that is changed by them. The table
    remembers that for the next attack.
    """

    kind: ClassVar[str] = "attacked"
    on: str | None = None
    said: int | None = None
    weak: bool | int | None = None
    resists: bool | int | None = None

    def evolve(self, state: GameState) -> GameState:
        if self.on is None:
            return state
        mine, theirs = pokemon(state, self.object).name, pokemon(state, self.on).name
        known = attacks_of(state, mine)
        said = [each for each in known["said"] if each != self.said]
        anew = {
            "said": [self.said, *said][:MOST_SAID] if self.said else said,
            "on": {**known["on"], theirs: [self.weak or False, self.resists or False]},
        }
        return state.with_parts(attacks={**state.parts.get("attacks", {}), mine: anew})


class TurnPasses(OfSeat, frozen=True):
    """An attack ended the turn of that player; the other's follows once nobody is asked."""

    kind: ClassVar[str] = "turn-passes"

    def evolve(self, state: GameState) -> GameState:
        return state.with_parts(passes=True)


class Doomed(OnPokemon, frozen=True):
    """A card's text Knocks the Pokémon Out at the next moment for Knock Outs."""

    kind: ClassVar[str] = "doomed"

    def evolve(self, state: GameState) -> GameState:
        return _with(state, self.object, doomed=True)


class KnockedOut(OnPokemon, frozen=True):
    """A Pokémon is Knocked Out; its move to the discard pile follows as a separate event.

    seat: its owner. prizes: what it is worth. turn: the number of the opponent's turn in which it
    happened; 0 in the owner's own turn and in Checkup.
    """

    kind: ClassVar[str] = "knocked-out"
    private: ClassVar[tuple[str, ...]] = ("turn",)
    seat: str
    prizes: int
    turn: int = 0

    def evolve(self, state: GameState) -> GameState:
        if not self.turn:
            return state
        return state.with_seat(replace(player(state, self.seat), knocked_out_in=self.turn))

    def touches(self) -> tuple[str, ...]:
        return (self.object, self.seat)


class PrizesTaken(Removed, frozen=True):
    """A player took Prize cards; `amount` of them."""

    kind: ClassVar[str] = "prizes-taken"


class PrizesAdded(Placed, frozen=True):
    """An effect added Prize cards: nobody has taken fewer because of them."""

    def evolve(self, state: GameState) -> GameState:
        state = Placed.evolve(self, state)
        mine = player(state, self.on)
        start = (mine.starting_prizes or 0) + self.amount
        return state.with_seat(replace(mine, starting_prizes=start))


# The game


class TurnBegan(events.TurnBegan, frozen=True, kw_only=True):
    """Everything allowed once a turn is allowed again. number: of this turn in this game. free: the
    Pokémon whose Abilities were used and can be used again.
    """

    private: ClassVar[tuple[str, ...]] = (*events.TurnBegan.private, "free")
    number: int = 0
    free: tuple[str, ...] = ()

    def evolve(self, state: GameState) -> GameState:
        state = events.TurnBegan.evolve(self, state)
        for seat in self.active:
            before = player(state, seat)
            anew = dict.fromkeys(EACH_TURN, False)
            begun = {"turns": before.turns + 1, "turn_in": self.number}
            state = state.with_seat(replace(before, **begun, **anew))
        for each in self.free:
            state = _with(state, each, ability_used=False)
        return state.with_parts(passes=None)

    def touches(self) -> tuple[str, ...]:
        return (*self.active, *self.free, *self.temporary)


class SuddenDeathBegan(Event, frozen=True):
    """A tie is settled by a new game. prizes: how many each player begins it with."""

    kind: ClassVar[str] = "sudden-death-began"
    private: ClassVar[tuple[str, ...]] = ("seats",)
    prizes: int
    seats: tuple[str, ...]

    def evolve(self, state: GameState) -> GameState:
        anew = {
            each.id: Player(each.id, lost=each.lost, starting_prizes=self.prizes)
            for each in state.seats.values()
        }
        counters = {seat: {PRIZES: self.prizes} for seat in anew}
        active = state.turn.active if state.turn else ()
        state = replace(state, seats=anew, counters=counters, prompts=(), turn=Turn(active, SETUP))
        return state.with_parts(passes=None)

    def touches(self) -> tuple[str, ...]:
        return self.seats


class DeckedOut(OfSeat, frozen=True):
    """A player could not draw at the start of the turn; the loss follows as a separate event."""

    kind: ClassVar[str] = "decked-out"
