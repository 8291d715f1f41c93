"""What may happen in Magic so that counters are put by themselves: triggered abilities.

Only those that leave no choice; and none that needs to know who controlled what has left.
Source: docs/COMMANDS.md, Magic 11.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import ClassVar

from games.rules import ticks
from games.rules.events import Created, Event, Moved
from games.rules.state import GameState
from games.rules.system import Automatic, Group, Happening, Occasion, Trigger, cites

from .facts import Attacked, LifeGained, SpellsCast
from .player import Card


def creature_enters(state: GameState, event: Event) -> Iterator[Happening]:
    if isinstance(event, Created | Moved):
        card = state.objects[event.object]
        if isinstance(card, Card) and card.on_field and "creature" in card.types:
            yield Happening(card.controller, card.id)


def attacks(state: GameState, event: Event) -> Iterator[Happening]:
    for attacker in event.with_ if isinstance(event, Attacked) else ():
        yield Happening(state.objects[attacker].controller, attacker)


@cites("603.2c")
def spell_cast(state: GameState, event: Event) -> Iterator[Happening]:
    """Each of several spells sets the ability off."""
    if isinstance(event, SpellsCast):
        yield from [Happening(event.seat)] * event.amount


def life_gained(state: GameState, event: Event) -> Iterator[Happening]:
    if isinstance(event, LifeGained):
        yield Happening(event.seat)


def creatures(state: GameState, seat: str) -> Iterator[str]:
    """The creatures that *seat* controls."""
    for card in state.objects.values():
        if isinstance(card, Card) and card.controller == seat and card.on_field:
            if "creature" in card.types:
                yield card.id


class MagicAutomatic(Automatic, frozen=True, kw_only=True):
    """With what may happen, and whose counters may be put together."""

    occasions: ClassVar[Mapping[str, Occasion]] = {
        "creature-enters": creature_enters,
        "attacks": attacks,
        "spell-cast": spell_cast,
        "life-gained": life_gained,
    }
    groups: ClassVar[Mapping[str, Group]] = {"creatures": creatures}


TRIGGERS: Mapping[str, tuple[Trigger, ...]] = dict.fromkeys(
    ("created", "moved", "spells-cast", "life-gained"), (ticks.upon,)
)
"""Combat sets off what attacks does, before any damage."""
