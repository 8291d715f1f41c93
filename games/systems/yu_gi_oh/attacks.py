"""The attacks of a monster, each with what it would come to: for its sheet.

Nothing here decides a rule.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from games.rules.state import GameState, Refused
from games.rules.system import System
from games.systems.attacks import MOST_TARGETS, Target, ends, gone, tried
from games.systems.sheets import Label

from .battle import Attack, guard, monsters, refuse_attack
from .card import ATK, Card, derived, duelist
from .zones import MONSTER


def attacks(system: System, state: GameState, card: Card, label: Label) -> Mapping[str, Any]:
    """atk: its ATK now; None if nobody knows it. ways: what it may attack, as (False, targets), and
    what only a card would let it attack, as (True, targets); nothing in another's turn."""
    turn = state.turn is None or card.controller in state.turn.active
    if card.zone != MONSTER or card.face_down or not turn:
        return {"ways": ()}
    foes = [each.id for each in state.remaining() if each.id != card.controller]
    on = [*(each.id for seat in foes for each in monsters(state, seat)), *foes][:MOST_TARGETS]
    ways = []
    for anyway in (False, True):
        those = [each for each in on if _allowed(state, card, each) is not anyway]
        ways.append((anyway, [_target(system, state, card, each, label) for each in those]))
    return {"atk": derived(system, state, card).get(ATK), "ways": ways}


def _allowed(state: GameState, attacker: Card, on: str) -> bool:
    try:
        refuse_attack(state, attacker, Attack(by=attacker.controller, object=attacker.id, on=on))
    except Refused:
        return False
    return True


def _target(system: System, state: GameState, attacker: Card, on: str, label: Label) -> Target:
    command = {"do": "attack", "object": attacker.id, "on": on, "anyway": True}
    after = tried(system, state, {**command, "by": attacker.controller})
    lives = ends(state, after, lambda now, seat: duelist(now, seat).life)
    target = state.objects.get(on)
    if not isinstance(target, Card):
        return Target(on, "", ends=lives)
    number, falls = derived(system, state, target).get(guard(target)), gone(after, on)
    return Target(on, label(target), number, falls, gone(after, attacker.id), lives)
