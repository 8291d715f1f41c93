"""The start of a game by its definition, with a GM or without one."""

from __future__ import annotations

from games.rules.system import System
from games.systems.new_game import Explained, NewGame

from .language.definition import Definition
from .led.aliases import ALIASES
from .led.draft import draft
from .rule_change_preview import changes
from .writing.page import explained


class OwnNewGame(NewGame, frozen=True, kw_only=True):
    """The start of a definition's game."""

    definition: Definition
    for_any = {"any-rpg": ALIASES}
    draft = staticmethod(draft)
    changes = staticmethod(changes)

    def explained(self, system: System) -> Explained:
        """The numbers and rules of the definition in sentences."""
        return explained(self.definition)
