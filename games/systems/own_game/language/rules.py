"""The rules of own games as text: those that hold for all of them, and those a table wrote."""

from __future__ import annotations

from collections.abc import Mapping

from games.rules.state import marked as _
from games.rules.system import Rule

from .definition import Definition

DOCUMENT, EDITION = "Own games", "1"


def _own(text: str) -> Rule:
    return Rule(text, DOCUMENT, EDITION)


RULES: Mapping[str, Rule] = {
    "Own 1": _own(_("Players, the table and things in play begin with their numbers’ starts.")),
    "Own 2": _own(_("A number stays between its least and its most, whoever changes it.")),
    "Own 3": _own(_("A number is only on what it is for, and nothing has numbers out of play.")),
    "Own 4": _own(_("Turns follow the order of the game; a round is over when all had one.")),
    "Own 5": _own(_("The button of a rule is paid for, and then does what the rule says.")),
    "Own 6": _own(_("What a change sets off comes right after it; then the table settles.")),
    "Own 7": _own(_("Who is named out is out when all has settled; who is named first has won.")),
    "Own 8": _own(_("A number that follows is worked out from others whenever it is read.")),
    "Pad 3": _own(_("What comes after a question is done once all who were asked have answered.")),
}


def rules_of(definition: Definition) -> dict[str, Rule]:
    """The rules of a definition, by name."""
    return {
        rule.name: Rule(rule.says or rule.name, definition.title, "")
        for rule in definition.rules.values()
    }
