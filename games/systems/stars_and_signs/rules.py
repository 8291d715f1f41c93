"""The rules in our own words: the rulebook's headings, our rulings, and what is left to the table.

R1-R15 and A11 are our rulings where the text is silent; the later ones are additions of the
tracker. The source has no licence, so nothing here quotes it.
"""

from __future__ import annotations

from collections.abc import Mapping

from games.rules.system import Rule
from games.tracks.permissions import BY_TYPE
from games.tracks.rulings import RULINGS
from games.tracks.verbs import settings

EDITION = "2025-12"
CORE = "Stars and Signs, core rules"


def _numbered(document: str, texts: Mapping[str, str]) -> dict[str, Rule]:
    return {number: Rule(text, document, EDITION) for number, text in texts.items()}


RULES: Mapping[str, Rule] = {
    **_numbered(f"{CORE}, Counters", {
        "Points and Slots": "A counter has 1 to 10 slots, each worth 5 points unless it says "
            "otherwise. Points fill whole slots until none is left. Filling the last completes it.",
        "Temporary Slots": "Slots and temporary slots together are at most ten. A temporary slot "
            "is lost when it is filled.",
        "Progress": "Progress fills towards a goal that takes several successes.",
        "Danger": "Danger fills as a threat nears something that would make matters worse.",
        "Defeat": "Defeat fills as something crucial comes close to being lost.",
        "Resource": "Spending a resource fills its slots; full, it is used up.",
        "Timer": "A timer advances whenever someone acts, whether they succeed or not.",
        "Inventory": "Each slot of an inventory holds one item.",
    }),
    **_numbered(f"{CORE}, other chapters", {
        "extras": "An Extra adds a die to the same roll: add first, then round.",
        "wounds": "Half of a roll is rounded up.",
        "moods": "Moods take points off Despair before it is rounded.",
        "Vulnerability": "Despair suffered while the counter is full is a Wound: one rank for "
            "every slot that it would have filled.",
        "Clearing Despair": "Despair is cleared by slots, or by as many slots as the points are "
            "worth.",
        "Protective": "A Protective Asset takes slots instead of another counter, one for one.",
        "Energy Counter": "Energy is cleared when a Transformation begins and at each Milestone.",
        "Energy Sources": "Slots that cannot be cleared because too few are filled may become "
            "temporary slots.",
        "Bulky": "A Bulky item takes two slots, a Compact item none.",
        "Memories and Advancing": "The Memory that fills the counter releases all of them.",
    }),
    **_numbered("Rulings of this tracker", RULINGS),
}  # fmt: skip

NOT_TRACKED: Mapping[str, str] = {
    "Progress": "A goal is a counter like any other; the players say what it means.",
    "Danger": "The GM decides when a threat advances.",
    "Defeat": "The GM decides when a loss comes closer.",
    "Hopelessness": "A Broken protagonist cannot spend Hope. The table warns; the GM decides.",
    "R13": "The log does this for every system, with the ids of commands.",
}

SETTINGS = settings(BY_TYPE)
