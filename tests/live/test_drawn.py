"""A page shows what the running table has drawn; of one that does not run, what its rows say."""

from __future__ import annotations

import re

import pytest
from asgiref.sync import sync_to_async
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from games.live import table
from games.models import Game
from games.rules import secrecy
from games.store import rows
from tests.types import Connect

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The games of which a page is made from the rows."""
    found: list[str] = []
    count = rows.count

    def noted(game: Game) -> secrecy.Count:
        found.append(game.slug)
        return count(game)

    monkeypatch.setattr(rows, "count", noted)
    return found


def shown(client: Client, game: Game) -> str:
    """A table’s page, without the tokens that are others each time."""
    page = client.get(f"/g/{game.slug}/").content.decode()
    return re.sub(r'(value|nonce)="[\w-]{20,}"', "", page)


@pytest.mark.parametrize("path", ["", "tv", "flat"])
async def test_the_page_of_a_running_table_is_what_the_table_has_drawn(
    connect: Connect, game: Game, ana: Client, ben: Client, read: list[str], path: str
) -> None:
    phone = await connect(game, ben)
    await phone.frame()
    await phone.place(3, id="tap")
    await phone.until(1)
    page = await sync_to_async(ana.get)(f"/g/{game.slug}/{path}")

    assert re.search(r'<b id="rocket.fuel">7</b>', page.content.decode())
    assert [] == read


async def test_it_is_the_page_that_its_rows_make(
    connect: Connect, game: Game, ana: Client, read: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    phone = await connect(game, ana)
    await phone.frame()
    await phone.place(3, id="tap")
    await phone.until(1)
    of_table = await sync_to_async(shown)(ana, game)
    assert [] == read
    monkeypatch.setattr(table, "MOST_AT_ONCE", 0)
    of_rows = await sync_to_async(shown)(ana, game)

    assert [game.slug] == read
    assert of_rows == of_table


def test_a_game_that_no_one_plays_is_read_from_its_rows(
    game: Game, ana: Client, read: list[str]
) -> None:
    assert "rocket.fuel" in ana.get(f"/g/{game.slug}/").content.decode()
    assert [game.slug] == read


MOST_QUERIES = 5
"""Of a page at a table that runs and is no rematch: whether the phone's token was renewed, the
game, the phone, all seats, and whether another game led here."""


async def test_a_page_of_a_running_table_asks_the_database_little(
    connect: Connect, game: Game, ana: Client
) -> None:
    phone = await connect(game, ana)
    await phone.frame()

    def asked() -> list[str]:
        with CaptureQueriesContext(connection) as found:
            ana.get(f"/g/{game.slug}/")
        return [each["sql"] for each in found]

    await sync_to_async(asked)()  # the first page of a language fills caches
    queries = await sync_to_async(asked)()

    assert 0 < len(queries) <= MOST_QUERIES, queries
