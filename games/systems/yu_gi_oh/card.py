"""A duelist, a card, and what its own text says about counters.

Three facts belong to a card in every zone: its permits (which bound kinds it may hold, how many,
where), what it places on itself when a Spell resolves, and the numbers at which the table is
alerted. Everything else ends when the card changes zones.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from msgspec import Struct, field
from msgspec.structs import replace

from games.rules.commands import AMOUNT, FLAG, KIND, Reader, Terms, each, one_of, table, whole
from games.rules.modifiers import Changeable
from games.rules.state import MOST, GameState, Kinds, PlayerSeat, Restores
from games.rules.system import System, cites

from .card_table import OPEN, WHILE_HELD
from .zones import FIELD_ZONES


class Permit(Struct, frozen=True):
    """A card's own text lets it hold a kind: at most *maximum* (None is any number), in *zones*."""

    maximum: int | None = None
    zones: tuple[str, ...] = FIELD_ZONES


class Gain(Struct, frozen=True):
    """The counters a card places on itself at a time, and the zones in which its text does so."""

    amount: int
    zones: tuple[str, ...] = FIELD_ZONES


def _permit(value: Any, system: Terms) -> Permit:
    if type(value) is not dict or set(value) - {"maximum", "zones"}:
        raise ValueError
    maximum = MAXIMUM.read(value["maximum"], system) if "maximum" in value else None
    zones = ZONES.read(value["zones"], system) if "zones" in value else FIELD_ZONES
    return Permit(maximum, zones)


def _gain(value: Any, system: Terms) -> Gain:
    if type(value) is not dict:
        return Gain(MAXIMUM.read(value, system))
    if set(value) - {"amount", "zones"} or "amount" not in value:
        raise ValueError
    zones = ZONES.read(value["zones"], system) if "zones" in value else FIELD_ZONES
    return Gain(MAXIMUM.read(value["amount"], system), zones)


MAXIMUM = whole(1, MOST)
ZONES = each(one_of(*FIELD_ZONES))
PERMITS = table(KIND, Reader("a permit: maximum (1 or more) and zones, both optional", _permit))
GAINS = table(KIND, Reader("how many, or a map of amount and zones", _gain))
THRESHOLDS = table(KIND, AMOUNT)
ATK, DEF, LEVEL = STATS = ("atk", "def", "level")
LEAST = {ATK: 0, DEF: 0, LEVEL: 1}
SHIFT = table(one_of(*STATS), whole(-99_999, 99_999))
PER_COUNTER = table(KIND, SHIFT)
IN_BATTLE = table(KIND, PER_COUNTER)
OWN, OPPONENTS, ANYWHERE = "own-field", "opponents-field", "any-field"
SCOPES = (OWN, OPPONENTS, ANYWHERE)
"""Words that a cost or effect may name instead of a card."""
PER_FIELD = table(one_of(*SCOPES), PER_COUNTER)


def _restored(reader: Reader) -> Any:
    """Read what a state or an opening has, in which null stands for no maximum."""

    def restore(printed: Mapping[str, Any]) -> Any:
        given = {
            kind: {part: value for part, value in facts.items() if value is not None}
            if isinstance(facts, dict)
            else facts
            for kind, facts in printed.items()
        }
        return reader.read(given, None)

    return restore


class Duelist(PlayerSeat, frozen=True):
    """A player.

    prohibited: a card stops this player's effects from placing counters. cannot_lose: the Duel, by
    having no life points.
    """

    life: int = 8000
    prohibited: bool = False
    cannot_lose: bool = False

    marks: ClassVar[Mapping[str, Any]] = {"prohibited": FLAG, "cannot_lose": FLAG}


UNTURNED = frozenset({"hand", "deck", "extra-deck"})
"""The zones that a card reaches without showing its face."""


