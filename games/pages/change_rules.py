"""Changing the rules of a running game, with a preview of what would change."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from games.live import table_registry as tables
from games.pages import definitions, trial
from games.pages.access import require_guest
from games.pages.definitions import Unreadable, Written
from games.rules.state import Refused
from games.screens.templates import find as find_template
from games.screens.words import PLAIN, words_of
from games.seats import hosts
from games.seats.guests import Guest
from games.store import rows
from games.systems import presentation_of
from games.systems.new_game import Changes, Draft


@require_http_methods(["GET", "POST"])
@require_guest
def change(request: HttpRequest, guest: Guest) -> HttpResponse:
    """Let the host write the rules anew; say what that would change; and do it, by a third step."""
    if not (hosts.leads(guest) and hosts.sees_everything(guest)) or guest.seat is None:
        raise Refused("forbidden", _("Only the host can change the rules."))
    now = definitions.of_table(guest)
    if request.method == "GET" or "again" in request.POST:
        return _asked(request, guest, now)
    try:
        wanted = _wanted(request.POST, now)
    except Unreadable as refused:
        return _asked(request, guest, now, refused.why, 422)
    found = _changes(guest, wanted)
    if not found.sentences:
        return _asked(request, guest, now, _("Nothing is changed yet."), 422)
    if "do" not in request.POST:
        return _shown(request, guest, wanted, found)
    command = {"do": "change-rules", "definition": dict(wanted.definition)}
    tables.give(guest.game.slug, command, guest.seat.key)
    return redirect("board", slug=guest.game.slug)


def _wanted(posted: Any, now: Written) -> Written:
    """The rules that the page holds, or those that were pasted there whole. Raises Unreadable."""
    if text := posted.get("text", "").strip():
        found = definitions.parsed(text[: definitions.MOST_TYPED])
        if found.system.name != now.system.name:
            raise Unreadable(_("That is another kind of game."), text)
        return found
    if "definition" not in posted:
        return now
    draft = _draft(now, posted)
    if draft.faults:
        raise Unreadable(" ".join(map(PLAIN.phrase, draft.faults)), "")
    return definitions.written(draft.settings["definition"])


def _draft(now: Written, fields: Any) -> Draft:
    """The rules in the fields of the page."""
    draft = presentation_of(now.system).new_game.draft
    assert draft is not None
    return draft(fields, None)


def _begun(guest: Guest, now: Written) -> Mapping[str, str]:
    """The fields of the page, with the rules from which the table goes on."""
    assert now.system.defined is not None
    definition = now.system.defined.begun(now.definition, rows.state(guest.game))
    return {"definition": json.dumps(definition), "open": "page"}


def _changes(guest: Guest, wanted: Written) -> Changes:
    game, state = guest.game, rows.state(guest.game)
    names = {**game.names, **{key: each.name for key, each in state.objects.items()}}
    names["table"] = _("the table")
    changes = presentation_of(game.rules).new_game.changes
    return changes(game.rules, wanted.system, state, lambda each: names.get(each, each))


def _asked(
    request: HttpRequest, guest: Guest, now: Written, why: str = "", status: int = 200
) -> HttpResponse:
    fields = request.POST if "definition" in request.POST else _begun(guest, now)
    draft = _draft(now, fields)
    system = now.system.of_table(draft.settings)
    context = {
        "game": guest.game,
        "why": why,
        "system": system,
        "its": words_of(system),
        "draft": draft,
        "trial": trial.board(request, draft, trial.named(request.POST)),
        "kept": f"{guest.game.slug} {guest.game.number}",
        "seats": guest.game.seats.count(),
    }
    page = str(find_template(system, "pages/change.html").name)
    return render(request, page, context, status=status)


def _shown(request: HttpRequest, guest: Guest, wanted: Written, found: Changes) -> HttpResponse:
    context = {
        "game": guest.game,
        "definition": json.dumps(wanted.definition),
        "changes": found.sentences,
        "left_over": found.left_over,
        "refused": words_of(guest.game.rules).refusal(found.refused) if found.refused else "",
    }
    page = str(find_template(guest.game.rules, "pages/changes.html").name)
    return render(request, page, context, status=422 if found.refused else 200)
