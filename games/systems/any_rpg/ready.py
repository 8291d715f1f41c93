"""The usual set: the types of counters that most games have; and the games that play by it."""

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

ALIASES = (
    "rpg", "ttrpg", "pen and paper", "p&p", "roleplaying game", "role-playing", "rollenspiel",
    "juego de rol", "osr", "2d20", "13th Age", "7th Sea", "Alien RPG", "Apocalypse World",
    "Aquelarre", "Blade Runner RPG", "Brindlewood Bay", "Burning Wheel", "Cairn", "City of Mist",
    "Coriolis", "Cyberpunk", "Cyberpunk RED", "Cypher System", "DCC", "Delta Green", "Dragonbane",
    "Draw Steel", "DSA", "Das Schwarze Auge", "The Dark Eye", "Dungeon Crawl Classics",
    "Dungeon World", "Electric Bastionland", "Forbidden Lands", "GURPS", "Heart", "Into the Odd",
    "Kids on Bikes", "Knave", "Lancer", "LotR", "Lord of the Rings", "The One Ring",
    "Masks: A New Generation", "Mausritter", "Monster of the Week", "MotW", "Mörk Borg",
    "Mutants & Masterminds", "Numenera", "Old-School Essentials", "OSE", "Paranoia", "Pathfinder",
    "PF2", "PF2e", "PbtA", "Powered by the Apocalypse", "Root RPG", "RuneQuest", "Savage Worlds",
    "SWADE", "Shadow of the Demon Lord", "Shadowdark", "Shadowrun", "Spire", "Splittermond",
    "Star Wars RPG", "Star Trek Adventures", "Starfinder", "Symbaroum", "Tales from the Loop",
    "Thirsty Sword Lesbians", "Traveller", "Troika", "Vaesen", "Vampire: The Masquerade", "VtM",
    "Vampiro", "Warhammer Fantasy", "WFRP", "Imperium Maledictum", "Werewolf: The Apocalypse",
    "Wildsea", "World of Darkness",
)  # fmt: skip
"""Roleplaying games by their names that have no set of their own, and what people call the kind."""
