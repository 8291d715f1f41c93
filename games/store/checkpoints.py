"""States kept beside the log, so that reading it can begin near the page that is wanted.

The journal keeps one after every few hundred entries, in the transaction of the entry, and one
after an undo that reaches back further than that.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence

import orjson

from games.rules.snapshot import as_json, from_json
from games.rules.state import GameState
from games.rules.system import System

EVERY = 250
"""After so many entries a state is kept."""


def wanted(number: int, turned: Sequence[int]) -> bool:
    """Whether the state after entry *number*, which undid or redid *turned*, is kept."""
    return number % EVERY == 0 or (bool(turned) and min(turned) <= number - EVERY)


def packed(state: GameState) -> bytes:
    """*state* as bytes for a column."""
    return zlib.compress(orjson.dumps(as_json(state)), 1)


def unpacked(system: System, stored: bytes) -> GameState:
    """The opposite of `packed`."""
    return from_json(system, orjson.loads(zlib.decompress(stored)))
