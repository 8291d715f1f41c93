"""Whatever was read of an evening, nothing of it stays in memory once it is deleted."""

from __future__ import annotations

import gc
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.test import Client

from games.live.table import Table
from games.live.table_registry import registry
from games.models import Game
from games.rules.state import GameState
from games.rules.system import Entry
from games.screens.evening import Evening
from games.screens.log.lines import LogLine
from games.screens.log.markdown import Written
from games.store.caches import Cache

pytestmark = pytest.mark.django_db(transaction=True)

OF_A_GAME = (Table, GameState, Entry, Evening, LogLine, Written)
PAGES = ("", "log", "log?q=rocket", "log.md", "summary", "replay", "replay/1", "replay/film", "tv")


def in_memory() -> Counter[str]:
    """How many values there are of what games are made of."""
    return Counter(type(each).__name__ for each in gc.get_objects() if type(each) in OF_A_GAME)


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
    dial: Callable[..., Any], game: Game, ana: Client
) -> None:
    get, post = sync_to_async(ana.get), sync_to_async(ana.post)
    gc.collect()
    before = in_memory()

    phone = await dial(game, ana, since=0)
    await phone.place()
    await phone.until(1)
    for page in PAGES:
        answer = await get(f"/g/{game.slug}/{page}")
        assert 200 == answer.status_code, page
        b"".join(answer)
    del answer
    assert {each.__name__ for each in OF_A_GAME} == {*(in_memory() - before)}

    await post(f"/g/{game.slug}/delete")
    await phone.disconnect()

    assert {} == registry.tables
    gc.collect()
    assert {} == in_memory() - before
