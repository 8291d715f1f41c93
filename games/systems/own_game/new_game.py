"""The start of a game by its definition, with a GM or without one."""

from __future__ import annotations

from games.rules.system import System
from games.systems.new_game import Explained, NewGame

from .language.definition import Definition
from .rule_change_preview import changes
from .writing.page import draft, explained

ALIASES = (
    "osr", "2d20", "13th Age", "7th Sea", "Alien RPG", "Apocalypse World",
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
"""Roleplaying games that have no ready game of their own."""


class OwnNewGame(NewGame, frozen=True, kw_only=True):
    """The start of a definition's game."""

    definition: Definition
    for_any = {"any-rpg": ALIASES, "any-game": ()}
    draft = staticmethod(draft)
    changes = staticmethod(changes)

    def explained(self, system: System) -> Explained:
        """The numbers and rules of the definition in sentences."""
        return explained(self.definition)
