"""Access to the pages of slot counters, and their common answers."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _

from games.live import table_registry as tables
from games.pages.access import require_guest
from games.pages.parts import done, part_or_page
from games.rules.engine import read, step
from games.rules.input import MOST_NUMBER, whole_number
from games.rules.state import GameState, Refused
from games.rules.system import System
from games.screens.sheets import Table
from games.screens.templates import find
from games.screens.words import words_of
from games.seats.guests import Guest
from games.store import rows
from games.systems import presentation_of
from games.tracks.counter import GM, game_master


class Onlooker:
    """The phone that opened a page, and the current table. seat: None for a watcher."""

    def __init__(self, guest: Guest) -> None:
        self.guest = guest
        self.game = guest.game
        self.system: System = guest.game.rules
        self.its = words_of(self.system)
        self.state: GameState = rows.state(guest.game)
        self.seat: str | None = guest.key
        self.names: dict[str, str] = guest.game.names

    @property
    def table(self) -> Table:
        return Table(self.system, self.state, self.names, self.seat)

    @property
    def by(self) -> str:
        """The seat, for a view that is only for those who have one."""
        assert self.seat is not None
        return self.seat

    @property
    def gm(self) -> bool:
        return game_master(self.state, self.seat)


def slots_only(*, seated: bool = False, gm: bool = False) -> Callable[..., Any]:
    """Call the view with an `Onlooker`, at tables that have slot counters (else 404).

    seated: refuse phones without a seat. gm: refuse everyone but the GM.
    """

    def decorate(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
        @require_guest
        @wraps(view)
        def ask(request: HttpRequest, guest: Guest, **kwargs: Any) -> HttpResponse:
            if presentation_of(guest.game.rules).board.kind != "slots":
                raise Http404
            asking = Onlooker(guest)
            if seated and asking.seat is None:
                raise Refused("forbidden", _("Take a seat to play."))
            if gm and not asking.gm:
                raise Refused("forbidden", _("Only the GM can do that."))
            return view(request, asking, **kwargs)

        return ask

    return decorate


def sheet_page(
    request: HttpRequest, asking: Onlooker, name: str, context: dict[str, Any], status: int = 200
) -> HttpResponse:
    """The sheet: for the page's script, over the board; else as a page of its own."""
    part = str(find(asking.system, f"sheets/_{name}.html").name)
    board_url = reverse("board", args=[asking.game.slug])
    common = {"inner": part, "game": asking.game, "guest": asking.guest}
    here = {"seat": asking.guest.seat, "is_gm": asking.gm, "board_url": board_url}
    page = "slots/sheets/sheet.html"
    return part_or_page(request, part, page, {**common, **here, **context}, status)


def whole(said: str, most: int = MOST_NUMBER) -> int:
    """The whole number that was typed, at most *most* on either side of 0. Raises Refused."""
    number = whole_number(said, -most, most)
    if number is None:
        raise Refused("invalid", _("Enter how much, as a whole number."))
    return number


def give(
    request: HttpRequest, asking: Onlooker, command: dict[str, Any], then: str
) -> HttpResponse:
    """Give *command*; go on to the sheet *then*, or back to the board."""
    tables.give(asking.game.slug, command, asking.by)
    return done(request, asking.game, then=then, sheet=then)


def foreseen(
    asking: Onlooker, steps: list[dict[str, Any]], by: str = GM
) -> tuple[GameState, Refused | None]:
    """The state after *steps*; the current state and the refusal if they would be refused."""
    try:
        together = {"do": "together", "steps": steps} if len(steps) > 1 else steps[0]
        command = read(asking.system, together, by)
        return step(asking.system, asking.state, command)[0], None
    except Refused as refused:
        return asking.state, refused
