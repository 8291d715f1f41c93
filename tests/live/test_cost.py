"""What a tap costs, counted and not timed: calls of this project's functions."""

from __future__ import annotations

import sys
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from asgiref.sync import sync_to_async

import games
from games.models import Game

pytestmark = pytest.mark.django_db(transaction=True)

OURS = str(Path(games.__file__).parent)
WARM, COUNTED = 6, 30
MOST = 148
"""The calls of one tap on a table of three phones: 141 when this was written."""


class Calls:
    """Counts the calls of functions in `games/` that are made in this thread meanwhile."""

    count = 0

    def __call__(self, frame: FrameType, event: str, _argument: object) -> None:
        if event == "call" and frame.f_code.co_filename.startswith(OURS):
            self.count += 1

    def __enter__(self) -> Calls:
        sys.setprofile(self)
        return self

    def __exit__(self, *_error: object) -> None:
        sys.setprofile(None)


@pytest.fixture
def table(make_game: Any, sit: Any, dial: Any) -> Any:
    """Tap at a table with so many things, seen by three phones: the calls of one tap."""

    async def tapped(things: int) -> float:
        cards = {
            f"thing-{n}": {"name": f"Thing {n}", "counters": {"fuel": n}} for n in range(things)
        }
        game: Game = await sync_to_async(make_game)(objects=cards)
        phones = []
        for seat in ("ana", "ben", "cleo"):
            phones.append(await dial(game, await sync_to_async(sit)(game, seat), since=0))
            await phones[-1].frame()

        async def tap(n: int) -> None:
            await phones[n % 3].place(on=f"thing-{n % 2}", id=f"tap-{n}")
            for phone in phones:
                await phone.frame()

        for n in range(WARM):
            await tap(n)
        with Calls() as calls:
            for n in range(WARM, WARM + COUNTED):
                await tap(n)
        return calls.count / COUNTED

    return tapped


async def test_a_tap_makes_no_more_calls_than_it_did(table: Any) -> None:
    assert await table(3) <= MOST


async def test_a_tap_on_a_full_table_costs_what_it_costs_on_an_empty_one(table: Any) -> None:
    few, many = await table(3), await table(300)

    assert many <= few * 1.05
