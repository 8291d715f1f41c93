"""The table's notes as a sheet: the list, and a field for a new one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_GET

from games.models import Game
from games.pages.access import require_guest
from games.pages.forms import new_id
from games.pages.sheets import sheet_over
from games.rules.commands import parameters
from games.rules.state import GameState, Refused, to_facts
from games.rules.system import System
from games.seats.guests import Guest
from games.store import rows


@require_GET
@require_guest
def notes(request: HttpRequest, guest: Guest) -> HttpResponse:
    """The notes that this seat may read, newest first, and a form for a new one."""
    seat = guest.key
    state = rows.state(guest.game)
    context = {
        "listed": list(listed(guest.game, state, seat))[::-1],
        "secrets": seat is not None and may_be_secret(guest.game.rules, state, seat),
        "fresh": new_id("note"),
    }
    return sheet_over(request, guest, "sheets/_notes.html", context)


def listed(game: Game, state: GameState, seat: str | None) -> Iterator[dict[str, Any]]:
    """The notes that *seat* may read, oldest first."""
    system, names = game.rules, game.names
    places = list(names)
    if system.view:
        shown = system.view(system, state, seat or "", ())["notes"]
    else:
        shown = {key: to_facts(note) for key, note in state.notes.items()}
    for note in shown.values():
        place = places.index(note["by"]) + 1 if note["by"] in places else 0
        yield {**note, "place": place, "name": names.get(note["by"], note["by"])}


def may_be_secret(system: System, state: GameState, seat: str) -> bool:
    """Whether *seat* can write notes that others cannot read."""
    verb = system.verbs["note"]
    if verb.may is None or "secret" not in {part.key for part in parameters(verb.command)}:
        return False
    try:
        raw = {"text": "-", "secret": True}
        verb.may(system, state, verb.command.read(raw, seat, system))
    except Refused:
        return False
    return True
