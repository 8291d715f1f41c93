"""Rules that people wrote: passed on by a link that holds them, by a code or as a file.

Whatever comes from elsewhere is shown before anything is played by it, and checked as what is
written here.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST
from msgspec import Struct

from games.models import Game, Setup
from games.models.tokens import derived
from games.pages.access import refuse_new, require_guest
from games.pages.parts import download
from games.pages.sharing import address, in_words, qr, reachable
from games.rules.input import (
    MOST_BYTES,
    TooLong,
    hidden_in,
    packed,
    read_json,
    unpacked,
    wrong_json,
)
from games.rules.state import Refused
from games.rules.system import Defined, System
from games.screens.templates import find as find_template
from games.screens.words import PLAIN, words_of
from games.seats import hosts
from games.seats.guests import Guest
from games.systems import SYSTEMS, presentation_of, presets

MOST_TYPED = 200_000
MOST_IN_QR = 1_750
"""Characters of a link that a phone still reads from another one's screen."""
STEP = re.compile(r"(\w+)(?:\[(\d+)\])?")


class Unreadable(ValueError):
    """A posted text that is no game. why: the reason in words. text: as posted."""

    def __init__(self, why: str, text: str) -> None:
        super().__init__(why)
        self.why, self.text = why, text


class Written(Struct, frozen=True):
    """Rules that people wrote.

    system: what they make. definition: their JSON. packed: the same as a word.
    """

    system: System
    definition: Mapping[str, Any]
    packed: str


def writable() -> System:
    """The system whose rules people write from nothing."""
    return next(each[0] for each in SYSTEMS.values() if each[0].defined and each[0].defined.schema)


def _writable() -> Iterator[Defined]:
    """The languages in which tables write rules."""
    yield from (each[0].defined for each in SYSTEMS.values() if each[0].defined)


def _made_by(definition: Any) -> System:
    """The system that *definition* is of: one that can play by it, else where people write most."""
    for newest, *_older in SYSTEMS.values():
        if newest.defined and newest.defined.fault(definition) is None:
            return newest
    return writable()


def written(definition: Any, text: str = "") -> Written:
    """The game that *definition* makes. Raises Unreadable, with the place of the first fault."""
    for each in _writable():
        definition = each.current(definition)
    system = _made_by(definition)
    assert system.defined is not None
    place = system.defined.fault(definition)
    if place is not None:
        said = [", ".join(in_order(place)), PLAIN.phrase(system.defined.advice(definition))]
        where = ": ".join(filter(None, said)) or _("it is too large, or says nothing of a game")
        raise Unreadable(
            _unplayable(where), text or json.dumps(definition, ensure_ascii=False)[:MOST_TYPED]
        )
    made = system.of_table({"definition": definition})
    return Written(made, definition, packed(definition))


def in_order(place: str) -> Iterator[str]:
    """The steps of a place of a definition in words: "rule 4", "its action 1", "of"."""
    words = {
        "rules": _("rule %(n)s"),
        "numbers": _("number %(n)s"),
        "things": _("thing %(n)s"),
        "do": _("its action %(n)s"),
        "then": _("what follows, action %(n)s"),
    }
    for name, n in STEP.findall(place):
        if n and name in words:
            yield words[name] % {"n": int(n) + 1}
        else:
            yield f"“{name}”" + (f" {int(n) + 1}" if n else "")


def parsed(text: str) -> Written:
    """The game in *text*: a link, the word in it, or JSON. Raises Unreadable."""
    said = text.strip("\ufeff \t\r\n")
    if not said:
        raise Unreadable(_("Paste the link of a game, or choose its file."), "")
    try:
        said = said if said.startswith(("{", "[")) else unpacked(said.rpartition("#")[2])
    except TooLong:
        raise Unreadable(_too_large(), "") from None
    except ValueError:
        raise Unreadable(_("This link is not whole. Ask for it again."), "") from None
    try:
        definition = read_json(said)
    except ValueError:
        raise Unreadable(_unplayable(wrong_json(said)), said) from None
    if hidden := hidden_in(said):
        raise Unreadable(_unplayable(hidden), said)
    return written(definition, said)


def _unplayable(why: str) -> str:
    return _("This game can’t be played: %(where)s.") % {"where": PLAIN.phrase(why)}


