"""The programs that a seat lets in: their list, a new one's token, and revoking one."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from games.live import table_registry as tables
from games.live.closing import NO_SEAT
from games.pages.access import require_guest
from games.pages.forms import named
from games.pages.parts import done
from games.pages.sheets import sheet_over
from games.rules.state import Refused
from games.seats import programs as letting_in
from games.seats.guests import Guest


@require_http_methods(["GET", "POST"])
@never_cache
@require_guest
def programs(request: HttpRequest, guest: Guest) -> HttpResponse:
    """The programs of this phone's seat; by POST, let one more in and show its token, once."""
    _refuse_watchers(guest)
    made, token = None, ""
    if request.method == "POST":
        read_only = "read_only" in request.POST
        made, token = letting_in.let_in(guest, named(request.POST), read_only=read_only)
    context = {
        "programs": letting_in.of(guest),
        "made": made,
        "token": token,
        "api": request.build_absolute_uri("/api/v1/"),
    }
    return sheet_over(request, guest, "sheets/_programs.html", context)


@require_POST
@require_guest
def revoke(request: HttpRequest, guest: Guest, program: int) -> HttpResponse:
    """End a program of this phone's seat: its token is worth nothing from now on."""
    _refuse_watchers(guest)
    for gone in letting_in.of(guest).filter(pk=program):
        gone.delete()
        tables.disconnect(guest.game.slug, NO_SEAT, "revoked", gone.token_hash)
    return done(request, guest.game, "programs")


def _refuse_watchers(guest: Guest) -> None:
    if not letting_in.may_let_in(guest):
        raise Refused("forbidden", _("Take a seat to play."))
