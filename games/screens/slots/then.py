"""One entry of a table with slot counters in words, as a seat read it when it happened (R14, R31).

Names and owners are those of that moment, and nothing is told that was revealed later.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from games.rules.state import GameState
from games.screens.log.entry_text import Then
from games.screens.log.parts import Part
from games.screens.slots.log import parts_of
from games.systems.stars_and_signs.seen import SeenEntry, heard_entry, sees

SCENES = ("scene-began", "scene")
"""The kind of event that begins a part of the session, and its field with that part's name."""


def parts_then(told: Then) -> Sequence[Part]:
    """What the entry said to the seat; nothing if the seat did not hear of it."""
    heard = heard_entry(told.after, told.seat, told.entry)
    if heard is None:
        return ()
    if told.now is not told.after:
        heard = _still_seen(told.now, told.seat, heard)
    turned = [event["of"] for event in told.entry.events if "of" in event]
    lines = {number: line for number in turned if (line := told.line_of(number)) is not None}
    return parts_of(told.system, heard, told.before, told.after, told.names, told.seat, lines)


def _still_seen(now: GameState, seat: str | None, heard: SeenEntry) -> SeenEntry:
    """*heard* without the counters that *seat* no longer sees."""
    events = tuple(each for each in heard.events if "on" not in each or sees(now, seat, each["on"]))
    return (
        heard if len(events) == len(heard.events) else replace(heard, events=events, command=None)
    )
