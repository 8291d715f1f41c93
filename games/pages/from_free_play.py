"""Rules for a game that is played without any: it goes on as a game of the table's own."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods
from msgspec.structs import replace

from games.live import table_registry as tables
from games.models import Game
from games.pages import definitions, rematch
from games.pages.access import require_guest
from games.rules.state import Refused
from games.screens import view_models
from games.seats import hosts
from games.seats.guests import Guest
from games.store import rows


@require_http_methods(["GET", "POST"])
@require_guest
def give_rules(request: HttpRequest, guest: Guest) -> HttpResponse:
    """Say how the game would go on; by POST, let it, and lead its host to the rules."""
    if not hosts.leads(guest) or guest.seat is None:
        raise Refused("forbidden", _("Only the host can give this game rules."))
    if not may_adopt(guest.game):
        raise Http404
    if request.method == "GET":
        definition, _given = _adopted(guest.game)
        return render(
            request,
            "pages/give_rules.html",
            {
                "game": guest.game,
                "numbers": [each["kind"] for each in definition["numbers"]],
                "ticks": bool(rows.state(guest.game).parts.get("ticks")),
            },
        )
    anew = adopt(guest.game)
    tables.end(guest.game.slug)
    return redirect("change-rules", slug=anew.slug)


def may_adopt(game: Game) -> bool:
    """True if *game* has no rules and goes on without teams, which no rules of a table know."""
    return not game.rules.rulebook.rules and not game.teams and hosts.under_way(game)


def _adopted(game: Game) -> tuple[dict[str, Any], dict[str, Any]]:
    system, state = game.rules, rows.state(game)
    hero = view_models.panel(system, state, next(iter(state.seats))).hero
    writes = definitions.writable().defined
    assert writes is not None
    assert writes.adopted is not None
    return writes.adopted(state, str(game), hero.kind if hero else "")


def adopt(game: Game) -> Game:
    """The game that goes on by rules of its own, with everyone and everything at *game*."""
    with transaction.atomic():
        game = Game.objects.select_for_update().get(pk=game.pk)
        if game.followed_by:
            return game.newest
        definition, given = _adopted(game)
        system = definitions.written(definition).system
        first = system.opening(system, given, {"definition": definition})
        first = replace(first, notes=rows.state(game).notes)
        anew = rows.create(
            system,
            first,
            title=game.title or system.title,
            names=game.given_names,
            looks=game.looks,
        )
        rematch.bring_along(game, anew)
        game.followed_by = anew
        game.save(update_fields=["followed_by"])
    return anew
