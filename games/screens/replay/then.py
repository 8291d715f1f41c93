"""One entry of a card game in words, as a seat read it when it happened."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct

from games.rules import secrecy
from games.rules.entry import Entry
from games.rules.state import GameState
from games.rules.system import System
from games.screens.log.entry_text import attribution, parts
from games.screens.log.parts import Part, namer
from games.screens.secrets import Eyes

BEGINS = "turn-began", ""
"""The event with which a part of the evening begins; it has no name of its own."""
MARKS = {"lost": "out", "ended": "won"}
"""The events that a replay marks, with their signs."""


class Then(Struct, frozen=True):
    """An entry and its moment: the whole states before and after it, and who reads of it.

    names: of the seats, by id. line_of: the number of an earlier entry as the seat counts; None if
    it did not hear of that one. earlier: what an earlier entry said to the seat. now: the state in
    which the seat reads it.
    """

    system: System
    entry: Entry
    before: GameState
    after: GameState
    seat: str | None
    names: Mapping[str, str]
    line_of: Callable[[int], int | None]
    earlier: Callable[[int], Sequence[Part]]
    now: GameState


def parts_then(told: Then) -> Sequence[Part]:
    """What the entry said to the seat; nothing if the seat may not know that it happened."""
    eyes = Eyes(told.system)
    before, after = eyes.state(told.before, told.seat), eyes.state(told.after, told.seat)
    shown = secrecy.entry_seen(told.system, after, told.entry, told.seat)
    if not shown:
        return ()
    if told.entry.command["do"] == "attribute":
        done = [part for number in told.entry.command["entries"] for part in told.earlier(number)]
        if part := attribution(told.entry.events[0], done, namer(before, after)):
            return (part,)
    return tuple(parts(told.system, before, after, shown))
