"""A table with many things is drawn in a thread: the others play on, and its own order stays."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.test import Client

from games.live import shown_game, table
from games.live.table_registry import registry
from games.models import Game
from games.screens.drawing import Drawing
from tests.types import Connect, Make, Sit

from .conftest import amounts, check

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def large(make_game: Make, monkeypatch: pytest.MonkeyPatch) -> Game:
    """Two rockets: more than the loop draws here."""
    monkeypatch.setattr(table, "MOST_AT_ONCE", 1)
    rocket = {"name": "Rocket", "counters": {"fuel": 4}}
    return make_game(objects={"rocket": rocket, "other": {**rocket, "name": "Other"}})


@pytest.fixture
def phone(large: Game, sit: Sit) -> Client:
    return sit(large, "ana")


class Pen:
    """Holds up what the thread draws, until it is let go."""

    def __init__(self) -> None:
        self.begun, self.go = threading.Event(), threading.Event()

    async def drawing(self) -> None:
        """Wait until something is being drawn."""
        assert await asyncio.get_running_loop().run_in_executor(None, self.begun.wait, 30)


@pytest.fixture
def pen(large: Game, monkeypatch: pytest.MonkeyPatch) -> Iterator[Pen]:
    held, changes = Pen(), shown_game.changes  # type: ignore[attr-defined]

    def slowly(drawing: Drawing, given: Any, audience: Any) -> str:
        if len(given.after.objects) > 1:
            held.begun.set()
            assert held.go.wait(30), "drawn in the loop"
        return changes(drawing, given, audience)

    monkeypatch.setattr(shown_game, "changes", slowly)
    yield held
    held.go.set()


async def test_others_play_on_while_a_large_table_is_drawn(
    connect: Connect, game: Game, ben: Client, large: Game, phone: Client, pen: Pen
) -> None:
    slow, quick = await connect(large, phone, since=0), await connect(game, ben, since=0)
    await slow.frame(), await quick.frame()
    await slow.place(id="slow")
    await pen.drawing()

    await quick.place(id="quick")

    assert (1, ["quick"]) == (await quick.frame())[:2]
    pen.go.set()
    assert (1, ["slow"]) == (await slow.frame())[:2]


async def test_commands_that_come_meanwhile_are_shown_in_order(
    connect: Connect, large: Game, phone: Client, pen: Pen
) -> None:
    hers = await connect(large, phone, since=0)
    await hers.frame()
    await hers.place(2, id="first")
    await pen.drawing()
    await hers.place(3, id="second")
    await hers.say(do="spend", on="rocket", counter="fuel", amount=99, id="third")
    newcomer = await connect(large, phone)
    board = await newcomer.frame()
    pen.go.set()
    first, second, refused = await hers.frame(), await hers.frame(), await hers.refused()

    assert [(1, ["first"]), (2, ["second"]), "third"] == [first[:2], second[:2], refused["id"]]
    assert [6, 9] == [amounts(each[2])["rocket.fuel"] for each in (first, second)]
    assert 1 == board[0]
    assert 2 == (await newcomer.frame())[0], "what its board has is not sent again"
    await check(large)


async def test_a_screen_that_was_away_gets_the_board_while_its_frame_is_drawn(
    connect: Connect, large: Game, phone: Client, pen: Pen
) -> None:
    hers = await connect(large, phone, since=0)
    await hers.frame()
    pen.go.set()
    await hers.place()
    await hers.until(1)
    pen.begun.clear()
    pen.go.clear()
    await hers.place()
    await pen.drawing()

    back = await connect(large, phone, since=0)

    assert 6 == amounts(await back.until(2))["rocket.fuel"]


async def test_a_new_name_comes_through_while_a_large_table_is_drawn(
    connect: Connect, large: Game, phone: Client, pen: Pen
) -> None:
    hers = await connect(large, phone, since=0)
    await hers.frame()
    await hers.place(id="tap")
    await pen.drawing()
    await sync_to_async(large.seats.filter(key="ana").update)(given_name="Anastasia")
    await registry.refresh(large.slug)
    await hers.frame()
    pen.go.set()
    frame, board = await hers.frame(), await hers.frame()

    assert (1, ["tap"]) == frame[:2]
    assert "Anastasia" in board[2]
    assert 5 == amounts(board[2])["rocket.fuel"]
    await check(large)
