"""What a table shows beside its board: that which is no command and stands in no log.

Every screen of a game has one element "beside", drawn from what is said here and sent again
whenever a view has changed it and calls `owner.refresh` or `owner.show_beside`. It carries no
secrets: everybody at the table gets the same.
"""

from __future__ import annotations

from typing import Any

from games.models import Game


def beside(game: Game) -> dict[str, Any]:
    """The context of "games/_beside.html" for *game* as it is stored now."""
    return {"slug": game.slug, "locked": game.locked}
