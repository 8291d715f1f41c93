"""A game as one JSON document for other programs: what a seat may see of it, and how that changes.

docs/api.md describes it. The document is the same over HTTP and over a socket, where a change to it
is a JSON Patch (RFC 6902).
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping
from typing import Any

from django.core.serializers.json import DjangoJSONEncoder

from games.models import Game, Seat
from games.rules import scenario, secrecy
from games.rules.history import Applied
from games.rules.state import GameState
from games.rules.system import System
from games.screens.clock import Reading
from games.screens.drawing import Drawing, kept
from games.screens.fragments import Audience

SCHEMA = 1
"""The version of the document; within one version, fields are only added."""
LEFT_OUT = ("log", "seat")
"""The fields of a view besides the state."""


def about(game: Game) -> dict[str, Any]:
    """The constant part of a game's document."""
    return {
        "schema": SCHEMA,
        "game": game.slug,
        "title": game.title,
        "system": game.system,
        "edition": game.edition,
    }


def shown(system: System, seen: GameState, seat: str | None) -> dict[str, Any]:
    """The state in a document. seen: the state, with the objects as *seat* sees them."""
    view = secrecy.view(system, seen, seat or "", [])
    if view is None:
        view = scenario.whole_state(system, seen)
    winners = {"winners": list(seen.winners)}
    return {key: value for key, value in view.items() if key not in LEFT_OUT} | winners


def table_facts(seats: Mapping[str, Seat], context: Mapping[str, Any]) -> dict[str, Any]:
    """The part that no command changes: seats, host, requests for a seat, and the clock, as of now.

    context: the sidebar's; it holds no secrets.
    """
    clock = context.get("clock")
    return {
        "locked": context["locked"],
        "taken": [key for key, seat in seats.items() if seat.taken],
        "host": context["host"],
        "stand_in": context["stand_in"],
        "requests": [
            {"id": each["id"], "seat": each["seat"].key} for each in context["seat_requests"]
        ],
        "clock": clock_facts(clock.read(time.time())) if clock else None,
    }


def clock_facts(reading: Reading) -> dict[str, Any]:
    """The face of the clock, in seconds."""
    seats, seconds = reading.turn or ((), 0.0)
    return {
        "running": reading.running,
        "spent": round(reading.spent, 1),
        "left": None if reading.left is None else round(reading.left, 1),
        "turn": {"seats": list(seats), "seconds": round(seconds, 1)} if seats else None,
        "taken": {key: round(each, 1) for key, each in reading.taken.items()},
        "by": reading.by,
    }


def whole(drawing: Drawing, state: GameState, seat: str | None, to: Audience, number: int) -> str:
    """The whole document for *seat*, one of an audience."""
    document = {
        **drawing.about,
        "number": number,
        "seat": seat,
        "names": _names(drawing, to),
        "state": _shown(drawing, state, to),
    }
    return _message(type="state", number=number, document=document)


def changes(drawing: Drawing, given: Applied, to: Audience, number: int) -> str:
    """Patch of the document after an accepted command."""
    before, after = (_shown(drawing, state, to) for state in (given.before, given.after))
    operations = [_replaced("/number", number), *patch(before, after, "/state")]
    return _message(type="change", number=number, patch=operations)


def outcome(drawing: Drawing, state: GameState, number: int) -> str:
    """How the game stands at its end, for a program that follows nothing of it."""
    ended = {"number": number, "result": state.result, "winners": list(state.winners)}
    names = {key: seat.name for key, seat in drawing.seats.items()}
    return json.dumps({**drawing.about, **ended, "names": names}, ensure_ascii=False)


def names(drawing: Drawing, to: Audience, number: int) -> str:
    """The names, which change without a command, for a program that has everything else."""
    renamed = _replaced("/names", _names(drawing, to))
    return _message(type="change", number=number, patch=[renamed])


def table(drawing: Drawing) -> str:
    """A message with the facts of the table that no command changes."""
    return _message(type="table", table=table_facts(drawing.seats, drawing.sidebar_context))


def _names(drawing: Drawing, to: Audience) -> dict[str, str]:
    with drawing.reading(to):
        return {key: seat.name for key, seat in drawing.seats.items()}


@kept("document")
def _shown(drawing: Drawing, state: GameState, to: Audience) -> dict[str, Any]:
    """The state in the document."""
    seen = drawing.eyes.state(state, to.seat, to.language)
    return shown(drawing.system, seen, to.seat)


def patch(before: Any, after: Any, at: str) -> Iterator[dict[str, Any]]:
    """The operations of RFC 6902 that make *after* of *before*, the value at the pointer *at*.

    Maps are compared key by key; whatever else differs is replaced as a whole.
    """
    if isinstance(before, Mapping) and isinstance(after, Mapping):
        for key in before:
            if key not in after:
                yield {"op": "remove", "path": _below(at, key)}
        for key, value in after.items():
            if key not in before:
                yield {"op": "add", "path": _below(at, key), "value": value}
            elif before[key] is not value:
                yield from patch(before[key], value, _below(at, key))
    elif before != after or type(before) is not type(after):
        yield _replaced(at, after)


def _below(at: str, key: str) -> str:
    return f"{at}/{str(key).replace('~', '~0').replace('/', '~1')}"


def _replaced(at: str, value: Any) -> dict[str, Any]:
    return {"op": "replace", "path": at, "value": value}


def _message(**fields: Any) -> str:
    return json.dumps(fields, cls=DjangoJSONEncoder, ensure_ascii=False)
