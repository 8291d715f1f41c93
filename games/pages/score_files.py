"""What leaves a game that adds up points: its sheet as a picture, and the play for BG Stats."""

from __future__ import annotations

import json
from datetime import UTC
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET

from games.models import Game
from games.pages.access import require_guest
from games.rules.state import GameState
from games.screens.cards.score_sheet import ordinal
from games.screens.fragments import printed
from games.screens.score_picture import Column, Row, ScorePicture, png
from games.screens.secrets import seen_state
from games.screens.words import words_of
from games.seats.guests import Guest
from games.systems import presentation_of
from games.systems.controls import Scores

BG_STATS = "https://app.bgstatsapp.com/createPlay.html"
"""Where BG Stats takes a play from other programs, as JSON in `data`."""


@require_GET
@require_guest
def picture(request: HttpRequest, guest: Guest) -> HttpResponse:
    """The score sheet as a picture."""
    game, state = guest.game, seen_state(guest.game, guest.key)
    answer = HttpResponse(png(_picture(game, state, _sheet(game, state))), content_type="image/png")
    answer["Content-Disposition"] = f'inline; filename="{game.system}-{game.slug[:4]}.png"'
    answer["Cache-Control"] = "private, no-cache"
    return answer


@require_GET
@require_guest
def bg_stats(request: HttpRequest, guest: Guest) -> HttpResponse:
    """Lead to BG Stats with the play."""
    game, state = guest.game, seen_state(guest.game, guest.key)
    play = json.dumps(_play(game, state, _sheet(game, state)), ensure_ascii=False)
    return redirect(f"{BG_STATS}?{urlencode({'data': play})}")


def _sheet(game: Game, state: GameState) -> Scores:
    sheet = presentation_of(game.rules).story.scores(game.rules, state)
    if sheet is None or not sheet.lines:
        raise Http404
    return sheet


def _picture(game: Game, state: GameState, sheet: Scores) -> ScorePicture:
    its = words_of(game.rules)
    names, places = game.names, game.places
    winners = [names[seat] for seat in state.winners]
    title = str(game)
    if winners:
        sentence = ngettext("{who} wins {game}", "{who} win {game}", len(winners))
        title = sentence.format(who=", ".join(winners), game=title)
    columns = tuple(
        Column(
            " & ".join(names[each] for each in sheet.players(seat)),
            places[seat].letter,
            places[seat].colour,
            places[seat].emblem,
            str(printed(total.amount)),
            ordinal(total.place) if total.place else "",
            seat in state.winners,
        )
        for seat, total in zip(sheet.seats, sheet.sums, strict=True)
    )
    rows = tuple(
        Row(
            its.kind(line.head)
            if isinstance(line.head, str)
            else _("round {n}").format(n=line.head),
            tuple("" if each.amount is None else str(printed(each.amount)) for each in line.cells),
            line.counts,
            line.sort == "follows",
        )
        for line in sheet.lines
    )
    day = date_format(localtime(game.created), "DATE_FORMAT")
    return ScorePicture(title, day, columns, rows, its.kind(sheet.kind))


def _play(game: Game, state: GameState, sheet: Scores) -> dict[str, object]:
    """The play as BG Stats reads it."""
    return {
        "sourceName": "Countersite",
        "sourcePlayId": game.slug,
        "playDate": game.created.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S"),
        "game": {"name": str(game.rules.title), "highestWins": sheet.best != "lowest"},
        "players": [
            {
                "name": game.names[player],
                "sourcePlayerId": player,
                "score": str(total.amount),
                "winner": player in state.winners,
                **({"rank": total.place} if total.place else {}),
            }
            for seat, total in zip(sheet.seats, sheet.sums, strict=True)
            for player in sheet.players(seat)
        ],
    }
