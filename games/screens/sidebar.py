"""The sidebar: clock, requests for seats and notices, none of which are commands.

Every screen of a game has one sidebar, rendered from this context. After a view has changed
something in it, the view calls `refresh` or `push_sidebar` of the table registry. The sidebar holds
no secrets: everyone at the table gets the same.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.utils import timezone

from games.models import Game
from games.screens.clock import clock_of
from games.seats import hosts, requests

NEWS = timedelta(seconds=10)
"""How long the sidebar announces a new host."""


def sidebar_context(game: Game) -> dict[str, Any]:
    """The context of "board/_sidebar.html" for *game* as it is stored now.

    host: the key of the host's seat. clock: the clock, if there is one. until: when the next part
    of it expires, in seconds since 1970.
    """
    seats = game.places
    asking = [each for each in requests.waiting(game) if each.about in seats]
    ends = [each.asked + requests.PATIENCE for each in asking if each.asked]
    host = next((seat for seat in seats.values() if seat.host), None)
    announced_until = game.host_since + NEWS if game.host_since else None
    lately = announced_until is not None and announced_until > timezone.now()
    if announced_until is not None and lately:
        ends.append(announced_until)
    return {
        "slug": game.slug,
        "locked": game.locked,
        "host": host.key if host else None,
        "new_host": host if host and lately else None,
        "seat_requests": [
            {
                "id": each.pk,
                "seat": seats[each.about],
                "guarded": hosts.guarded(game, each.about),
            }
            for each in asking
        ],
        "clock": clock_of(game),
        "until": min(ends).timestamp() if ends else None,
    }
