"""The rules of the table itself, which hold in every game: what a refusal cites that no game says.

docs/COMMANDS.md has them at length, under the same numbers.
"""

from __future__ import annotations

from collections.abc import Mapping

from .system import Rule, System

DOCUMENT = "The command language"
EDITION = "1"

RULES: Mapping[str, Rule] = {
    "Log 2": Rule(
        "Any command can be taken back: everything else is worked out again without it. If a later "
        "one would then be impossible, nothing is taken back. Where there is a GM, players take "
        "back only what they did themselves.",
        DOCUMENT,
        EDITION,
    ),
    "Log 3": Rule(
        "What was taken back can be given back. It returns to its old place in the log.",
        DOCUMENT,
        EDITION,
    ),
    "Prompts 2": Rule(
        "Only the player who is asked answers a question. Numbers are read when it is answered.",
        DOCUMENT,
        EDITION,
    ),
    "Prompts 3": Rule(
        "While a question waits, no turn and no phase begins. Everything else can be done.",
        DOCUMENT,
        EDITION,
    ),
    "Turn 1": Rule(
        "A phase begins only after an earlier one of the same turn, unless the game lets it come "
        "again. Phases may be left out.",
        DOCUMENT,
        EDITION,
    ),
}


def applying_to(system: System) -> Mapping[str, Rule]:
    """Those that matter in *system*: without phases there is no turn to wait for an answer."""
    return {
        number: rule for number, rule in RULES.items() if system.phases or number.startswith("Log")
    }
