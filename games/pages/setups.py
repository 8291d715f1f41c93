"""Games from a saved set-up, which has a link, or from a file."""

from __future__ import annotations

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop as later
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from games.live.imports import imported
from games.models import Game, Setup
from games.models.tokens import hashed
from games.pages import definitions, rematch
from games.pages.access import afterwards, refuse_new, require_guest
from games.pages.forms import NameField
from games.pages.joining import stranger
from games.pages.parts import done
from games.pages.sharing import address, in_words, qr, reachable
from games.pages.sheets import sheet_over
from games.pages.shelf import may_delete
from games.rules import record, secrecy
from games.rules.scenario import SpecificationError
from games.rules.state import Refused
from games.screens.match import match_of
from games.screens.words import in_context
from games.seats import guests, hosts
from games.seats.guests import Guest
from games.seats.rate_limit import OF_A_PICTURE
from games.store import demos, pictures, retention, rows
from games.systems import find

MOST_BYTES = 2 * 1024 * 1024
A_TOKEN = 64 * 1024
"""Characters of a file that cost as much as one more new game (`rate_limit.MAKING`)."""
MOST_OF_A_GAME = 20
"""Set-ups that one game may save."""
MOST_OF_A_TITLE = 80
NOT_FOR_ALL = later(
    "Everyone can use a saved table, and this one has cards that not everyone sees."
)
TITLE = NameField(max_length=MOST_OF_A_TITLE, required=False)


@require_POST
@require_guest
def save(request: HttpRequest, guest: Guest) -> HttpResponse:
    """Save the table as it is now, without its log, under a link of its own."""
    if not (guest.seat and hosts.sees_everything(guest)):
        raise Refused("forbidden", _("Only someone who can see the whole table can save it."))
    game = guest.game
    if game.setups.count() >= MOST_OF_A_GAME:
        raise Refused(
            "over-maximum",
            _("This game already has %(n)s saved set-ups. Use one of them.")
            % {"n": MOST_OF_A_GAME},
        )
    state = rows.state(game)
    if secrecy.seen(game.rules, state, None) is not state:
        # Everyone at the table has the link, and may sit anywhere in a game that begins with it.
        raise Refused("forbidden", _(NOT_FOR_ALL))
    setup = Setup.objects.create(
        game=game,
        title=TITLE.clean(request.POST.get("title", "")[:MOST_OF_A_TITLE]) or game.title,
        system=game.system,
        edition=game.edition,
        settings=game.settings,
        given=record.given(game.rules, state),
        names=game.given_names,
        looks=game.looks,
    )
    return redirect("setup", token=setup.token)


@require_POST
@require_guest
@afterwards
def delete(request: HttpRequest, guest: Guest, setup: int) -> HttpResponse:
    """Delete a saved set-up: its link and code open nothing from now on."""
    if not hosts.leads(guest):
        raise Refused("forbidden", _("Only the host can delete a saved set-up."))
    get_object_or_404(guest.game.setups, pk=setup).delete()
    return done(request, guest.game, "keep")


@require_GET
@require_guest
def keep(request: HttpRequest, guest: Guest) -> HttpResponse:
    """All ways to keep this game: to read, to replay, to play again."""
    game, names, state = guest.game, guest.game.names, rows.state(guest.game)
    context = {
        "face_down": not hosts.rested(game)
        and secrecy.seen(game.rules, state, guest.key) is not state,
        "not_for_all": secrecy.seen(game.rules, state, None) is not state,
        "everything": hosts.sees_everything(guest),
        "may_restart": hosts.may_restart(guest),
        "match": match_of(game),
        "setups": game.setups.all(),
        "leads": hosts.leads(guest),
        "here": in_words(request),
        "may_delete": may_delete(guest),
        "keep_days": retention.choices(),
        "site_keeps": settings.KEEP_DAYS,
        "lot": rematch.draws_lots(game),
        **{which: names[seat] for which, seat in rematch.beginners(game).items()},
    }
    return sheet_over(request, guest, "sheets/_keep.html", context)


@require_http_methods(["GET", "POST"])
def begin(request: HttpRequest, token: str) -> HttpResponse:
    """Show a set-up; by POST, begin a game with it."""
    setup = Setup.objects.select_related("game").filter(token=token).first()
    phone = hashed(request.COOKIES.get(guests.COOKIE, ""))
    if setup is None or (setup.game is not None and setup.game.barred(phone)):
        return stranger(request)
    if not setup.given:
        return definitions.of_game(request, definitions.written(setup.settings["definition"]))
    system = find(setup.system, setup.edition).of_table(setup.settings)
    if request.method == "POST":
        shown = pictures.of_given(setup.given)
        refuse_new(request, 1 + OF_A_PICTURE * len(shown))
        first = system.opening(system, setup.given, setup.settings)
        device = guests.device(request)
        title, names, looks = setup.title, setup.names, setup.looks
        host = guests.host(request, device)
        game = rows.create(system, first, title=title, names=names, looks=looks, host=host)
        if setup.game is not None:
            pictures.copy(setup.game, game, shown)
        return guests.renew(request, redirect("share", slug=game.slug), device)
    link = address(request) + reverse("setup", args=[token])
    context = {
        "setup": setup,
        "system": system,
        "things": [*setup.given.get("objects", {}), *setup.given.get("slot_counters", {})],
        "link": link,
        "qr": qr(link) if reachable(request) else "",
        "here": in_words(request),
    }
    return render(request, "pages/setup.html", context)


@require_POST
def demo(request: HttpRequest) -> HttpResponse:
    """Lead this phone to its own copy of a demo: that of a ready game, or that of a system."""
    ready = request.POST.get("ready", "")
    shown = demos.find(request.POST.get("rules", ""), ready)
    if shown is None:
        raise Http404
    refuse_new(request)
    if ready:
        title = shown["definition"]["title"]
        shown = {**shown, "title": in_context(title, title)}
    game = demos.played(shown)
    return _hosted(request, game, "board")


@require_http_methods(["GET", "POST"])
def from_file(request: HttpRequest) -> HttpResponse:
    """Begin a game from a scenario: its opening, then all its commands."""
    text = request.POST.get("text", "")
    try:
        if "unfinished" in request.GET:
            raise SpecificationError(_("the server could not finish it"))
        if request.method == "GET":
            return render(request, "pages/from_file.html")
        text = _uploaded(request) or text
        if len(text) > MOST_BYTES:
            raise SpecificationError(_("the file is longer than two megabytes"))
        if definitions.is_definition(text):
            return definitions.shown(request, text)
        refuse_new(request, 1 + len(text) // A_TOKEN)
        return _hosted(request, imported(text))
    except SpecificationError as error:
        context = {"text": text, "why": str(error)}
        return render(request, "pages/from_file.html", context, status=422)


def _uploaded(request: HttpRequest) -> str:
    upload = request.FILES.get("file")
    if upload is None:
        return ""
    if (upload.size or 0) > MOST_BYTES:
        raise SpecificationError(_("the file is longer than two megabytes"))
    try:
        return str(upload.read().decode())
    except UnicodeDecodeError:
        raise SpecificationError(_("the file isn’t text")) from None


def _hosted(request: HttpRequest, game: Game, page: str = "share") -> HttpResponse:
    """Make the phone the host of a new game, and lead it to a *page* of it."""
    device = guests.device(request)
    game.open_for(guests.host(request, device))
    return guests.renew(request, redirect(page, slug=game.slug), device)
