"""Presentation of a rule system: the value that generic screens ask instead of knowing games.

A system's folder may have a `presentation.py` with one `PRESENTATION`. All of it is data or small
pure functions of the state; nothing here knows Django or HTML. What a system leaves out is
generated from its rules: the defaults of each part say how.
"""

from __future__ import annotations

from msgspec import Struct

from .board import Board
from .log_words import Story
from .new_game import NewGame
from .sheets import Sheets
from .slot_counters import Slots
from .wording import Wording


class Presentation(Struct, frozen=True, kw_only=True):
    """Presentation of one rule system, in all its editions."""

    words: Wording = Wording()
    """Its words."""
    board: Board = Board()
    """Its board."""
    sheets: Sheets = Sheets()
    """The sheets of a card or a seat, and the cards that are added."""
    story: Story = Story()
    """Its log, moments and summary."""
    new_game: NewGame = NewGame()
    """The beginning of a game."""
    slots: Slots | None = None
    """Its slot counters, where these lie on the board."""
