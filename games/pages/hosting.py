"""What the table decides about its seats: who is let in, who is host, whether it is locked."""

from __future__ import annotations

from asgiref.sync import async_to_sync
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from games.live.registry import RELOAD, registry
from games.live.socket import TAKEN_OVER
from games.models import Visitor
from games.pages.access import require_guest
from games.pages.seats import hang_up, moved, told
from games.rules.state import Refused
from games.screens.boards import screens_for
from games.screens.fragments import audience
from games.screens.languages import present
from games.screens.sidebar import sidebar
from games.seats import hosts, requests
from games.seats.guests import Guest


@require_GET
@require_guest
def around(request: HttpRequest, guest: Guest) -> HttpResponse:
    """What stands beside the board, and which seat asks, for a phone that has no line."""
    mine = guest.key
    screens = screens_for(guest.game.rules, guest.game.names)
    screens.around = sidebar(guest.game)
    drawn = screens.sidebar(audience(guest.game.rules, mine, present()), swap="")
    return HttpResponse(drawn, headers={"X-Seat": mine or "", "Cache-Control": "no-store"})


@require_POST
@require_guest
def answer(request: HttpRequest, guest: Guest, asking: int) -> HttpResponse:
    """Let a phone in to the seat it asks for, or tell it no.

    Of two who answer at once, the first one's word stands; the other one is told nothing.
    """
    visitor = get_object_or_404(guest.game.visitors, pk=asking)
    place = guest.game.seats.filter(key=visitor.about).first()
    if visitor == guest.visitor:
        return told(request, Refused("forbidden", _("Someone else has to answer that.")), 403)
    if place and not hosts.may_answer(guest, place):
        return told(request, Refused("forbidden", _not_yours(guest)), 403)
    if request.POST.get("let") not in ("in", "no"):
        return told(request, Refused("invalid", _("Choose “Let them in” or “No”.")), 400)
    if request.POST["let"] == "in":
        done = requests.let_in(guest.game, asking)
        if done and done.last:
            hang_up(guest.game, TAKEN_OVER, done.last)
        if done:
            hang_up(guest.game, RELOAD, done.device)
    elif device := requests.refuse(guest.game, asking):
        hang_up(guest.game, RELOAD, device)
    return moved(request, guest)


def _not_yours(guest: Guest) -> str:
    if guest.seat is None:
        return _("Only someone sitting at the table can answer that.")
    return _("This seat can see secrets: only the GM or the host’s own link can let someone in.")


@require_POST
@require_guest
def lock(request: HttpRequest, guest: Guest) -> HttpResponse:
    """Lock the table, so that nobody new sits down unasked; or open it again."""
    if not guest.host:
        return told(request, Refused("forbidden", _only_host()), 403)
    guest.game.locked = request.POST.get("locked") == "yes"
    guest.game.save(update_fields=["locked"])
    async_to_sync(registry.push_sidebar)(guest.game.slug)
    if "HX-Request" in request.headers:
        return HttpResponse(status=204)
    return redirect("share" if request.POST.get("then") == "share" else "board", guest.game.slug)


@require_POST
@require_guest
def lead(request: HttpRequest, guest: Guest, key: str) -> HttpResponse:
    """Make a seat the host's: the host hands it on; the host's own link takes it back."""
    place = get_object_or_404(guest.game.seats, key=key)
    owns = guest.visitor.role == Visitor.Role.HOST and guest.seat == place
    if not (guest.host or owns):
        return told(request, Refused("forbidden", _only_host()), 403)
    if not place.taken:
        return told(request, Refused("invalid", _("Nobody is sitting there.")), 422)
    hosts.make_host(guest.game, place)
    if guest.visitor.news == Visitor.News.HOST:
        requests.forget(guest.visitor)
    return moved(request, guest)


def _only_host() -> str:
    return _("Only the host can do that.")
