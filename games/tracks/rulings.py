"""Our rulings on slot counters and a GM's table, by number, in our own words.

R1-R15 and A11 are where a rulebook's text was silent; the later ones are additions of the tracker.
"""

from __future__ import annotations

from collections.abc import Mapping

from ..rules.state import Words

RULINGS: Mapping[str, Words] = {
    "R1": "Add the dice, then anything added to them; halve, rounding up; then round up to "
        "slots, once. No part of a slot is kept for later.",
    "R2": "Points are whole numbers from 0 to 9999.",
    "R3": "What does not fit is lost, and the log says so.",
    "R4": "A counter is completed once. Gains while it is full are only recorded. Clearing it "
        "opens it again. A resolved counter is locked.",
    "R5": "Temporary slots are filled before normal ones.",
    "R6": "A counter is complete when no slot, normal or temporary, is unfilled.",
    "R7": "A cost is paid in full or not at all; temporary slots can pay. The GM may let a "
        "player spend what is left.",
    "R8": "Each Action advances every timer that is not complete, paused or resolved by one "
        "slot; a Reaction does not.",
    "R9": "Points clear only whole slots; a remainder clears nothing.",
    "R10": "Items in an inventory have different names. An item fits whole or not at all. A "
        "swap is one step.",
    "R11": "A new size or worth leaves filled slots filled; a smaller counter loses those that "
        "no longer fit.",
    "R12": "Undo restores a counter exactly and reverses its completion. Players can undo what "
        "they did themselves, the GM anything.",
    "R13": "Commands say what changes, not the result; a command sent twice counts once.",
    "R14": "What a seat cannot see does not exist for it.",
    "R15": "Players act on their own counters, the GM on all of them.",
    "R16": "A linked counter acts on another when it is filled or completed. For one cause, "
        "each counter's links are followed once, so circles end; a counter may be filled by "
        "several, also the one that began. The order of links does not matter.",
    "R17": "A looping counter starts again when it is completed, with the same number of "
        "slots, one more or one fewer. What overflowed is lost.",
    "R18": "Counters are under tabs, in an order.",
    "R19": "A Milestone is one entry: everything on its list that the GM left ticked.",
    "R20": "A player can propose what they may not do; the GM accepts it, and then it happens, "
        "or declines it.",
    "R21": "A co-GM sees and does what the GM does. The GM says who may fill, clear or spend a "
        "counter, or move its items.",
    "R22": "A restarted counter is empty and has only the temporary slots it is given.",
    "R23": "What overflows may go to another counter; points are rounded again there.",
    "R24": "Several commands may be one entry, all or nothing.",
    "R25": "Dice that the server rolls are in the log, whether they are used or not; so is a "
        "roll at the table that would need the GM.",
    "R26": "The GM can tell something to some seats, and no one else reads it; a player can "
        "whisper to the GM, and keep notes that only the GM can read besides. An answer is between "
        "the GM and the seat that gave or gets it. The GM can change later who reads a note. A "
        "handout of the GM’s, a picture or a text with a title, names to those who are shown it "
        "who else is.",
    "R27": "What the GM writes about a counter, only the GM reads.",
    "R28": "Who may act on the table’s counters without asking is settled once for each type; "
        "what a counter says comes first, and a player’s counters stay that player’s. In a new "
        "session everyone may fill Progress, because a success adds to it by itself.",
    "R29": "The GM can accept a proposal with another number, and reply to it with a word for "
        "the seat that asked. What that seat rolled for the counter and did not use is shown "
        "with the proposal.",
    "R30": "A scene is prepared, running or over. Players see nothing of a prepared one until "
        "it begins; then each counter is seen as it says. When it is over, players no longer "
        "know of a counter of which they knew only the name. One that is moved out of a "
        "prepared scene stays hidden. Only counters of running scenes, and those in none, move "
        "with Actions. A scene that was only named is running.",
    "R31": "Revealing is from now on: what happened to a counter while a seat could not see it "
        "stays with the GM, until the GM shares its past.",
    "R32": "The GM may keep what completing a counter means, and each label, until it happens; "
        "players read it then.",
    "R33": "What follows a player’s Action with an outcome waits for the GM until the GM has "
        "seen to it, once for all of the GM’s screens.",
    "R34": "An item can be given into another inventory that its giver sees: it fits whole or "
        "stays. A line about it goes with it, and so does one that only the GM reads.",
    "R35": "The end of a session closes a chapter: its Milestone and its recap are one entry, "
        "and nothing from before it is undone any more. Everyone reads the recap, and some a "
        "line of their own; the table goes on as it lies.",
    "A11": "An inventory has no temporary slots: filling one would lose the item.",
}  # fmt: skip
