"""A Pokémon, its player, and what follows from its damage, HP and Special Conditions.

All damage is in points, in multiples of ten: seven damage counters are an amount of 70 of the kind
"damage". The numbers of Poisoned and Burned are in points too. Players say "70 damage" and cards
print "HP 120"; a second unit would only invite mistakes. Damage is never capped at the HP.

A Pokémon is one object, from the Basic card to the top of its Evolutions; the cards below are kept
in `below`. Its owner is always its controller.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from msgspec import Struct
from msgspec.structs import replace

from games.rules.commands import FLAG, Reader, Terms, whole
from games.rules.state import (
    GameObject,
    GameState,
    Kinds,
    Phrase,
    PlayerSeat,
    Prompt,
    Restores,
    Words,
    defaults,
    from_facts,
    marked,
)
from games.rules.system import System, cites

ACTIVE, BENCH = "active", "bench"
DISCARD, DECK, HAND, LOST_ZONE = "discard", "deck", "hand", "lost-zone"
SETUP, TURN, ATTACK, END, CHECKUP = "setup", "turn", "attack", "end", "checkup"
DAMAGE, PRIZES = "damage", "prizes"
REMAINS = "remains"
"""The question whether a Pokémon is left on a Bench that nobody added."""
COUNTER = 10
"""The damage of one damage counter."""
POISONED, BURNED = "poisoned", "burned"
ASLEEP, CONFUSED, PARALYZED = "asleep", "confused", "paralyzed"
TURNING = (ASLEEP, CONFUSED, PARALYZED)
"""The Special Conditions that turn the card; the newest replaces the one before."""
CONDITIONS = (POISONED, BURNED, *TURNING)
"""In the order in which Pokémon Checkup looks at them, Confused apart."""
USUAL = {POISONED: 10, BURNED: 20}
"""The damage of a condition at Checkup, if its card names no other."""
MOST_PRIZES = 6
MOST_LESS = 990


def tens(least: int, most: int) -> Reader:
    """A multiple of ten from *least* to *most*."""
    inner = whole(least, most)

    def read(value: Any, system: Terms) -> int:
        number: int = inner.read(value, system)
        if number % COUNTER:
            raise ValueError
        return number

    words = Phrase("a multiple of ten from {least} to {most}", least=least, most=most)
    schema = {**inner.schema, "multipleOf": COUNTER}
    return Reader(words, read, least=least, most=most, step=COUNTER, schema=schema)


class Player(PlayerSeat, frozen=True):
    """A player.

    turns: how many have begun in this game; 0 before the first, or if nobody counted.
    had_pokemon: a Pokémon of this player was in play in this game. starting_prizes: Prize cards at
    the start of this game; None until the opening says it. poison_more, burn_more: what cards add
    to the damage that a Poisoned or Burned Active Pokémon of this player takes at Checkup.
    knocked_out_in: the number of the opponent's turn in which a Pokémon was Knocked Out last.
    turn_in: the number of the last turn of this player; 0 if nobody counted. none_left: the player
    said that no Pokémon is left, on a Bench that nobody added either.
    """

    turns: int = 0
    had_pokemon: bool = False
    starting_prizes: int | None = None
    bench_limit: int = 5
    poison_more: int = 0
    burn_more: int = 0
    energy_attached: bool = False
    supporter_played: bool = False
    stadium_played: bool = False
    retreated: bool = False
    gx_used: bool = False
    vstar_used: bool = False
    knocked_out_in: int = 0
    turn_in: int = 0
    none_left: bool = False

    marks: ClassVar[Mapping[str, Any]] = {
        "energy_attached": FLAG,
        "supporter_played": FLAG,
        "stadium_played": FLAG,
        "retreated": FLAG,
        "gx_used": FLAG,
        "vstar_used": FLAG,
        "bench_limit": whole(1, 8),
        "poison_more": tens(0, 990),
        "burn_more": tens(0, 990),
    }


EACH_TURN = ("energy_attached", "supporter_played", "stadium_played", "retreated")
"""The marks of a player that go off as the player's own turn begins."""


class Stage(Struct, frozen=True):
    """A card under an Evolution."""

    name: str
    hp: int = 0
    prizes: int = 1


