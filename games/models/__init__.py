"""The tables of the database: a game's rows, its log, and its visitors.

Only `games.store.rows` writes the rows of the rules; everything else (claiming a seat, rotating an
invitation) is a method of a model.
"""

from games.models.game import DEMO_DAYS, Game, GameQuerySet, LastEntry, Setup
from games.models.people import LOOKS, Renewal, Seat, Visitor, hold
from games.models.pictures import Picture
from games.models.programs import Program
from games.models.records import CountedLog, Outcome
from games.models.state import Checkpoint, Counter, Entry, GameObject, Opening, Prompt, SlotCounter
from games.models.tokens import new_code, new_device, new_slug  # migrations import them from here

__all__ = [
    "DEMO_DAYS",
    "LOOKS",
    "Checkpoint",
    "CountedLog",
    "Counter",
    "Entry",
    "Game",
    "GameObject",
    "GameQuerySet",
    "LastEntry",
    "Opening",
    "Outcome",
    "Picture",
    "Program",
    "Prompt",
    "Renewal",
    "Seat",
    "Setup",
    "SlotCounter",
    "Visitor",
    "hold",
    "new_code",
    "new_device",
    "new_slug",
]
