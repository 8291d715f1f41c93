"""The attacks of a monster, each with what it would come to: for its sheet.

Nothing here decides a rule.
"""

from __future__ import annotations

from collections.abc import Iterator

from games.rules.state import GameState, Refused
from games.rules.state import marked as _
from games.rules.system import System
from games.systems import attacks as form
from games.systems.sheets import Label

from .battle import Attack, calculated, guard, monsters, refuse_attack
from .card import ATK, Card, derived, duelist
from .zones import MONSTER


def attacks(system: System, state: GameState, card: Card, label: Label) -> Iterator[form.Attack]:
    """What *card* may attack, and, folded, what only a card would let it; nothing in another's
    turn. A monster whose ATK nobody knows attacks with the number that is said."""
    turn = state.turn is None or card.controller in state.turn.active
    if card.zone != MONSTER or card.face_down or not turn:
        return
    foes = [each.id for each in state.remaining() if each.id != card.controller]
    on = [*(each.id for seat in foes for each in monsters(state, seat)), *foes][: form.MOST_TARGETS]
    trial = form.Trial(system, state, card.id, label, lambda now, seat: duelist(now, seat).life)
    atk = derived(system, state, card).get(ATK)
    asked = form.Asked("atk", ATK, "?" if atk is None else atk), form.Asked("against", _("against"))
    attack = {"do": "attack", "object": card.id}
    anyway = {**attack, "anyway": True}
    for given, folded in ((attack, ""), (anyway, _("Attack: a card allows it"))):
        targets = [
            trial.target(
                each,
                {**anyway, "on": each, "by": card.controller},
                _guard(system, state, each, card),
            )
            for each in on
            if _allowed(state, card, each) is not bool(folded)
        ]
        if targets:
            yield form.Attack(
                given=given, title=_("Attack"), targets=targets, asked=asked, folded=folded
            )


def _guard(system: System, state: GameState, on: str, foe: Card) -> int | None:
    target = state.objects.get(on)
    if not isinstance(target, Card):
        return None
    return calculated(system, state, target, guard(target), None if target.face_down else foe)


def _allowed(state: GameState, attacker: Card, on: str) -> bool:
    try:
        refuse_attack(state, attacker, Attack(by=attacker.controller, object=attacker.id, on=on))
    except Refused:
        return False
    return True
