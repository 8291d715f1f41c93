"""The log as a page, and what Undo and Redo would do now."""

from __future__ import annotations

import re
from collections.abc import Iterator

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.http import require_GET

from games.pages.access import require_guest
from games.pages.sheets import sheet_over
from games.screens.boards import log_lines
from games.screens.log.lines import LogLine, lines_after
from games.screens.log.undo import next_among, next_undo_and_redo
from games.seats.guests import Guest

MOST = 60
"""How many lines are shown at first."""
NUMBER = re.compile(r"[0-9]{1,9}").fullmatch


@require_GET
@require_guest
def log(request: HttpRequest, guest: Guest) -> HttpResponse:
    """The log, newest first: who, before and after, and why.

    `?lines=12,15` marks the lines that can only be undone together, and offers that.
    """
    seat = request.GET.get("seat", "")
    lines = log_lines(guest.game, guest.key)
    shown = [(line, n) for line, n in _with_following(lines) if seat in ("", line.by)]
    together = _entries_in(request.GET.get("lines", ""))
    marked = [line for line in lines if line.standing and together & {*line.entries}]
    if len(marked) < 2:
        marked = []
    more = request.GET.get("more", "")
    most = int(more) if more.isdigit() and len(more) < 10 else MOST
    if marked:
        most = max(
            most, 1 + max((i for i, (line, _n) in enumerate(shown) if line in marked), default=0)
        )
    context = {
        "lines": shown[:most],
        "left": max(0, len(shown) - most),
        "most": most,
        "chosen": seat,
        "marked": [line.number for line in marked],
        "only_together": sorted((n for line in marked for n in line.entries), reverse=True),
        "may_take_all": guest.seat is not None and not any(line.fixed for line in marked),
        "seats": guest.game.seats.all(),
    }
    return sheet_over(request, guest, "log/_log.html", context)


def _entries_in(text: str) -> set[int]:
    """The numbers of entries in "12,15"; none if it is anything else."""
    parts = text.split(",")
    return {int(each) for each in parts} if all(map(NUMBER, parts)) else set()


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
    game, seat = guest.game, guest.seat.key
    if not game.rules.has_secrets:
        return JsonResponse(next_undo_and_redo(game, seat))
    return JsonResponse(next_among(log_lines(game, seat), seat))
