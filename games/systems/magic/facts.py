"""The events of Magic that other card games do not have."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from msgspec.structs import replace

from games.rules import events
from games.rules.departing import restarted
from games.rules.events import Correction, Event
from games.rules.state import MOST, GameObject, GameState, Turn

from .player import Card, Player, Side, player


def _with_life(state: GameState, seat: str, team: str | None, life: int) -> GameState:
    """The state with *life* set for the seat, or for the team that shares it."""
    if team is None:
        return state.with_seat(replace(player(state, seat), life=life))
    side = state.teams[team]
    assert isinstance(side, Side), side
    return state.with_team(replace(side, life=life))


def _life(state: GameState, seat: str, team: str | None) -> int:
    if team is None:
        return player(state, seat).life
    side = state.teams[team]
    assert isinstance(side, Side), side
    return side.life


class Damaged(Event, frozen=True):
    """Damage was dealt. marks: it stays on a creature. deathtouch: it destroys a creature.

    by: of combat damage to a player, the creatures that dealt it, and how much each.
    """

    kind: ClassVar[str] = "damaged"
    private: ClassVar[tuple[str, ...]] = ("marks", "by")
    on: str
    amount: int
    marks: bool = False
    deathtouch: bool | None = None
    by: Mapping[str, int] | None = None

    def evolve(self, state: GameState) -> GameState:
        if not self.marks and not self.deathtouch:
            return state
        card = state.objects[self.on]
        assert isinstance(card, Card), card
        marked = min(MOST, card.marked + self.amount) if self.marks else card.marked
        deathtouched = card.deathtouched or bool(self.deathtouch)
        return state.with_object(replace(card, marked=marked, deathtouched=deathtouched))


class Attacked(Event, frozen=True):
    """Creatures attack a player or a permanent: said once, before what follows.

    keywords: by creature, what is said of it, if that is not what was said before.
    """

    kind: ClassVar[str] = "attacked"
    private: ClassVar[tuple[str, ...]] = ("keywords",)
    on: str
    with_: tuple[str, ...]
    keywords: Mapping[str, tuple[str, ...]] | None = None

    def evolve(self, state: GameState) -> GameState:
        for card_id, said in (self.keywords or {}).items():
            card = state.objects[card_id]
            assert isinstance(card, Card), card
            state = state.with_object(replace(card, keywords=tuple(said) or None))
        return state

    def touches(self) -> tuple[str, ...]:
        return (*Event.touches(self), *(self.keywords or ()))


class Arrived(events.Moved, frozen=True):
    """A permanent entered the battlefield. tapped: True if it entered tapped."""

    tapped: bool | None = None

    def evolve(self, state: GameState) -> GameState:
        state = events.Moved.evolve(self, state)
        card = state.objects[self.object]
        return state.with_object(replace(card, tapped=True)) if self.tapped else state


class LifeLost(Event, frozen=True):
    """A player lost life.

    cause: "radiation", "commander", "damage", or None. team: the team whose life it was, if it is
    shared. tick, since: as of counters.
    """

    kind: ClassVar[str] = "life-lost"
    private: ClassVar[tuple[str, ...]] = ("since",)
    seat: str
    amount: int
    cause: str | None = None
    team: str | None = None
    tick: str | None = None
    since: tuple[str, ...] | None = None

    def evolve(self, state: GameState) -> GameState:
        life = _life(state, self.seat, self.team) - self.amount
        return _with_life(state, self.seat, self.team, life)

    def touches(self) -> tuple[str, ...]:
        return (self.seat,) if self.team is None else (f"team:{self.team}", self.seat)


class LifeGained(LifeLost, frozen=True):
    kind: ClassVar[str] = "life-gained"

    def evolve(self, state: GameState) -> GameState:
        life = _life(state, self.seat, self.team) + self.amount
        return _with_life(state, self.seat, self.team, life)


class Proliferated(Event, frozen=True):
    """A player proliferated; what was put is said after it."""

    kind: ClassVar[str] = "proliferated"
    seat: str


class Drawn(Event, frozen=True):
    """A player is to draw cards, which the table does not see. tick: what said so."""

    kind: ClassVar[str] = "drawn"
    seat: str
    amount: int
    tick: str | None = None


class LifeCorrected(Correction, frozen=True, kw_only=True):
    """A judge set a life total. team: the team whose life it is, if it is shared."""

    life: int
    from_: int
    to: int
    team: str | None = None

    def evolve(self, state: GameState) -> GameState:
        return _with_life(state, self.on, self.team, self.life)

    def touches(self) -> tuple[str, ...]:
        return (self.on,) if self.team is None else (f"team:{self.team}", self.on)


class CommanderDamaged(Event, frozen=True):
    """A commander dealt combat damage to a player; the loss of life is a separate event.

    total: all damage by that commander to this player, including this.
    """

    kind: ClassVar[str] = "commander-damaged"
    seat: str
    from_: str
    amount: int
    total: int

    def evolve(self, state: GameState) -> GameState:
        damaged = player(state, self.seat)
        return state.with_seat(_with_damage(damaged, self.from_, self.total))


class CommanderDamageCorrected(Correction, frozen=True, kw_only=True):
    """A judge set the damage dealt by one commander; life stays the same."""

    commander: str
    from_: int
    to: int

    def evolve(self, state: GameState) -> GameState:
        damaged = player(state, self.on)
        return state.with_seat(_with_damage(damaged, self.commander, self.to))


def _with_damage(damaged: Player, commander: str, total: int) -> Player:
    damage = {**damaged.commander_damage, commander: total}
    return replace(damaged, commander_damage={by: n for by, n in damage.items() if n})


class Milled(Event, frozen=True):
    """Cards went from a library to a graveyard, all at once. due: how many should have gone."""

    kind: ClassVar[str] = "milled"
    seat: str
    amount: int
    due: int


class NonlandMilled(Event, frozen=True):
    """That many of the cards just milled were nonland: one batch, for cards that trigger on it."""

    kind: ClassVar[str] = "nonland-milled"
    seat: str
    amount: int


class CommanderCast(Event, frozen=True):
    """A commander was cast from the command zone. times: in this game, including this time."""

    kind: ClassVar[str] = "commander-cast"
    object: str
    times: int

    def evolve(self, state: GameState) -> GameState:
        return state.with_object(_cast(state.objects[self.object], self.times))


def _cast(obj: GameObject, times: int) -> GameObject:
    return replace(obj, casts=times) if isinstance(obj, Card) else obj


# Designations


class DaytimeChanged(Event, frozen=True):
    """It became day or night. from_: None if it was neither. seats: all, who are told."""

    kind: ClassVar[str] = "daytime-changed"
    private: ClassVar[tuple[str, ...]] = ("seats",)
    to: str
    from_: str | None
    seats: tuple[str, ...]

    def evolve(self, state: GameState) -> GameState:
        for seat in self.seats:
            state = state.with_seat(replace(player(state, seat), daytime=self.to))
        return state

    def touches(self) -> tuple[str, ...]:
        return self.seats


class SpellsCast(Event, frozen=True):
    """A player cast spells. types: the card types of each, if they are known."""

    kind: ClassVar[str] = "spells-cast"
    seat: str
    amount: int
    types: tuple[str, ...] = ()

    def evolve(self, state: GameState) -> GameState:
        caster = player(state, self.seat)
        return state.with_seat(replace(caster, spells_cast=caster.spells_cast + self.amount))


class SpedUp(Event, frozen=True):
    """The speed of a player went up, as it does once in each of their turns. to: it is that now."""

    kind: ClassVar[str] = "sped-up"
    seat: str
    to: int

    def evolve(self, state: GameState) -> GameState:
        return state.with_seat(replace(player(state, self.seat), speed=self.to, sped_up=True))


class Stationed(Event, frozen=True):
    """A station card became a creature besides its other types, or is no longer one."""

    kind: ClassVar[str] = "stationed"
    object: str
    creature: bool

    def evolve(self, state: GameState) -> GameState:
        card = state.objects[self.object]
        assert isinstance(card, Card), card
        others = tuple(each for each in card.types if each != "creature")
        types = (*others, "creature") if self.creature else others
        return state.with_object(replace(card, types=types))


class TurnedOver(Event, frozen=True):
    """A card with daybound shows its face by `to`, "day" or "night". name: that of the other."""

    kind: ClassVar[str] = "turned-over"
    object: str
    name: str
    to: str

    def evolve(self, state: GameState) -> GameState:
        card = state.objects[self.object]
        assert isinstance(card, Card), card
        before = {part: getattr(card, part) for part in card.night}
        return state.with_object(replace(card, **card.night, night=before, face=self.to))


class SpellsReset(Event, frozen=True):
    """A turn ended: its spells are counted no longer, and speed may go up again.

    seats: those who had cast any, in it or in the one before, or become faster.
    """

    kind: ClassVar[str] = "spells-reset"
    private: ClassVar[tuple[str, ...]] = ("seats",)
    seats: tuple[str, ...]

    def evolve(self, state: GameState) -> GameState:
        for seat in self.seats:
            was = player(state, seat)
            before = was.spells_cast if was.daytime else 0
            now = replace(was, spells_cast=0, spells_before=before, sped_up=False)
            state = state.with_seat(now)
        return state

    def touches(self) -> tuple[str, ...]:
        return self.seats


class RingTempted(Event, frozen=True):
    """The Ring tempted a player. level: of the Ring from now on, 1 to 4."""

    kind: ClassVar[str] = "ring-tempted"
    seat: str
    level: int

    def evolve(self, state: GameState) -> GameState:
        return state.with_seat(replace(player(state, self.seat), ring_level=self.level))


class Ventured(Event, frozen=True):
    """A player entered a room. room: its number. into: its id."""

    kind: ClassVar[str] = "ventured"
    seat: str
    dungeon: str
    room: int
    into: str

    def evolve(self, state: GameState) -> GameState:
        explorer = replace(player(state, self.seat), dungeon=self.dungeon, room=self.room)
        return state.with_seat(explorer)


class DungeonCompleted(Event, frozen=True):
    """times: how many dungeons the player has completed in this game."""

    kind: ClassVar[str] = "dungeon-completed"
    seat: str
    dungeon: str
    times: int

    def evolve(self, state: GameState) -> GameState:
        explorer = player(state, self.seat)
        left = replace(explorer, dungeon=None, room=0, dungeons_completed=self.times)
        return state.with_seat(left)


class Left(events.Left, frozen=True):
    """A player left the game, by choice or because of a card; `lost` follows separately.

    mates: those who leave with the player, because they share life.
    """

    private: ClassVar[tuple[str, ...]] = ("mates",)
    mates: tuple[str, ...] = ()

    def evolve(self, state: GameState) -> GameState:
        for seat in (self.seat, *self.mates):
            state = state.with_seat(replace(player(state, seat), left=True))
        return state

    def touches(self) -> tuple[str, ...]:
        return (self.seat, *self.mates)


class Restarted(Event, frozen=True):
    """The game started over: no counters, prompts or marks, starting life, first phase.

    What stands without an object is taken off; the rest stays with its card.

    everything: the ids of everything that may have changed.
    """

    kind: ClassVar[str] = "restarted"
    private: ClassVar[tuple[str, ...]] = ("everything",)
    phase: str
    everything: tuple[str, ...]

    def evolve(self, state: GameState) -> GameState:
        seats = {
            seat: replace(
                Player(seat, lost=before.lost, left=player(state, seat).left),
                life=player(state, seat).starting_life,
                starting_life=player(state, seat).starting_life,
            )
            for seat, before in state.seats.items()
        }
        teams = {
            team: replace(before, life=before.starting_life)
            for team, before in state.teams.items()
            if isinstance(before, Side)
        }
        turn = Turn(state.turn.active, self.phase) if state.turn else None
        for obj in state.objects.values():
            if isinstance(obj, Card) and obj.casts:
                state = state.with_object(_cast(obj, 0))
        stays = {key: each for key, each in state.standings.items() if each.object is not None}
        state = replace(state, standings=stays) if state.standings else state
        state = restarted(state.with_ticks({}))
        return replace(state, seats=seats, teams=teams, counters={}, prompts=(), turn=turn)

    def touches(self) -> tuple[str, ...]:
        return self.everything
