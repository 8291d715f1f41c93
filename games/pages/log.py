"""The log as a page, and what Undo and Redo would do now."""

from __future__ import annotations

from collections.abc import Iterator

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.http import require_GET

from games.pages.access import require_guest
from games.pages.sheets import sheet_over
from games.screens.boards import log_lines
from games.screens.log.lines import LogLine, lines_after, next_undo_and_redo
from games.seats.guests import Guest


@require_GET
@require_guest
def log(request: HttpRequest, guest: Guest) -> HttpResponse:
    """The log, newest first: who, before and after, and why."""
    seat = request.GET.get("seat", "")
    lines = log_lines(guest.game, guest.key)
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
    return sheet_over(request, guest, "log/_log.html", context)


def _with_following(lines: list[LogLine]) -> Iterator[tuple[LogLine, int]]:
    """The lines, newest first, each with how many lines "undo to here" would undo; 0 if the reader
    may not undo one of them.
    """
    takes_back = lines_after(lines)
    barred = False
    for line in reversed(lines):
        yield line, 0 if barred else takes_back[line.number]
        barred = barred or (line.fixed and not line.undone and not line.undoes)


@require_GET
@require_guest
def mine(request: HttpRequest, guest: Guest) -> HttpResponse:
    """The entries that Undo and Redo of this seat would take now."""
    if guest.seat is None:
        return JsonResponse({"undo": [], "redo": []})
    lines = log_lines(guest.game, guest.seat.key)
    return JsonResponse(next_undo_and_redo(lines, guest.seat.key))
