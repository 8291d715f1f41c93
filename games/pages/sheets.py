"""Sheets over the board: one card, a new card, and the acts that only one rule system has.

Such an act is a template "systems/<name>/sheets/acts/_<act>.html"; none is named here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from typing import Any
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST

from games.pages.access import require_guest
from games.pages.parts import part_or_page
from games.rules.state import MOST, GameState, Refused
from games.screens import chairs, forms, sheets
from games.screens import new_card as new_cards
from games.screens.previews import Way, previews
from games.screens.secrets import seen_state
from games.screens.sheets import Table
from games.screens.stacks import Stacks, stack_of
from games.screens.templates import find, find_own
from games.seats.guests import Guest
from games.systems import presentation_of

NUMBER = re.compile(r"[0-9]{1,4}").fullmatch
ACT = re.compile(r"[a-z][a-z-]*").fullmatch
Sheet = tuple[Any, dict[str, Any]]
"""A template and its context."""
MOST_KINDS = 60
"""The most kinds of counters that one request asks about."""


def sheet_over(
    request: HttpRequest,
    guest: Guest,
    path: str,
    context: dict[str, Any],
    page: str = "sheets/sheet.html",
) -> HttpResponse:
    """The sheet at *path*: for the page's script, over the board; else as a *page* of its own."""
    return _shown(request, guest, (find(guest.game.rules, path), context), page)


def _shown(
    request: HttpRequest, guest: Guest, sheet: Sheet | None, page: str = "sheets/sheet.html"
) -> HttpResponse:
    """The same of a *sheet*. Raises Http404 if there is none."""
    if sheet is None:
        raise Http404
    inner, context = sheet
    board_url = reverse("board", args=[guest.game.slug])
    common = {"inner": inner, "game": guest.game, "guest": guest, "board_url": board_url}
    its = request.its  # type: ignore[attr-defined]  # with the looks of its seats
    described = {**common, **context, "its": its, "seat": guest.seat}
    return part_or_page(request, "sheets/_inner.html", page, described)


def table_of(guest: Guest) -> Table:
    """The table of *guest*, for a sheet."""
    game = guest.game
    return Table(game.rules, seen_state(game, guest.key), game.names, guest.key)


def of_object(table: Table, key: str, asked: QueryDict) -> Sheet | None:
    """One object: its numbers with their reasons, and everything that can be done with it.

    If others share its row it stands for all of them: for those in `?of=`, or for `?n=` of them.
    `?kept=` are the kinds of the tiles that the open sheet has.
    """
    if key not in table.state.objects:
        return None
    of, n = asked.get("of", "").split(), asked.get("n", "")
    row = Stacks(table.system).row(table.state, key)
    stack = stack_of(row, of, int(n) if NUMBER(n) else None)
    obj = table.state.objects[stack.chosen[0]]
    kept = list(dict.fromkeys(asked.getlist("kept")))[:MOST_KINDS]
    sheet = sheets.of_object(table, obj, kept)
    return find(table.system, "sheets/_object.html"), {**sheet, "stack": stack}


def of_new_card(table: Table, key: str, asked: QueryDict) -> Sheet | None:
    """A form for a new card, with the sort `?sort=` first; None in a game without any."""
    if key != "new" or "create" not in table.system.verbs:
        return None
    wanted, first = asked.get("seat") or table.seat or "", asked.get("sort", "")
    sheet = sheets.of_new_card(table, wanted, first)
    return find(table.system, "sheets/_new_card.html"), sheet


def of_act(table: Table, name: str, asked: QueryDict) -> Sheet | None:
    """An act of the system that concerns several cards or seats.

    `?seat=` is the seat to look at; otherwise it is this phone's, or the first.
    """
    inner = find_own(table.system, f"sheets/acts/_{name}.html") if ACT(name) else None
    if inner is None:
        return None
    looked = asked.get("seat") or table.seat
    return inner, {**sheets.of_table(table), **sheets.facts_of_seat(table, looked)}


