"""The sheet of an attack: who hits whom, and for how much such attacks were before.

For the screens: nothing here decides a rule.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from games.rules import engine
from games.rules.state import GameState, Refused
from games.rules.system import System
from games.systems.sheets import Label

from . import card_acts
from .card import (
    CONDITIONS,
    CONFUSED,
    COUNTER,
    DAMAGE,
    PRIZES,
    Pokemon,
    active,
    in_play,
    opponent,
)
from .damage import MOST_AT_ONCE, RESISTED
from .facts import attacks_of
from .known import KnownCard, known_as

USUAL = (60, 120, 30, 90, 160)
"""The amounts that are offered, as far as this attacker's own leave room."""


def facts(system: System, state: GameState, label: Label) -> Mapping[str, Any]:
    """The attack of the Active Pokémon whose turn it is; `attacker` is None if there is none."""
    seat = next(iter(state.turn.active), None) if state.turn else None
    other = opponent(state, seat) if seat else None
    mon = active(state, seat) if seat else None
    foe = active(state, other) if other else None
    if mon is None or foe is None:
        return {"attacker": None}
    known = attacks_of(state, mon.name)
    weak, resists = known["on"].get(foe.name, (False, False))
    card = known_as(foe) or KnownCard("")
    said = (*known["said"], *card_acts.hits(state, mon), *USUAL)
    amounts = list(dict.fromkeys(said))[: len(USUAL)]
    left = state.count(mon.owner, PRIZES)
    theirs_first = sorted(in_play(state), key=lambda each: each.owner == mon.owner)
    sides = {each.id: _side(state, each, label(each), each.owner != seat) for each in theirs_first}
    others = [side for each, side in sides.items() if each != foe.id]
    return {
        "attacker": mon,
        "foe": sides[foe.id],
        "sides": [sides[mon.id], sides[foe.id]],
        "refused": _refused(system, state, mon),
        "confused": mon.turned == CONFUSED,
        "amount": next(iter(known["said"]), 0),
        "amounts": sorted(amounts),
        "unit": COUNTER,
        "most": MOST_AT_ONCE,
        "weak": weak is not False,
        "resists": resists is not False,
        "more": card.weak if isinstance(weak, bool) else weak,
        "resisted": (card.resists or RESISTED) if isinstance(resists, bool) else resists,
        "conditions": [each for each in CONDITIONS if each not in foe.conditions],
        "others": others,
        "prizes": left,
        "by": mon.owner,
    }


def _side(state: GameState, mon: Pokemon, name: str, theirs: bool) -> Mapping[str, Any]:
    left = max(0, mon.most_hp - state.count(mon.id, DAMAGE)) if mon.hp else None
    side = {"id": mon.id, "name": name, "left": left, "most": mon.most_hp, "less": mon.takes_less}
    return {**side, "worth": mon.prizes if theirs else None}


def _refused(system: System, state: GameState, mon: Pokemon) -> Refused | None:
    """Why the rules do not let it attack now."""
    command = {"do": "attack", "object": mon.id}
    try:
        engine.step(system, state, engine.read(system, command, mon.owner))
    except Refused as refused:
        return refused
    return None
