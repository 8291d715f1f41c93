"""The Pokémon TCG, from the rulebook of Paradox Rift (July 2023) and cards up to Mega Evolution.

The edition is the date of the newest cards whose texts were read. What the rulebook leaves open is
taken from the Advanced Players' Rulebook 2.2 (December 2018), from printed card texts up to
November 2025 and from the Rulings Compendium; `rules.RULES` names the source of each rule. We read
the rulebook in a reference made from it, section by section, and had no rulebook of 2025 or later.

Damage is always in points, a multiple of ten, and never capped at the HP: "70 damage, HP 120".

Readings we chose: Prize cards are taken first, then the game may be won, then new Active Pokémon
are chosen, the next player first; the order in which both players take Prize cards does not matter;
a Pokémon Paralyzed in its own turn stays Paralyzed through its owner's next one; being Paralyzed
again starts over; a plain Poisoned replaces any number; if only one Pokémon can become Active, it
does, and nobody is asked; a Knock Out in Checkup does not belong to the turn before.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from games.rules import cards
from games.rules.state import Components, GameState
from games.rules.system import Automatic, Counters, Rulebook, Seating, System, cites

from . import rules
from .card import (
    ACTIVE,
    ATTACK,
    BENCH,
    CHECKUP,
    DAMAGE,
    DECK,
    DISCARD,
    END,
    HAND,
    LOST_ZONE,
    PRIZES,
    SETUP,
    TURN,
    Player,
    Pokemon,
    bench,
    derived,
    in_play,
    player,
)
from .checkup import check_up
from .damage import can_hold_counters
from .knocked_out import ask, knock_out, let_go
from .play import note_pokemon
from .turn import pass_on
from .verbs import VERBS
from .winning import lose


@cites("Prizes 1", "Bench 1")
def opening(system: System, given: Mapping[str, Any], settings: Mapping[str, Any]) -> GameState:
    """The opening as given, with Prize cards for each player it names none for.

    Of the Pokémon without a zone, each owner's first is Active and the others are on the Bench.
    Raises ValueError if a player has two Active Pokémon, too many on the Bench, or no Prize card.
    """
    state = cards.opening(system, {**given, "objects": _placed(given)}, settings)
    number = settings.get("prize_cards", rules.SETTINGS["prize_cards"].values[0])
    for seat in state.seats:
        counters = given["seats"][seat].get("counters", {})
        if PRIZES not in counters:
            state = state.with_count(seat, PRIZES, number)
        elif counters[PRIZES] < 1:
            raise ValueError("a player begins with at least one Prize card")
        mine = player(state, seat)
        start = mine.starting_prizes or max(number, state.count(seat, PRIZES))
        had = mine.had_pokemon or any(in_play(state, seat))
        state = state.with_seat(replace(mine, starting_prizes=start, had_pokemon=had))
        if sum(each.zone == ACTIVE for each in in_play(state, seat)) > 1:
            raise ValueError("a player has one Active Pokémon")
        if len(bench(state, seat)) > player(state, seat).bench_limit:
            raise ValueError("more Pokémon are on the Bench than there is room for")
    return state


def _placed(given: Mapping[str, Any]) -> dict[str, Any]:
    """The objects of an opening, each with a zone and under its owner."""
    first, placed = next(iter(given["seats"])), {}
    taken = {
        facts.get("owner", first)
        for facts in given.get("objects", {}).values()
        if facts.get("zone") == ACTIVE
    }
    for object_id, facts in given.get("objects", {}).items():
        owner = facts.get("owner", first)
        zone = facts.get("zone") or (BENCH if owner in taken else ACTIVE)
        taken |= {owner} if zone == ACTIVE else set()
        placed[object_id] = {**facts, "zone": zone, "controller": owner}
    return placed


class PokemonRulebook(Rulebook, frozen=True, kw_only=True):
    """The rulebook with the edition's name of before."""

    formerly = frozenset({"2023-07"})


class PokemonCounters(Counters, frozen=True):
    """Counters of Pokémon in play."""

    can_hold = staticmethod(can_hold_counters)


CURRENT = System(
    name="pokemon",
    title="Pokémon TCG",
    sentence="Damage, Special Conditions, Pokémon Checkup, Knock Outs and Prize cards.",
    edition="2025-11",
    rulebook=PokemonRulebook(
        document="Pokémon TCG Rules, with card texts up to Mega Evolution, November 2025",
        kinds=rules.KINDS,
        rules=rules.RULES,
        not_tracked=rules.NOT_TRACKED,
        settings=rules.SETTINGS,
        translated=frozenset({"de", "es"}),
    ),
    components=Components(seat=Player, object=Pokemon),
    zones=(ACTIVE, BENCH, DISCARD, HAND, DECK, LOST_ZONE),
    phases=(SETUP, TURN, ATTACK, END, CHECKUP),
    opening=opening,
    verbs=VERBS,
    automatic=Automatic(
        effects=(knock_out, let_go, ask, pass_on),
        watched=frozenset({DAMAGE, PRIZES}),
        triggers={
            "created": (note_pokemon,),
            "moved": (note_pokemon,),
            "phase-began": (check_up,),
        },
        losing=lose,
        outcomes={"won": "Winning 1", "draw": "Winning 4"},
    ),
    counters=PokemonCounters(),
    seating=Seating(most_seats=2),
    derived=derived,
)

EDITIONS = (CURRENT,)
