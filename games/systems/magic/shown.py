"""Designations and commander damage, as a board and its sheets show them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from games.rules.state import CEASED, GameObject, GameState
from games.rules.state import marked_for as pgettext
from games.rules.system import System, cites
from games.systems.sheets import Label

from .dungeons import DUNGEONS, exits, room_of
from .player import MOST_SPEED, RING_LEVELS, UNDERCITY, Card, Player, player, side_of

PLANE = "plane"
"""The id of the note that keeps the plane."""


class Taken(NamedTuple):
    """Damage that a player has taken from one commander.

    owner: the seat whose commander it is; "" for a commander that is not on the table and known
    by name only. commander: its id, or that name.
    """

    owner: str
    commander: str
    name: str
    amount: int


COUNTERS = frozenset(
    {
        pgettext("counter", "poison"),
        pgettext("counter", "rad"),
        pgettext("counter", "loyalty"),
        pgettext("counter", "defense"),
        pgettext("counter", "energy"),
        pgettext("counter", "experience"),
        pgettext("counter", "lore"),
        pgettext("counter", "shield"),
        pgettext("counter", "stun"),
        pgettext("counter", "charge"),
        pgettext("counter", "time"),
        pgettext("counter", "finality"),
        pgettext("counter", "oil"),
        pgettext("counter", "age"),
        pgettext("counter", "level"),
        pgettext("counter", "flying"),
        pgettext("counter", "first strike"),
        pgettext("counter", "double strike"),
        pgettext("counter", "deathtouch"),
        pgettext("counter", "haste"),
        pgettext("counter", "hexproof"),
        pgettext("counter", "lifelink"),
        pgettext("counter", "menace"),
        pgettext("counter", "reach"),
        pgettext("counter", "trample"),
        pgettext("counter", "vigilance"),
        pgettext("counter", "indestructible"),
    }
)
"""Kinds that the game printed in another language calls by a word of its own."""
CARD_TYPES = frozenset({pgettext("card type", "battle")})
# Some languages join these to the word for counters by a letter.
pgettext("before “counters”", "charge")
pgettext("before “counters”", "defense")
pgettext("before “counters”", "experience")
pgettext("before “counters”", "finality")
pgettext("before “counters”", "loyalty")
pgettext("before “counters”", "rad")
pgettext("before “counters”", "stun")


def taken(state: GameState, seat: str) -> tuple[Taken, ...]:
    """Damage of *seat* from each commander: by the owner's place, then as they were made.

    An opponent's commander is listed from the start, with 0. One's own, a teammate's, and those of
    players who are out are listed only if they have dealt any, and so are names without a card.
    """
    dealt = dict(player(state, seat).commander_damage)
    places = list(state.seats)
    team = side_of(state, seat)
    others = {each.id for each in state.remaining()} - {seat, *(team.seats if team else ())}
    commanders = [
        card
        for card in state.objects.values()
        if card.id in dealt or (card.owner in others and commander(card))
    ]
    commanders.sort(key=lambda card: places.index(card.owner))
    listed = [Taken(card.owner, card.id, card.name, dealt.pop(card.id, 0)) for card in commanders]
    return (*listed, *(Taken("", name, name, amount) for name, amount in dealt.items()))


def commander(card: GameObject) -> bool:
    """True if *card* is a commander, wherever it is; not a token that ceased to exist."""
    return isinstance(card, Card) and card.commander and card.zone != CEASED


class Designation(NamedTuple):
    """A designation that is held.

    kind: what it is. icon: of the control. word: the id of what to call it. value: its number, if
    it has one.
    """

    kind: str
    icon: str
    word: str
    value: int | None = None


def designations(state: GameState, seat: str) -> tuple[Designation, ...]:
    """Designations that *seat* holds, in fixed order."""
    return tuple(_of_seat(state, seat))


def _of_seat(state: GameState, seat: str) -> Iterator[Designation]:
    shown = player(state, seat)
    if shown.monarch:
        yield Designation("monarch", "crown", "monarch")
    if shown.initiative:
        yield Designation("initiative", "flag", "initiative")
    if shown.citys_blessing:
        yield Designation("citys_blessing", "landmark", "citys_blessing")
    if shown.ring_level:
        yield Designation("ring_level", "gem", "ring_level", shown.ring_level)
    if shown.speed:
        yield Designation("speed", "fast-forward", "speed", shown.speed)
    if shown.dungeon and room_of(shown.dungeon, shown.room):
        yield Designation("dungeon", "castle", shown.dungeon, shown.room)
    if shown.dungeons_completed:
        done = shown.dungeons_completed
        yield Designation("dungeons_completed", "check", "dungeons_completed", done)
    if shown.spells_cast:
        yield Designation("spells_cast", "zap", "spells_cast", shown.spells_cast)


def of_table(state: GameState) -> tuple[Designation, ...]:
    """Designations of the table: day or night, the spells of this turn, the plane."""
    found: list[Designation] = []
    if daytime := daytime_of(state):
        found.append(Designation("daytime", "sun" if daytime == "day" else "moon", daytime))
    if storm := storm_of(state):
        found.append(Designation("spells_cast", "zap", "spells_cast", storm))
    if PLANE in state.notes:
        found.append(Designation("plane", "globe", "plane"))
    return tuple(found)


def daytime_of(state: GameState) -> str | None:
    """The time of day, "day" or "night"; None for neither."""
    return next((player(state, seat).daytime for seat in state.seats), None)


def storm_of(state: GameState) -> int:
    """The spells that all players have cast in this turn."""
    return sum(player(state, seat).spells_cast for seat in state.seats)


# What the sheets need

OFFERED = (1, 2, 3, 4)
"""The amounts that a drain offers at once."""


def _bearers(state: GameState, seat: str, label: Label) -> Iterator[tuple[Card, str, int]]:
    """The creatures that *seat* controls; of those that are alike, one."""
    alike: dict[Any, list[Card]] = {}
    for card in state.objects.values():
        if not (isinstance(card, Card) and card.on_field and card.controller == seat):
            continue
        if not card.types or "creature" in card.types:
            looks = (card.name, card.token, card.ring_bearer, tuple(state.on(card.id).items()))
            alike.setdefault(looks, []).append(card)
    for cards in alike.values():
        yield cards[0], label(cards[0]) if len(cards) == 1 else cards[0].name, len(cards)


USUAL_DAMAGE = range(2, 8)


def seat_facts(system: System, state: GameState, seat: Player, label: Label) -> Mapping[str, Any]:
    """Context of the sheets about *seat*.

    dealt: by commander, for a judge: (id, name, amount). taken: as the function says, with names
    that tell like ones apart; those of whose_turn come last. usual_damage: what one tap adds;
    deadly: how much is too much. ways: the rooms that follow, each with its number. creatures: what
    may become the Ring-bearer, and how many are like it. bearer: if one is. drains: see `drains`.
    """
    room = room_of(seat.dungeon, seat.room)
    rows = [
        each._replace(name=label(state.objects[each.commander])) if each.owner else each
        for each in taken(state, seat.id)
    ]
    active = state.turn.active if state.turn else ()
    rows.sort(key=lambda each: each.owner in active)
    plane = state.notes.get(PLANE)
    creatures = list(_bearers(state, seat.id, label))
    return {
        "looked": seat,
        "dealt": [(each.commander, each.name, each.amount) for each in rows if each.amount],
        "taken": rows,
        "whose_turn": active,
        "usual_damage": USUAL_DAMAGE,
        "deadly": system.setting(state, "commander_damage_loses"),
        "daytime": daytime_of(state),
        "storm": storm_of(state),
        "ring_levels": RING_LEVELS,
        "faster": faster(seat),
        "most_speed": MOST_SPEED,
        "creatures": creatures,
        "bearer": any(card.ring_bearer for card, _name, _n in creatures),
        "room": room,
        "rooms": len(DUNGEONS[seat.dungeon]) if seat.dungeon and room else 0,
        "ways": ways_on(seat) if exits(seat.dungeon, seat.room) else [],
        "dungeons": tuple(DUNGEONS),
        "plane": plane.text if plane else "",
        "drains": drains(system, state, seat.id),
        "becoming": sorted({1, 10, seat.starting_life // 2, seat.starting_life}),
        "exchanges": [
            ([seat.id, each.id], each.id)
            for each in state.remaining()
            if system.seating.side(state, each.id) != system.seating.side(state, seat.id)
        ],
    }


def ways_on(seat: Player) -> list[tuple[int, str | None]]:
    """The rooms that the initiative may lead *seat* to, each with its number."""
    ways = exits(seat.dungeon, seat.room)
    dungeon, numbers = (seat.dungeon, ways) if ways else (UNDERCITY, [1])
    return [(number, room_of(dungeon, number)) for number in numbers]


@cites("702.179d")
def faster(seat: Player) -> Sequence[int]:
    """The speeds that *seat* may have next: from none to the maximum."""
    return range(seat.speed + 1, MOST_SPEED + 1)


def drains(system: System, state: GameState, seat: str) -> list[dict[str, Any]]:
    """Each opponent of *seat* loses life: *seat* gains as much, or all of it.

    gains: how many times as much. steps: by amount, those of a `together`. Nothing without an
    opponent; with one both are the same.
    """
    side = system.seating.side
    mine = side(state, seat)
    opponents = [each.id for each in state.remaining() if side(state, each.id) != mine]
    return [
        {"gains": times, "steps": [(n, _drain(opponents, seat, n, n * times)) for n in OFFERED]}
        for times in dict.fromkeys((1, len(opponents)))
        if opponents
    ]


def _drain(opponents: list[str], seat: str, amount: int, gain: int) -> list[dict[str, Any]]:
    return [
        {"do": "lose-life", "seats": opponents, "amount": amount},
        {"do": "gain-life", "seat": seat, "amount": gain},
    ]
