"""The site in a browser's tab: its machine, its door, and the folder of `countersite tab`."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from pathlib import Path

import pytest

from countersite.tab.one_thread import Inline, Loop
from tests.house import ROOT


def evening(*args: str) -> str:
    """Play one in a process of its own, which chooses its machine at the start."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.evening_in_a_tab", *args],
        cwd=ROOT,
        env={**os.environ, "COUNTERSITE_DEBUG": "on"},
        capture_output=True,
        text=True,
        timeout=200,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_two_tabs_play_on_one_thread_and_find_their_table_again(tmp_path: Path) -> None:
    of = "https://ana.example/games/", str(tmp_path)
    _table, slug, television = evening(*of).split()

    assert (television, evening(*of, slug).strip()) == ("200", "still there")


def test_what_is_asked_of_the_loop_within_its_own_callback_is_answered_there() -> None:
    loop, pool, seen = Loop(), Inline(3), list[str]()

    async def told() -> str:
        await asyncio.sleep(0.001)
        seen.append("told")
        return "yes"

    def page() -> str:
        return loop.ask(told)()

    async def request() -> None:
        seen.append(await loop.run_in_executor(pool, page))

    async def meanwhile() -> None:
        seen.append("meanwhile")

    tasks = [loop.create_task(request()), loop.create_task(meanwhile())]

    assert loop.turn() is None
    assert seen == ["meanwhile", "told", "yes"]
    assert all(task.done() for task in tasks)


def test_the_loop_says_how_long_it_may_rest_and_outlives_a_callback_that_fails(
    caplog: pytest.LogCaptureFixture,
) -> None:
    loop, seen = Loop(), list[int]()
    loop.call_later(60, seen.append, 2)
    loop.call_later(0, seen.append, 1)
    loop.call_soon(seen.append, 0).cancel()
    loop.call_soon(lambda: 1 / 0)

    assert 59 < (loop.turn() or 0) <= 60
    assert seen == [1]
    assert "ZeroDivisionError" in caplog.text
