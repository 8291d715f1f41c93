"""The log as pages: reading it, and what Undo means just now."""

from __future__ import annotations

from collections.abc import Iterator

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.http import require_GET

from games import chronicle
from games.boards import log_lines
from games.doors import Guest, guests_only
from games.partials import sheet_over


@require_GET
@guests_only
def log(request: HttpRequest, guest: Guest) -> HttpResponse:
    """What happened, the newest first: who, before and after, and why."""
    seat = request.GET.get("seat", "")
    lines = log_lines(guest.game, guest.seat.key if guest.seat else None)
    shown = [(line, n) for line, n in _with_following(lines) if seat in ("", line.by)]
    more = request.GET.get("more", "")
    most = int(more) if more.isdigit() else 60
    context = {
        "lines": shown[:most],
        "left": max(0, len(shown) - most),
        "most": most,
        "chosen": seat,
        "seats": guest.game.seats.all(),
    }
    return sheet_over(request, guest, "log", context)


def _with_following(lines: list[chronicle.Line]) -> Iterator[tuple[chronicle.Line, int]]:
    """The newest first, each with how many lines the way back to it takes back.

    None where one of them is not the reader's to take back.
    """
    following = chronicle.following(lines)
    barred = False
    for line in reversed(lines):
        yield line, 0 if barred else following[line.number]
        barred = barred or (line.fixed and not line.undone and not line.undoes)


@require_GET
@guests_only
def mine(request: HttpRequest, guest: Guest) -> HttpResponse:
    """The entries that Undo and Redo of this seat mean just now."""
    if guest.seat is None:
        return JsonResponse({"undo": [], "redo": []})
    lines = log_lines(guest.game, guest.seat.key)
    return JsonResponse(chronicle.turned_back_next(lines, guest.seat.key))
