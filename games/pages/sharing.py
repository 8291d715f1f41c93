"""Invitations: address and code in words, links, and their QR codes."""

from __future__ import annotations

import io
from typing import Any

import segno
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.request import split_domain_port
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST
from msgspec import Struct

from games.pages.access import require_guest
from games.rules.input import packed
from games.rules.state import Refused
from games.seats import hosts
from games.seats.guests import Guest
from games.store import demos
from games.systems import presentation_of

LOOPBACK = ("localhost", "127.", "[::1]")


class Invitation(Struct, frozen=True):
    """The ways into a game that one phone may show. "pages/_address.html" draws them.

    here: the address in words, "192.168.1.20:8000". join, watch: the links; join is "" for a phone
    that may only look on. code: the spoken code of the link to pass on. watch_code: that of watch.
    reachable: whether other phones can reach that address.
    """

    here: str
    code: str
    join: str
    watch: str
    watch_code: str
    reachable: bool

    @property
    def link(self) -> str:
        """The link to pass on: to join, or to watch for a phone that may only look on."""
        return self.join or self.watch


def invitation(request: HttpRequest, guest: Guest) -> Invitation:
    """The invitation of a game that *guest* may pass on."""
    game, here = guest.game, address(request)
    invites = not guest.looks_on
    return Invitation(
        here=in_words(request),
        code=game.spoken_code if invites else game.watch_code,
        join=f"{here}{reverse('join', args=[game.invite_token])}" if invites else "",
        watch=f"{here}{reverse('watch', args=[game.watch_token])}",
        watch_code=game.watch_code,
        reachable=bool(reachable(request)),
    )


def address(request: HttpRequest) -> str:
    """The address of this site for other phones, or the one it was asked at if there is none."""
    return reachable(request) or request.build_absolute_uri("/").rstrip("/")


def in_words(request: HttpRequest) -> str:
    """The address of this site as it is read out, "192.168.1.20:8000"."""
    return address(request).partition("://")[2]


def reachable(request: HttpRequest) -> str:
    """The address of this site for other phones; "" if they cannot reach it.

    Someone at the server's own screen may use its loopback name, which means nothing to a phone;
    and not every phone knows how to ask for a name of the local network.
    """
    name = request.get_host()
    host, port = split_domain_port(name)
    if name.startswith(LOOPBACK) or host in settings.LAN_NAMES:
        if not settings.LAN_ADDRESSES:
            return ""
        first = settings.LAN_ADDRESSES[0]
        name = f"{first}:{port}" if port else first
    return f"{'https' if settings.SESSION_COOKIE_SECURE else 'http'}://{name}"


def qr(link: str, error: str = "m") -> str:
    """A QR of *link* as inline SVG without styles."""
    out = io.BytesIO()
    code = segno.make(link, error=error, micro=False)
    code.save(out, kind="svg", xmldecl=False, svgns=True, omitsize=True, border=2, svgclass="qr")
    return mark_safe(out.getvalue().decode())


def refuse_outsiders(guest: Guest) -> None:
    """Refuse what only those at the table may ask for."""
    if not hosts.may_invite(guest):
        message = _("Your seat was freed: only those at the table can invite someone.")
        raise Refused("forbidden", message)


@require_GET
@require_guest
def share(request: HttpRequest, guest: Guest) -> HttpResponse:
    """The invitation: QR, address, code and links. The host's own link is hidden at first."""
    refuse_outsiders(guest)
    way = invitation(request, guest)
    start = way.link.partition("://")[0] + "://" + way.here
    came = [seat for seat in guest.game.seats.all() if seat.taken]
    context = {
        "game": guest.game,
        "guest": guest,
        "invitation": way,
        "leads": hosts.leads(guest),
        "may_lock": hosts.may_lock(guest),
        "gm": bool(hosts.knowing(guest.game)),
        "board_url": reverse("board", args=[guest.game.slug]),
        "qr": qr(way.link) if way.reachable else "",
        "watch_qr": qr(way.watch) if way.reachable and way.join else "",
        "host_link": start + reverse("host", args=[guest.game.host_token]) if guest.owner else "",
        "made": _made(guest),
        "free": hosts.open_seats(guest.game),
        "chairs": hosts.has_room(guest.game) and not guest.game.locked,
        "came": came,
        "names": ", ".join(seat.name for seat in came),
    }
    return render(request, "pages/share.html", context)


def _made(guest: Guest) -> dict[str, Any] | None:
    """The rules that the host has just written: their phone keeps them for other evenings."""
    game, definition = guest.game, guest.game.settings.get("definition")
    if not definition or not guest.owner or game.number:
        return None
    if definition in demos.ready_games(game.system).values():
        return None
    rules = len(presentation_of(game.rules).new_game.explained(game.rules).sentences)
    return {"title": game.title, "rules": rules, "packed": packed(definition)}


@require_POST
@require_guest
def rotate(request: HttpRequest, guest: Guest) -> HttpResponse:
    """Make new links and a new code; the old ones stop working."""
    if not hosts.leads(guest):
        message = _("Only those who lead the table can make a new link.")
        raise Refused("forbidden", message)
    guest.game.rotate_invitation()
    return redirect("share", slug=guest.game.slug)
