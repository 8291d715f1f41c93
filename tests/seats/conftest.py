"""Tables whose running games start empty, and a session with a secret."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from games.live.table_registry import registry
from games.models import Game
from tests.types import Make


@pytest.fixture(autouse=True)
def tables(db: None) -> Iterator[None]:
    """The running tables start empty in each test."""
    yield
    registry.close()


@pytest.fixture
def session(make_game: Make) -> Game:
    """A session of Stars and Signs with a secret: Ana is its GM, Ben and Cleo play."""
    counters = {"c1": {"name": "CANARY", "type": "danger", "slots": 5, "visibility": "hidden"}}
    seats: dict[str, dict[str, str]] = {"gm": {}, "ben": {}, "cleo": {}}
    return make_game("stars-and-signs", seats=seats, slot_counters=counters)
