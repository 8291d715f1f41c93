"""How a rule system presents itself: the value that generic screens ask instead of knowing games.

A system's folder may have a `presentation.py` with one `PRESENTATION`. All of it is data or small
pure functions of the state; nothing here knows Django or HTML. What a system leaves out is
generated from its rules: the defaults of each part say how.
"""

from __future__ import annotations

from msgspec import Struct

from .board import Board
from .new_game import NewGame
from .sheets import Sheets
from .story import Story
from .wording import Wording


class Presentation(Struct, frozen=True, kw_only=True):
    """How one rule system presents itself, in all its editions."""

    words: Wording = Wording()
    """What it calls things."""
    board: Board = Board()
    """What lies on the board."""
    sheets: Sheets = Sheets()
    """What can be done with a card or a seat, and the cards that are added."""
    story: Story = Story()
    """What the log, the moments and the summary tell."""
    new_game: NewGame = NewGame()
    """How a game begins."""