def _restored(below: Any) -> tuple[Stage, ...]:
    return tuple(from_facts(Stage, each) for each in below)


class Pokemon(GameObject, frozen=True):
    """A Pokémon in play, or its card elsewhere.

    hp: as printed; 0 if unknown, and then damage never Knocks it Out. hp_change: what
    Tools and Stadiums add. prizes: how many it is worth when Knocked Out. below: the cards under
    it, the lowest first. poisoned, burned: damage at each Checkup; 0 if it is not. turned: asleep,
    confused or paralyzed; "" if none. turned_in: the number of the turn in which that began. coins:
    how many must be heads to wake it. came: the number of the turn in which it last came into play,
    evolved or devolved; -1 if that was before the game. doomed: a card will Knock it Out at the
    next moment for Knock Outs. immune: it cannot be affected by Special Conditions. takes_less:
    what attacks do less to it.
    """

    hp: int = 0
    hp_change: int = 0
    prizes: int = 1
    below: tuple[Stage, ...] = ()
    poisoned: int = 0
    burned: int = 0
    turned: str = ""
    turned_in: int = -1
    coins: int = 1
    came: int = -1
    doomed: bool = False
    immune: bool = False
    ability_used: bool = False
    cannot_attack: bool = False
    cannot_retreat: bool = False
    takes_less: int = 0

    field_zones: ClassVar[frozenset[str]] = frozenset({ACTIVE, BENCH})
    off_field: ClassVar[Words] = marked("{name} is not in play ({zone}).")
    marks: ClassVar[Mapping[str, Any]] = {
        "immune": FLAG,
        "ability_used": FLAG,
        "cannot_attack": FLAG,
        "cannot_retreat": FLAG,
        "takes_less": tens(0, MOST_LESS),
    }
    restores: ClassVar[Restores] = {"below": _restored}

    @cites("In play 1")
    def moved(self, zone: str, controller: str, had: Kinds) -> Pokemon:
        """The card in another zone: everything on it ends; it enters play as a Basic."""
        there = GameObject.moved(self, zone, controller, had)
        lowest = {}
        if there.on_field and self.below:
            first = self.below[0]
            lowest = {"name": first.name, "hp": first.hp, "prizes": first.prizes, "below": ()}
        return replace(there, **NO_CONDITION, hp_change=0, came=-1, doomed=False, **lowest)

    @property
    def conditions(self) -> tuple[str, ...]:
        """The Special Conditions it has, in the order of Checkup."""
        found = [name for name in (POISONED, BURNED) if getattr(self, name)]
        return (*found, self.turned) if self.turned else tuple(found)

    @property
    def most_hp(self) -> int:
        """Its HP with all changes."""
        return max(0, self.hp + self.hp_change)


NO_CONDITION: Mapping[str, Any] = {
    name: defaults(Pokemon)[name] for name in (POISONED, BURNED, "turned", "turned_in", "coins")
}


def left_active(mon: Pokemon) -> Mapping[str, Any]:
    """Changes when a Pokémon leaves the Active Spot, evolves or devolves: of what it takes less
    only what had no end stays, for that is a card's and not an attack's."""
    less = mon.until.get("takes_less", mon.takes_less)
    return {**NO_CONDITION, "cannot_attack": False, "cannot_retreat": False, "takes_less": less}


def player(state: GameState, seat: str) -> Player:
    found = state.seats[seat]
    assert isinstance(found, Player), found
    return found


def pokemon(state: GameState, pokemon_id: str) -> Pokemon:
    found = state.objects[pokemon_id]
    assert isinstance(found, Pokemon), found
    return found


def in_play(state: GameState, seat: str | None = None) -> Iterator[Pokemon]:
    """The Pokémon in play, of one player or of all, in the order they came to the table."""
    for obj in state.objects.values():
        if obj.on_field and isinstance(obj, Pokemon) and seat in (None, obj.owner):
            yield obj


def active(state: GameState, seat: str) -> Pokemon | None:
    """The Active Pokémon of *seat*, if there is one."""
    return next((each for each in in_play(state, seat) if each.zone == ACTIVE), None)


def bench(state: GameState, seat: str) -> list[Pokemon]:
    return [each for each in in_play(state, seat) if each.zone == BENCH]


def turn_number(state: GameState) -> int:
    """The number of turns begun in this game."""
    return sum(player(state, seat).turns for seat in state.seats)


