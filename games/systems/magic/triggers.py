"""What may happen in Magic so that counters are put by themselves: triggered abilities.

What a player may choose, the table asks. Nothing is put on what dies before that, nor by what has
itself left. Source: docs/COMMANDS.md, Magic 11.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar

from games.rules import ticks
from games.rules.events import Event, Placed
from games.rules.state import GameState
from games.rules.system import Automatic, Group, Happening, Occasion, System, Trigger, cites
from games.systems.occasions import enters, leaves

from . import daybound, designations, effects, saga
from .creatures import power_and_toughness
from .facts import Attacked, Damaged, LifeGained, LifeLost, Proliferated, SpellsCast
from .player import GRAVEYARD, TYPES, Card, side
from .tokens import is_a

creature_enters = enters("creature")


@cites("702.100a")
def evolves(state: GameState, event: Event) -> Iterator[Happening]:
    """A creature enters with greater power or toughness than one of the same player."""
    for entering in creature_enters(state, event):
        new = numbers(state, entering.to or "")
        for each in creatures(state, entering.seat):
            if any(n > old for n, old in zip(new, numbers(state, each), strict=False)):
                yield Happening(entering.seat, each)


def numbers(state: GameState, card_id: str) -> Sequence[int]:
    card = state.objects[card_id]
    return [*power_and_toughness(state, card).values()] if isinstance(card, Card) else ()


def damaged(state: GameState, event: Event) -> Iterator[Happening]:
    if isinstance(event, Damaged) and event.on in state.objects:
        yield Happening(state.objects[event.on].controller, event.on, event.amount)


@cites("603.2c")
def combat_damage(state: GameState, event: Event) -> Iterator[Happening]:
    """A creature deals combat damage to a player: each of several sets the ability off."""
    for source, n in (event.by or {}).items() if isinstance(event, Damaged) else ():
        yield Happening(state.objects[source].controller, source, n)


def attacks(state: GameState, event: Event) -> Iterator[Happening]:
    for attacker in event.with_ if isinstance(event, Attacked) else ():
        yield Happening(state.objects[attacker].controller, attacker)


@cites("603.2c")
def spell_cast(state: GameState, event: Event) -> Iterator[Happening]:
    """Each of several spells sets the ability off."""
    if isinstance(event, SpellsCast):
        yield from [Happening(event.seat, types=event.types)] * event.amount


@cites("122.6")
def put(state: GameState, event: Event) -> Iterator[Happening]:
    """Counters of one kind are put on a permanent or a player, or a permanent enters with them."""
    if isinstance(event, Placed):
        card = state.objects.get(event.on)
        seat = card.controller if card else event.on
        yield Happening(seat, event.on, event.amount, kind=event.counter)


def put_on_creature(state: GameState, event: Event) -> Iterator[Happening]:
    """It happens to the player who controls the creature."""
    for happening in put(state, event):
        card = state.objects.get(happening.to or "")
        if isinstance(card, Card) and card.on_field and "creature" in card.types:
            yield happening


def puts_on_creature(state: GameState, event: Event) -> Iterator[Happening]:
    """It happens to the player who puts them, whoever controls the creature."""
    for happening in put_on_creature(state, event):
        assert isinstance(event, Placed), event
        yield happening._replace(seat=event.putter or happening.seat)


def life_lost(state: GameState, event: Event) -> Iterator[Happening]:
    if isinstance(event, LifeLost) and not isinstance(event, LifeGained):
        yield Happening(event.seat, amount=event.amount)


def life_gained(state: GameState, event: Event) -> Iterator[Happening]:
    if isinstance(event, LifeGained):
        yield Happening(event.seat, amount=event.amount)


@cites("701.34a")
def proliferates(state: GameState, event: Event) -> Iterator[Happening]:
    if isinstance(event, Proliferated):
        yield Happening(event.seat)


def creatures(state: GameState, seat: str) -> Iterator[str]:
    """The creatures that *seat* controls."""
    yield from (on for on in any_creatures(state) if state.objects[on].controller == seat)


def any_creatures(state: GameState, seat: str = "") -> Iterator[str]:
    for card in state.objects.values():
        if isinstance(card, Card) and card.on_field and "creature" in card.types:
            yield card.id


def artifact_creatures(state: GameState, seat: str) -> Iterator[str]:
    for on in any_creatures(state):
        card = state.objects[on]
        if isinstance(card, Card) and "artifact" in card.types:
            yield on


def _is_spell(types: Sequence[str], sort: str) -> bool | None:
    """Whether a spell of *types* is "creature", "noncreature" or "instant or sorcery", say; None of
    a sort that card types do not tell."""
    words = sort.casefold().split(" or ")
    if not {word.removeprefix("non") for word in words} <= {*TYPES}:
        return None
    return any((word.removeprefix("non") in types) == (word in TYPES) for word in words)


class MagicAutomatic(Automatic, frozen=True, kw_only=True):
    """With what may happen, and whose counters may be put together."""

    occasions: ClassVar[Mapping[str, Occasion]] = {
        "creature-enters": creature_enters,
        "evolves": evolves,
        "land-enters": enters("land"),
        "artifact-enters": enters("artifact"),
        "enchantment-enters": enters("enchantment"),
        "creature-dies": leaves("creature", to=GRAVEYARD),
        "creature-leaves": leaves("creature"),
        "sacrificed": leaves(how="sacrificed"),
        "attacks": attacks,
        "damaged": damaged,
        "combat-damage": combat_damage,
        "spell-cast": spell_cast,
        "life-gained": life_gained,
        "life-lost": life_lost,
        "proliferates": proliferates,
        "put": put,
        "put-on-creature": put_on_creature,
        "puts-on-creature": puts_on_creature,
    }
    groups: ClassVar[Mapping[str, Group]] = {
        "creatures": creatures,
        "any-creatures": any_creatures,
        "artifact-creatures": artifact_creatures,
        "you": lambda state, seat: (seat,),
        "opponents": lambda state, seat: [
            each.id for each in state.remaining() if side(state, each.id) != side(state, seat)
        ],
        "players": lambda state, seat: [each.id for each in state.remaining()],
    }
    numbers: ClassVar[Mapping[str, str]] = {
        "life": "gain-life",
        "life loss": "lose-life",
        "card": "draw-cards",
        "damage": "damage",
        "token": "make",
    }
    put_by_rule: ClassVar[frozenset[str]] = frozenset({"lore"})

    def stays(self, system: System, state: GameState, on: str) -> bool:
        return effects.stays(state, on)

    def is_of(self, state: GameState, happening: Happening, sort: str) -> bool | None:
        """A spell whose card types are known is a creature spell, a noncreature spell, …"""
        if happening.types:
            return _is_spell(happening.types, sort)
        if happening.kind is not None:
            return happening.kind.casefold() == sort.casefold()
        named = state.objects[happening.to] if happening.to else None
        return is_a(named, sort.casefold()) if isinstance(named, Card) else None


TRIGGERS: Mapping[str, tuple[Trigger, ...]] = {
    **dict.fromkeys("damaged proliferated spells-cast life-gained".split(), (ticks.upon,)),
    **dict.fromkeys(("created", "moved"), (daybound.shift, ticks.upon)),
    "daytime-changed": (daybound.shift,),
    "marked": (designations.explore, daybound.shift),
    "life-lost": (designations.speed_up, ticks.upon),
    "placed": (effects.keep_limits, saga.ask, ticks.upon),
}
"""Combat sets off what attacks does, before any damage."""