def _too_large() -> str:
    return _("This game is too large: %(n)s KB is the most.") % {"n": MOST_BYTES // 1024}


def is_definition(text: str) -> bool:
    """True if *text* is the JSON of rules rather than of a game that was played."""
    try:
        found = read_json(text)
    except ValueError:
        return False
    return type(found) is dict and "title" in found and not {"when", "given", "system"} & {*found}


@require_http_methods(["GET", "POST"])
def shared(request: HttpRequest) -> HttpResponse:
    """A game that somebody sent: the page reads it from its own address, where no server sees it.

    By POST the page has it read, and shows it. Nothing is stored.
    """
    if request.method == "GET":
        return render(request, "pages/sent.html")
    text = request.POST.get("text", "")
    upload = request.FILES.get("file")
    if upload is not None:
        text = upload.read(MOST_TYPED + 1).decode(errors="replace")
    return shown(request, text)


def shown(request: HttpRequest, text: str) -> HttpResponse:
    """The page of the game in *text*, or why it is none (422)."""
    try:
        if len(text) > MOST_TYPED:
            raise Unreadable(_too_large(), "")
        return of_game(request, parsed(text))
    except Unreadable as refused:
        context = {"why": refused.why, "text": refused.text}
        return render(request, "pages/sent.html", context, status=422)


def of_game(request: HttpRequest, it: Written, table: Game | None = None) -> HttpResponse:
    """The page that shows a game before it is played, or to those at its *table*."""
    system = it.system
    draft = presentation_of(system).new_game.draft
    assert draft is not None
    least, most = presets.presets(system)[0].seats
    context = {
        "system": system,
        "packed": it.packed,
        "written": it.definition,
        "draft": draft({}, it.definition),
        "least": least,
        "most": most,
        "counts": range(least, min(most, 8) + 1),
        "seats": presets.usual_seats(system),
        "table": table,
        "its": words_of(system),
    }
    return render(request, str(find_template(system, "pages/shared.html").name), context)


@require_POST
def share(request: HttpRequest) -> HttpResponse:
    """Pass a game on: the link that holds it, with its QR code, or its file.

    A link too long for a QR code gives way to a code: the server keeps the game, once for all who
    share it. If the server takes nothing new, the long link remains.
    """
    try:
        it = _posted(request)
    except Unreadable as refused:
        return render(request, "pages/sent.html", {"why": refused.why}, status=422)
    here, setup = address(request), None
    link = f"{here}{reverse('shared-game')}#{it.packed}"
    if len(link) > MOST_IN_QR:
        with suppress(Refused):
            refuse_new(request)
            setup = kept(it)
            link = here + reverse("setup", args=[setup.token])
    pictured = reachable(request) and len(link) <= MOST_IN_QR
    context = {
        "title": it.system.title,
        "packed": it.packed,
        "link": link,
        "shown": link.partition("://")[2],
        "qr": qr(link, error="l") if pictured else "",
        "setup": setup,
        "here": in_words(request),
        "its": words_of(it.system),
    }
    return render(request, "pages/pass_on.html", context)


def _posted(request: HttpRequest) -> Written:
    """The game in a posted text, or in the fields of the page where it is written."""
    if "definition" not in request.POST:
        return parsed(request.POST.get("text", "")[:MOST_TYPED])
    draft = presentation_of(writable()).new_game.draft
    assert draft is not None
    return written(draft(request.POST, None).settings["definition"])


@require_POST
def downloaded(request: HttpRequest) -> HttpResponse:
    """A game's definition as a file."""
    try:
        return as_file(parsed(request.POST.get("text", "")[:MOST_TYPED]))
    except Unreadable as refused:
        return render(request, "pages/sent.html", {"why": refused.why}, status=422)


def as_file(it: Written) -> HttpResponse:
    written = json.dumps(it.definition, ensure_ascii=False, indent=2)
    name = slugify(it.system.title) or "game"
    return download(written, f"{name}.json", "application/json")


def kept(it: Written) -> Setup:
    """The set-up that holds these rules and nothing else."""
    setup, _new = Setup.objects.get_or_create(
        token=derived("rules", it.packed)[:32],
        defaults={
            "title": it.system.title,
            "system": it.system.name,
            "edition": it.system.edition,
            "settings": {"definition": it.definition},
            "given": {},
        },
    )
    return setup


def of_table(guest: Guest) -> Written:
    """The rules of a table that wrote them. Raises Http404 for any other."""
    if guest.game.rules.defined is None:
        raise Http404
    settings = guest.game.settings
    if "definition" not in settings:
        raise Http404
    return written(settings["definition"])


@require_GET
@require_guest
def pass_on(request: HttpRequest, guest: Guest) -> HttpResponse:
    """The rules of this table, for everyone there to keep and to pass on."""
    it = of_table(guest)
    if not hosts.sees_everything(guest):
        raise Refused("forbidden", _("Only the GM can pass these rules on."))
    if "file" in request.GET:
        return as_file(it)
    return of_game(request, it, table=guest.game)


@require_GET
def schema(request: HttpRequest) -> HttpResponse:
    """What a definition may be, as JSON Schema."""
    defined = writable().defined
    if defined is None or defined.schema is None:
        raise Http404
    return JsonResponse(defined.schema())
