"""On a slow disk, and while another program holds the file, everything but saving goes on."""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from http.client import HTTPConnection
from types import SimpleNamespace

import pytest
from django.db import connection

from games.live import journal_store
from games.live.journal_store import Held, begin
from games.models import Game
from games.models.tokens import hashed, new_device
from games.store import rows

from .wire import Server, Wire, frame, tap

pytestmark = pytest.mark.django_db(transaction=True)

COMMIT = 0.5
"""Seconds."""
SLOW_DISK = f"""
import functools, sqlite3, time

class Cursor(sqlite3.Cursor):
    def execute(self, sql, *values):
        if sql == "COMMIT":
            time.sleep({COMMIT})
        return super().execute(sql, *values)

class Connection(sqlite3.Connection):
    def cursor(self, factory=Cursor):
        return super().cursor(factory)

    def commit(self):
        time.sleep({COMMIT} if self.in_transaction else 0)
        super().commit()

sqlite3.connect = sqlite3.dbapi2.connect = functools.partial(sqlite3.connect, factory=Connection)
"""
SERVER = {"before": SLOW_DISK, "COUNTERSITE_DEBUG": "on"}


@pytest.fixture
def other(game: Game) -> Game:
    return rows.create(game.rules, rows.opening(game), title="Another game")


def took(server: Server, path: str, token: str = "") -> float:
    """The seconds until a page is answered."""
    began = time.monotonic()
    with closing(HTTPConnection("127.0.0.1", server.port, timeout=120)) as connection:
        connection.request("GET", path, headers={"Cookie": f"device={token}"} if token else {})
        assert 200 == connection.getresponse().status
    return time.monotonic() - began


@contextmanager
def tapping(phone: Wire, number: int) -> Iterator[None]:
    """Let a phone tap on from entry *number*, so that there is always something to commit; in the
    end, everything is."""
    over, taps = threading.Event(), []

    def tap_on() -> None:
        while not over.wait(COMMIT / 10):
            phone.send(frame(tap()))
            taps.append(phone)

    finger = threading.Thread(target=tap_on)
    finger.start()
    try:
        yield
    finally:
        over.set()
        finger.join()
        phone.until(number + len(taps))


def test_the_other_games_go_on(server: Server, game: Game, other: Game) -> None:
    token = new_device()
    other.admit(hashed(token), "guest")
    other.seats.get(key="ben").claim(hashed(token))
    ana, ben = Wire(server, game, "ana", 0, 0), Wire(server, other, "ben", 0, 0, token)
    for n in range(3):  # until the server has seen how slow the disk is
        ana.send(frame(tap()))
        ana.until(n + 1)
    took(server, f"/g/{other.slug}/", token)  # its first visit loads templates

    with tapping(ana, 3):
        pages = [took(server, f"/g/{other.slug}/", token) for _page in range(4)]
        checks = [took(server, "/livez") for _check in range(4)]
        began = time.monotonic()
        ben.send(frame(tap()))
        ben.until(1)
        tapped = time.monotonic() - began

    assert COMMIT > sorted(pages)[2]
    assert COMMIT > sorted(checks)[2]
    assert tapped < 4 * COMMIT, "it waits for the commit that is under way, and for its own"
    for each in (game, other):
        rows.check(each)
    ana.close()
    ben.close()


@pytest.fixture
def quick() -> Iterator[Server]:
    """A server on a disk that is not slow."""
    running = Server(COUNTERSITE_DEBUG="on")
    yield running
    running.kill()


@contextmanager
def held_by_another_program() -> Iterator[None]:
    """SQLite's file as a virus scanner or a shell holds it: nobody else writes."""
    with closing(sqlite3.connect(connection.settings_dict["NAME"], isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield
        other.execute("ROLLBACK")


@pytest.mark.parametrize("taps_before", [0, 1])
def test_a_file_that_another_program_holds_holds_nobody_but_the_tap(
    quick: Server, game: Game, taps_before: int
) -> None:
    ana = Wire(quick, game, "ana", 0, 0)
    for n in range(taps_before):
        ana.send(frame(tap()))
        ana.until(n + 1)
    took(quick, "/livez")
    usual = [took(quick, "/livez") for _check in range(5)]

    with held_by_another_program():
        ana.send(frame(tap()))
        waited = [took(quick, "/livez") for _check in range(5)]

    ana.until(taps_before + 1)
    assert max(waited) < 0.3 + 4 * max(usual), "what the machine needs anyway, and 0.3 seconds"
    rows.check(game)
    ana.close()


def test_the_loop_waits_fifty_milliseconds_for_another_program(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    slept: list[float] = []
    clock = SimpleNamespace(monotonic=lambda: sum(slept), sleep=slept.append)
    monkeypatch.setattr(journal_store, "time", clock)
    with closing(sqlite3.connect(connection.settings_dict["NAME"], isolation_level=None)) as ours:
        ours.execute("PRAGMA busy_timeout = 0")
        with held_by_another_program():
            with pytest.raises(Held):
                begin(ours, waits=False)
            assert 0.05 <= sum(slept) < 0.051
        begin(ours, waits=False)
        ours.execute("ROLLBACK")
