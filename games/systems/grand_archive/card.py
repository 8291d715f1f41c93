"""A card, its player, and what follows from its counters: stats, level, durability, Omens.

These numbers are never stored: each is worked out when it is needed, from the printed value, the
counters on the card and the changes made to it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from msgspec import field
from msgspec.structs import replace

from games.rules.commands import FLAG
from games.rules.modifiers import Changeable
from games.rules.state import CEASED, GameState, Kinds, PlayerSeat, Prompt
from games.rules.system import System, cites
from games.rules.ticks import PUTS

from .rules import SUGGESTED

FIELD, INTENT = "field", "intent"
MAIN = "main"
TYPES = (
    "champion ally weapon item domain phantasia action attack mastery siegeable regalia unique"
).split()
ELEMENTS = ("norm fire water wind arcane astra crux exalted exia luxem neos tera umbra").split()
ARCANE = "arcane"
CLASSES = "assassin cleric guardian mage ranger spirit tamer warrior".split()
SPIRIT = "spirit"
STATS = ("power", "life", "durability", "level")
PASSING = (INTENT, "stack")
"""Zones that a copy, too, is in until it resolves or combat ends."""
NOT_FOR_REGALIA = frozenset({"hand", "deck", "memory"})


class Card(Changeable, frozen=True):
    """An object on the field, or a card elsewhere.

    elements: those of a champion are those of its whole lineage, so levels do not change them.
    classes: as printed; of a champion none if nobody has said. bonus: the power that its class
    bonus adds, from a `level` of its champion on, and for `each_level`.
    base: the printed stats; the card has no others. marked: damage on an ally, until the turn ends;
    these are not counters. defeated: a champion that died; it may be in any zone now.
    lineage: the names of a champion at its lower levels, from the first. rested, distant, taunt:
    plain marks, of which only the first ends by itself.
    """

    types: tuple[str, ...] = ()
    elements: tuple[str, ...] = ()
    classes: tuple[str, ...] = ()
    bonus: Mapping[str, int] = field(default_factory=dict)
    base: Mapping[str, int] = field(default_factory=dict)
    marked: int = 0
    immortal: bool = False
    defeated: bool = False
    lineage: tuple[str, ...] = ()
    rested: bool = False
    distant: bool = False
    taunt: bool = False

    field_zones: ClassVar[frozenset[str]] = frozenset({FIELD})
    marks: ClassVar[Mapping[str, Any]] = {
        "immortal": FLAG,
        "rested": FLAG,
        "distant": FLAG,
        "taunt": FLAG,
    }
    always_home: ClassVar[bool] = True
    """True if a regalia goes to the material deck from every zone, not only from the field."""

    @property
    def names(self) -> tuple[str, ...]:
        """Its names, from the lowest level to the present one."""
        return (*self.lineage, self.name)

    @cites("Supertypes, Regalia 4", "Supertypes, Regalia 5", "Counters 1.1", "Intent 1")
    def goes_to(self, zone: str, counters: Kinds) -> str:
        """A champion or regalia is banished instead of going to the graveyard.

        A regalia goes to the material deck instead of the hand, deck or memory. A copy in the
        intent, or an activation that is no card, ceases to exist as it leaves.
        """
        if self.token and self.zone in PASSING and zone not in (FIELD, *PASSING):
            return CEASED
        regalia = "regalia" in self.types
        if zone == "graveyard" and (regalia or "champion" in self.types):
            zone = "banishment"
        elif regalia and zone in NOT_FOR_REGALIA and (self.always_home or self.zone == FIELD):
            zone = "material"
        return Changeable.goes_to(self, zone, counters)

    @cites("Counters 5")
    def moved(self, zone: str, controller: str, had: Kinds) -> Card:
        """The card in another zone: without marked damage, changes and marks.

        It stays defeated until it enters the field again.
        """
        card = Changeable.moved(self, zone, controller, had)
        return replace(card, marked=0, defeated=self.defeated and zone != FIELD)

    @cites("End Phase 3")
    def without_temporary(self) -> Card:
        """The card as the turn ends: damage marked on it ends together with changes."""
        lasting = Changeable.without_temporary(self)
        return replace(lasting, marked=0) if self.marked else lasting


class OlderCard(Card, frozen=True):
    """A card of the editions before 2026-08."""

    always_home: ClassVar[bool] = False


class Player(PlayerSeat, frozen=True):
    """A player.

    had_champion: the player has controlled a champion on the field. cannot_lose: not by defeat.
    """

    had_champion: bool = False
    cannot_lose: bool = False

    marks: ClassVar[Mapping[str, Any]] = {"cannot_lose": FLAG}


def is_unit(card: Card) -> bool:
    """True if *card* is a champion or an ally."""
    return "champion" in card.types or "ally" in card.types


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
    value = card.latest(name, card.base.get(name))
    if value is None:
        return None
    value += class_bonus(state, card) if name == "power" and card.bonus else 0
    kinds = state.on(card.id)
    by_counters = kinds.get("buff", 0) - kinds.get("debuff", 0)
    if not card.changes:
        return value + by_counters
    if system.setting(state, "counters_apply") == "first":
        return card.adjusted(name, value + by_counters)
    return card.adjusted(name, value) + by_counters


@cites("Class Bonus 1", "Class Bonus 2")
def class_bonus(state: GameState, card: Card) -> int:
    """The power that its class bonus adds to *card* now."""
    champion, bonus = champion_of(state, card.controller), card.bonus
    high = (level(state, champion) or 0) if champion else 0
    if high < bonus.get("level", 0) or not of_class(state, card.controller, card.classes):
        return 0
    return bonus.get("power", 0) + bonus.get("each_level", 0) * high


def of_class(state: GameState, seat: str, classes: Sequence[str]) -> bool | None:
    """True if the champion of *seat* is of one of these classes; None if nobody has said, or it is
    a spirit, which becomes one."""
    champion = champion_of(state, seat)
    if champion is None or champion.classes in ((), (SPIRIT,)):
        return None
    return not {*champion.classes}.isdisjoint(classes)


@cites("Continuous Effects, Layer E")
def power_and_life(system: System, state: GameState, card: Card) -> tuple[int | None, int | None]:
    """Both stats; at the end an odd number of swaps exchanges them, if both exist."""
    power, life = stat(system, state, card, "power"), stat(system, state, card, "life")
    if power is not None and life is not None and card.swapped:
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


def champion_of(state: GameState, seat: str) -> Card | None:
    """The first champion that *seat* controls on the field; None if it has none."""
    for card in state.objects.values():
        if isinstance(card, Card) and "champion" in card.types:
            if card.controller == seat and card.on_field:
                return card
    return None


def life_left(system: System, state: GameState, seat: str) -> int:
    """The life that the champion of *seat* has left; 0 without one."""
    champion = champion_of(state, seat)
    kinds = state.on(champion.id) if champion else {}
    life = life_of(system, state, champion, kinds) if champion else None
    return max(0, (life or 0) - kinds.get("damage", 0))


@cites("Durability 2", "Durability 4")
def durability(state: GameState, card: Card) -> int | None:
    """The number of durability counters; None without a printed durability."""
    return state.count(card.id, "durability") if "durability" in card.base else None


@cites("Level 1")
def level(state: GameState, card: Card) -> int | None:
    """The level of a champion: printed or set, plus its level counters, then other changes.

    None for anything else. The counters come first whatever the table says of power and life.
    """
    if "champion" not in card.types:
        return None
    printed = card.latest("level", card.base.get("level"))
    if printed is None:
        return None
    return card.adjusted("level", printed + state.count(card.id, "level"))


@cites("Durability 1")
def printed(system: System, card: Card) -> Mapping[str, int]:
    """The durability counters with which *card* enters the field."""
    return {"durability": card.base.get("durability", 0)}


USUAL = {
    "champion": ("enlighten", "level", "preparation", "buff", "debuff", "bulwark", "lash"),
    "ally": ("buff", "debuff", "wither", "bulwark"),
    "weapon": ("durability", "buff", "debuff", "wither"),
    "siegeable": ("durability", "wither"),
}
"""By type of object: the kinds that cards put on it. Damage is not here: it is dealt."""
ELSE = ("wither", "enlighten", "quest", "refinement", "age", "charge")
"""The kinds that cards put on items, domains and the like."""
ON_MASTERIES = ("sheen", "haunt")


def usual_kinds(system: System, card: Card) -> list[str]:
    """The kinds to offer first for *card* in its zone."""
    kinds: Sequence[str] = [kind for type_ in card.types for kind in USUAL.get(type_, ())] or ELSE
    if not card.on_field:
        kinds = ON_MASTERIES if card.zone == "mastery" else ("omen",)
    return [
        kind for kind in dict.fromkeys(kinds) if kind in system.rulebook.kinds or kind in SUGGESTED
    ]


@cites("Omen 1", "Omen 2")
def omens(system: System, state: GameState, seat: str) -> list[str]:
    """The Omens of *seat*: its cards in banishment with an omen counter, by id."""
    if "omen" not in system.rulebook.kinds:
        return []
    marked = (state.objects.get(on) for on, kinds in state.counters.items() if "omen" in kinds)
    return sorted(
        card.id for card in marked if card and card.zone == "banishment" and card.owner == seat
    )


@cites("Wither 1", "Counters 6")
def due(system: System, state: GameState, seat: str) -> dict[str, int]:
    """By id: the reserve that *seat* must pay now for each object with wither."""
    if "wither" not in system.rulebook.kinds:
        return {}
    withered = {on: kinds["wither"] for on, kinds in state.counters.items() if "wither" in kinds}
    return {
        on: withered[on]
        for on in sorted(withered)
        if (card := state.objects.get(on)) and card.zone == FIELD and card.controller == seat
    }


@cites("Static 1")
def charged(system: System, state: GameState, seat: str) -> list[str]:
    """The objects that *seat* controls with a static counter, by id.

    The rule says "each object with a static counter"; we take it as each of that player's own.
    """
    if "static" not in system.rulebook.kinds:
        return []
    found = (state.objects.get(on) for on, kinds in state.counters.items() if "static" in kinds)
    return sorted(
        card.id for card in found if card and card.zone == FIELD and card.controller == seat
    )


ASKED_BY = {"enlighten": "Enlighten 1", "static": "Static 1", PUTS: "Triggered Abilities 5.1"}
"""By kind of prompt: the rule that asks."""


def derived(system: System, state: GameState, obj: Any) -> dict[str, Any]:
    """Derived values of a card, player or prompt, beside its own fields."""
    if isinstance(obj, Card):
        power, life = power_and_life(system, state, obj)
        worn, high = durability(state, obj), level(state, obj)
        return {"power": power, "life": life, "durability": worn, "level": high}
    if isinstance(obj, Player):
        return {"omens": omens(system, state, obj.id)}
    if isinstance(obj, Prompt) and obj.kind == "wither":
        return {"rule": "Wither 1", "due": due(system, state, obj.to)}
    if isinstance(obj, Prompt):
        return {"rule": ASKED_BY[obj.kind]}
    return {}
