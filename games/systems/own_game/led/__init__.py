"""A game with a GM: what its table has besides, and what each seat may know of it.

Source: docs/OWN-GAMES.md, GM 1 to 6.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import field
from msgspec.structs import replace

from games.rules.state import GameState
from games.tracks import table
from games.tracks import verbs as slots
from games.tracks.counter import Player
from games.tracks.play import MOST_CHAIRS
from games.tracks.sets.rules import RULES as OF_A_SET
from games.tracks.sets.rules import SETTINGS
from games.tracks.sets.tracker import Tracker

from .. import change_rules, roles
from ..holders import OwnSystem
from ..language.rules import OF_THE_GM
from ..opening import late_seat
from . import secrets, verbs


class LedSeat(Player, frozen=True):
    """A seat of a player, the GM or a co-GM. left: as of a `PlayerSeat`."""

    left: bool = False
    until: Mapping[str, object] = field(default_factory=dict)


class LedSeating(slots.GMSeating, frozen=True, kw_only=True):
    """A GM, and players as the definition wants them."""

    late_seat = staticmethod(late_seat)

    def rematch(self, first: GameState, last: GameState, /) -> GameState:
        return change_rules.rematch(table.rematch(first, last), last)


def system(made: OwnSystem) -> OwnSystem:
    """The system of a definition with a GM. made: without what the GM's table has."""
    return replace(
        made,
        rulebook=replace(
            made.rulebook, rules={**OF_A_SET, **OF_THE_GM, **made.rulebook.rules}, settings=SETTINGS
        ),
        components=replace(made.components, seat=LedSeat, slot_counter=Tracker),
        verbs={
            **verbs.VERBS,
            **(verbs.OF_TEAMS if made.definition.teams else {}),
            **(roles.VERBS if made.definition.roles else {}),
        },
        automatic=replace(made.automatic, reversed=table.retracted),
        seating=LedSeating(most_seats=made.definition.players[1] + 1 + MOST_CHAIRS),
        secrets=slots.secrets(secrets.view, secrets.views, secrets.Log),
    )
