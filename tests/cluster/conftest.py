"""Three servers on one PostgreSQL and one Redis."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from games.live.table_registry import registry

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


@pytest.fixture(autouse=True)
def tables(db: None) -> Iterator[None]:
    """Forget all running tables after each test."""
    yield
    registry.close()
