"""The first rules of a game that was played without any: numbers of the counters that lie there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from games.rules.state import CEASED, GameState

from ..language.definition import understood
from ..language.meaning import PLAYER
from ..language.reading import WORD
from ..language.sorts import MOST_TEAMS
from ..writing.playable import LISTS
from .counters import LEADING, POINTS

THING = "thing"


def begun(written: Mapping[str, Any], state: GameState) -> Mapping[str, Any]:
    """The definition of a table that has one; of one without rules, that in which each kind of
    counter is a number of what it lies on, those of players first.

    What is beyond the most numbers stays a counter that no rule names.
    """
    if not understood(written).plain:
        return written
    things = any(each.zone != CEASED for each in state.objects.values())
    return {
        **{key: each for key, each in written.items() if key != "turns"},
        **({"teams": max(2, min(len(state.teams), MOST_TEAMS))} if state.teams else {}),
        **({"things": [{"type": THING}]} if things else {}),
        "numbers": [*_numbers(state)][: LISTS["numbers"]],
    }


def _numbers(state: GameState) -> Iterator[dict[str, Any]]:
    shared = {f"team:{team}": each for team, each in state.teams.items()}
    pools = _kinds(state, shared)
    players, things = _kinds(state, state.seats) | pools, _kinds(state, state.objects)
    hero = next(filter(players.__contains__, LEADING), POINTS)
    for kind in sorted({**players, **things}, key=lambda each: each != hero):
        on = [PLAYER] * (kind in players) + [THING] * (kind in things)
        number: dict[str, Any] = {"kind": kind, "on": on[0] if len(on) == 1 else on}
        if kind in pools and on == [PLAYER]:
            number["shared"] = True
        yield {**number, "big": True} if kind == hero and PLAYER in on else number


def _kinds(state: GameState, holders: Iterable[str]) -> dict[str, None]:
    return {kind: None for holder in holders for kind in state.on(holder) if WORD(kind)}
