"""The state and the log for programs, and their commands."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse

from games.live.programs import accepted_as
from games.live.socket import MOST_BYTES
from games.live.table_registry import give
from games.pages.api.access import acting, answers, require_program
from games.pages.exports import state_for
from games.rules.engine import refuse_served
from games.rules.history import Applied
from games.rules.input import read_json, whole_number
from games.rules.state import Refused
from games.screens.boards import log_of
from games.screens.log.lines import LogLine
from games.screens.log.log import Log
from games.seats.programs import Caller

LINES, MOST_LINES = 60, 300
"""Lines of the log in one answer: usually, and at most."""


@answers("GET")
@require_program
def state(request: HttpRequest, caller: Caller) -> HttpResponse:
    """The document: what the program's seat may see of the game now; 304 if nothing changed."""
    return state_for(request, caller.guest.game, caller.guest.key)


@answers("GET")
@require_program
def log(request: HttpRequest, caller: Caller) -> HttpResponse:
    """The lines of the log after `?after=`, oldest first; at most `?limit=` of them."""
    after = whole_number(request.GET.get("after", "0"), 0)
    limit = whole_number(request.GET.get("limit", str(LINES)), 1, MOST_LINES)
    if after is None or limit is None:
        why = "“after” is a number of an entry or 0, and “limit” 1 to {most}."
        raise Refused("invalid", why, None, most=MOST_LINES)
    read = log_of(caller.guest.game, caller.guest.key)
    lines = [*islice(_after(read, after), limit + 1)]
    shown = [_as_json(line) for line in lines[:limit]]
    return JsonResponse(
        {"lines": shown, "more": len(lines) > limit}, headers={"Cache-Control": "private, no-cache"}
    )


def _after(log: Log, number: int) -> Iterator[LogLine]:
    for k in range(log.holding(number) if number else 0, log.last + 1):
        for line in log.piece(k):
            if line.number > number:
                yield line


def _as_json(line: LogLine) -> dict[str, Any]:
    return {
        "number": line.number,
        "entries": line.entries,
        "by": line.by,
        "at": line.at,
        "do": line.verb,
        "text": line.sentence,
        "rules": [part.rule for part in line.parts if part.rule],
        "note": line.note,
        "undone": bool(line.undone),
    }


@answers("POST")
@require_program
def commands(request: HttpRequest, caller: Caller) -> HttpResponse:
    """Give a command for the program's seat. With an id, it may be sent again and happens once."""
    guest, raw = acting(caller, seated=True), read_object(request)
    seat = guest.key or ""
    refuse_served(guest.game.rules, raw)
    applied = give(guest.game.slug, raw, seat)
    number = number_of(applied, guest.game.slug, raw, seat)
    return JsonResponse({"id": raw.get("id"), "entry": number})


def number_of(applied: Applied, slug: str, raw: dict[str, Any], seat: str) -> int | None:
    """The number in the log of a command just given, or of the first with its id."""
    if applied.entry is not None:
        return applied.entry.number
    return accepted_as(slug, str(raw["id"]), seat)


def read_object(request: HttpRequest, most: int = MOST_BYTES) -> dict[str, Any]:
    """The JSON object in the body, of at most so many bytes. Raises Refused."""
    if request.content_type != "application/json":
        raise Refused("invalid", "The body is a JSON object; its Content-Type says so.")
    if len(body := request.body) > most:
        raise Refused("too-long", "A command has at most {most} bytes.", None, most=most)
    try:
        raw = read_json(body)
    except ValueError:
        raise Refused("invalid", "That is not JSON.") from None
    if type(raw) is not dict:
        raise Refused("invalid", "The body is a JSON object.")
    return raw


@answers("GET")
def nowhere(request: HttpRequest, rest: str) -> HttpResponse:
    """Say that the API has no such address."""
    raise Refused("not-found", "The API has no such address.")
