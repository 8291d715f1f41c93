"""The helper process: long work apart from the tables, and what happens when it dies."""

from __future__ import annotations

import json
import multiprocessing
import os
import time
from collections.abc import Iterator
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

import pytest
from django.test import Client

from games.live import imports
from games.live.helper import Helper
from games.models import Game
from games.store import caches, demos
from games.store.caches import Cache

READ = Cache[bool](2)


@pytest.fixture
def helper() -> Iterator[Helper]:
    made = Helper()
    made.allow()
    yield made
    made.close()


def test_work_is_done_elsewhere_and_by_another_process_if_the_first_is_killed(
    helper: Helper,
) -> None:
    first = helper.submit(os.getpid).result()

    assert os.getpid() != first
    assert first == helper.submit(os.getpid).result()
    with pytest.raises(ZeroDivisionError):
        helper.submit(divmod, 1, 0).result()
    with pytest.raises(BrokenProcessPool):
        helper.submit(os._exit, 1).result()
    assert first != helper.submit(os.getpid).result()


def test_it_starts_only_when_there_is_work(helper: Helper) -> None:
    before = multiprocessing.active_children()  # of tests that ran in this process

    assert not helper.started
    assert before == multiprocessing.active_children()


def test_it_is_warmed_once_before_there_is_work(helper: Helper, tmp_path: Path) -> None:
    for name in ("first", "second"):
        helper.warm(os.mkdir, tmp_path / name)
    helper.submit(os.getpid).result()

    assert ["first"] == [path.name for path in tmp_path.iterdir()]


def test_where_no_helper_can_start_none_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without semaphores: on a phone, or where /dev/shm may not be written to."""

    def denied(*_options: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("games.live.helper.ProcessPoolExecutor", denied)
    made = Helper()
    made.allow()

    assert not made.allowed


def test_it_ends_with_the_server_whatever_it_does(helper: Helper) -> None:
    helper.submit(os.getpid).result()
    busy = helper.submit(time.sleep, 600)
    (process,) = multiprocessing.active_children()

    helper.close()

    process.join(10)
    assert not process.is_alive()
    assert isinstance(busy.exception(10), BrokenProcessPool)


def test_it_forgets_a_deleted_game_too(helper: Helper) -> None:
    for slug in ("deleted", "played"):
        helper.submit(note_read, slug)

    helper.submit(caches.forget, "deleted")

    assert [False, True] == [
        helper.submit(was_read, slug).result() for slug in ("deleted", "played")
    ]


def note_read(slug: str) -> None:
    READ.keep(slug, None, True)


def was_read(slug: str) -> bool:
    return (slug, None) in READ


def test_a_file_that_takes_too_long_begins_nothing(
    db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = json.dumps(demos.demos()[0])
    monkeypatch.setattr(imports, "MOST_SECONDS", 0.0)

    assert "more than a minute" in Client().post("/new/file", {"text": text}).content.decode()
    assert not Game.objects.exists()
