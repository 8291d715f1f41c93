"""The programs that a seat lets in: their list, a new one's token, and revoking one."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from games.live import table_registry as tables
from games.live.closing import NO_SEAT
from games.pages.access import refused_page, require_guest
from games.pages.forms import SeatName
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
    if not letting_in.may_let_in(guest):
        return _no_seat(request)
    made, token = None, ""
    if request.method == "POST":
        form = SeatName(request.POST)
        if not form.is_valid():
            message = _("A name must have 1 to 40 characters that people see.")
            return refused_page(request, Refused("invalid", message), 422)
        name, read_only = form.cleaned_data["name"], "read_only" in request.POST
        try:
            made, token = letting_in.let_in(guest, name, read_only=read_only)
        except Refused as refused:
            return refused_page(request, refused, 422)
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
    if not letting_in.may_let_in(guest):
        return _no_seat(request)
    for gone in letting_in.of(guest).filter(pk=program):
        gone.delete()
        tables.disconnect(guest.game.slug, NO_SEAT, "revoked", gone.token_hash)
    return done(request, reverse("programs", args=[guest.game.slug]))


def _no_seat(request: HttpRequest) -> HttpResponse:
    return refused_page(request, Refused("forbidden", _("Take a seat to play.")), 403)
