"""A definition for a game that was played without rules, from the counters that lie there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from games.rules.state import CEASED, GameState

from .language.meaning import PLAYER
from .language.reading import WORD, Fault, text
from .writing.playable import LISTS

THING = "thing"


def adopted(state: GameState, title: str, hero: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """The definition, and the `given` by which a game goes on from *state*.

    Every kind of counter is a number of whom it lies on; the kind *hero* is big. What is beyond the
    most numbers stays a counter that no rule names.
    """
    numbers = [*_numbers(state, hero)][: LISTS["numbers"]]
    definition: dict[str, Any] = {
        "title": _title(title),
        "players": {"least": 1, "most": max(8, len(state.seats))},
        "things": [{"type": THING}],
        "numbers": numbers,
    }
    return definition, _given(state)


def _title(title: str) -> str:
    try:
        return text(60)(title[:60].strip(), "title")
    except Fault:
        return "Our game"


def _numbers(state: GameState, hero: str) -> Iterator[dict[str, Any]]:
    players = _kinds(state, state.seats)
    things = _kinds(state, state.objects)
    for kind in sorted({**players, **things}, key=lambda each: each != hero):
        on = [PLAYER] * (kind in players) + [THING] * (kind in things)
        number = {"kind": kind, "on": on[0] if len(on) == 1 else on}
        yield {**number, "big": True} if kind == hero and PLAYER in on else number


def _kinds(state: GameState, holders: Mapping[str, Any]) -> dict[str, None]:
    return {kind: None for holder in holders for kind in state.on(holder) if WORD(kind)}


def _given(state: GameState) -> dict[str, Any]:
    objects = {
        key: {
            "type": THING,
            "name": each.name,
            "owner": each.owner,
            "controller": each.controller,
            "zone": each.zone,
            "token": each.token,
            "counters": dict(state.on(key)),
        }
        for key, each in state.objects.items()
        if each.zone != CEASED
    }
    given: dict[str, Any] = {
        "seats": {key: {"counters": dict(state.on(key))} for key in state.seats},
        "objects": objects,
    }
    if state.turn is not None:
        given["turn"] = {"active": [*state.turn.active]}
    return given
