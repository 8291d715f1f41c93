"""Drafts of a table's own rules on the page for a new game: a line of numbers, or a ready game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from games.rules.numbers import whole_number
from games.rules.state import MOST_SEATS, Words
from games.rules.state import marked as _
from games.systems.new_game import Draft, Explained, Saying

from . import typed
from .coins import coins
from .definition import DEFINITION, Definition, Number, understood
from .expressions import PLAYER, TABLE
from .reading import Fault
from .saying import purpose, sentence


def draft(chosen: Mapping[str, str], ready: Mapping[str, Any] | None) -> Draft:
    """The draft in the fields of the page: a *ready* game, or what its line says.

    title, numbers: what is played, and what it counts. seats: how many play.
    """
    title = " ".join(chosen.get("title", "").split())[:60]
    if ready is not None:
        return _drafted(ready, title=title)
    line = chosen.get("numbers", "")
    read = typed.line(line)
    players = whole_number(chosen.get("seats", ""), 1, MOST_SEATS) or 2
    faults = (_("A number of that line cannot be read yet."),) if any(e.why for e in read) else ()
    made = typed.definition(title, read, players)
    return _drafted(made, faults, title=title, line=line, read=read)


def _drafted(written: Mapping[str, Any], faults: tuple[Words, ...] = (), **facts: Any) -> Draft:
    try:
        definition = understood(written)
    except Fault:
        definition, faults = understood({"title": typed.UNTITLED}), (_("That title is no text."),)
    marks = coins(definition)
    shown = [number for number in definition.numbers.values() if PLAYER in number.on]
    hero = next((number for number in shown if number.big), shown[0] if shown else None)
    return Draft(
        {DEFINITION: definition.written},
        faults,
        {
            **facts,
            "hero": hero,
            "numbers": [number for number in shown if number is not hero],
            "coins": marks,
            "counted": [*map(_counted, definition.numbers.values())],
            "explained": explained(definition),
        },
    )


def _counted(number: Number) -> dict[str, Any]:
    """A number as the page lists it. table: whether only the table has it."""
    return {"kind": number.kind, "start": number.start, "table": number.on == {TABLE}}


def explained(definition: Definition) -> Explained:
    """The numbers and the rules of a definition in sentences."""
    written = definition.written
    return Explained(
        [purpose(definition, each) for each in written.get("numbers", ())],
        {
            rule["rule"]: Saying(sentence(definition, rule), rule.get("says", ""))
            for rule in written.get("rules", ())
        },
    )
