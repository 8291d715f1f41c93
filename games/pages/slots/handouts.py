"""Handouts: pictures and texts that the GM shows to some or all, and takes back.

A handout is a note; who reads that note may fetch its picture, asked anew each time. Whatever is
not for this phone answers as what is not there.
"""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from games.models import Picture
from games.pages.access import refuse_new
from games.pages.parts import by_htmx
from games.pages.slots.access import Onlooker, sheet_page, slots_only
from games.rules.state import Refused
from games.screens.slots import notebook
from games.seats.rate_limit import OF_A_PICTURE
from games.store import pictures
from games.tracks import notes

SAFE = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'none'; sandbox",
    "Content-Disposition": "inline",
}
PART = "slots/sheets/_handout_picture.html"


@require_http_methods(["GET", "POST"])
@slots_only(seated=True, gm=True)
def handouts(request: HttpRequest, asking: Onlooker) -> HttpResponse:
    """A form for a new handout; by POST, keep a picture for one, which nobody is shown yet."""
    if request.method == "POST":
        return _kept(request, asking)
    if "unfinished" in request.GET:  # the process that read it has died
        raise pictures.unreadable()
    return _form(request, asking, None)


def _form(request: HttpRequest, asking: Onlooker, picture: Picture | None) -> HttpResponse:
    context = notebook.of_seat(asking.state, asking.seat, asking.names)
    return sheet_page(request, asking, "new_handout", {**context, "picture": picture})


def _kept(request: HttpRequest, asking: Onlooker) -> HttpResponse:
    upload = request.FILES.get("file")
    if upload is None:
        raise Refused("invalid", _("Choose a picture first."))
    refuse_new(request, OF_A_PICTURE)
    made = pictures.reduced(upload.read())
    picture = pictures.add(asking.game, asking.state, made)
    if by_htmx(request):
        return render(request, PART, {"picture": picture})
    return _form(request, asking, picture)


@require_GET
@slots_only()
def handout(request: HttpRequest, asking: Onlooker, key: str) -> HttpResponse:
    """One handout, as large as the screen has room for it."""
    found = notebook.handout(asking.state, asking.seat, key, asking.names)
    if found is None:
        return sheet_page(request, asking, "handout_gone", {}, status=404)
    return sheet_page(request, asking, "handout", {"note": found, "gm": asking.gm})


@require_GET
@slots_only()
def picture(request: HttpRequest, asking: Onlooker, key: str) -> HttpResponse:
    """The bytes of a picture, for the GM and for those who may read a note with it now."""
    if not (asking.gm or notes.shows_picture(asking.state, asking.seat, key)):
        raise Http404
    found = asking.game.pictures.filter(key=key).first()
    if found is None:
        raise Http404
    return HttpResponse(bytes(found.image), content_type="image/webp", headers=SAFE)
