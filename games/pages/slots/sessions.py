"""The end of a session, and what was before it: "Previously…"."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from games.live import table_registry as tables
from games.pages.slots.access import Onlooker, give, sheet_page, slots_only
from games.pages.slots.counters import ticked, to_tick
from games.rules.chapters import MOST_LINES, chapters
from games.screens import chairs
from games.screens.slots import recap

LONGEST = 300


@slots_only(seated=True, gm=True)
def end(request: HttpRequest, asking: Onlooker) -> HttpResponse:
    """Preview of the end of a session: changes, what each will read and what stays; by POST, end
    it as one entry.
    """
    if request.method == "POST":
        if first := chairs.leaving(asking.system, asking.game.places, asking.state):
            tables.give(asking.game.slug, first, asking.by)  # nobody there is asked for the next
        return give(request, asking, _command(request, asking), "")
    milestones = [*asking.its.slots.checklists]
    listed = {which: to_tick(asking, which) for which in milestones}
    always = {each["value"] for each in listed[milestones[0]]} if milestones else set()
    context = {
        **recap.to_end(asking.game, asking.state, asking.names),
        "milestones": milestones,
        "checklist": [
            {**each, "major": bool(each["line"].steps) and each["value"] not in always}
            for each in (listed[milestones[-1]] if milestones else ())
        ],
        "session": len(chapters(asking.state)) + 1,
        "game": asking.game,
        "guest": asking.guest,
        "longest": LONGEST,
    }
    return render(request, "slots/pages/end_session.html", context)


def _command(request: HttpRequest, asking: Onlooker) -> dict[str, Any]:
    """The end of the session as the form describes it."""
    posted = request.POST
    milestone = posted.get("milestone", "")
    command: dict[str, Any] = {"do": "end-session"}
    steps = []
    if milestone in asking.its.slots.checklists:
        command["milestone"] = milestone
        steps = ticked(asking, milestone, posted.getlist("line"))
    over = [{"do": "scene", "scene": each, "to": "over"} for each in posted.getlist("over")]
    command["steps"] = [*steps, *over]
    for field in ("name", "word"):
        if text := posted.get(field, "").strip():
            command[field] = text
    everyone: list[str] = []
    alone: dict[str, list[str]] = {}
    kept = {*posted.getlist("keep")}
    for n in range(MOST_LINES):
        text = posted.get(f"text-{n}", "").strip()
        if text and str(n) in kept:
            to = posted.get(f"to-{n}", "")
            (alone.setdefault(to, []) if to else everyone).append(text[:LONGEST])
    return {**command, "lines": everyone, **({"alone": alone} if alone else {})}


@require_GET
@slots_only()
def previously(request: HttpRequest, asking: Onlooker) -> HttpResponse:
    """Recaps of the sessions that are over, as this seat reads them."""
    sheet = recap.previously(asking.system, asking.state, asking.seat, asking.names)
    return sheet_page(request, asking, "previously", sheet)
