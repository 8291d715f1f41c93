"""A program opens a table, a chat bot or a club's page, by the token of the operator."""

from __future__ import annotations

import json
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.urls import reverse
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext as _

from games.live.webhook import refuse_unreachable
from games.models import Game, Visitor
from games.models.lengths import URL_LENGTH
from games.models.tokens import hashed, new_device
from games.pages.access import refuse_new
from games.pages.api.access import answers, bearer, no_token
from games.pages.api.views import read_object
from games.pages.forms import NewGame
from games.pages.home import created
from games.pages.setups import MOST_OF_A_TITLE, TITLE
from games.pages.sharing import address
from games.rules import secrecy
from games.rules.input import MOST_BYTES
from games.rules.state import Refused
from games.seats import links as seat_links
from games.seats import programs
from games.seats.guests import Guest

FIELDS = {"system": str, "definition": dict, "edition": str, "preset": str, "seats": int}
FIELDS |= {"names": list, "title": str, "webhook": str, "only_own": bool}


@answers("POST")
def games(request: HttpRequest) -> HttpResponse:
    """Create a game at which nobody sits yet; the first who opens the host link leads it."""
    if not settings.PROGRAM_TOKEN:
        raise Refused("not-found", "This server lets no program open a table.")
    if not constant_time_compare(bearer(request), settings.PROGRAM_TOKEN):
        return no_token()
    body = _checked(read_object(request, MOST_BYTES))
    refuse_new(request)
    game = _created(body)
    return JsonResponse({**_links(request, game), "token": _token(game)}, status=201)


def _checked(body: dict[str, Any]) -> dict[str, Any]:
    """The *body*, each field of its kind. Raises Refused."""
    for key, value in body.items():
        if key not in FIELDS:
            raise Refused("invalid", "“{key}” means nothing here.", None, key=key)
        if type(value) is not FIELDS[key]:
            raise Refused("invalid", "“{key}” is of another kind.", None, key=key)
    if not all(type(name) is str and "," not in name for name in body.get("names", ())):
        raise Refused("invalid", "“names” is a list of names without commas.")
    if ("system" in body) is ("definition" in body):
        raise Refused("invalid", "Say “system” or “definition”.")
    if len(body.get("webhook", "")) > URL_LENGTH:
        raise Refused("invalid", "“webhook” is no address.")
    if "webhook" in body:
        refuse_unreachable(body["webhook"])
    return body


def _created(body: dict[str, Any]) -> Game:
    """The game, as the page for a new game would make it. Raises Refused."""
    names = body.get("names", [])
    system, edition = body.get("system", "own-game"), body.get("edition", "")
    fields = {
        "rules": f"{system}/{edition}" if edition else system,
        "packed": json.dumps(body["definition"]) if "definition" in body else "",
        "preset": body.get("preset", ""),
        "seats": str(body.get("seats", max(2, len(names)))),
        "name": ",".join(names[:1]),
        "others": ",".join(names[1:]),
    }
    form = NewGame(fields)
    if not form.is_valid():
        (why, *_more) = (str(error) for errors in form.errors.values() for error in errors)
        raise Refused("invalid", why)
    game = created(form, title=TITLE.clean(body.get("title", "")[:MOST_OF_A_TITLE]))
    led = secrecy.private_log(game.rules)
    game.only_own = body.get("only_own", settings.PUBLIC) and not led
    game.webhook = body.get("webhook", "")
    game.save(update_fields=["webhook", "only_own"])
    return game


def _token(game: Game) -> str:
    """A token with which the program follows the game, as a host without a seat does."""
    role = Visitor.Role.HOST
    visitor = Visitor.objects.create(game=game, device_hash=hashed(new_device()), role=role)
    return programs.let_in(Guest(game, visitor, None), _("Opened this table"), read_only=False)[1]


def _links(request: HttpRequest, game: Game) -> dict[str, Any]:
    site = address(request)
    keys = {"invitation": ("join", game.invite_token), "watch": ("watch", game.watch_token)}
    keys["host"] = "host", game.host_token
    links = {name: site + reverse(view, args=[token]) for name, (view, token) in keys.items()}
    own = {
        key: f"{site}{reverse('seat-link')}#{its}" for key, its in seat_links.given(game).items()
    }
    return {"game": game.slug, "code": game.spoken_code, **links, "seats": own}
