"""Previews of a number before it is confirmed; and the order of effects that nobody named."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec.structs import replace

from games.rules import engine
from games.rules.batch import in_order
from games.rules.commands import Command
from games.rules.events import Created, Moved
from games.rules.state import MOST, GameState, Refused
from games.rules.system import System
from games.systems.controls import SHARED_TAPS, AmountPreview, Stepper, Tap

from . import known
from .put_counters import Replaced
from .replacement_effects import ANYBODY, Putting, in_signs, standing_of, standings
from .replacing import (
    MOST_UNNAMED,
    Replacement,
    Undecided,
    decided,
    is_changed,
    orders,
    replaced,
)

Json = Mapping[str, Any]


def completed(system: System, state: GameState, command: Json) -> Json:
    """*command* with all that it means, and with the order of more standings than a few.

    Who taps has named none: it is the order that this player would choose, as with a few of them.
    """
    meant = known.completed(system, state, command)
    if len(state.standings) <= MOST_UNNAMED or meant.get("do") not in system.verbs:
        return meant
    named, before = meant, None
    while named != before:
        before = named
        try:
            by = engine.head(system, state, named).by
            engine.step(system, state, engine.read(system, named, by))
        except Undecided as refused:
            named = in_order(system, named, refused.order)
        except Refused:  # for another reason, as the rules will say
            break
    return named


def becomes(
    system: System, state: GameState, command: Mapping[str, Any]
) -> Iterator[AmountPreview]:
    """The outcome of a `place` of one kind on one holder; nothing if no standing changes it."""
    cause, amount = command.get("cause"), command["amount"]
    putting = Putting(command["by"], command["on"], command["counter"], amount, cause)
    for way in orders(state, putting):
        if way.by:
            yield AmountPreview(amount, way.amount, _says(state, way), way.by)


def ways(system: System, state: GameState, command: Command) -> Iterator[AmountPreview]:
    """For each number that *command* puts and two standings or more change: each order that ends
    with another number, the usual one first.

    Raises Refused as the command does.
    """
    verb = system.verbs[command.verb]
    for step in verb.steps(system, command) if verb.steps else (command,):
        events = list(system.verbs[step.verb].resolve(system, state, step))
        came = {event.object for event in events if isinstance(event, Created | Moved)}
        entering = frozenset(came - {each for each in came if _is_in_play(state, each)})
        for event in events:
            if isinstance(event, Replaced):
                found = orders(state, _putting(state, step, event, entering))
                if len(found) > 1:
                    for way in found:
                        yield AmountPreview(event.amounts[0], way.amount, _says(state, way), way.by)
            state = event.evolve(state)


def _is_in_play(state: GameState, object_id: str) -> bool:
    return object_id in state.objects and state.objects[object_id].on_field


def _putting(
    state: GameState, command: Command, event: Replaced, entering: frozenset[str]
) -> Putting:
    """The putting that *event* tells of. entering: the objects that enter by *command*."""
    enters = event.on in entering
    usual = state.objects[event.on].controller if enters else command.by
    putter, cause = getattr(command, "putter", None), getattr(command, "cause", None)
    amount, with_it = event.amounts[0], entering if enters else frozenset()
    return Putting(putter or usual, event.on, event.counter, amount, cause, (), with_it)


def gives(taps: Mapping[str, Tap], state: GameState, number: Stepper) -> Iterator[AmountPreview]:
    """Outcomes of a tap and a hold on the plus of *number*; nothing if no standing changes it."""
    tap = taps.get(number.increment) or SHARED_TAPS.get(number.increment)
    if tap is None or tap.do != "place":
        return
    for amount in number.stride:
        yield from _gives(tap, state, number, amount)


def _gives(tap: Tap, state: GameState, number: Stepper, amount: int) -> Iterator[AmountPreview]:
    """The outcome of *amount* for each seat that taps."""
    card = state.objects.get(number.holder)
    # Most of what stands asks whose number it is, and not who puts the counters.
    same_for_all = not tap.own and all(each.putter == ANYBODY for each in standings(state))
    seats = [next(iter(state.seats))] if same_for_all else [*state.seats]
    puttings = [Putting(seat, number.holder, number.kind, amount) for seat in seats]
    if not any(is_changed(state, each) for each in puttings):
        return
    found = []
    for putting in puttings:
        own = tap.own if card and card.controller == putting.putter else {}
        cause = {**tap.fixed, **own}.get("cause")
        found.append(_usual(state, replace(putting, cause=cause)))
    if len(set(found)) == 1:
        yield found[0]
    else:
        yield from (replace(each, seat=seat) for seat, each in zip(seats, found, strict=True))


def _usual(state: GameState, putting: Putting) -> AmountPreview:
    """The outcome of *putting*; as tapped if no standing changes it, or if it becomes too many."""
    way = replaced(state, decided(state, putting))
    if not way.by or way.amount > MOST:
        return AmountPreview(putting.amount, putting.amount)
    return AmountPreview(putting.amount, way.amount, _says(state, way))


def _says(state: GameState, way: Replacement) -> str:
    """Each step in signs and names: "+1 Hardened Scales, ×2 Doubling Season"."""
    return ", ".join(in_signs(state, [standing_of(state, each) for each in way.by]))
