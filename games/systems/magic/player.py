"""Players, permanents and teams: what they have, and what follows from it.

A team has four independent switches: shared turns, shared life, shared poison, and the poison at
which it loses. Two-Headed Giant shares everything, Archenemy only turns, Archenemy Commander turns
and life.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

from msgspec import field
from msgspec.structs import replace

from games.rules import cards
from games.rules.commands import AMOUNT, FLAG, KIND, NAME, one_of, record, table, whole
from games.rules.marks import refuse_off_field
from games.rules.modifiers import Changeable
from games.rules.state import GameState, Kinds, PlayerSeat, Prompt, Team, Words
from games.rules.state import marked as _
from games.rules.system import System, cites
from games.rules.ticks import PUTS

from .rules import here

BATTLEFIELD, GRAVEYARD, EXILE = "battlefield", "graveyard", "exile"
TYPES = "artifact battle creature enchantment instant kindred land planeswalker sorcery".split()
POWER_AND_TOUGHNESS = ("power", "toughness")
PRINTED = ("power", "toughness", "loyalty", "defense", "chapters", "station")
SHIFT = table(one_of(*POWER_AND_TOUGHNESS), whole(-9999, 9999))
SUBTYPES = table(KIND, FLAG)
NIGHT = record(
    "what the face by night says: name, base, subtypes",
    {"name": NAME, "base": table(one_of(*PRINTED), AMOUNT), "subtypes": SUBTYPES},
)
LEAST_LIFE, MOST_LIFE = -999_999, 999_999
POISON, RAD, SIEGE, SAGA, BLOCKS = "poison", "rad", "siege", "saga", "blocks"
UNDERCITY = "undercity"
OTHERS = "other"
HELD_BY_ONE = ("monarch", "initiative")
"""The marks that only one player can have: giving one to a player takes it from another."""
FIRST_STRIKE, DOUBLE_STRIKE = "first strike", "double strike"
TRAMPLE, VIGILANCE, MENACE, DEATHTOUCH = "trample", "vigilance", "menace", "deathtouch"
OF_DAMAGE = ("lifelink", DEATHTOUCH, "infect", "wither")
KEYWORDS = (FIRST_STRIKE, DOUBLE_STRIKE, TRAMPLE, VIGILANCE, MENACE, *OF_DAMAGE)
RING_LEVELS = 4
MOST_SPELLS = 999
MOST_SPEED = 4


class Player(PlayerSeat, frozen=True):
    """A player.

    monarch, initiative, citys_blessing: designations; the players apply them.
    gains_from_radiation: gains the life that radiation would cost.
    cannot_lose: the game, by any state-based action.
    mills_times, mills_more: replacement effects multiply the mill of rad by the one, and then add
    the other, if there is anything to mill.
    commander_damage: by commander (the id of an object, or a name): the combat damage it has dealt
    to this player over the game.
    daytime: "day", "night", or None for neither; the same for every player, for it is the game's.
    spells_cast: by this player in this turn; spells_before: in the one before, while there is day
    or night. ring_level: 0 until the Ring tempts the player.
    dungeon, room: the dungeon the player is in, and the number of the room; None and 0 outside.
    dungeons_completed: in this game. speed: 0 while the player has none. sped_up: it has gone up by
    itself in this turn.
    """

    life: int = 20
    starting_life: int = 20
    monarch: bool = False
    initiative: bool = False
    citys_blessing: bool = False
    cannot_lose_life: bool = False
    gains_from_radiation: bool = False
    cannot_get_counters: bool = False
    mills_times: int = 1
    commander_damage: Mapping[str, int] = field(default_factory=dict)
    daytime: str | None = None
    spells_cast: int = 0
    ring_level: int = 0
    dungeon: str | None = None
    room: int = 0
    dungeons_completed: int = 0
    mills_more: int = 0
    cannot_lose: bool = False
    speed: int = 0
    sped_up: bool = False
    spells_before: int = 0

    marks: ClassVar[Mapping[str, Any]] = {
        "monarch": FLAG,
        "initiative": FLAG,
        "citys_blessing": FLAG,
        "cannot_lose_life": FLAG,
        "gains_from_radiation": FLAG,
        "cannot_get_counters": FLAG,
        "mills_times": whole(1, 99),
        "mills_more": whole(0, 99),
        "cannot_lose": FLAG,
        "spells_cast": whole(0, MOST_SPELLS),
        "ring_level": whole(0, RING_LEVELS),
        "dungeons_completed": whole(0, 99),
        "speed": whole(0, MOST_SPEED),
    }


class Card(Changeable, frozen=True):
    """A permanent on the battlefield, or a card elsewhere.

    types: of its front face. base: the printed numbers; the card has no others.
    commander: it is a commander, in any zone. casts: how often it was cast from the command zone
    in this game. ring_bearer: it is its controller's Ring-bearer. attacking: a plain mark.
    marked: the damage that a creature was dealt this turn. tapped: it untaps as its controller's
    turn begins. moves: how often it has changed zones; each time it became another object (400.7).
    limits: by kind, the number of counters that it can't have more of. indestructible: lethal
    damage does not destroy it. deathtouched: a source with deathtouch has dealt it damage this
    turn. phased_out: it is treated as though it did not exist, until it phases in. keywords: those
    that were said of it as it attacked; None if none were. Screens offer them again, no rule does.
    subtypes: by creature type, whether it is one, and by `OTHERS` whether it is any other; of what
    is missing, nobody has said. night: of a card with daybound, what its other face says; face:
    which is up, "day" or "night".
    """

    types: tuple[str, ...] = ()
    base: Mapping[str, int] = field(default_factory=dict)
    commander: bool = False
    casts: int = 0
    ring_bearer: bool = False
    attacking: bool = False
    marked: int = 0
    tapped: bool = False
    moves: int = 0
    limits: Mapping[str, int] = field(default_factory=dict)
    indestructible: bool = False
    deathtouched: bool = False
    phased_out: bool = False
    keywords: tuple[str, ...] | None = None
    subtypes: Mapping[str, bool] = field(default_factory=dict)
    night: Mapping[str, Any] = field(default_factory=dict)
    face: str = "day"

    field_zones: ClassVar[frozenset[str]] = frozenset({BATTLEFIELD})
    marks: ClassVar[Mapping[str, Any]] = {
        "ring_bearer": FLAG,
        "attacking": FLAG,
        "tapped": FLAG,
        "indestructible": FLAG,
        "phased_out": FLAG,
    }

    @property
    def off_field(self) -> Words:  # type: ignore[override]
        """The refusal of a command that needs it on the battlefield."""
        if self.phased_out:
            return _("{name} is phased out.")
        return _("{name} is not on the battlefield ({zone}).")

    @property
    @cites("702.26b")
    def on_field(self) -> bool:
        """True on the battlefield, unless it is phased out."""
        return self.zone in self.field_zones and not self.phased_out

    @property
    def listed(self) -> bool:
        """Objects in play, and commanders wherever they are."""
        return self.on_field or self.commander

    @cites("122.1h")
    def goes_to(self, zone: str, counters: Kinds) -> str:
        """A permanent with a finality counter is exiled instead of going to the graveyard."""
        return Changeable.goes_to(self, EXILE if self._is_final(zone, counters) else zone, counters)

    def sent_by(self, zone: str, counters: Kinds) -> str | None:
        return "122.1h" if self._is_final(zone, counters) else None

    def _is_final(self, zone: str, counters: Kinds) -> bool:
        return self.on_field and zone == GRAVEYARD and "finality" in counters

    def moved(self, zone: str, controller: str, had: Kinds) -> Self:
        """What is printed stays: so is being indestructible, unless it was for a while."""
        card = Changeable.moved(self, zone, controller, had)
        printed = self.indestructible and "indestructible" not in self.until
        return replace(
            card, marked=0, deathtouched=False, moves=self.moves + 1, indestructible=printed
        )

    @cites("514.2")
    def without_temporary(self) -> Self:
        """The card as the turn ends: damage marked on it ends together with changes."""
        lasting = Changeable.without_temporary(self)
        if not self.marked and not self.deathtouched:
            return lasting
        return replace(lasting, marked=0, deathtouched=False)


class Side(Team, frozen=True):
    """A team. life: used if life is shared. poison_limit: used if poison is shared."""

    shared_turns: bool = False
    shared_life: bool = False
    shared_poison: bool = False
    poison_limit: int = 15
    life: int = 30
    starting_life: int = 30


def player(state: GameState, seat: str) -> Player:
    found = state.seats[seat]
    assert isinstance(found, Player), found
    return found


def side_of(state: GameState, seat: str) -> Side | None:
    """The team of *seat*, if it is on one."""
    for team in state.teams.values():
        if seat in team.seats:
            assert isinstance(team, Side), team
            return team
    return None


@cites("810.9", "904.13b")
def sharing_life(state: GameState, seat: str) -> Side | None:
    """The team that *seat* shares life with; None if it has its own life."""
    side = side_of(state, seat) if state.teams else None
    return side if side and side.shared_life else None


@cites("810.10", "904.13c", "810.5")
def sharing_poison(state: GameState, seat: str) -> Side | None:
    """The team that *seat* shares poison with; None if it has its own. No other kind is shared."""
    side = side_of(state, seat) if state.teams else None
    return side if side and side.shared_poison else None


def life_of(state: GameState, seat: str) -> int:
    """The life of *seat*, or of the team that shares it."""
    side = sharing_life(state, seat)
    return side.life if side else player(state, seat).life


# What the core asks


@cites("810.10")
def counter_owner(state: GameState, holder: str, kind: str) -> str:
    """Shared poison is the team's; everything else is the holder's own."""
    if kind == POISON and state.teams and (side := sharing_poison(state, holder)):
        return f"team:{side.id}"
    return holder


def accepts(state: GameState, holder: str) -> bool:
    """True if *holder* can get counters; a player may be marked so that it cannot."""
    seat = state.seats.get(holder)
    return not (isinstance(seat, Player) and seat.cannot_get_counters)


def plain(state: GameState) -> bool:
    """True if counters are put as in every card game: nothing changes or forbids it."""
    return not state.standings and all(accepts(state, each) for each in state.seats)


@cites("810.10")
def held(state: GameState, holder: str) -> Kinds:
    """All counters that *holder* has: its own, and the poison that its team shares."""
    side = sharing_poison(state, holder)
    if side is None:
        return state.on(holder)
    own = {kind: amount for kind, amount in state.on(holder).items() if kind != POISON}
    shared = state.count(f"team:{side.id}", POISON)
    return own | {POISON: shared} if shared else own


@cites("808.3", "810.8a")
def side(state: GameState, seat: str) -> str:
    """The side that wins or loses with *seat*: its team, or else itself."""
    found = side_of(state, seat)
    return f"team:{found.id}" if found else seat


@cites("306.5b", "310.4b")
def printed(system: System, card: Card) -> Mapping[str, int]:
    """A planeswalker enters with its printed loyalty, a battle with its printed defense."""
    return {kind: card.base[kind] for kind in ("loyalty", "defense") if card.base.get(kind, 0) > 0}


def can_hold(system: System, state: GameState, holder: object) -> None:
    """Nothing is put on a permanent that is phased out, or taken from it."""
    if isinstance(holder, Card) and holder.phased_out:
        refuse_off_field(holder)


def late_seat(system: System, state: GameState, seat: str) -> tuple[Player, Kinds]:
    """A guest who comes late has the life with which the seat began, or else the first player."""
    life = player(state, seat if seat in state.seats else next(iter(state.seats))).starting_life
    return Player(seat, life=life, starting_life=life), {}


@cites("800.4i", "104.5")
def further(system: System, state: GameState) -> Mapping[str, Any]:
    """Its totals: the counters that players still in the game have, except shared poison."""
    sums: dict[str, int] = {}
    for seat in state.remaining():
        for kind, amount in state.on(seat.id).items():
            if kind != POISON or not sharing_poison(state, seat.id):
                sums[kind] = sums.get(kind, 0) + amount
    return {"totals": sums}


@cites("728.1", "725.1", "608.2h", "614.1a")
def due(state: GameState, prompt: Prompt) -> int:
    """The number of cards that the waiting rad ability mills if it resolves now."""
    milling = player(state, prompt.to)
    cards_due = state.count(prompt.to, RAD) * milling.mills_times
    return cards_due + milling.mills_more if cards_due else 0


def derived(system: System, state: GameState, obj: Any) -> dict[str, Any]:
    """Derived values of a prompt, team or player, beside its own fields."""
    if isinstance(obj, Prompt):
        if obj.kind in ASKED_BY:
            return {"rule": here(system, ASKED_BY[obj.kind])}
        return {"due": due(state, obj), "rule": here(system, "728.1")}
    if isinstance(obj, Side):
        return {"lost": all(state.seats[seat].lost for seat in obj.seats)}
    if isinstance(obj, Player) and (found := side_of(state, obj.id)):
        follows: dict[str, Any] = {"team": found.id}
        if found.shared_life:
            follows["shared_life"] = found.life
        if found.shared_poison:
            follows["shared_poison"] = state.count(f"team:{found.id}", POISON)
        return follows
    return {}


ASKED_BY = {
    SIEGE: "310.11b",
    SAGA: "714.2c",
    BLOCKS: "509.1",
    PUTS: "603.3d",
    UNDERCITY: "726.2",
}
"""By kind of the questions that mill nothing: the rule."""


@cites("903.8")
def commander_tax(card: Card) -> dict[str, int]:
    """The extra cost of casting the commander from the command zone, if it was cast before."""
    return {"tax": 2 * card.casts} if card.casts else {}


@cites("810.10")
def opening(system: System, given: Mapping[str, Any], settings: Mapping[str, Any]) -> GameState:
    """The opening; a team's starting life is its current life, unless it says otherwise.

    Poison of one who shares it with a team is the team's.
    """
    teams = {
        team: {"starting_life": facts.get("life", Side("").starting_life), **facts}
        for team, facts in given.get("teams", {}).items()
    }
    state = cards.opening(system, {**given, "teams": teams}, settings)
    for seat in state.seats:
        owner, poison = counter_owner(state, seat, POISON), state.count(seat, POISON)
        if poison and owner != seat:
            shared = state.count(owner, POISON) + poison
            state = state.with_count(seat, POISON, 0).with_count(owner, POISON, shared)
    return state
