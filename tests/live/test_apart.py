"""The helper process: long work apart from the tables, and what happens when it dies."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Iterator
from concurrent.futures.process import BrokenProcessPool

import pytest
from django.test import Client

from games.live import imports
from games.live.apart import Apart
from games.models import Game
from games.store import caches, demos
from games.store.caches import Cache

READ = Cache[bool](2)


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


def test_where_no_helper_can_start_the_server_does_it_itself(
    apart: Apart, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without semaphores: on a phone, or where /dev/shm may not be written to."""

    def denied(*_options: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("games.live.apart.ProcessPoolExecutor", denied)
    apart.allow()

    assert os.getpid() == apart.run(os.getpid)


def killed(server: int) -> str:
    """Dies in the helper; in the *server* it answers."""
    if os.getpid() != server:
        os.kill(os.getpid(), 9)
    return "here"


def test_the_helper_forgets_a_deleted_game_too(apart: Apart) -> None:
    apart.allow()
    for slug in ("deleted", "played"):
        apart.run(note_read, slug)

    apart.tell(caches.forget, "deleted")

    assert [False, True] == [apart.run(was_read, slug) for slug in ("deleted", "played")]


def note_read(slug: str) -> None:
    READ.keep(slug, None, True)


def was_read(slug: str) -> bool:
    return (slug, None) in READ


def test_what_kills_a_helper_for_files_is_not_tried_on_the_server() -> None:
    made = Apart(also_here=False)
    made.allow()

    with pytest.raises(BrokenProcessPool):
        made.run(killed, os.getpid())

    assert os.getpid() != made.run(os.getpid), "another helper has taken its place"
    made.close()


def test_a_file_that_takes_too_long_or_too_much_begins_nothing(
    db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = json.dumps(demos.demos()[0])
    monkeypatch.setattr(imports, "MOST_SECONDS", 0.0)

    assert "more than a minute" in Client().post("/new/file", {"text": text}).content.decode()

    monkeypatch.setattr(imports.importing, "run", broken)
    assert "could not finish it" in Client().post("/new/file", {"text": text}).content.decode()
    assert not Game.objects.exists()


def broken(*_arguments: object) -> None:
    raise BrokenProcessPool


def test_of_many_files_some_have_to_wait(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(imports, "_waiting", threading.BoundedSemaphore(1))
    text = json.dumps(demos.demos()[0])

    with imports._waiting:
        assert 429 == Client().post("/new/file", {"text": text}).status_code
    assert 302 == Client().post("/new/file", {"text": text}).status_code
