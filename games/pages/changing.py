"""Changing the rules of a game that goes on: what would change is said before it is done."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from asgiref.sync import async_to_sync
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods
from msgspec import Struct

from games.live.table_registry import registry
from games.pages import definitions
from games.pages.access import refused_page, require_guest
from games.pages.definitions import Unreadable, Written
from games.rules.numbers import whole_number
from games.rules.state import Refused
from games.screens.templates import find as find_template
from games.screens.words import refusal_text
from games.seats import hosts
from games.seats.guests import Guest
from games.store import rows
from games.systems import presentation_of

MOST = 999_999
LEFT_OUT = "out."
NUMBER = "at."
ENDS = ("start", "least", "most")

Step = str | int


class Literal(Struct, frozen=True):
    """A number that stands in a rule. at: where, as a field's name. word: what it stands by."""

    at: str
    word: str
    n: int


def literals(written: Any, place: tuple[Step, ...], word: str = "") -> Iterator[Literal]:
    """The numbers that stand in *written*, in their order."""
    if type(written) is int:
        yield Literal(NUMBER + "/".join(map(str, place)), word, written)
    elif type(written) is dict:
        for key, value in written.items():
            yield from literals(value, (*place, key), key)
    elif type(written) is list:
        for index, value in enumerate(written):
            yield from literals(value, (*place, index), word)


@require_http_methods(["GET", "POST"])
@require_guest
def change(request: HttpRequest, guest: Guest) -> HttpResponse:
    """Ask the host what to change; say what that would change; and do it, by a third step."""
    if not hosts.leads(guest) or guest.seat is None:
        refused = Refused("forbidden", _("Only the host can change the rules."))
        return refused_page(request, refused, 403)
    now = definitions.of_table(guest)
    if request.method == "GET":
        return _asked(request, guest, now)
    try:
        wanted = _wanted(request.POST, now)
    except Unreadable as refused:
        return _asked(request, guest, now, refused.why, 422)
    if wanted.packed == now.packed:
        return _asked(request, guest, now, _("Nothing is changed yet."), 422)
    if "do" not in request.POST:
        return _shown(request, guest, wanted)
    command = {"do": "change-rules", "definition": dict(wanted.definition)}
    try:
        async_to_sync(registry.give)(guest.game.slug, command, guest.seat.key)
    except Refused as refused:
        return refused_page(request, refused)
    return redirect("board", slug=guest.game.slug)


def _wanted(posted: Any, now: Written) -> Written:
    """The rules that a filled-in form asks for: whole, or the table's with other numbers.

    Raises Unreadable.
    """
    if text := posted.get("text", "").strip():
        return definitions.heard(text[: definitions.MOST_TYPED])
    made = json.loads(json.dumps(now.definition))
    for field in posted:
        number = whole_number(posted[field], -MOST, MOST)
        if field.startswith(NUMBER) and number is not None:
            _put(made, field.removeprefix(NUMBER).split("/"), number)
    for part in ("numbers", "rules"):
        if part in made:
            left = [
                each for n, each in enumerate(made[part]) if f"{LEFT_OUT}{part}/{n}" not in posted
            ]
            made[part] = left
    if line := posted.get("numbers", ""):
        draft = presentation_of(now.system).new_game.draft
        assert draft is not None
        _add(made, draft({"numbers": line}, None).settings["definition"])
    return definitions.written(made)


def _put(made: Any, steps: list[str], number: int) -> None:
    """Put *number* where another stands, or at an end that a number of the game leaves open."""
    ends = steps[0] == "numbers" and steps[-1] in ENDS and len(steps) == 3
    *way, last = steps
    for step in way:
        made = _at(made, step)
    if type(_at(made, last)) is int:
        made[int(last) if type(made) is list else last] = number
    elif ends and type(made) is dict and last not in made:
        made[last] = number


def _at(made: Any, step: str) -> Any:
    """What stands in a map or list at *step*; None if nothing does."""
    if type(made) is list:
        return made[int(step)] if step.isdecimal() and int(step) < len(made) else None
    return made.get(step) if type(made) is dict else None


def _add(made: dict[str, Any], more: Mapping[str, Any]) -> None:
    """Add the numbers, types and rules of *more*, but for those that are there already."""
    for part, key in (("things", "type"), ("numbers", "kind"), ("rules", "rule")):
        there = {each[key] for each in made.get(part, ())}
        new = [{**each} for each in more.get(part, ()) if each[key] not in there]
        for each in new:
            each.pop("big", None)
        if new:
            made[part] = [*made.get(part, ()), *new]


def _asked(
    request: HttpRequest, guest: Guest, now: Written, why: str = "", status: int = 200
) -> HttpResponse:
    written = now.definition
    sentences = presentation_of(now.system).new_game.explained(now.system).sentences
    context = {
        "game": guest.game,
        "why": why,
        "system": now.system,
        "numbers": [*_numbers(written)],
        "rules": [
            (n, sentences[rule["rule"]], [*literals(rule, ("rules", n))])
            for n, rule in enumerate(written.get("rules", ()))
        ],
        "line": request.POST.get("numbers", ""),
    }
    page = str(find_template(now.system, "pages/change.html").name)
    return render(request, page, context, status=status)


def _numbers(written: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """The numbers of the game, each with the ends and the start that it has or may have."""
    for n, number in enumerate(written.get("numbers", ())):
        fields = []
        if "is" not in number:
            own = type(number.get("most", 0)) is not int
            for key, label in (
                ("start", _("starts at")),
                ("least", _("least")),
                ("most", _("most")),
            ):
                if not (key == "most" and own):
                    fields.append((f"{NUMBER}numbers/{n}/{key}", label, number.get(key, "")))
        yield {"n": n, "kind": number["kind"], "fields": fields}


def _shown(request: HttpRequest, guest: Guest, wanted: Written) -> HttpResponse:
    game, state = guest.game, rows.state(guest.game)
    names = {**game.names, **{key: each.name for key, each in state.objects.items()}}
    names["table"] = _("the table")
    found = presentation_of(game.rules).new_game.changes(
        game.rules, wanted.system, state, lambda each: names.get(each, each)
    )
    context = {
        "game": game,
        "packed": wanted.packed,
        "changes": found.sentences,
        "left_over": found.left_over,
        "refused": refusal_text(found.refused) if found.refused else "",
    }
    page = str(find_template(game.rules, "pages/changes.html").name)
    return render(request, page, context, status=422 if found.refused else 200)
