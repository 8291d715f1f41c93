"""Exports: the game as a scenario, and the state for other programs.

Each contains only what this phone may see. A scenario holds the whole game, so in a game with
secrets only someone who sees everything can export it.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from games.models import Game
from games.models.tokens import hashed
from games.pages.access import require_guest
from games.pages.parts import download, unless_known
from games.rules import record, secrecy
from games.rules.state import GameState, Refused
from games.rules.system import System
from games.screens import chairs, view_models
from games.screens.document import SCHEMA, about, shown
from games.screens.secrets import seen_state
from games.screens.words import words_of
from games.seats import hosts
from games.seats.guests import Guest
from games.store import rows
from games.systems import presentation_of
from games.systems.controls import Panel, Stepper

FORMAT = 1
"""The version of the file: raised when the same game would be written differently."""


@require_GET
@require_guest
def as_scenario(request: HttpRequest, guest: Guest) -> HttpResponse:
    """The whole game as a scenario, which `rulecheck` replays to the same state.

    304 if nothing has changed since.
    """
    if not hosts.sees_everything(guest):
        raise Refused("forbidden", _("Only the GM can download the whole game."))
    game = guest.game
    history = rows.history(game)
    if not hosts.rested(game) and secrecy.hides(history, guest.key):
        sentence = _(
            "The whole game names face-down cards of others. Download it when the game is over and"
            " nobody has tapped for ten minutes."
        )
        raise Refused("forbidden", sentence)

    def made() -> HttpResponse:
        written = record.written(history, f"{game.system}-{game.slug}", str(game))
        written["names"] = game.given_names
        return download("".join(_lines(written)), dated(game, "json"), "application/json")

    tag = f"{FORMAT}-{game.number}-{_called(str(game), game.given_names)}"
    return unless_known(request, tag, made)


def dated(game: Game, ending: str) -> str:
    """The name of a file about the whole of a game."""
    day = timezone.localtime(game.created).strftime("%Y-%m-%d")
    return f"{game.system}-{day}-{game.slug[:4]}.{ending}"


@require_GET
@require_guest
def state(request: HttpRequest, guest: Guest) -> HttpResponse:
    """The game as this phone may see it now, as JSON; 304 if nothing has changed since."""
    return state_for(request, guest.game, guest.key)


@require_GET
@require_guest
def scores(request: HttpRequest, guest: Guest) -> HttpResponse:
    """What players have, as a table for other programs: by rounds where a game is counted in them,
    else their numbers."""
    game, state = guest.game, seen_state(guest.game, guest.key)
    if not has_scores(game.rules):
        raise Http404
    answer = download("", f"{game.system}-{game.slug[:4]}.csv", "text/csv; charset=utf-8")
    csv.writer(answer).writerows(_sheet(game, state))
    return answer


def has_scores(system: System) -> bool:
    """True if a table file says what players of this game have: tables wrote what is counted."""
    return bool(system.defined and presentation_of(system).board.always_shown)


def _sheet(game: Game, state: GameState) -> Iterator[Sequence[Any]]:
    its = words_of(game.rules)
    presentation, names = presentation_of(game.rules), game.names
    if sheet := presentation.story.scores(game.rules, state):
        rounds = all(line.sort == "round" for line in sheet.lines)
        yield [
            _("round") if rounds else "",
            *(
                _cell(" & ".join(names[each] for each in sheet.players(seat)))
                for seat in sheet.seats
            ),
        ]
        for line in sheet.lines:
            head = line.head if line.sort == "round" else _cell(its.kind(str(line.head)))
            yield [head, *(each.amount for each in line.cells)]
        yield [_("sum"), *(each.amount for each in sheet.sums)]
        return
    seats = [seat for seat in state.seats if seat not in chairs.absent(state)]
    yield ["", *(_cell(names[seat]) for seat in seats)]
    amounts = [_numbers(view_models.panel(game.rules, state, seat)) for seat in seats]
    for number in presentation.board.always_shown:
        yield [_cell(its.kind(number)), *(counted.get(number, 0) for counted in amounts)]


def _numbers(shown: Panel) -> dict[str, int]:
    """The numbers of a panel, by their kinds."""
    found = (shown.hero, *shown.places)
    return {each.kind: each.amount for each in found if isinstance(each, Stepper)}


def _cell(name: str) -> str:
    """A name in a spreadsheet, which would take one that begins with a sign for a formula."""
    return f"'{name}" if name[:1] in "=+-@\t\r" else name


def state_for(request: HttpRequest, game: Game, seat: str | None) -> HttpResponse:
    """The document of *game* as *seat* sees it; 304 if *request* brings its ETag."""
    names = game.names
    number = rows.number_for(game, seat)
    facts = {**about(game), "number": number, "seat": seat, "names": names}

    def document() -> HttpResponse:
        state = shown(game.rules, seen_state(game, seat), seat)
        return JsonResponse({**facts, "state": state})

    tag = f"{SCHEMA}-{number}-{seat or ''}-{_called(game.title, names)}"
    # A 304 has the same; the middleware that packs adds it only to what has a body.
    answer = unless_known(request, tag, document)
    answer["Vary"] = "Cookie, Accept-Encoding"
    return answer


def _called(title: str, names: Mapping[str, str]) -> str:
    """Part of a tag: what a game and its seats are called can change without an entry."""
    return hashed(json.dumps([title, names]))[:12]


def _lines(written: Mapping[str, Any]) -> Iterator[str]:
    """A file with the scenario *written*, one command a line."""
    for number, (key, value) in enumerate(written.items()):
        yield f'{"," if number else "[{"}\n "{key}": '
        if key == "when":
            commands = (f"\n  {msgspec.json.encode(command).decode()}" for command in value)
            yield f"[{','.join(commands)}\n ]"
        else:
            yield msgspec.json.encode(value).decode()
    yield "\n}]\n"
