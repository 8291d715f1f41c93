"""Grand Archive, from the Comprehensive Rules, Game Mechanics, page "Counters".

Editions: 2024 (the page of July 2024), 2025-07 (25 July 2025: Siegeable, omen, wither) and 2026-08
(21 August 2026: bulwark, static, counters on masteries and activations, the intent, recovering
nothing). An edition does what its `rules` and `kinds` list; a kind that it does not list is generic
there.

Where the rules are unclear, we chose: paying only part of what wither asks for an object pays
nothing for it; the amount due is the number at resolution; buff and debuff counters that an object
enters with cancel out once; recovering asks which champion; wither on a champion counts like wither
on anything else; a champion that is also an ally is treated as a champion; static counters are
used from objects that the arcane unit's controller controls, and a question that can do nothing any
more is dismissed.
"""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from games.rules import cards, departing, ticks
from games.rules.state import Components, GameState, Kinds
from games.rules.system import Counters, Rulebook, Seating, System

from . import rules
from .card import FIELD, Card, OlderCard, Player, derived, printed
from .effects import (
    annihilate,
    ask_for_static,
    ask_for_wither,
    carry,
    comes_back,
    end_combat,
    fall,
    lapse,
    lose,
    note_champion,
    tick,
    wake_up,
    wear_out,
)
from .triggers import GrandArchiveAutomatic
from .verbs import VERBS, can_hold_counters


def opening(system: System, given: Any, settings: Any) -> GameState:
    """The opening; a player who controls a champion in it has had one."""
    state = cards.opening(system, given, settings)
    for seat in state.seats.values():
        if isinstance(seat, Player) and has_champion(state, seat.id):
            state = state.with_seat(replace(seat, had_champion=True))
    return state


def has_champion(state: GameState, seat: str) -> bool:
    """True if *seat* controls a champion on the field."""
    return any(
        isinstance(card, Card)
        and "champion" in card.types
        and (card.zone, card.controller) == (FIELD, seat)
        for card in state.objects.values()
    )


def late_seat(system: System, state: GameState, seat: str) -> tuple[Player, Kinds]:
    """A player as at the opening: with the champion that lies there, if one does."""
    return Player(seat, had_champion=has_champion(state, seat)), {}


class GrandArchiveSeating(Seating, frozen=True):
    """Players with a champion."""

    late_seat = staticmethod(late_seat)


ZONES = (FIELD, "deck", "material", "hand", "memory", "graveyard", "banishment", "mastery")


class GrandArchiveCounters(Counters, frozen=True, kw_only=True):
    """Counters of objects and champions."""

    can_hold = staticmethod(can_hold_counters)
    printed = staticmethod(printed)


CURRENT = System(
    name="grand-archive",
    title="Grand Archive",
    sentence="Champions, allies and weapons with buff, damage, durability and wither counters.",
    edition="2026-08",
    rulebook=Rulebook(
        document="Grand Archive Comprehensive Rules, Game Mechanics, Counters, 21 August 2026",
        kinds=rules.KINDS,
        rules=rules.RULES,
        not_tracked=rules.NOT_TRACKED,
        settings=rules.SETTINGS,
        translated=frozenset({"de", "es"}),
    ),
    components=Components(seat=Player, object=Card),
    zones=(*ZONES, "intent", "stack"),
    phases=("wake-up", "materialize", "recollection", "draw", "main", "combat", "end"),
    again={"combat": ("main",)},
    opening=opening,
    verbs=VERBS,
    automatic=GrandArchiveAutomatic(
        effects=(note_champion, annihilate, fall, wear_out, lapse),
        watched=frozenset({"buff", "debuff", "damage", "durability", "static"}),
        triggers={
            "damaged": (ask_for_static,),
            "phase-began": (end_combat, ask_for_wither, tick),
            "created": (ticks.upon,),
            "moved": (carry, ticks.upon),
            "recovered": (ticks.upon,),
            "leveled": (ticks.upon,),
            "restored": (departing.come_back,),
            "turn-began": (end_combat, wake_up, tick),
        },
        losing=lose,
        comes_back=comes_back,
        outcomes={"turn-ends": "End Phase 3", "happens": "Triggered Abilities 4"},
    ),
    counters=GrandArchiveCounters(printed_by={"durability": "Durability 1"}),
    seating=GrandArchiveSeating(),
    derived=derived,
)

EDITION_2025_07 = replace(
    CURRENT,
    edition="2025-07",
    rulebook=replace(
        CURRENT.rulebook,
        document="Grand Archive Comprehensive Rules, Game Mechanics, Counters, 25 July 2025",
        kinds=rules.KINDS_2025_07,
        rules=rules.RULES_2025_07,
        not_tracked=rules.NOT_TRACKED_ONCE,
    ),
    components=replace(CURRENT.components, object=OlderCard),
    zones=ZONES,
)

EDITION_2024 = replace(
    EDITION_2025_07,
    edition="2024",
    rulebook=replace(
        EDITION_2025_07.rulebook,
        document="Grand Archive Comprehensive Rules, Game Mechanics, Counters, 2024",
        kinds=rules.KINDS_2024,
        rules=rules.RULES_2024,
        settings=rules.SETTINGS_2024,
    ),
)

EDITIONS = (CURRENT, EDITION_2025_07, EDITION_2024)
