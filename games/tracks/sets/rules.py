"""The rules of any game's counters in our own words, and what is left to the table."""

from __future__ import annotations

from collections.abc import Mapping

from ...rules.system import Rule
from ..rulings import RULINGS
from ..verbs import settings
from .making import BY_TYPE

EDITION = "1"
DOCUMENT = "Any RPG: rulings of this tracker"

OWN: Mapping[str, str] = {
    "Temporary Slots": "A temporary slot is filled before others, and is lost when it is filled.",
    "Resource": "Spending a resource uses up its slots; people read what is left.",
    "Inventory": "Each slot of an inventory holds one item.",
    "Any 1": "A set says which types of counters a table has, and how a new one of each is drawn, "
        "how big it is, what its slots are and who sees it.",
    "Any 2": "A counter is drawn as blocks, as a pie of up to twelve, as boxes of up to twenty, "
        "or as a number out of a maximum. What happens to it is the same for all four.",
    "Any 3": "Those who know a counter by name only may be told a word in place of its numbers: "
        "the first that still holds for how much is there. They hear when the word changes.",
    "Any 4": "In a turn order whoever has the highest initiative begins; the GM goes on to the "
        "next turn, and after the last one a round begins. What is the GM’s and complete takes "
        "no more turns.",
    "Any 5": "A seat is shown the last turn of something that it knows. A hidden creature’s turn "
        "sends players nothing, so a player says that they are done and the GM goes on.",
    "Any 6": "A condition that lasts for rounds loses one whenever a turn of whoever has it "
        "begins, and ends with the last; any other lasts until it is ended.",
    "Any 7": "A set says the number of an empty counter, which may be below zero; how many ticks a "
        "box takes; and how many slots a tap on + or − fills or clears.",
    "Any 8": "An outcome ticks by itself what leaves no choice: of what every player has, the "
        "actor’s own; of anything else, the only one in play that it would change, secret ones "
        "aside if all know one. The GM chooses among several, and says what a scale counts.",
}  # fmt: skip
RULES: Mapping[str, Rule] = {
    **{number: Rule(text, DOCUMENT, EDITION) for number, text in OWN.items()},
    **{
        number: Rule(text, DOCUMENT, EDITION)
        for number, text in RULINGS.items()
        if number != "R19"  # about one game's milestones
    },
}
NOT_TRACKED: Mapping[str, str] = {
    "R13": "The log does this for every system, with the ids of commands.",
    "What anything means": "The players and the GM say what happens; the table counts.",
    "Dice of the game": "Roll your own, or roll any dice here; the outcome is told with a tap.",
}
SETTINGS = settings(BY_TYPE)
