"""The rules in our own words: the rulebook's headings, our rulings, and what is left to the table.

R1-R15 and A11 are readings where the text is silent; R16-R24 are what the tracker adds. The source
has no licence, so nothing here quotes it.
"""

from __future__ import annotations

from collections.abc import Mapping

from games.rules.system import Rule, Setting

EDITION = "2025-12"
CORE = "Stars and Signs, core rules"
RULINGS = "Rulings of this tracker"


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
        "Inventory": "Each slot of an inventory holds an item; its slots are worth one item.",
    }),
    **_numbered(f"{CORE}, other chapters", {
        "extras": "An Extra adds a die to the same roll: add first, then round.",
        "wounds": "Half of a roll is rounded up.",
        "moods": "Moods take their points off Despair before it is rounded.",
        "Vulnerability": "Despair suffered while there is no room for it is a Wound: one rank for "
            "every five points, rounded up.",
        "Clearing Despair": "Despair is cleared in slots, or in as many slots as points are worth.",
        "Protective": "A Protective Asset takes slots in another counter's place, one for one.",
        "Energy Counter": "Energy is cleared when a Transformation begins and at each Milestone.",
        "Energy Sources": "What cannot be cleared because too little is filled may become "
            "temporary slots.",
        "Bulky": "A Bulky item takes two places, a Compact one none.",
        "Memories and Advancing": "The last Memory to fit releases them all.",
    }),
    **_numbered(RULINGS, {
        "R1": "Dice are added, then what is added to them, then halved up, then rounded up to "
            "slots, once. No part is kept for the next time.",
        "R2": "Points are whole numbers from 0 to 9999.",
        "R3": "What does not fit is lost, and reported.",
        "R4": "A counter is completed once. What it gains while full is only told. Cleared, it is "
            "open again. A resolved counter is locked.",
        "R5": "Temporary slots are filled before normal ones.",
        "R6": "A counter is complete when no slot of either sort is unfilled.",
        "R7": "A cost is paid in full or not at all; temporary slots can pay. The GM may let what "
            "is left be spent.",
        "R8": "Each Action advances every timer that is not complete, paused or resolved by one "
            "slot; a Reaction none.",
        "R9": "Points clear only slots that they are worth in full.",
        "R10": "Items have different names, fit by their size or not at all, and swap at once.",
        "R11": "A new size or worth leaves filled slots filled; a smaller counter drops what is "
            "over.",
        "R12": "Undo restores a counter exactly and retracts its completion. Players take back "
            "what they did themselves, the GM anything.",
        "R13": "Commands say what changes, not what is there after; sent twice, one counts once.",
        "R14": "What a seat does not see does not exist for it.",
        "R15": "Players act on counters they own, the GM on all.",
        "R16": "A linked counter acts on another when it is filled or completed. Each counter's "
            "links are followed once for one cause, so that circles end.",
        "R17": "A looping counter begins again when it is completed, with as many slots, one more "
            "or one fewer. What overflowed is lost.",
        "R18": "Counters lie under tabs, in an order.",
        "R19": "A Milestone is one entry: the lines of its list that the GM left ticked.",
        "R20": "What a player may not do can be proposed; the GM accepts it, and it happens then, "
            "or declines.",
        "R21": "A co-GM sees and does what the GM does. The GM says who may fill, clear and spend "
            "a counter, or move its items.",
        "R22": "A counter restarted is empty and has just the temporary slots it is given.",
        "R23": "What overflows may go to another counter; points are rounded there anew.",
        "R24": "Several commands may be one entry: all of them or none.",
        "R25": "Dice that the table throws are in the log, whether they are used or not.",
        "A11": "An inventory has no temporary slots: filling one would lose the item.",
    }),
}  # fmt: skip

NOT_TRACKED: Mapping[str, str] = {
    "Progress": "A goal is a counter like any other; what it means is said at the table.",
    "Danger": "When a threat advances is the GM's decision.",
    "Defeat": "When a loss comes closer is the GM's decision.",
    "R13": "The log does this for every system: ids of commands, and commands one by one.",
}

SETTINGS: Mapping[str, Setting] = {
    "temporary_first": Setting((True, False), "Temporary slots are filled before others (R5)."),
    "players_spend_partly": Setting(
        (False, True), "Players may spend what is left when a cost is too high (R7)."
    ),
    "clear_points_round": Setting(
        ("down", "up"), "Points that clear are rounded down or up to slots (R9)."
    ),
    "overflow_counts_as_gain": Setting(
        (False, True), "What overflows on completion counts as a gain while full (R4)."
    ),
    "timers_advance": Setting((True, False), "Every Action advances the timers (R8)."),
}
