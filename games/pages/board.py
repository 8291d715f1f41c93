"""The board as a page, and commands by HTTP.

Every command goes through the running table (`games.live`), whether it comes by HTTP or by socket.
"""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import quote

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.middleware.csrf import get_token
from django.shortcuts import redirect, render
from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from games.live.table_registry import give
from games.models import Seat
from games.pages import rematch
from games.pages.access import require_guest
from games.pages.board_html import drawn_for
from games.pages.parts import by_htmx, part_or_page
from games.pages.sharing import invitation
from games.rules import counting, secrecy
from games.rules.engine import refuse_served
from games.rules.input import read_json
from games.rules.state import Refused
from games.rules.system import System
from games.screens import forms
from games.screens.boards import board_of
from games.screens.tags import OPENED, POSTED, token_field
from games.screens.templates import find
from games.screens.words import PLAIN, Words, words_of
from games.seats import guests, hosts, requests
from games.seats.guests import Guest
from games.systems import presentation_of, taps
from games.systems.controls import facts

REQUEST_ID = re.compile(r"[0-9A-Za-z-]{16,64}").fullmatch


@require_GET
@require_guest
def board(request: HttpRequest, guest: Guest) -> HttpResponse:
    """The whole table, as this phone sees it."""
    game = guest.game
    if game.followed_by and "earlier" not in request.GET:
        return redirect("board", slug=game.newest.slug)
    page = str(find(game.rules, "board/table.html").name)
    return render(request, page, _table(request, guest))


@require_GET
@require_guest
def flat(request: HttpRequest, guest: Guest) -> HttpResponse:
    """The board for one phone that lies flat on the table: each part faces its player.

    Every tap there counts as this phone's own seat, whoever made it.
    """
    if not board_of(guest.game.rules).flat:
        raise Http404
    if guest.seat is None:
        return redirect("board", slug=guest.game.slug)
    if guest.game.followed_by:
        return redirect("flat", slug=guest.game.newest.slug)
    context = _table(request, guest, docked=False)
    if hosts.may_invite(guest) and not all(each.taken for each in guest.game.seats.all()):
        context["invitation"] = invitation(request, guest)
    return render(request, "board/flat.html", context)


def _table(request: HttpRequest, guest: Guest, *, docked: bool = True) -> dict[str, Any]:
    """The context of a table's page. docked: its seat's own numbers are in the cockpit."""
    game, seat = guest.game, guest.seat
    if game.followed_by_id and not secrecy.private_log(game.rules):
        seat = None  # the game only reads now; whose board it is matters only to a GM's table
    mine = seat.key if seat else None
    drawn = drawn_for(game, mine, docked=docked)
    # All phones share the HTML, but without a script a form needs this phone's token.
    return {
        "game": game,
        "guest": guest,
        "seat": seat,
        "number": drawn.number,
        **rematch.around(guest),
        "may_resume": bool(game.followed_by_id) and hosts.may_restart(guest),
        "seats_free": not game.followed_by_id
        and any(each.free for each in game.places.values())
        and hosts.open_seats(game),
        "live_url": _live_url(guest, seat, drawn.number) + ("" if docked else "&flat"),
        "several": board_of(game.rules).several,
        "previews": presentation_of(game.rules).board.previews is not None,
        "doubles": counting.doubles(game.rules),
        "taps": {name: facts(tap) for name, tap in taps(game.rules).items()},
        "turn": mark_safe(drawn.turn),
        "deals": sorted(presentation_of(game.rules).story.deals),
        "board": mark_safe(_with_token(drawn.board, token_field(get_token(request)))),
        "sidebar": mark_safe(drawn.sidebar),
        "welcome": _welcomes(request, seat),
        **({} if game.followed_by_id else requests.arrival(guest)),
    }


def _welcomes(request: HttpRequest, seat: Seat | None) -> bool:
    """True if to ask for a name; of a phone that was let "in" only if its seat has none."""
    how = request.GET.get("welcome")
    return how is not None and seat is not None and not (how == "in" and seat.given_name)


def _with_token(drawn: str, token: str) -> str:
    """The board with this phone's token in each form, for a phone without scripts."""
    return drawn.replace(OPENED, OPENED + token).replace(POSTED, POSTED + token)


def _live_url(guest: Guest, seat: Seat | None, number: int) -> str:
    """The socket's address: from which entry the page listens, and as which seat."""
    if guest.game.followed_by_id and seat is None:
        return f"ws?from={number}&watch"
    key = quote(seat.key) if seat else ""
    return f"ws?from={number}&seat={key}{'&host' if seat and seat.hosting else ''}"


STATUS = {"invalid": 400, "not-saved": 503}
"""The status of a refusal that is not the rules'."""


def command(request: HttpRequest, slug: str) -> HttpResponse:
    """One command by HTTP, as JSON or as a form."""
    if request.method != "POST":
        return HttpResponse(status=405, headers={"Allow": "POST"})
    guest = guests.guest(request, slug)
    if guest is None or guest.seat is None:
        return _refused(request, Refused("forbidden", _("Take a seat to play.")), 403)
    try:
        raw = _sent(request, guest.game.rules)
        refuse_served(guest.game.rules, raw)
        applied = give(slug, {**_asked_as(request), **raw}, guest.seat.key)
    except Refused as refused:
        its = words_of(guest.game.rules)
        return _refused(request, refused, STATUS.get(refused.code, 422), its)
    if _by_script(request):
        number = str(applied.entry.number) if applied.entry else ""
        return HttpResponse(status=204, headers={"X-Entry": number})
    return redirect("board", slug=slug)


def _sent(request: HttpRequest, system: System) -> dict[str, Any]:
    """The command in *request*, a script's message or a form. Raises Refused "invalid"."""
    if request.content_type != "application/json":
        return forms.of_fields(system, request.POST)
    try:
        raw = read_json(request.body)
    except ValueError:
        raise Refused("invalid", "That is not JSON.") from None
    if type(raw) is not dict:
        raise Refused("invalid", "A command is a JSON object.")
    return forms.of_message(system, raw)


def _asked_as(request: HttpRequest) -> dict[str, str]:
    """An id for a command that brings none: a proxy may send a request again, to another server."""
    name = request.headers.get("X-Request-Id", "")
    return {"id": name} if REQUEST_ID(name) else {}


def _by_script(request: HttpRequest) -> bool:
    return request.content_type == "application/json" or by_htmx(request)


def _refused(
    request: HttpRequest, refused: Refused, status: int, its: Words = PLAIN
) -> HttpResponse:
    if request.content_type == "application/json":
        return JsonResponse({"refused": its.refusal_facts(refused)}, status=status)
    context = {"refused": refused, "its": its}
    return part_or_page(request, "board/_refusal.html", "pages/refused.html", context, status)
