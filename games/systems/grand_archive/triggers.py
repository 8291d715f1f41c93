"""What may happen in Grand Archive so that counters are put by themselves: On Attack, On Death…

An attack is one act, and what it sets off is part of it: On Attack before its damage, On Hit and On
Kill after that and the wear. Nothing is put on what is about to leave.
Source: docs/COMMANDS.md, Ticks 3 and Grand Archive 2.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import ClassVar

from games.rules.events import Event
from games.rules.state import GameState
from games.rules.system import Automatic, Group, Happening, Occasion, System
from games.systems.occasions import enters, leaves

from .card import FIELD, Card
from .effects import falls, is_worn_out
from .facts import Attacked, Damaged, Leveled, Recovered

ATTACKS = "attacks"


def attacks(state: GameState, event: Event) -> Iterator[Happening]:
    """A unit attacks, with all that attacks together with it."""
    for each in event.with_ if isinstance(event, Attacked) else ():
        yield Happening(state.objects[each].controller, each)


def hits(state: GameState, event: Event) -> Iterator[Happening]:
    """A unit deals combat damage, with all that attacked together with it."""
    if isinstance(event, Damaged) and event.combat_by is not None:
        for each in {event.combat_by: 0, **(event.powers or {})}:
            if each in state.objects:
                yield Happening(state.objects[each].controller, each, event.amount)


def kills(state: GameState, event: Event) -> Iterator[Happening]:
    """The same, and what was hit dies of it."""
    if isinstance(event, Damaged) and event.kills:
        yield from hits(state, event)


def recovers(state: GameState, event: Event) -> Iterator[Happening]:
    if isinstance(event, Recovered):
        yield Happening(event.seat, amount=event.amount)


def levels_up(state: GameState, event: Event) -> Iterator[Happening]:
    if isinstance(event, Leveled) and not event.down:
        yield Happening(state.objects[event.object].controller, event.object)


def on_field(*types: str, everyone: bool = False, but: str = "") -> Group:
    """The cards on the field of one of these types, of one player or of all."""

    def group(state: GameState, seat: str) -> Iterator[str]:
        for card in state.objects.values():
            if isinstance(card, Card) and card.zone == FIELD and but not in card.types:
                if (everyone or card.controller == seat) and not {*types}.isdisjoint(card.types):
                    yield card.id

    return group


def masteries(state: GameState, seat: str) -> Iterator[str]:
    yield from (
        each.id for each in state.objects.values() if (each.zone, each.owner) == ("mastery", seat)
    )


OBJECTS = "ally weapon item domain phantasia".split()


class GrandArchiveAutomatic(Automatic, frozen=True, kw_only=True):
    """With what may happen, and whose counters may be put together."""

    occasions: ClassVar[Mapping[str, Occasion]] = {
        "ally-enters": enters("ally"),
        "regalia-enters": enters("regalia"),
        ATTACKS: attacks,
        "hits": hits,
        "kills": kills,
        "ally-dies": leaves("ally", to="graveyard"),
        "leaves": leaves(),
        "recovers": recovers,
        "levels-up": levels_up,
    }
    groups: ClassVar[Mapping[str, Group]] = {
        "champions": on_field("champion"),
        "allies": on_field("ally"),
        "any-allies": on_field("ally", everyone=True),
        "any-units": on_field("champion", "ally", everyone=True),
        "weapons": on_field("weapon"),
        "items": on_field("item"),
        "objects": on_field(*OBJECTS, but="champion"),
        "masteries": masteries,
    }

    def stays(self, system: System, state: GameState, on: str) -> bool:
        card = state.objects.get(on)
        return not isinstance(card, Card) or not (
            card.on_field and (falls(system, state, card) or is_worn_out(system, state, card))
        )
