"""Decisions about seats: admission, the host, and the lock of the table."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from games.live import table_registry as tables
from games.live.closing import RELOAD, TAKEN_OVER
from games.pages.access import require_guest, require_seat
from games.pages.parts import done
from games.pages.seats import disconnect, refresh_and_return
from games.rules import secrecy
from games.rules.state import Refused
from games.screens import sidebar as sidebars
from games.screens.drawing import Drawing
from games.screens.fragments import audience
from games.screens.languages import active_language
from games.seats import asks, hosts, requests
from games.seats.guests import Guest


@require_GET
@require_guest
def sidebar(request: HttpRequest, guest: Guest) -> HttpResponse:
    """The sidebar, and the phone's seat, for a phone without a connection."""
    mine = guest.key
    drawing = Drawing(guest.game.rules, guest.game.places)
    drawing.sidebar_context = sidebars.sidebar_context(guest.game)
    drawn = sidebars.sidebar(drawing, audience(guest.game.rules, mine, active_language()))
    return HttpResponse(drawn, headers={"X-Seat": mine or "", "Cache-Control": "no-store"})


@require_POST
@require_guest
def answer(request: HttpRequest, guest: Guest, asking: int) -> HttpResponse:
    """Let a phone take the seat it requests, or refuse it, or all that are asking."""
    decide(guest, asking, request.POST.get("let"))
    return refresh_and_return(request, guest)


def decide(guest: Guest, asking: int, let: object) -> None:
    """Let a visitor take the seat it requests ("in"), refuse it ("no"), or all that are asking
    ("none"); the caller redraws.

    If two people answer at once, the first answer counts; the second is ignored silently.
    Raises Refused, and Http404 if there is no such visitor.
    """
    visitor = get_object_or_404(guest.game.visitors, pk=asking)
    place = guest.game.seats.filter(key=visitor.about).first()
    if visitor == guest.visitor:
        raise Refused("forbidden", _("Someone else has to answer that."))
    sits = guest.seat is not None or guest.owner
    if not sits or (place and not hosts.may_answer(guest, place)):
        raise Refused("forbidden", _not_yours(guest))
    if let not in ("in", "no", "none"):
        raise Refused("invalid", _("Choose “Let them in” or “No”."))
    if let == "in":
        done = requests.let_in(guest.game, asking)
        if done and done.last:
            disconnect(guest.game, TAKEN_OVER, done.last)
        if done:
            disconnect(guest.game, RELOAD, done.device)
    elif let == "none":
        for put_off in requests.refuse_all(guest):
            disconnect(guest.game, RELOAD, put_off)
    elif device := requests.refuse(guest.game, asking):
        disconnect(guest.game, RELOAD, device)


def _not_yours(guest: Guest) -> str:
    if guest.seat is None:
        return _("Only someone sitting at the table can answer that.")
    return _("This seat can see secrets: only the GM or the host’s own link can let someone in.")


@require_POST
@require_seat
def ask(request: HttpRequest, guest: Guest, key: str) -> HttpResponse:
    """Allow what another seat asks of this one, or not."""
    try:
        if command := asks.answered(guest, key, request.POST.get("let")):
            tables.give(guest.game.slug, command, command["by"])
    finally:
        tables.push_sidebar(guest.game.slug)
    return done(request, guest.game)


@require_POST
@require_guest
def only_own(request: HttpRequest, guest: Guest) -> HttpResponse:
    """Let each seat change only its own and ask for the rest; or let everyone change anything."""
    if not hosts.may_lock(guest):
        raise Refused("forbidden", _only_host())
    led = secrecy.private_log(guest.game.rules)  # by a GM, whom the players ask
    guest.game.only_own = request.POST.get("only_own") == "yes" and not led
    guest.game.asks = []
    guest.game.save(update_fields=["only_own", "asks"])
    tables.push_sidebar(guest.game.slug)
    then = "share" if request.POST.get("then") == "share" else "board"
    return done(request, guest.game, then)


@require_POST
@require_guest
def lock(request: HttpRequest, guest: Guest) -> HttpResponse:
    """Lock the table, so that newcomers must ask for a seat; or unlock it."""
    set_locked(guest, request.POST.get("locked") == "yes")
    then = "share" if request.POST.get("then") == "share" else "board"
    return done(request, guest.game, then)


def set_locked(guest: Guest, locked: bool) -> None:
    """Lock or unlock the table, and show it. Raises Refused."""
    if not hosts.may_lock(guest):
        raise Refused("forbidden", _only_host())
    guest.game.locked = locked
    guest.game.save(update_fields=["locked"])
    tables.push_sidebar(guest.game.slug)


@require_POST
@require_guest
def lead(request: HttpRequest, guest: Guest, key: str) -> HttpResponse:
    """Make a seat the host's: the host passes the role on, or takes it back by the host's link."""
    place = get_object_or_404(guest.game.seats, key=key)
    owns = guest.owner and guest.seat == place
    if not (hosts.leads(guest) or owns):
        raise Refused("forbidden", _only_host())
    if not place.taken:
        raise Refused("invalid", _("No one is sitting there."))
    hosts.make_host(guest.game, place)
    return refresh_and_return(request, guest)


def _only_host() -> str:
    return _("Only the host can do that.")
