"""The rules of own games as text: those that hold for all of them, and those a table wrote."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from games.rules.state import Phrase, Words
from games.rules.state import marked as _
from games.rules.system import Rule

from . import written_rules
from .definition import Definition
from .saying import Saying, sentence

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
    "Pad 2": _own(_("What is written once is changed by a correction only.")),
    "Pad 5": _own(_("A chair on which nobody sits as the game begins does not play.")),
    "Pad 7": _own(_("The server rolls the dice, or a player types what they show at the table.")),
    "Pad 8": _own(_("A team shares its numbers, and wins as a whole.")),
    "Pad 10": _own(_("A player’s role says which numbers it has, and how they start.")),
    "Pad 11": _own(_("What a round of the score sheet brought is corrected for all that follows.")),
    "Pad 9": _own(_("A round goes by the numbers as they are when it begins.")),
    "Pad 3": _own(_("What comes after a question is done once all who were asked have answered.")),
}

OF_THE_GM: Mapping[str, Rule] = {
    "GM 1": _own(_("A game with a GM has no result, and the GM is no player.")),
    "GM 2": _own(
        _("A track’s number is what people read; a cost of it is paid in full or not at all.")
    ),
    "GM 3": _own(_("What happens to tracks in play sets off rules once all of it has happened.")),
    "GM 5": _own(_("A rule shows, hides and makes tracks, and puts and ends conditions on them.")),
    "GM 6": _own(_("What a rule does is heard by each seat as if the GM had done it by hand.")),
}
"""Besides, the rules of a game with a GM."""


class WrittenRule(Rule, frozen=True):
    """A rule that a table wrote: its author's words, or else its sentence."""

    definition: Definition
    written: Mapping[str, Any]

    def why(self, event: Mapping[str, Any]) -> Words:
        """The text with the numbers that its condition compared: “… (gold 3 ≥ 3)”."""
        saying = Saying(self.definition, self.written)
        numbers = saying.compared(event.get("compared", ()))
        if numbers is None:
            return self.text
        return Phrase("{rule} ({numbers})", rule=self.text, numbers=numbers)


def rules_of(definition: Definition) -> dict[str, Rule]:
    """The rules of a definition, by name."""
    return {rule.name: _written(definition, rule) for rule in definition.rules.values()}


def _written(definition: Definition, rule: written_rules.Rule) -> WrittenRule:
    written = definition.written["rules"][rule.place - 1]
    text = rule.says or sentence(definition, written)
    return WrittenRule(text, definition.title, "", definition, written)
