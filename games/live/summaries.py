"""The summaries of games, counted and drawn once whoever reads them, and apart from the tables."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from functools import cache
from typing import Any

from django.template.loader import render_to_string
from django.utils import translation

from games.live.apart import apart
from games.models import Game
from games.screens.chapters import Mark, swung
from games.screens.log.counted import audience_of, statistics_of
from games.screens.log.outcomes import note_outcome
from games.screens.log.summary import Summary
from games.screens.looks import seated
from games.screens.words import speaking
from games.store.caches import Cache
from games.systems import presentation_of

MOST_KEPT = 32
"""Summaries kept in memory."""
SHORT = 300
"""Entries up to which a summary is less work than asking for it elsewhere."""

Read = tuple[str, str]
"""What was read: a game, and the tag of what its reader gets."""


class Summaries:
    """The summaries that were read last."""

    def __init__(self) -> None:
        self._kept = Cache[dict[str, Any]](MOST_KEPT)
        self._drawing: dict[Read, threading.Lock] = {}
        self._lock = threading.Lock()

    def of(self, game: Game, seat: str | None, tag: str) -> dict[str, Any]:
        """The context of *game*'s summary as far as *seat* may know; None for anyone.

        tag: changes whenever the summary does. Of several readers at once, one does the work and
        the others wait.
        """
        read = (game.slug, f"{audience_of(game, seat)} {tag}")
        with self._lock:
            turn = self._drawing.setdefault(read, threading.Lock())
        try:
            with turn:
                found = self._kept.take(*read) or _drawn(game, seat, translation.get_language())
                self._kept.keep(*read, found)
        finally:
            with self._lock:
                self._drawing.pop(read, None)
        return found


def _drawn(game: Game, seat: str | None, language: str | None) -> dict[str, Any]:
    if game.number > SHORT:
        return apart.run(drawn, game.pk, seat, language)
    with apart.here:
        return drawn(game.pk, seat, language)


def drawn(pk: int, seat: str | None, language: str | None) -> dict[str, Any]:
    """The context of the summary of the game with that key, as it stands.

    last: the last line. html: all that everyone with the same view gets. winners: names by key.
    """
    game = Game.objects.get(pk=pk)
    places = cache(lambda: game.places)
    with translation.override(language), speaking(game.rules), seated(places):
        names = game.names
        statistics = statistics_of(game, seat)
        summary = Summary(statistics, presentation_of(game.rules), names)
        return {
            "last": statistics.last,
            "headline": summary.headline(),
            "winners": {key: names[key] for key in statistics.winners},
            "players": ", ".join(names.values()),
            "html": render_to_string("pages/_summary.html", summary.context()),
        }


def swings(game: Game) -> list[Mark]:
    """The biggest changes of the number that *game* is about, for its film; none among secrets."""
    if game.rules.view is not None:
        return []
    if game.number > SHORT:
        return apart.run(_swings, game.pk)
    with apart.here:
        return _swings(game.pk)


def _swings(pk: int) -> list[Mark]:
    return swung(statistics_of(Game.objects.get(pk=pk), None))


def note_outcomes(games: Sequence[int]) -> None:
    """Note the outcomes of *games*, by their keys, and keep how far their logs were counted."""
    for game in Game.objects.filter(pk__in=games):
        note_outcome(game)


summaries = Summaries()
"""The one store of this process."""
