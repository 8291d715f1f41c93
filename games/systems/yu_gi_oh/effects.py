"""State-based effects: counters that must go, thresholds, and losing at 0 life points."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from games.rules.counting import may_come_back
from games.rules.events import Event, Lost, Placed, Removed
from games.rules.state import GameState
from games.rules.system import System, cites

from .card import Card, bound, duelist
from .facts import ThresholdReached


def leave(system: System, state: GameState, changed: Collection[str]) -> Iterable[Event]:
    """Counters that cannot stay on a card come off, card by card and kind by kind."""
    removed: list[Event] = []
    for card_id in sorted(changed) if len(changed) > 1 else changed:
        kinds = state.counters.get(card_id)
        obj = state.objects.get(card_id) if kinds else None
        if not kinds or not isinstance(obj, Card):
            continue
        hidden = rule_of_hidden(obj)
        for kind in sorted(kinds) if len(kinds) > 1 else kinds:
            if rule := hidden or (bound(state, kind) and rule_of_bound(obj, kind)):
                removed.append(Removed(card_id, kind, kinds[kind], rule=rule))
    return removed or ()


@cites("R1", "R5", "R6")
def rule_of_hidden(obj: Card) -> str | None:
    """The rule by which the card can hold no counters: it is off the field or face-down."""
    if not obj.on_field:
        return "R6"
    return "R5" if obj.face_down else None


@cites("R8", "R9", "R10", "R11", "R13", "R14")
def rule_of_bound(obj: Card, kind: str) -> str | None:
    """The rule by which the card can hold no counters of a bound kind; None if it can.

    Its effects are negated, it cannot be used, or its text does not let it hold that kind in this
    zone. Only the card that holds them matters, never the card that placed them.
    """
    if obj.negated:
        return "R8"
    if obj.unusable:
        return "R10"
    if obj.permit(kind):
        return None
    return "R14" if kind in obj.permits else "R11"


@cites("R3")
def announce(system: System, state: GameState, event: Placed | Removed) -> Iterable[Event]:
    """Report that a card has reached its threshold: by a placement, or for 0 by losing the last.

    Its text does nothing while it is face-down, off the field, negated or unusable. A judge's
    correction never reaches a threshold.
    """
    obj = state.objects.get(event.on)
    if not isinstance(obj, Card) or event.counter not in obj.thresholds:
        return ()
    if not obj.on_field or obj.face_down or obj.negated or obj.unusable:
        return ()
    threshold = obj.thresholds[event.counter]
    amount = state.count(event.on, event.counter)
    if isinstance(event, Placed):
        reached = amount - event.amount < threshold <= amount
    else:
        reached = threshold == amount == 0
    reached_now = ThresholdReached(event.on, event.counter, threshold, rule="R3")
    return (reached_now,) if reached else ()


@cites("Life 1")
def lose(system: System, state: GameState, changed: Collection[str]) -> list[Event]:
    """Every player with 0 life points loses, all at the same moment."""
    return [
        Lost(seat.id, rule="Life 1")
        for seat in state.seats.values()
        if seat.id in changed and not seat.lost and _loses(state, seat.id)
    ]


def _loses(state: GameState, seat: str) -> bool:
    """True if the player has no life points left, and can lose."""
    player = duelist(state, seat)
    return player.life <= 0 and not player.cannot_lose


def comes_back(system: System, state: GameState, on: str) -> Iterable[str]:
    """A player whose number was corrected, if nothing makes that player lose."""
    seat = state.seats.get(on)
    if seat and seat.lost and may_come_back(state, on) and not _loses(state, on):
        return (on,)
    return ()
