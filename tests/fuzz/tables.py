"""The tables that inputs are tried on: every demo, with a phone at each seat."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

from django.db import connections
from django.test import Client

from games.live.table_registry import registry
from games.models import Game, Seat, Setup, Visitor
from games.models.tokens import hashed
from games.rules import record
from games.seats import rate_limit, requests
from games.store import demos, rows

WATCHER = "watcher"


def token(who: str) -> str:
    """The token of a phone: of the seat *who*, or of the watcher."""
    return f"the phone of {who}".replace(" ", "-").ljust(24, "-")


class Tables:
    """The demos, each at /g/<system>/, and copies of them to go back to."""

    def __init__(self) -> None:
        for made in map(demos.played, reversed(demos.demos())):
            game = Game.objects.get(pk=made.pk)
            game.slug, game.code = game.system, game.system.upper()[:8].ljust(8, "0")
            game._state.adding = True  # so that its links follow from its new name
            game.invite_hash, game.watch_hash = hashed(game.invite_token), hashed(game.watch_token)
            game.host_hash = hashed(game.host_token)
            game._state.adding = False
            game.save()
            for seat in game.seats.all():
                role = Visitor.Role.HOST if seat.host else Visitor.Role.GUEST
                game.admit(hashed(token(seat.key)), role)
                seat.claim(hashed(token(seat.key)))
            game.admit(hashed(token(WATCHER)), Visitor.Role.GUEST)
            Setup.objects.create(
                token=f"set-up-of-{game.system}", game=game, system=game.system,
                edition=game.edition, given=record.given(game.rules, rows.state(game)),
            )  # fmt: skip
        self._file = Path(connections["default"].settings_dict["NAME"])
        self._kept = self._file.with_suffix(".kept")
        self._close()
        shutil.copy(self._file, self._kept)

    def restore(self) -> None:
        """Let everything be as it was."""
        self._close()
        shutil.copy(self._kept, self._file)

    def _close(self) -> None:
        registry.close()
        connections.close_all()
        for beside in ("-wal", "-shm"):
            self._file.with_name(self._file.name + beside).unlink(missing_ok=True)


def unlimited() -> None:
    """Forget who asked how often."""
    for limit in (*rate_limit.LIMITS, requests.ASKED):
        limit.clear()


def phone(who: str) -> Client:
    """A browser with the phone of *who*; a stranger's if "" ."""
    client = Client()
    if who:
        client.cookies["device"] = token(who)
    return client


def everyone() -> Iterator[tuple[Game, Seat]]:
    """Every seat of every table."""
    for game in Game.objects.order_by("system"):
        for seat in game.seats.all():
            yield game, seat
