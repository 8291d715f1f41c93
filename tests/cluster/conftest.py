"""Three servers on one PostgreSQL and one Redis."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest

from games.live.table_registry import registry
from games.models import Game
from tests.types import Make

from .processes import Cluster


@pytest.fixture(scope="module")
def cluster(
    django_db_setup: None, django_db_blocker: Any, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Cluster]:
    """Three servers, which the tests of a file share: starting them takes longer than most tests.

    Call `mend` first.
    """
    with django_db_blocker.unblock():
        servers = Cluster(tmp_path_factory.mktemp("cluster"))
        yield servers
        servers.close()


@pytest.fixture
def at_home(make_game: Make, cluster: Cluster) -> Make:
    """Make a game with a rocket, or another, that nobody hands over in the middle of a test:
    `at_home(on=2)`. on: the place of its home among the servers."""

    def make(*given: object, on: int = 0, **more: object) -> Game:
        more = more or {"objects": {"rocket": {"counters": {"fuel": 4}}}}
        return cluster.at_home(partial(make_game, *given, using="postgres", **more), on)

    return make


@pytest.fixture(autouse=True)
def tables(db: None) -> Iterator[None]:
    """Forget all running tables after each test."""
    yield
    registry.close()
