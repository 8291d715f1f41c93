"""Nothing stays in memory of an evening that is deleted, nor of a phone that has gone."""

from __future__ import annotations

import gc
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.core.handlers.asgi import ASGIRequest
from django.template import Context
from django.test import Client

from countersite import pages
from games.live.table import Table
from games.live.table_registry import registry
from games.models import Game
from games.rules.entry import Entry
from games.rules.state import GameState
from games.screens.log.lines import LogLine
from games.screens.replay.evening import Evening
from games.seats.guests import COOKIE
from games.store import rows
from games.store.caches import Cache
from tests.types import Connect

from .wire import Server, Wire

pytestmark = pytest.mark.django_db(transaction=True)

OF_A_GAME = (Table, GameState, Entry, Evening, LogLine)
PAGES = ("", "log", "log?q=rocket", "log.md", "summary", "replay", "replay/1", "replay/film", "tv")


def in_memory(besides: Iterable[object] = ()) -> list[object]:
    """The values that games are made of, without some."""
    known = {id(each) for each in besides}
    return [each for each in gc.get_objects() if type(each) in OF_A_GAME and id(each) not in known]


def test_a_cache_keeps_what_was_used_last() -> None:
    cache = Cache[str](2)
    cache.keep("friday", 1, "one")
    cache.keep("friday", 2, "two")

    cache.keep("friday", 1, cache.take("friday", 1) or "lost")
    cache.keep("saturday", 1, "other")

    assert ["one", None, "other"] == [
        cache.take(slug, key) for slug, key in (("friday", 1), ("friday", 2), ("saturday", 1))
    ]


async def test_nothing_of_a_deleted_evening_stays(
    connect: Connect, game: Game, ana: Client
) -> None:
    get, post = sync_to_async(ana.get), sync_to_async(ana.post)
    gc.collect()
    before = in_memory()

    phone = await connect(game, ana, since=0)
    await phone.place()
    await phone.until(1)
    for page in PAGES:
        answer = await get(f"/g/{game.slug}/{page}")
        assert 200 == answer.status_code, page
        b"".join(answer)
    del answer
    assert {*OF_A_GAME} == {type(each) for each in in_memory(besides=before)}

    await post(f"/g/{game.slug}/delete")
    await phone.disconnect()

    assert {} == registry.tables
    gc.collect()
    assert [] == in_memory(besides=before)


def test_an_answered_page_leaves_nothing_to_the_collector(game: Game, ana: Client) -> None:
    """It comes seldom, and does not look again for an hour at what it once found in use."""
    rows.give(game, [{"do": "place", "on": "rocket", "counter": "fuel", "by": "ana"}])
    cookie = f"{COOKIE}={ana.cookies[COOKIE].value}".encode()
    scope: dict[str, Any] = {"type": "http", "method": "GET"}
    scope["headers"] = [(b"host", b"localhost"), (b"cookie", cookie)]

    def ask(path: str) -> int:
        path, _mark, query = path.partition("?")
        asked = {**scope, "path": path, "query_string": query.encode()}
        return pages.answered(asked, b"")[0]

    paths = [f"/g/{game.slug}/{page}" for page in PAGES] + ["/", "/new", "/no-such-page"]
    assert {200, 404} == {ask(path) for path in paths}, "each once, for what is kept"
    gc.collect()
    gc.disable()
    gc.set_debug(gc.DEBUG_SAVEALL)
    try:
        for path in paths:
            ask(path)
            gc.collect()
            left = {type(each) for each in gc.garbage}
            gc.garbage.clear()
            assert left.isdisjoint((ASGIRequest, Game, Context, GameState)), path
    finally:
        gc.set_debug(0)
        gc.enable()


COUNTING = """
import gc, threading, time

def count():
    while True:
        time.sleep(0.1)
        print(sum(type(each).__name__ == "Socket" for each in gc.get_objects()), flush=True)

gc.disable()
threading.Thread(target=count, daemon=True).start()
"""
"""The server says how many sockets it has in memory, and has no collector."""


def test_a_socket_that_closes_is_freed_without_the_collector(game: Game, tmp_path: Path) -> None:
    log = tmp_path / "counts"
    server = Server(before=COUNTING, log=log, COUNTERSITE_DEBUG="on")

    def comes_to(*goal: int) -> bool:
        """True if there are soon as many sockets as that."""
        for _time in range(300):
            counts = log.read_text().split()
            if counts and int(counts[-1]) in goal:
                return True
            time.sleep(0.1)
        return False

    phones = [Wire(server, game, "ana", 0, 0) for _phone in range(5)]
    assert comes_to(5)
    for phone in phones:
        phone.close()

    freed = comes_to(0, 1)  # the loop may have the last one at hand
    server.kill()
    assert freed
