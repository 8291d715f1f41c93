"""States kept beside the log, so that reading it can begin near the page that is wanted.

The journal keeps one after every few hundred entries, in the transaction of the entry, and one
after an undo that reaches back further than that.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence

from msgspec import json

from games.models import Checkpoint, Game
from games.rules.snapshot import as_json, from_json
from games.rules.state import GameState
from games.rules.system import System

from .sql import found, select

EVERY = 250
"""After so many entries a state is kept."""


def wanted(number: int, turned: Sequence[int]) -> bool:
    """True if the state after entry *number*, which undid or redid *turned*, is kept."""
    return number % EVERY == 0 or (bool(turned) and min(turned) <= number - EVERY)


def before(game: Game, first: int) -> Iterator[tuple[int, GameState]]:
    """The states kept of before entry *first*, as they were then, newest first."""
    using = game._state.db or "default"
    while newest := found(NEWEST, game.pk, first, using=using):
        ((first, stored),) = newest
        yield first, unpacked(game.rules, bytes(stored))


def packed(state: GameState) -> bytes:
    """*state* as bytes for a column."""
    return zlib.compress(json.encode(as_json(state)), 1)


def unpacked(system: System, stored: bytes) -> GameState:
    """The opposite of `packed`."""
    return from_json(system, json.decode(zlib.decompress(stored)))


NEWEST = (
    f'{select(Checkpoint, "number state", "game_id")} AND "number" < %s'
    ' ORDER BY "number" DESC LIMIT 1'
)
