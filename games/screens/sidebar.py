"""The sidebar: clock, requests for seats and notices, none of which are commands.

Every screen of a game has one sidebar, rendered from this context. After a view has changed
something in it, the view calls `refresh` or `push_sidebar` of the table registry. The sidebar holds
no secrets: everyone at the table gets the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from django.db.models import Q
from django.utils import timezone

from games.models import Game, Seat
from games.rules import secrecy
from games.rules.state import GameState
from games.rules.system import System
from games.screens import chairs
from games.screens.clock import clock_of, read_now
from games.screens.drawing import Drawing
from games.screens.fragments import Audience
from games.screens.match import won_before
from games.seats import hosts, requests
from games.store import disk, rows
from games.systems import presentation_of

NEWS = timedelta(seconds=10)
"""Time for which the sidebar announces a new host."""
CHORES = timedelta(seconds=30)
"""Time for which it shows the stand-in of the host, and the rights of that seat."""
BEGUN = (
    Q(command__do__in=("begin-turn", "begin-phase"))
    | Q(command__do="draw-seat", command__begin=True)
    | chairs.TAKEN_AWAY
)
"""The entries after which nobody asks any more who starts."""


def sidebar_context(game: Game, seats: Mapping[str, Seat] | None = None) -> dict[str, Any]:
    """The context of "board/_sidebar.html" for *game* as it is stored now.

    seats: its seats, if they have just been read.
    host, stand_in: the keys of the host's seat and of the one that stands in. clock: the clock, if
    there is one. won_before: the score of the rematches before. disk_full: whether the server's
    disk is. who_starts: the seats of which one is to have the first turn, while that is asked.
    until: when the next part of it expires, in seconds since 1970. asks: those of the seats, there
    only at a table at which each seat changes only its own. early: whether a chair is still free,
    so that only one phone for all asks who starts.
    """
    seats = game.places if seats is None else seats
    know = hosts.knowing(game)
    asking = [each for each in requests.waiting_now(game) if each.about in seats]
    asking.sort(key=lambda each: each.about not in know)  # those that only some may answer first
    ends = [each.asked + requests.PATIENCE for each in asking if each.asked]
    host = next((seat for seat in seats.values() if seat.host), None)
    stand_in = next((seat for seat in seats.values() if seat.stands_in), None)
    since, lasts = (stand_in.stands_in, CHORES) if stand_in else (game.host_since, NEWS)
    lately = since is not None and since + lasts > timezone.now()
    if since is not None and lately:
        ends.append(since + lasts)
    return {
        "slug": game.slug,
        "locked": game.locked,
        "host": host.key if host else None,
        "stand_in": stand_in.key if stand_in else None,
        "new_host": host if host and lately and not stand_in else None,
        "new_stand_in": stand_in if lately else None,
        "absent": host,
        "chores_only": bool(know) and stand_in is not None and stand_in.key not in know,
        "seat_requests": [
            {
                "id": each.pk,
                "sign": each.sign,
                "seat": seats[each.about],
                "guarded": each.about in know,
                "device": each.get_kind_display(),
            }
            for each in asking
        ],
        "clock": clock_of(game),
        "won_before": won_before(game),
        "disk_full": disk.full(),
        "who_starts": who_starts(game, seats),
        "early": not all(seat.taken for seat in seats.values()),
        "until": min(ends).timestamp() if ends else None,
        **({"asks": _asks(game, seats)} if game.only_own else {}),
    }


def _asks(game: Game, seats: Mapping[str, Seat]) -> list[dict[str, Any]]:
    here = [each for each in game.asks if {each["by"], each["to"]} <= seats.keys()]
    return [{**each, "by": seats[each["by"]], "to": seats[each["to"]]} for each in here]


def who_starts(game: Game, seats: Mapping[str, Seat]) -> list[Seat]:
    """The seats of a new game, until one of them has a turn, or the game is over."""
    system = game.rules
    alone = len(seats) < 2 or secrecy.private_log(system) or "begin-turn" not in system.verbs
    alone = alone or presentation_of(system).board.turns != "one"
    over = game.result is not None or game.followed_by_id is not None
    if alone or over:
        return []
    if game.entries.filter(BEGUN, undone_by=None).exists():
        return []
    return list(seats.values()) if _unplayed(system, rows.opening(game)) else []


def _unplayed(system: System, opening: GameState) -> bool:
    """True if the game just begins: the first phase, no card in play but a hero, and no turn that
    the opening was given."""
    heroes = presentation_of(system).board.heroes
    played = (
        each.on_field and heroes.isdisjoint(getattr(each, "types", ()))
        for each in opening.objects.values()
    )
    seats: dict[str, dict[str, Any]] = {seat: {} for seat in opening.seats}
    usual = system.opening(system, {"seats": seats}, opening.settings).turn
    turn = opening.turn
    if turn is None or usual is None or any(played):
        return False
    return (turn.phase, turn.active) == (system.phases[0], usual.active)


def sidebar(drawing: Drawing, audience: Audience) -> str:
    """The sidebar as all screens of a language get it; without a clock, it is drawn once."""
    context, known = drawing.sidebar_context, drawing.cache.lasting
    key = "sidebar", audience.language
    if key in known and known[key][0] is context:
        drawn: str = known[key][1]
        return drawn
    clock = context.get("clock")
    with drawing.reading(audience):
        now = read_now(clock, drawing.name)
        asks = [
            {**each, "says": each["says"].get(audience.language, "")}
            for each in context.get("asks", ())
        ]
        drawn = drawing.render("board/_sidebar", **{**context, "asks": asks}, **now)
    if clock is None:
        known[key] = context, drawn
    return drawn


def starts(drawing: Drawing) -> bool:
    """Ask no longer who starts. Whether that was asked until now."""
    asked = bool(drawing.sidebar_context.get("who_starts"))
    if asked:
        drawing.sidebar_context = {**drawing.sidebar_context, "who_starts": []}
    return asked
