"""A whole state as JSON values and back: the form in which openings are stored and exported."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from .state import GameState, Note, Prompt, Turn, from_facts, plain, to_facts
from .system import System

T = TypeVar("T")


def as_json(whole: GameState) -> dict[str, Any]:
    """*whole* as JSON values. Whatever has an order is a list, since databases reorder keys."""
    return {
        "seats": [to_facts(seat) for seat in whole.seats.values()],
        "objects": [to_facts(obj) for obj in whole.objects.values()],
        "counters": {holder: dict(kinds) for holder, kinds in whole.counters.items()},
        "slot_counters": [to_facts(counter) for counter in whole.slot_counters.values()],
        "teams": [to_facts(team) for team in whole.teams.values()],
        "turn": to_facts(whole.turn) if whole.turn else None,
        "prompts": [to_facts(prompt) for prompt in whole.prompts],
        "result": whole.result,
        "winners": list(whole.winners),
        "settings": plain(whole.settings),
        "settled": whole.settled,
        "notes": [to_facts(note) for note in whole.notes.values()],
        "scenes": [list(scene) for scene in whole.scenes.items()],
        "standings": [to_facts(standing) for standing in whole.standings.values()],
        "parts": plain(whole.parts),
    }


def from_json(system: System, whole: Mapping[str, Any]) -> GameState:
    """The state that `as_json` turned into *whole*."""
    system = system.of_table(whole["settings"])

    def keyed(cls: type[T], described: Sequence[Mapping[str, Any]]) -> dict[str, T]:
        return {facts["id"]: from_facts(cls, facts) for facts in described}

    return GameState(
        seats=keyed(system.components.seat, whole["seats"]),
        objects=keyed(system.components.object, whole["objects"]),
        counters=whole["counters"],
        slot_counters=keyed(system.components.slot_counter, whole["slot_counters"]),
        teams=keyed(system.components.team, whole["teams"]),
        turn=from_facts(Turn, whole["turn"]) if whole["turn"] else None,
        prompts=tuple(Prompt(**facts) for facts in whole["prompts"]),
        result=whole["result"],
        winners=tuple(whole.get("winners", ())),
        settings=whole["settings"],
        settled=whole["settled"],
        notes=keyed(Note, whole.get("notes", ())),
        scenes=dict(whole.get("scenes", ())),
        standings=keyed(system.components.standing, whole.get("standings", ())),
        parts=whole.get("parts", {}),
    )
