"""The plain set: the types of counters that most games have."""

from __future__ import annotations

from typing import Any

PLAIN: dict[str, Any] = {
    "title": "Any RPG",
    "about": "Clocks, hit points and a turn order for any game.",
    "types": [
        {"type": "progress", "name": "Goal", "look": "pie", "size": 5, "colour": "goal",
         "full": "The goal is reached."},
        {"type": "danger", "name": "Danger", "look": "pie", "size": 5, "colour": "danger",
         "visibility": "hidden", "full": "It happens."},
        {"type": "defeat", "name": "Stress", "look": "boxes", "size": 5, "colour": "stress",
         "full": "No more can be taken."},
        {"type": "resource", "name": "Pool", "look": "blocks", "size": 5, "colour": "temp",
         "counts": "down", "full": "It is used up."},
        {"type": "hp", "name": "Hit points", "look": "bar", "size": 10, "colour": "hope",
         "counts": "down", "full": "It is down.", "words": [
             {"to": 0, "word": "down"}, {"to": 50, "word": "bloodied"},
             {"to": 99, "word": "hurt"}, {"to": 100, "word": "unhurt"}]},
        {"type": "timer", "name": "Countdown", "look": "blocks", "size": 5, "colour": "rival",
         "counts": "actions", "full": "Time is up."},
        {"type": "inventory", "name": "Bag", "look": "blocks", "size": 5, "colour": "plain",
         "counts": "items", "full": "There is no room left."},
    ],
    "kit": [{"name": "Hit points", "type": "hp"}],
    "outcomes": [
        {"name": "Success", "colour": "goal", "ticks": [{"type": "progress", "slots": 1}]},
        {"name": "Failure", "colour": "danger", "ticks": [{"type": "danger", "slots": 1}]},
    ],
    "conditions": [{"name": "Prone"}, {"name": "Stunned", "rounds": 1}],
    "turns": True,
}  # fmt: skip
