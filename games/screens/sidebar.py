"""What a table shows beside its board: that which is no command and stands in no log.

Every screen of a game has one element "beside", drawn from what is said here and sent again
whenever a view has changed it and calls `owner.refresh` or `owner.push_sidebar`. It carries no
secrets: everybody at the table gets the same.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.utils import timezone

from games.models import Game
from games.screens.clock import clock_of
from games.seats import hosts, requests

NEWS = timedelta(seconds=10)
"""How long it is said that somebody is the host now."""


def sidebar(game: Game) -> dict[str, Any]:
    """The context of "board/_sidebar.html" for *game* as it is stored now.

    host: the key of the host's seat. clock: if one is used. until: when some of it will be over,
    in seconds since 1970.
    """
    seats = {seat.key: (place, seat) for place, seat in enumerate(game.seats.all(), start=1)}
    asking = [each for each in requests.waiting(game) if each.about in seats]
    ends = [each.asked + requests.PATIENCE for each in asking if each.asked]
    host = next((seat for _place, seat in seats.values() if seat.host), None)
    said = game.host_since + NEWS if game.host_since else None
    lately = said is not None and said > timezone.now()
    if said is not None and lately:
        ends.append(said)
    return {
        "slug": game.slug,
        "locked": game.locked,
        "host": host.key if host else None,
        "new_host": host.name if host and lately else "",
        "seat_requests": [
            {
                "id": each.pk,
                "place": seats[each.about][0],
                "name": seats[each.about][1].name,
                "taken": seats[each.about][1].taken,
                "guarded": hosts.guarded(game, each.about),
            }
            for each in asking
        ],
        "clock": clock_of(game),
        "until": min(ends).timestamp() if ends else None,
    }