class Card(Changeable, frozen=True):
    """A card or a token.

    known_to: the seats that have seen its face, if it came face-down; None is everyone.
    permits, on_spell, thresholds: printed on it, by kind of counter. base: its printed ATK, DEF and
    Level. per_counter: by kind, what each counter on it adds to these, as its text or another says.
    per_field: the same for each counter on a part of the field, as long as its own effects apply.
    in_battle: what each counter on any monster adds to these in the damage calculation, by a part
    of the name of the monster that it battles, and by kind.
    negated, unusable: its own effects do not apply, or it cannot be used.
    unaffected: other cards' effects do not apply to it.
    activating, summoning: it is on the field but not resolved or summoned yet.
    doomed: it will be destroyed, but has not left yet.
    defense: a face-up monster is in Defense Position. piercing: what it attacks there beyond its
    DEF is damage. battle_proof: it is not destroyed by battle. attacked: it has, in this turn.
    """

    face_down: bool = False
    known_to: tuple[str, ...] | None = None
    permits: Mapping[str, Permit] = field(default_factory=dict)
    on_spell: Mapping[str, Gain] = field(default_factory=dict)
    thresholds: Mapping[str, int] = field(default_factory=dict)
    base: Mapping[str, int] = field(default_factory=dict)
    per_counter: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    per_field: Mapping[str, Mapping[str, Mapping[str, int]]] = field(default_factory=dict)
    in_battle: Mapping[str, Mapping[str, Mapping[str, int]]] = field(default_factory=dict)
    negated: bool = False
    unusable: bool = False
    unaffected: bool = False
    activating: bool = False
    summoning: bool = False
    doomed: bool = False
    defense: bool = False
    piercing: bool = False
    battle_proof: bool = False
    attacked: bool = False

    field_zones: ClassVar[frozenset[str]] = frozenset(FIELD_ZONES)
    one_field: ClassVar[bool] = False
    marks: ClassVar[Mapping[str, Any]] = {
        "negated": FLAG,
        "unusable": FLAG,
        "unaffected": FLAG,
        "activating": FLAG,
        "summoning": FLAG,
        "doomed": FLAG,
        "defense": FLAG,
        "piercing": FLAG,
        "battle_proof": FLAG,
        "attacked": FLAG,
    }
    restores: ClassVar[Restores] = {
        **Changeable.restores,
        "permits": _restored(PERMITS),
        "on_spell": _restored(GAINS),
        "thresholds": _restored(THRESHOLDS),
    }

    @cites("R6")
    def moved(self, zone: str, controller: str, had: Kinds) -> Card:
        """The card in another zone: face-up, without marks or counters."""
        known_to = self.known_to if zone in UNTURNED else None
        arrived = Changeable.moved(self, zone, controller, had)
        return replace(arrived, face_down=False, known_to=known_to)

    @cites("R14")
    def permit(self, kind: str) -> Permit | None:
        """The permit for *kind* on the card in its zone; None if there is none."""
        permit = self.permits.get(kind)
        return permit if permit and self.zone in permit.zones else None

    @property
    def applies(self) -> bool:
        """True if its own effects apply now."""
        pending = self.activating or self.summoning
        return self.on_field and not (self.face_down or self.negated or self.unusable or pending)


@cites("Stats 1", "Stats 2", "Stats 5")
def derived(system: System, state: GameState, obj: Any) -> dict[str, int]:
    """ATK, DEF and Level: printed or set, then counters and additions in order, then switched.

    None of them counts on a card that is off the field or face-down but for what is printed.
    """
    if not isinstance(obj, Card) or not obj.base:
        return {}
    if not obj.on_field or obj.face_down:
        return dict(obj.base)
    now = {}
    for stat, printed in obj.base.items():
        held = (
            by[stat] for kind, by in WHILE_HELD.items() if stat in by and state.count(obj.id, kind)
        )
        value = obj.latest(stat, next(held, printed)) or 0
        value += sum(n for _kind, n, _rule in gained(state, obj, stat))
        now[stat] = max(LEAST[stat], obj.adjusted(stat, value))
    if obj.swapped and ATK in now and DEF in now:
        now |= {ATK: now[DEF], DEF: now[ATK]}
    return now


@cites("Stats 1", "Stats 6")
def gained(state: GameState, obj: Card, stat: str) -> Iterator[tuple[str, int, str]]:
    """By kind: what counters add to a number of *obj*, and by which rule."""
    for kind, by in obj.per_counter.items():
        yield kind, by.get(stat, 0) * state.count(obj.id, kind), "Stats 1"
    for scope, kinds in obj.per_field.items() if obj.applies else ():
        for kind, by in kinds.items():
            there = holding(state, kind, scope, obj.controller) if stat in by else ()
            yield kind, by.get(stat, 0) * sum(state.count(*each) for each in there), "Stats 6"


def card(state: GameState, card_id: str) -> Card:
    """The card with that id."""
    found = state.objects[card_id]
    assert isinstance(found, Card), found
    return found


def duelist(state: GameState, seat_id: str) -> Duelist:
    """The player in that seat."""
    found = state.seats[seat_id]
    assert isinstance(found, Duelist), found
    return found


OPENED = "open_kinds"
"""The setting with the unlisted kinds that may be on any card."""


@cites("R4", "R9")
def bound(state: GameState, kind: str) -> bool:
    """True if *kind* is only for cards whose own text places it, and is lost with their effects.

    Only the name of the kind decides, not what placed it or what a similar kind is. An unlisted
    kind is bound, unless the table says otherwise.
    """
    return kind not in OPEN and kind not in state.settings.get(OPENED, ())


@cites("R7", "R18")
def within(state: GameState, card_id: str, scope: str, by: str) -> bool:
    """True if counters on a card can be taken from *scope*, a card or a part of the field.

    "Your field" is what you control now, whoever owns it. A card that is named may be off the
    field; only an opening can have counters there.
    """
    if scope not in SCOPES:
        return card_id == scope
    obj = state.objects[card_id]
    return obj.on_field and (scope == ANYWHERE or (obj.controller == by) == (scope == OWN))


def holding(state: GameState, kind: str | None, scope: str, by: str) -> Iterator[tuple[str, str]]:
    """(card, kind) for the counters of *kind* in *scope*, in order; None is every kind."""
    found = (scope,) if scope not in SCOPES else sorted(state.counters)
    for each_id in found:
        if each_id in state.objects and within(state, each_id, scope, by):
            for held in sorted(state.on(each_id)):
                if kind in (None, held):
                    yield each_id, held
