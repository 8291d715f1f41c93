"""Magic: The Gathering, from the Comprehensive Rules.

Editions: 2026-08 (7 August 2026, rad counters are rule 728) and 2024-06 (7 June 2024, rule 725).
They say the same about counters; they differ in numbers, and the older one does not have hone
counters and Archenemy Commander.

Where the rules are silent, we chose: a mark applies only to the player it is on, even in a team; a
card exiled instead of being milled counts as milled, and the number that the table reports is
final; moving shared poison between teammates changes nothing; combat damage from a commander counts
even if no life is lost to it, and is counted for each player of a team separately.
"""

from __future__ import annotations

from msgspec.structs import replace

from games.rules import departing, ticks
from games.rules.state import Components
from games.rules.system import Counters, Rulebook, Seating, System

from . import (
    combat,
    creatures,
    daybound,
    designations,
    effects,
    player,
    rad,
    replacement_effects,
    rules,
    siege,
    station,
    tapping,
    triggers,
)
from .player import BATTLEFIELD, Card, Player, Side
from .verbs import VERBS


class MagicComponents(Components, frozen=True):
    """Players, cards and sides; what stands are continuous and replacement effects."""

    standing = replacement_effects.Standing


class MagicCounters(Counters, frozen=True):
    """Counters of permanents, players and sides."""

    owner = staticmethod(player.counter_owner)
    can_hold = staticmethod(player.can_hold)
    held = staticmethod(player.held)
    printed = staticmethod(player.printed)
    printed_first = True


class MagicSeating(Seating, frozen=True):
    """Players, alone or in Two-Headed Giant."""

    side = staticmethod(player.side)
    late_seat = staticmethod(player.late_seat)
    rematch = staticmethod(replacement_effects.rematch)


CURRENT = System(
    name="magic",
    title="Magic",
    sentence="Life, rad, poison and commander damage; +1/+1 and other counters on permanents.",
    edition=rules.NEWEST,
    rulebook=Rulebook(
        document=f"{rules.DOCUMENT}, 7 August 2026",
        kinds=rules.KINDS,
        rules=rules.RULES,
        not_tracked=rules.NOT_TRACKED,
        settings=rules.SETTINGS,
        translated=frozenset({"de", "es"}),
    ),
    components=MagicComponents(seat=Player, object=Card, team=Side),
    zones=(BATTLEFIELD, "library", "hand", "graveyard", "exile", "stack", "command"),
    phases=(
        "untap",
        "upkeep",
        "draw",
        "precombat-main",
        "combat",
        "postcombat-main",
        "end",
        "cleanup",
    ),
    again={
        "combat": ("combat", "postcombat-main"),
        "postcombat-main": ("combat", "postcombat-main"),
    },
    opening=replacement_effects.opening,
    verbs=VERBS,
    automatic=triggers.MagicAutomatic(
        effects=(effects.annihilate, effects.leave, effects.die, station.shift),
        watched=effects.WATCHED,
        triggers={
            "turn-began": (tapping.phase_in, tapping.untap, ticks.tick),
            "phase-began": (designations.explore, rad.ask, ticks.tick),
            "controlled": (designations.lose_the_ring,),
            "lost": (combat.without,),
            "described": (effects.keep_limits, daybound.shift),
            "standing-ended": (effects.die_without,),
            "restored": (departing.come_back,),
            "removed": (siege.ask, effects.die_bare),
            "spent": (siege.ask, effects.die_bare),
            **triggers.TRIGGERS,
        },
        losing=effects.lose,
        comes_back=effects.comes_back,
        outcomes={
            "won": "104.2a",
            "draw": "104.4a",
            "voided": "800.4a",
            "turn-ends": "514.2",
            "happens": "603.2c",
        },
    ),
    counters=MagicCounters(printed_by={"loyalty": "306.5b", "defense": "310.4b"}),
    seating=MagicSeating(),
    derived=creatures.derived,
    further=player.further,
)

EDITION_2024_06 = replace(
    CURRENT,
    edition=rules.OLDER,
    rulebook=replace(
        CURRENT.rulebook,
        document=f"{rules.DOCUMENT}, 7 June 2024",
        kinds=rules.KINDS_2024_06,
        rules=rules.RULES_2024_06,
        not_tracked=rules.NOT_TRACKED_2024_06,
    ),
)

EDITIONS = (CURRENT, EDITION_2024_06)
