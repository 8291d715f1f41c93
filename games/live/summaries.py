"""The summaries of games, and the outcomes on the shelf."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from typing import Any

from django.template.loader import render_to_string

from games.models import Game
from games.rules import secrecy
from games.screens.replay.chapters import Mark, swung
from games.screens.summary.records import audience_of, note_outcome, statistics_of
from games.screens.summary.summary import Summary
from games.screens.words import words_of
from games.store.caches import Cache

from .helper import logs

SHORT = 300
"""Entries up to which a summary is less work than asking a helper for it."""
PATIENCE = 1.0
"""Seconds that a page waits for outcomes that a helper notes."""
_kept = Cache[dict[str, Any]](32)
_noting: Future[None] | None = None


def summary_of(game: Game, seat: str | None, tag: str) -> dict[str, Any]:
    """The context of *game*'s summary as far as *seat* may know; None for anyone.

    tag: changes whenever the summary does.
    """
    read = (game.slug, f"{audience_of(game, seat)} {tag}")
    found = _kept.take(*read) or drawn(game, seat)
    _kept.keep(*read, found)
    return found


def drawn(game: Game, seat: str | None) -> dict[str, Any]:
    """The context of the summary of *game*, as it stands.

    last: the last line. html: all that everyone with the same view gets. winners: names by key.
    """
    its = words_of(game.rules, game.places)
    names = {key: seat.name for key, seat in its.seats.items()}
    statistics = statistics_of(game, seat)
    summary = Summary(statistics, its, names)
    return {
        "last": statistics.last,
        "headline": summary.headline(),
        "winners": {key: names[key] for key in statistics.winners},
        "players": ", ".join(names[key] for key in names if key not in statistics.absent),
        "html": render_to_string("pages/_summary.html", summary.context()),
    }


def swings(game: Game) -> list[Mark]:
    """The biggest changes of the number that *game* is about, for its film; none among secrets."""
    return [] if secrecy.private_log(game.rules) else swung(statistics_of(game, None))


def note_outcomes(games: Sequence[int]) -> None:
    """Note the outcomes of *games*, by their keys, and keep how far their logs were counted."""
    for game in Game.objects.filter(pk__in=games):
        note_outcome(game)


def note_soon(games: Sequence[int]) -> None:
    """The same for a page: a helper does it, if there is one, and the next visit shows the rest."""
    global _noting
    if not logs.allowed:
        note_outcomes(games)
    elif _noting is None or _noting.done():
        _noting = logs.submit(note_outcomes, games)
        with suppress(TimeoutError, BrokenProcessPool):
            _noting.result(PATIENCE)
