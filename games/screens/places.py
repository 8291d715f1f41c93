"""The places of a game that numbers decided: first, second, and shared ones."""

from __future__ import annotations

from collections.abc import Collection, Mapping


def places(totals: Mapping[str, int], winners: Collection[str]) -> dict[str, int]:
    """The place of each seat, by its total: the winners share the first, equal ones the others.

    Whether more is better follows from who won; none have a place if numbers did not decide.
    """
    best = [total for seat, total in totals.items() if seat in winners]
    rest = [total for seat, total in totals.items() if seat not in winners]
    if not best or not rest:
        return {}
    if min(best) >= max(rest):
        better = [-total for total in rest]
    elif max(best) <= min(rest):
        better = rest
    else:
        return {}
    order = dict(zip((seat for seat in totals if seat not in winners), better, strict=True))
    behind = {
        seat: 1 + len(best) + sum(other < mine for other in order.values())
        for seat, mine in order.items()
    }
    return {seat: behind.get(seat, 1) for seat in totals}
