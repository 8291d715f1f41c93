"""A card, its player, and what follows from its counters: stats, level, durability, Omens.

These numbers are never stored: each is worked out when it is needed, from the printed value, the
counters on the card and the changes made to it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

from games.rules.commands import FLAG
from games.rules.state import GameObject, GameState, Kinds, Prompt, Seat, from_facts
from games.rules.system import System, cites

FIELD = "field"
TYPES = "champion ally weapon item domain phantasia action mastery siegeable regalia unique".split()
STATS = ("power", "life", "durability", "level")
FURTHEST = 2**53 - 1
"""The largest stat, and below 0 the smallest: a browser shows no larger whole number exactly."""


@dataclass(frozen=True, slots=True)
class Change:
    """What one effect does to power and life.

    how: add, multiply, set or swap. amounts: by stat; empty for a swap.
    lasting: it does not end with the turn.
    """

    how: str
    amounts: Mapping[str, int] = field(default_factory=dict)
    lasting: bool = False


def _restored(changes: Any) -> tuple[Change, ...]:
    return tuple(from_facts(Change, change) for change in changes)


@dataclass(frozen=True, slots=True)
class Card(GameObject):
    """An object on the field, or a card elsewhere.

    base: the printed stats; the card has no others. marked: damage on an ally, until the turn ends;
    these are not counters. defeated: a champion that died; it may be in any zone now.
    lineage: the names of a champion at its lower levels, from the first.
    """

    types: tuple[str, ...] = ()
    base: Mapping[str, int] = field(default_factory=dict)
    marked: int = 0
    immortal: bool = False
    defeated: bool = False
    lineage: tuple[str, ...] = ()
    changes: tuple[Change, ...] = field(default=(), metadata={"restore": _restored})

    field_zones: ClassVar[frozenset[str]] = frozenset({FIELD})
    marks: ClassVar[Mapping[str, Any]] = {"immortal": FLAG}

    @property
    def names(self) -> tuple[str, ...]:
        """Its names, from the lowest level to the present one."""
        return (*self.lineage, self.name)

    @cites("Supertypes, Regalia 4")
    def goes_to(self, zone: str) -> str:
        """A champion or regalia that would go from the field to the graveyard is banished."""
        kept_out = "champion" in self.types or "regalia" in self.types
        if zone == "graveyard" and self.zone == FIELD and kept_out:
            zone = "banishment"
        return GameObject.goes_to(self, zone)

    @cites("Counters 5")
    def moved(self, zone: str, controller: str, had: Kinds) -> Card:
        """The card in another zone: without marked damage, changes and marks.

        It stays defeated until it enters the field again.
        """
        card = GameObject.moved(self, zone, controller, had)
        return replace(card, marked=0, changes=(), defeated=self.defeated and zone != FIELD)


@dataclass(frozen=True, slots=True)
class Player(Seat):
    """A player. had_champion: the player has controlled a champion on the field."""

    had_champion: bool = False


def card_of(state: GameState, card_id: str) -> Card:
    """The card with that id."""
    card = state.objects[card_id]
    assert isinstance(card, Card), card
    return card


@cites("Buff 1", "Buff 2", "Buff 3", "Debuff 1", "Debuff 2", "Debuff 3")
def stat(system: System, state: GameState, card: Card, name: str) -> int | None:
    """Power or life before any swap; None if the card has no such stat.

    It starts from the printed value, or the last value set. Counters apply before all other
    changes, or after them if the table follows the Continuous Effects page; they give no new stat.
    """
    value = card.base.get(name)
    kinds = state.on(card.id)
    by_counters = kinds.get("buff", 0) - kinds.get("debuff", 0)
    if not card.changes:
        return None if value is None else value + by_counters
    for change in card.changes:
        if change.how == "set":
            value = change.amounts.get(name, value)
    if value is None:
        return None
    first = system.setting(state, "counters_apply") == "first"
    if first:
        value += by_counters
    for change in card.changes:
        amount = change.amounts.get(name)
        if amount is not None and change.how == "add":
            value += amount
        elif amount is not None and change.how == "multiply":
            value *= amount
        value = max(-FURTHEST, min(FURTHEST, value))
    return value if first else value + by_counters


@cites("Continuous Effects, Layer E")
def power_and_life(system: System, state: GameState, card: Card) -> tuple[int | None, int | None]:
    """Both stats; at the end an odd number of swaps exchanges them, if both exist."""
    power, life = stat(system, state, card, "power"), stat(system, state, card, "life")
    swaps = sum(change.how == "swap" for change in card.changes)
    if swaps % 2 and power is not None and life is not None:
        return life, power
    return power, life


def life_of(system: System, state: GameState, card: Card, kinds: Kinds) -> int | None:
    """The life of *card* with *kinds* on it; None if it has no such stat."""
    if card.changes:
        return power_and_life(system, state, card)[1]
    life = card.base.get("life")
    if life is None or not kinds:
        return life
    return life + kinds.get("buff", 0) - kinds.get("debuff", 0)


@cites("Durability 2", "Durability 4")
def durability(state: GameState, card: Card) -> int | None:
    """The number of durability counters; None without a printed durability."""
    return state.count(card.id, "durability") if "durability" in card.base else None


@cites("Level 1")
def level(state: GameState, card: Card) -> int | None:
    """The printed level of a champion plus its level counters; None for anything else."""
    if "champion" not in card.types or "level" not in card.base:
        return None
    return card.base["level"] + state.count(card.id, "level")


@cites("Durability 1")
def printed(system: System, card: Card) -> Mapping[str, int]:
    """The durability counters with which *card* enters the field."""
    return {"durability": card.base.get("durability", 0)}


USUAL = {
    "champion": ("enlighten", "level", "buff", "debuff", "bulwark"),
    "ally": ("buff", "debuff", "wither", "bulwark"),
    "weapon": ("durability", "buff", "debuff", "wither"),
    "siegeable": ("durability", "wither"),
}
"""By type of object: the kinds with rules about it. Damage is not here: it is dealt."""


def usual_kinds(system: System, card: Card) -> list[str]:
    """The kinds to offer first for *card* in its zone."""
    kinds = [kind for type_ in card.types for kind in USUAL.get(type_, ())] or [
        "wither",
        "enlighten",
    ]
    if not card.on_field:
        kinds = ["omen"]
    return [kind for kind in dict.fromkeys(kinds) if kind in system.kinds]


@cites("Omen 1", "Omen 2")
def omens(system: System, state: GameState, seat: str) -> list[str]:
    """The Omens of *seat*: its cards in banishment with an omen counter, by id."""
    if "omen" not in system.kinds:
        return []
    marked = (state.objects.get(on) for on, kinds in state.counters.items() if "omen" in kinds)
    return sorted(
        card.id for card in marked if card and card.zone == "banishment" and card.owner == seat
    )


@cites("Wither 1", "Counters 6")
def due(system: System, state: GameState, seat: str) -> dict[str, int]:
    """By id: the reserve that *seat* must pay now for each object with wither."""
    if "wither" not in system.kinds:
        return {}
    withered = {on: kinds["wither"] for on, kinds in state.counters.items() if "wither" in kinds}
    return {
        on: withered[on]
        for on in sorted(withered)
        if (card := state.objects.get(on)) and card.zone == FIELD and card.controller == seat
    }


def derived(system: System, state: GameState, obj: Any) -> dict[str, Any]:
    """What is shown of a card, player or prompt besides its own fields."""
    if isinstance(obj, Card):
        power, life = power_and_life(system, state, obj)
        worn, high = durability(state, obj), level(state, obj)
        return {"power": power, "life": life, "durability": worn, "level": high}
    if isinstance(obj, Player):
        return {"omens": omens(system, state, obj.id)}
    if isinstance(obj, Prompt) and obj.kind == "wither":
        return {"rule": "Wither 1", "due": due(system, state, obj.to)}
    if isinstance(obj, Prompt):
        return {"rule": "Enlighten 1"}
    return {}
