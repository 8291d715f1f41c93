"""What a board and its sheets show of a table besides numbers and cards."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from games.rules.state import CEASED, GameObject, GameState

from .dungeons import room_of
from .player import Card, player, side_of

PLANE = "plane"
"""The id of the note that keeps the plane."""


class Taken(NamedTuple):
    """What a player has taken from one commander.

    owner: the seat whose commander it is; "" for a commander that is not on the table and known
    by name only. commander: its id, or that name.
    """

    owner: str
    commander: str
    name: str
    amount: int


def taken(state: GameState, seat: str) -> tuple[Taken, ...]:
    """What *seat* has taken from each commander: by the owner's place, then as they were made.

    An opponent's commander is listed from the start, with 0. One's own, a teammate's, and those of
    players who are out are listed only if they have dealt any, and so are names without a card.
    """
    dealt = dict(player(state, seat).commander_damage)
    places = list(state.seats)
    team = side_of(state, seat)
    others = {each.id for each in state.standing()} - {seat, *(team.seats if team else ())}
    commanders = [
        card
        for card in state.objects.values()
        if card.id in dealt or (card.owner in others and _commander(card))
    ]
    commanders.sort(key=lambda card: places.index(card.owner))
    listed = [Taken(card.owner, card.id, card.name, dealt.pop(card.id, 0)) for card in commanders]
    return (*listed, *(Taken("", name, name, amount) for name, amount in dealt.items()))


def _commander(card: GameObject) -> bool:
    return isinstance(card, Card) and card.commander and card.zone != CEASED


class Designation(NamedTuple):
    """Something that is not at rest.

    kind: what it is. icon: of the control. word: the id of what to call it. value: its number, if
    it has one. detail: the id of what else there is to say (the room); free text for a plane.
    """

    kind: str
    icon: str
    word: str
    value: int | None = None
    detail: str = ""


def designations(state: GameState, seat: str) -> tuple[Designation, ...]:
    """What *seat* is and has, in fixed order; nothing that is at rest."""
    return tuple(_of_seat(state, seat))


def _of_seat(state: GameState, seat: str) -> Iterator[Designation]:
    shown = player(state, seat)
    if shown.monarch:
        yield Designation("monarch", "crown", "monarch")
    if shown.initiative:
        yield Designation("initiative", "milestone", "initiative")
    if shown.citys_blessing:
        yield Designation("citys_blessing", "house", "citys_blessing")
    if shown.ring_level:
        yield Designation("ring_level", "ring", "ring_level", shown.ring_level)
    if shown.dungeon and (room := room_of(shown.dungeon, shown.room)):
        yield Designation("dungeon", "castle", shown.dungeon, shown.room, room)
    if shown.dungeons_completed:
        done = shown.dungeons_completed
        yield Designation("dungeons_completed", "check", "dungeons_completed", done)
    if shown.spells_cast:
        yield Designation("spells_cast", "zap", "spells_cast", shown.spells_cast)


def of_table(state: GameState) -> tuple[Designation, ...]:
    """What the whole table is and has: day or night, the spells of this turn, the plane."""
    found: list[Designation] = []
    if daytime := daytime_of(state):
        found.append(Designation("daytime", "sun" if daytime == "day" else "moon", daytime))
    if storm := storm_of(state):
        found.append(Designation("spells_cast", "zap", "spells_cast", storm))
    if plane := state.notes.get(PLANE):
        found.append(Designation("plane", "globe", "plane", None, plane.text))
    return tuple(found)


def daytime_of(state: GameState) -> str | None:
    """Whether it is "day" or "night"; None for neither."""
    return next((player(state, seat).daytime for seat in state.seats), None)


def storm_of(state: GameState) -> int:
    """The spells that all players have cast in this turn."""
    return sum(player(state, seat).spells_cast for seat in state.seats)