def phase(state: GameState) -> str:
    assert state.turn is not None
    return state.turn.phase


def their_turn(state: GameState, seat: str) -> bool:
    return state.turn is not None and seat in state.turn.active


def opponent(state: GameState, seat: str) -> str | None:
    """The next player at the table who is still in the game; None if there is no other."""
    seats = list(state.seats)
    at = seats.index(seat)
    others = [*seats[at + 1 :], *seats[:at]]
    return next((each for each in others if not state.seats[each].lost), None)


def next_first(state: GameState) -> list[str]:
    """The players still in the game, the one whose turn comes next before the others."""
    remaining = [seat.id for seat in state.remaining()]
    return sorted(remaining, key=lambda seat: their_turn(state, seat))


@cites("Damage 2", "Knocked Out 1")
def has_no_hp_left(state: GameState, mon: Pokemon) -> bool:
    """True if its damage is at least its HP; False if its HP is unknown."""
    return mon.hp > 0 and state.count(mon.id, DAMAGE) >= mon.most_hp


# What a card is worth

_UNCOUNTED = frozenset({"clefairy doll"})
_TWO = ("ex", "-ex", "gx", "v", "vstar")
_WORTHLESS = frozenset(
    {
        "snorlax doll",
        "lillie's poké doll",
        "clefairy doll",
        "mysterious fossil",
        "robo substitute",
    }
)


def _plain(name: str) -> str:
    """*name* in small letters, whichever apostrophe was typed, without the sign of its species."""
    return name.lower().replace("’", "'").strip().removesuffix("δ").strip()


@cites("Knocked Out 9")
def counts_as_knocked_out(name: str) -> bool:
    """True if cards that ask for a Knock Out count that of a Pokémon of this name."""
    return _plain(name) not in _UNCOUNTED


@cites("Prizes 2")
def worth(name: str) -> int:
    """The number of Prize cards for a Pokémon of that name, as its rule box would say.

    A proposal only. "M Charizard-EX" of 2014 is worth two, "Mega Charizard X ex" of 2025 three. A
    LEGEND is worth two if two Pokémon are on it.
    """
    lower = _plain(name)
    words = lower.replace("-", " ").split()
    last = words[-1] if words else ""
    if lower in _WORTHLESS:
        return 0
    if last == "vmax" or lower.endswith("v-union") or (last == "gx" and "&" in lower):
        return 3
    if words[:1] == ["mega"] and last == "ex":
        return 3
    if last == "legend":
        return 2 if "&" in lower else 1
    return 2 if last in _TWO and len(words) > 1 else 1


# What is shown


@cites("Damage 2", "Knocked Out 8", "Prizes 1")
def derived(system: System, state: GameState, obj: Any) -> dict[str, Any]:
    """Derived values of a Pokémon, a player or a prompt.

    remaining: the HP left; absent if the HP is unknown. prizes_taken: in this game.
    knocked_out_last_turn: a Pokémon of this player was, in the opponent's last turn.
    """
    if isinstance(obj, Pokemon):
        follows: dict[str, Any] = {"conditions": list(obj.conditions)}
        if obj.hp:
            left = obj.most_hp - state.count(obj.id, DAMAGE)
            follows |= {"most_hp": obj.most_hp, "remaining": max(0, left)}
        return follows
    if isinstance(obj, Player):
        taken = (obj.starting_prizes or 0) - state.count(obj.id, PRIZES)
        return {
            "prizes_taken": max(0, taken),
            "knocked_out_last_turn": was_knocked_out_last_turn(state, obj),
        }
    if isinstance(obj, Prompt) and obj.kind == "promote":
        return {"choices": [each.id for each in bench(state, obj.to)]}
    return {}


@cites("Knocked Out 8")
def was_knocked_out_last_turn(state: GameState, seat: Player) -> bool:
    """True if the opponent's last turn Knocked Out a Pokémon of *seat*, extra turns apart."""
    if not their_turn(state, seat.id) or phase(state) == CHECKUP:
        return False
    other = opponent(state, seat.id)
    last = player(state, other).turn_in if other else 0
    return seat.knocked_out_in > 0 and seat.knocked_out_in == (last or turn_number(state) - 1)
