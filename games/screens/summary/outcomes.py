"""How finished games ended, noted once for the shelf of past evenings."""

from __future__ import annotations

from datetime import UTC, datetime

from games.models import Game, Outcome
from games.screens.summary.axis import seconds_played
from games.screens.summary.counted import statistics_of


def note_outcome(game: Game) -> Outcome | None:
    """Note how *game* stands as what everyone at the table may know; None if nothing happened."""
    statistics = statistics_of(game, None)
    if not game.number:
        return None
    outcome, _new = Outcome.objects.update_or_create(
        game=game,
        defaults={
            "number": game.number,
            "winners": statistics.winners,
            "played": statistics.played,
            "seconds": int(seconds_played(statistics)),
            "turns": len(statistics.turns),
            "ended": datetime.fromtimestamp(statistics.ended, UTC),
        },
    )
    return outcome
