"""A full disk: it is named, and nothing takes its last room."""

from __future__ import annotations

import errno
import json
import shutil
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.db import OperationalError

from games.live import journal_store
from games.live.journal_store import Store
from games.live.outcome import not_saved
from games.live.table_registry import registry
from games.models import Game
from games.pages import board
from games.store import demos, disk

FULL = OperationalError("database or disk is full")
NEW = {"rules": "magic", "seats": "2"}


@pytest.fixture(autouse=True)
def works() -> Any:
    yield
    disk.note(None)


@pytest.fixture
def free(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Lets so many bytes be free."""

    def leave(room: int, total: int = 0) -> None:
        usage = SimpleNamespace(free=room, total=total)
        monkeypatch.setattr(shutil, "disk_usage", lambda path: usage)

    return leave


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (FULL, True),
        (OSError(errno.ENOSPC, "No space left on device"), True),
        (type("DiskFull", (Exception,), {})("could not extend file"), True),
        (OperationalError("database is locked"), False),
        (OSError(errno.EIO, "Input/output error"), False),
    ],
)
def test_a_full_disk_is_told_from_other_failures(error: Exception, expected: bool) -> None:
    assert expected is disk.for_want_of_room(error)


def test_a_refusal_says_that_the_disk_is_full_until_a_write_succeeds(db: None) -> None:
    disk.note(FULL)
    assert "The server’s disk is full" in not_saved().message

    disk.note(None)
    assert "disk" not in not_saved().message


def test_a_server_on_a_full_disk_is_not_ready(client: Any, db: None, free: Any) -> None:
    free(disk.LEAST - 1)
    answer = client.get("/readyz")
    assert (503, b"the disk is full\n") == (answer.status_code, answer.content)

    free(disk.LEAST)
    assert 200 == client.get("/readyz").status_code


def test_a_server_found_full_is_ready_again_when_there_is_room_though_no_one_taps(
    client: Any, db: None, free: Any
) -> None:
    free(2 * disk.LEAST)  # of which a quota gives nothing
    disk.note(FULL)
    assert 503 == client.get("/readyz").status_code

    free(3 * disk.LEAST)
    assert 200 == client.get("/readyz").status_code


def test_a_failed_write_is_believed_for_a_while_only(
    db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(disk, "room", lambda: None)  # another computer's
    disk.note(FULL)
    assert disk.full()

    later = time.monotonic() + disk.BELIEVED + 1
    monkeypatch.setattr(disk.time, "monotonic", lambda: later)  # type: ignore[attr-defined]
    assert not disk.full()


@pytest.mark.parametrize("path", ["/", "/new", "/about"])
def test_every_page_says_it(client: Any, db: None, free: Any, path: str) -> None:
    free(disk.LEAST)
    assert "disk is full" not in client.get(path).content.decode()

    free(0)
    assert "The server’s disk is full" in client.get(path).content.decode()


def test_every_screen_says_it(game: Game, ana: Any, free: Any) -> None:
    free(0)
    assert "The server’s disk is full" in ana.get(f"/g/{game.slug}/").content.decode()


def test_a_page_that_could_not_be_saved_says_why(
    game: Game, ana: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*args: Any) -> None:
        raise FULL

    monkeypatch.setattr(Game, "rotate_invitation", fail)
    answer = ana.post(f"/g/{game.slug}/share/rotate")

    assert 503 == answer.status_code
    assert "The server’s disk is full" in answer.content.decode()


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(("share", "given"), [(1, False), (3, True)])
def test_the_log_gets_its_full_size_only_where_there_is_room(
    game: Game, free: Any, share: int, given: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = Store()
    opened = store._open()
    file = Path(f"{opened.settings_dict['NAME']}-wal")
    size = file.stat().st_size
    monkeypatch.setattr(journal_store, "LOG_BYTES", size + 4096)
    free(share * journal_store.LOG_BYTES)
    try:
        journal_store.make_room(opened)
        assert size + 4096 * given == file.stat().st_size
    finally:
        store.close()


GB = 10**9


@pytest.mark.parametrize(
    ("free_bytes", "total", "expected"),
    [
        (600 * 10**6, 100 * GB, False),
        (500 * 10**6, 100 * GB, True),
        (500 * 10**6, 8 * GB, False),
        (400 * 10**6 - 1, 8 * GB, True),
        (disk.LEAST, 20 * disk.LEAST, False),
        (disk.LEAST - 1, 4 * disk.LEAST, True),
    ],
)
def test_a_disk_is_nearly_full_at_a_twentieth_or_half_a_gigabyte(
    db: None, free: Any, free_bytes: int, total: int, expected: bool
) -> None:
    free(free_bytes, total)

    assert expected is disk.low()


@pytest.mark.django_db(transaction=True)
def test_a_nearly_full_server_takes_taps_and_nothing_new(
    game: Game, ana: Any, client: Any, free: Any
) -> None:
    text = json.dumps(demos.demos()[0])
    before = Game.objects.count()
    free(2 * disk.LEAST, GB)

    refused = [
        client.post("/new", NEW),
        client.post("/new/file", {"text": text}),
        client.post("/new/demo", NEW),
    ]
    place = {"do": "place", "on": "ana", "counter": "points", "amount": 1}
    tap = ana.post(f"/g/{game.slug}/command", place, "application/json")
    registry.close()

    for answer in refused:
        assert 503 == answer.status_code
        assert "This server is nearly full" in answer.content.decode()
    assert before == Game.objects.count()
    assert 204 == tap.status_code
    assert "disk is full" not in client.get("/").content.decode()


@pytest.mark.django_db(transaction=True)
def test_a_tap_by_post_that_could_not_be_saved_is_the_server_s_fault(
    game: Game, ana: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def give(*_given: Any) -> None:
        raise not_saved()

    monkeypatch.setattr(board, "give", give)
    answer = ana.post(f"/g/{game.slug}/command", {"do": "undo"}, "application/json")

    assert (503, "not-saved") == (answer.status_code, answer.json()["refused"]["code"])
