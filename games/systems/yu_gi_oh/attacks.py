"""The attacks of a monster, each with what it would come to, and what a card does to all: for its
sheet.

Nothing here decides a rule.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from games.rules.state import GameState, Refused
from games.rules.state import marked as _
from games.rules.system import System
from games.systems import attacks as form
from games.systems.sheets import Label

from .battle import Attack, calculated, guard, monsters, refuse_attack
from .card import ATK, Card, derived, duelist
from .card_table import CORRECTIONS, NONE, EachEnd
from .counters import hindrance, room
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
            trial.target(each, {**anyway, "on": each}, _guard(system, state, each, card))
            for each in on
            if _allowed(state, card, each) is not bool(folded)
        ]
        if targets:
            yield form.Attack(
                given=given,
                title=_("Attack"),
                targets=targets,
                asked=asked,
                folded=folded,
                trial=trial,
            )


def each_end(system: System, state: GameState, card: Card, label: Label) -> Iterator[form.Attack]:
    """One tap for what *card* does to all at the end of each turn, or for the end of that."""
    does = CORRECTIONS.get("" if card.unseen else card.name, NONE).each_end
    if does is None:
        return
    every = [each for seat in state.seats for each in monsters(state, seat)]
    if card.applies:
        title, every = _("End Phase: 1 on each"), [*_taking(state, card, every, does)]
        placed = {"on": [each.id for each in every], "counter": does.counter, "source": card.id}
        steps = [{"do": "place", **placed}, *_counting(every, does, counts=True)]
    else:
        title = _("It no longer applies")
        every = [each for each in every if each.per_counter.get(does.counter) == does.by]
        steps = _counting(every, does, counts=False)
    command = {"do": "together", "steps": steps, "by": card.controller}
    after, said, fallen = form.tried(system, state, command), [], []
    for each in every:
        was, atk = (derived(system, now, now.objects[each.id]).get(ATK) for now in (state, after))
        said.append(label(each) if was == atk else f"{label(each)} {was} → {atk}")
        fallen += [each.id] if was and atk == 0 else []
    steps += [{"do": "move", "object": each, "to": "graveyard"} for each in fallen]
    if every:
        target = form.Target(json.dumps(steps), ", ".join(said), falls=bool(fallen))
        given = {"do": "together"}
        yield form.Attack(given=given, title=title, targets=[target], target="steps:json")


def _taking(state: GameState, card: Card, every: Sequence[Card], does: EachEnd) -> Iterator[Card]:
    """Those that take one of its counters and are not spared."""
    kind = does.counter
    for each in every:
        spared = does.spares in each.name.casefold() or hindrance(state, each, kind, card.id)
        if not spared and room(state, each, kind) > 0:
            yield each


def _counting(every: Sequence[Card], does: EachEnd, *, counts: bool) -> list[dict[str, Any]]:
    """That these counters count for the numbers of each, or no longer do."""
    steps: list[dict[str, Any]] = []
    for each in every:
        said = {kind: by for kind, by in each.per_counter.items() if kind != does.counter}
        said |= {does.counter: does.by} if counts else {}
        if said != each.per_counter:
            steps.append({"do": "describe", "object": each.id, "per_counter": said})
    return steps


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
