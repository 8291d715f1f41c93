"""The table's notes as a sheet: those that this seat may read, and a field for a new one."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_GET

from games.pages.access import require_guest
from games.pages.sheets import sheet_over
from games.screens.boards import board_of
from games.seats.guests import Guest
from games.store import rows


@require_GET
@require_guest
def notes(request: HttpRequest, guest: Guest) -> HttpResponse:
    """The notes that this seat may read, newest first, and a form for a new one."""
    game = guest.game
    context = board_of(game.rules).notes(rows.state(game), guest.key, game.names)
    return sheet_over(request, guest, "sheets/_notes.html", context)
