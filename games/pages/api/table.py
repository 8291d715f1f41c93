"""Actions of programs besides commands: dice, the clock, and a host's chores.

Each does what the page with the same name does, for the seat of the token and with its rights.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404

from games.live.table_registry import give, refresh
from games.models import Entry, Game
from games.pages import hosting, rematch, seats, tools
from games.pages.api.access import acting, answers, require_program
from games.pages.api.views import number_of, read_object
from games.rules.state import Refused
from games.screens.document import table_facts
from games.screens.sidebar import sidebar_context
from games.seats.guests import Guest
from games.seats.programs import Caller

KINDS = {str: "text", int: "a whole number", bool: "true or false"}
Act = Callable[..., dict[str, Any]]


def acts(*, seat: bool = False, **fields: type) -> Callable[[Act], Callable[..., HttpResponse]]:
    """Answer a POST with what the act returns, given the guest and the body's *fields*, each of its
    kind, None where it was left out. seat: whether it takes one."""

    def wrap(act: Act) -> Callable[..., HttpResponse]:
        @answers("POST")
        @require_program
        @wraps(act)
        def answer(request: HttpRequest, caller: Caller, **kwargs: Any) -> HttpResponse:
            guest = acting(caller, seated=seat)
            values = _checked(read_object(request), fields)
            try:
                return JsonResponse(act(guest, **kwargs, **values))
            except Http404:
                raise Refused("not-found", "There is no such seat or request.") from None

        return answer

    return wrap


def _checked(body: dict[str, Any], fields: dict[str, type]) -> dict[str, Any]:
    for key, value in body.items():
        if key not in fields:
            raise Refused("invalid", "“{key}” means nothing here.", None, key=key)
        if value is not None and type(value) is not fields[key]:
            kind = KINDS[fields[key]]
            raise Refused("invalid", "“{key}” must be {kind}.", None, key=key, kind=kind)
    return {key: body.get(key) for key in fields}


# Dice


@acts(seat=True, dice=str, die=str, id=str)
def throw(guest: Guest, dice: str | None, die: str | None, id: str | None) -> dict[str, Any]:
    """Roll dice, or the game's own die."""
    command = tools.rolled(dice or "") if die is None else tools.own_die(guest.game, die)
    return _given(guest, command, id)


@acts(seat=True, id=str)
def toss(guest: Guest, id: str | None) -> dict[str, Any]:
    """Toss a coin."""
    return _given(guest, tools.tossed(), id)


@acts(seat=True, begin=bool, id=str)
def draw(guest: Guest, begin: bool | None, id: str | None) -> dict[str, Any]:
    """Draw a seat at random; with `begin`, its turn begins."""
    return _given(guest, tools.drawn(guest.game, bool(begin)), id)


def _given(guest: Guest, command: tools.Command, id: str | None) -> dict[str, Any]:
    """Give *command*, and say what fell: with an id that was used before, what fell then."""
    raw = command if id is None else {**command, "id": id}
    slug, key = guest.game.slug, guest.key or ""
    applied = give(slug, raw, key)
    if applied.entry is None:
        first = Entry.objects.filter(game=guest.game, command_id=id, seat=key).first()
        command = first.command if first else {}
    fell = command.get("result", command.get("seat"))
    return {"id": id, "entry": number_of(applied, slug, raw, key), "result": fell}


# The table


@answers("GET")
@require_program
def table(request: HttpRequest, caller: Caller) -> HttpResponse:
    """Seats, host, requests for a seat, and the clock."""
    return JsonResponse(_facts(caller.guest), headers={"Cache-Control": "private, no-cache"})


def _facts(guest: Guest) -> dict[str, Any]:
    game = Game.objects.get(pk=guest.game.pk)
    return table_facts(game.places, sidebar_context(game))


@acts(seat=True, do=str, minutes=int)
def clock(guest: Guest, do: str | None, minutes: int | None) -> dict[str, Any]:
    """Start, pause, resume, extend or remove the clock."""
    tools.use_clock(guest, do or "", minutes)
    return _facts(guest)


@acts(locked=bool)
def lock(guest: Guest, locked: bool | None) -> dict[str, Any]:
    """Lock the table, or unlock it."""
    if locked is None:
        raise Refused("invalid", "“{key}” must be {kind}.", None, key="locked", kind=KINDS[bool])
    hosting.set_locked(guest, locked)
    return _facts(guest)


@acts(let=str)
def answer(guest: Guest, asking: int, let: str | None) -> dict[str, Any]:
    """Let a phone take the seat it asks for, or refuse it, or all that ask."""
    hosting.decide(guest, asking, let)
    refresh(guest.game.slug)
    return _facts(guest)


@acts()
def free(guest: Guest, key: str) -> dict[str, Any]:
    """Free a seat: those who sat there watch, and have to ask to come back."""
    seats.vacate(guest, get_object_or_404(guest.game.seats, key=key))
    refresh(guest.game.slug)
    return _facts(guest)


@acts(begins=str)
def again(guest: Guest, begins: str | None) -> dict[str, Any]:
    """Begin a rematch and take everyone there, this token too."""
    return {"game": rematch.play_again(guest, begins or "").slug}
