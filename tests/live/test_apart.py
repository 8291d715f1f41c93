"""The helper process: long work apart from the tables, and what happens when it dies."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from games.live.apart import Apart


@pytest.fixture
def apart() -> Iterator[Apart]:
    made = Apart()
    yield made
    made.close()


def test_without_a_server_work_is_done_where_it_is(apart: Apart) -> None:
    assert os.getpid() == apart.run(os.getpid)


def test_a_server_has_it_done_elsewhere_and_here_if_the_helper_is_killed(apart: Apart) -> None:
    apart.allow()

    helper = apart.run(os.getpid)

    assert os.getpid() != helper
    assert helper == apart.run(os.getpid)
    assert 3 == apart.run(len, "abc")
    with pytest.raises(ZeroDivisionError):
        apart.run(divmod, 1, 0)
    assert "here" == apart.run(killed, os.getpid())


def killed(server: int) -> str:
    """Dies in the helper; in the *server* it answers."""
    if os.getpid() != server:
        os.kill(os.getpid(), 9)
    return "here"
