"""The log as a page, and what Undo and Redo would do now."""

from __future__ import annotations

import json
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import reverse
from django.utils import timezone
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from games.live import table_registry
from games.models.tokens import hashed
from games.pages import rematch
from games.pages.access import require_guest
from games.pages.parts import VARIES, by_htmx, unless_known
from games.pages.sheets import sheet_over
from games.rules.input import whole_number
from games.rules.secrecy import knows
from games.screens.boards import log_of
from games.screens.languages import active_language
from games.screens.log import pages
from games.screens.log.log import Log
from games.screens.log.pages import Page, Row
from games.screens.log.undo_button import next_among, next_undo_and_redo
from games.screens.search import Words
from games.seats import hosts
from games.seats.guests import Guest
from games.store import disk, rows

FORM = 1
"""The form of the page; a browser's copy of another form is not used."""
LATEST = 24
"""Lines of the log beside the seats, on a screen that has room."""


@require_GET
@require_guest
def log(request: HttpRequest, guest: Guest) -> HttpResponse:
    """The log, newest first: when, who, before and after, and why.

    `?q=` finds lines by their words, `?before=12` are those below line 12, `?line=12` is the page
    with that line, and `?to=12` everything down to it. `?lines=12,15` are lines that can only be
    undone together, with the offer to do that. 304 if the browser has this page.
    """
    log = log_of(guest.game, guest.key)
    tag = _tag(request, guest, log)
    answer = unless_known(request, tag, lambda: _answer(request, guest, log))
    patch_vary_headers(answer, [VARIES])
    return answer


def _answer(request: HttpRequest, guest: Guest, log: Log) -> HttpResponse:
    """A request for a part of the log."""
    words = Words.typed(request.GET.get("q", ""))
    if together := _entries_in(request.GET.get("lines", "")):
        lines = pages.only(log, together)
        if len(lines) > 1:
            return _together(request, guest, log, lines)
    page = _page(request, log, words)
    if page.newest and not words:
        rows = [*pages.with_following(page.lines)]
    else:
        to_here = None if not words and hosts.sees_everything(guest) else 0
        rows = [Row(line, to_here) for line in page.lines]
    context = {
        "sections": pages.sections(rows, log.names),
        "page": page,
        "words": words,
        "typed": request.GET.get("q", "")[:80],
        "asked": whole_number(request.GET.get("line", ""), 1) or 0,
    }
    return sheet_over(request, guest, "log/_log.html", context, page="log/log.html")


def _page(request: HttpRequest, log: Log, words: Words) -> Page:
    """The lines that were asked for."""
    asked = {
        name: whole_number(request.GET.get(name, ""), 1) or 0 for name in ("before", "line", "to")
    }
    if words:
        return pages.found(log, words, asked["before"] or None)
    if asked["before"]:
        return pages.before(log, asked["before"])
    if asked["line"]:
        return pages.around(log, asked["line"])
    return pages.latest(log, asked["to"])


def _together(request: HttpRequest, guest: Guest, log: Log, lines: Any) -> HttpResponse:
    """The lines that can only be undone together, and nothing else."""
    context = {
        "sections": pages.sections([Row(line) for line in lines], log.names),
        "page": Page(lines, newest=False),
        "words": Words(),
        "marked": [line.number for line in lines],
        "only_together": sorted((n for line in lines for n in line.entries), reverse=True),
        "may_take_all": guest.seat is not None and not any(line.fixed for line in lines),
    }
    return sheet_over(request, guest, "log/_log.html", context)


def _tag(request: HttpRequest, guest: Guest, log: Log) -> str:
    """Changes whenever the page does: with an entry that the reader heard of, a name, a right, or
    a disk that is full."""
    about = [
        FORM,
        static("js/log/main.js"),
        guest.key,
        hosts.sees_everything(guest),
        request.get_full_path(),
        by_htmx(request),
        active_language(),
        str(timezone.get_current_timezone()),
        str(log.game),
        log.names,
        guest.game.looks,
        disk.full(),
    ]
    return f"{log.counted}-{hashed(json.dumps(about))[:16]}"


@require_GET
@require_guest
def latest(request: HttpRequest, guest: Guest) -> HttpResponse:
    """The end of the log, newest first, as it stands beside the seats."""
    lines = log_of(guest.game, guest.key).newest(LATEST)
    context = {"latest": lines, "log": reverse("log", args=[guest.game.slug])}
    return render(request, "log/_table.html", context)


def _entries_in(text: str) -> set[int]:
    """The numbers of entries in "12,15"; none if it is anything else, or too many."""
    numbers = {whole_number(each, 1) for each in text.split(",")[: pages.MOST]}
    return set() if None in numbers else {number for number in numbers if number}


@require_GET
@require_guest
def mine(request: HttpRequest, guest: Guest) -> HttpResponse:
    """The entries that Undo and Redo of this seat would take now; and more for a GM who asks.

    turn: the entry that began the turn. sent: the newest act, and by screen the bytes sent since.
    """
    if guest.seat is None:
        return JsonResponse({"undo": [], "redo": []})
    game, seat = guest.game, guest.seat.key
    if game.rules.secrets is None:
        return JsonResponse(next_undo_and_redo(game, seat) | rematch.way_back(guest))
    found = next_among(log_of(game, seat), seat)
    if "gm" in request.GET and knows(game.rules, rows.state(game), seat):
        turns = game.entries.filter(command__do="next-turn", undone_by=None)
        found |= {"turn": turns.values_list("number", flat=True).order_by("number").last()}
        if sent := table_registry.sent(game.slug):
            names = {"": _("TV"), **game.names}
            found["sent"] = [sent[0], [(names.get(to, to), n) for to, n in sent[1].items()]]
    return JsonResponse(found)
