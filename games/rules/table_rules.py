"""The rules of the table itself, which hold in every game; some refusals cite them.

docs/COMMANDS.md has them in full, under the same numbers.
"""

from __future__ import annotations

from collections.abc import Mapping

from .state import marked as _
from .system import Rule, System

DOCUMENT = "The command language"
EDITION = "1"

RULES: Mapping[str, Rule] = {
    "Log 2": Rule(
        _(
            "Any command can be undone: everything else is worked out again without it. If that "
            "would make a later command impossible, nothing is undone. Where there is a GM, "
            "players can undo only what they did themselves."
        ),
        DOCUMENT,
        EDITION,
    ),
    "Log 3": Rule(
        _("An undone command can be redone. It returns to its old place in the log."),
        DOCUMENT,
        EDITION,
    ),
    "Log 6": Rule(
        _(
            "The end of a session closes a chapter. What came before it is neither undone nor "
            "redone; the end itself can be undone until something else is done."
        ),
        DOCUMENT,
        EDITION,
    ),
    "Prompts 2": Rule(
        _(
            "Only the player who is asked can answer a question; for a player without a phone, "
            "anyone at the table can. Numbers are read at that moment."
        ),
        DOCUMENT,
        EDITION,
    ),
    "Prompts 3": Rule(
        _("While a question waits, no turn or phase can begin. Everything else is possible."),
        DOCUMENT,
        EDITION,
    ),
    "Seats 2": Rule(
        _(
            "A chair at which nobody sits (no phone, no name, nothing changed) does not play once "
            "the game begins, if two or more play without it. Whoever sits down there later does."
        ),
        DOCUMENT,
        EDITION,
    ),
    "Turn 1": Rule(
        _(
            "A phase can begin only after an earlier phase of the same turn, unless the game "
            "lets it repeat. Phases may be skipped."
        ),
        DOCUMENT,
        EDITION,
    ),
}


def applying_to(system: System) -> Mapping[str, Rule]:
    """The rules that matter in *system*: without phases, only those about the log."""
    return {
        number: rule for number, rule in RULES.items() if system.phases or number.startswith("Log")
    }