@require_GET
@require_guest
def obj(request: HttpRequest, guest: Guest, key: str) -> HttpResponse:
    return _shown(request, guest, of_object(table_of(guest), key, request.GET))


@require_GET
@require_guest
def new_card(request: HttpRequest, guest: Guest) -> HttpResponse:
    return _shown(request, guest, of_new_card(table_of(guest), "new", request.GET))


@require_GET
@require_guest
def act(request: HttpRequest, guest: Guest, name: str) -> HttpResponse:
    table = table_of(guest)
    state = chairs.begun(table.system, guest.game.places, table.state)
    return _shown(request, guest, of_act(table._replace(state=state), name, request.GET))


@require_GET
@require_guest
def becomes(request: HttpRequest, guest: Guest) -> HttpResponse:
    """Preview of counters that this seat puts: by kind, in each order that matters."""
    asked, system = request.GET, guest.game.rules
    state = seen_state(guest.game, guest.key)
    amount, on = asked.get("amount", ""), asked.get("on", "")
    answer: dict[str, Any] = {}
    previews = presentation_of(system).board.previews
    if previews and guest.seat and on in {*state.seats, *state.objects} and amount.isdecimal():
        facts = {
            "on": on,
            "amount": min(int(amount[:7]), MOST),
            "cause": asked.get("cause") or None,
        }
        for kind in asked.getlist("counter")[:MOST_KINDS]:
            command = {"do": "place", "by": guest.key, "counter": kind, **facts}
            ways = previews.becomes(system, state, command)
            answer[kind] = [
                {"amount": way.amount, "says": way.says, "order": way.order} for way in ways
            ]
    return JsonResponse({"becomes": answer})


def _by(guest: Guest, state: GameState, command: Mapping[str, Any]) -> str | None:
    """The seat of *command*: for an answer, whoever was asked; one phone may play for all."""
    prompt = state.prompt(str(command.get("prompt"))) if command.get("do") == "answer" else None
    return prompt.to if prompt else guest.key


def _attacked(table: Table, command: dict[str, Any], asked: QueryDict) -> dict[str, Any]:
    """What may be attacked: by the form number `?n=` of the object `?of=`, or by `?seat=`."""
    if "of" not in asked:
        return sheets.attacked(table, command, asked.get("seat", ""))
    n = asked.get("n", "")
    with suppress(LookupError):
        of, number = asked.get("of", ""), int(n) if NUMBER(n) else MOST
        return sheets.attack_said(table, command, of, number)
    raise Http404


@require_POST
@require_guest
def preview(request: HttpRequest, guest: Guest) -> HttpResponse:
    """Preview of a command by this seat, in words and by the chosen order; nothing is given."""
    table, fields, only = table_of(guest), request.POST, "only" in request.GET
    system, state, names, _seat = table
    ways: list[Way] = []
    order: Any = None
    if only:  # the form gives no command: a button of it would
        fields = QueryDict(urlencode([f for f in fields.items() if f[0].endswith(":json")]))
    attacked: dict[str, Any] = {}
    with suppress(Refused):
        given = forms.of_fields(system, fields)
        command = {**given, "by": _by(guest, state, given)}
        attacked = _attacked(table, command, request.GET)
        order = command.pop("order", None)
        if guest.seat:
            ways = previews(system, state, command, names)
    chosen = next((way for way in ways if [*way.order] == order), ways[0] if ways else None)
    context = {"ways": ways[: 1 if only else None], "chosen": chosen, **attacked}
    return render(request, "sheets/_ways.html", context)


@require_GET
@require_guest
def known(request: HttpRequest, guest: Guest) -> HttpResponse:
    """The known cards that match the typed name, drawn to be picked.

    Without a name, the tokens that known cards make, as JSON: a deck list stays on its phone.
    """
    table = table_of(guest)
    if "name" not in request.GET:
        return JsonResponse({"cards": [*new_cards.made_tokens(table.system, table.state)]})
    typed = request.GET["name"].strip()
    offers = new_cards.known(table.system, table.state, typed)
    return render(request, "sheets/_offers.html", {"offers": offers, "typed": typed})
