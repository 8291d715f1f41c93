"""What is stored of a game: its rows, its log, and who may open it.

The rules write these rows through `rows` only; everything that is not a rule (claiming a seat,
rotating an invitation) is a method here.
"""

from games.models.game import Game, GameQuerySet, Setup
from games.models.people import Seat, Visitor
from games.models.state import Counter, Entry, GameObject, Opening, Prompt, SlotCounter
from games.models.tokens import new_code, new_device, new_slug  # the migrations name them here

__all__ = [
    "Counter",
    "Entry",
    "Game",
    "GameObject",
    "GameQuerySet",
    "Opening",
    "Prompt",
    "Seat",
    "Setup",
    "SlotCounter",
    "Visitor",
    "new_code",
    "new_device",
    "new_slug",
]
