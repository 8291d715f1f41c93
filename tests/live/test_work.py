"""Commands share the loop: no table, and no phone that has gone, holds up another for long."""

from __future__ import annotations

import asyncio
import json
import threading
from typing import Any

import pytest
from asgiref.sync import sync_to_async

from games.live import work
from games.live.connection import Connection, Frame
from games.live.outcome import Reply
from games.live.socket import Session
from games.live.table import Table
from games.live.table_registry import registry
from games.models import Game
from games.rules.history import Applied
from games.store import rows
from games.systems import find
from tests.types import Json, Make

pytestmark = pytest.mark.django_db(transaction=True)

PLACE = {"do": "place", "on": "rocket", "counter": "fuel", "amount": 1}
UNDO = {"do": "undo"}
MANY = 40


class Phone(Connection):
    """A phone at an address. faults: how often it did what no phone does."""

    def __init__(self, address: str) -> None:
        super().__init__()
        self.address, self.device, self.seat = address, address, "ana"
        self.heard: list[str] = []
        self.faults = 0

    def send(self, frame: Frame) -> None:
        self.heard.append(frame.text)

    def close(self, code: int, reason: str) -> None:
        pass

    def fault(self, count: int = 1) -> None:
        self.faults += count


@pytest.fixture
def nothing_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every command wait for its turn."""
    monkeypatch.setattr(work, "TURN", -1.0)


@pytest.fixture
async def tables(make_game: Make) -> list[Table]:
    """Three tables."""
    rocket = {"rocket": {"counters": {"fuel": 4}}}
    games = [await sync_to_async(make_game)(objects=rocket) for _table in range(3)]
    opened = [await registry.table(game.slug) for game in games]
    return [each for each in opened if isinstance(each, Table)]


class Answers:
    """The order in which tables are answered."""

    def __init__(self) -> None:
        self.order: list[Table] = []

    def of(self, table: Table) -> Reply:
        return lambda _outcome: self.order.append(table)

    async def wait(self, count: int) -> None:
        async with asyncio.timeout(30):
            while len(self.order) < count:  # noqa: ASYNC110 nothing sets an event
                await asyncio.sleep(0.001)


@pytest.mark.usefixtures("nothing_at_once")
async def test_a_tap_goes_before_what_another_address_has_waiting(tables: list[Table]) -> None:
    flooded, also_flooded, quiet = tables
    dan, ben, answers = Phone("10.0.0.9"), Phone("10.0.0.2"), Answers()

    for table in (flooded, also_flooded):
        for _command in range(MANY):
            table.take(PLACE, "ana", answers.of(table), dan)
    quiet.take(PLACE, "ana", answers.of(quiet), ben)
    await answers.wait(2 * MANY + 1)

    assert answers.order.index(quiet) <= 2
    assert MANY == flooded.number == also_flooded.number


@pytest.mark.usefixtures("nothing_at_once")
async def test_tables_take_turns(tables: list[Table]) -> None:
    one, other, _third = tables
    dan, answers = Phone("10.0.0.9"), Answers()

    for table in (one, other):
        for _command in range(MANY):
            table.take(PLACE, "ana", answers.of(table), dan)
    await answers.wait(2 * MANY)

    assert other in answers.order[: MANY // 2], "it does not wait until all of the first is done"


async def test_a_command_taken_while_there_is_time_is_done_at_once(tables: list[Table]) -> None:
    table, *_others = tables

    table.take(PLACE, "ana", lambda outcome: None, Phone("10.0.0.9"))

    assert 1 == table.history.number


@pytest.mark.usefixtures("nothing_at_once")
async def test_a_waiting_command_is_dropped_when_its_socket_has_gone(tables: list[Table]) -> None:
    table, *_others = tables
    dan, answers = Phone("10.0.0.9"), Answers()

    for _command in range(MANY):
        table.take(PLACE, "ana", answers.of(table), dan)
    dan.disconnected()
    table.take(PLACE, "ana", answers.of(table), Phone("10.0.0.2"))
    await answers.wait(1)

    assert 1 == table.number


@pytest.mark.usefixtures("nothing_at_once")
async def test_commands_of_one_table_keep_their_order(tables: list[Table]) -> None:
    table, *_others = tables
    phones, answers = [Phone(f"10.0.0.{n}") for n in range(3)], Answers()
    given: list[Json] = [PLACE, UNDO, {**PLACE, "amount": 2}, {**PLACE, "amount": 5}, UNDO]

    for n, command in enumerate(given):
        table.take(command, "ana", answers.of(table), phones[n % 3])
    await answers.wait(len(given))

    assert 4 + 2 == table.state.count("rocket", "fuel")


ANY = {"things": "any"}
LEAST = [{"number": "charge", "on": {**ANY, "of": "holder"}}, "<", 1]
LOOKING = {
    "title": "Cards",
    "players": {"most": 4},
    "things": [{"type": "card"}],
    "numbers": [{"kind": "points", "on": "player"}, {"kind": "charge", "on": "card"}],
    "rules": [
        {
            "rule": "Look",
            "when": {"pressed": "Look", "on": "player", "who": "anyone"},
            "do": [{"add": {"count": {"each": ANY, "if": LEAST}}, "of": "points"}],
        }
    ],
}
LOOK = {"do": "press", "rule": "Look", "on": "ana"}


def looking(cards: int) -> Game:
    """A game in which to look costs the square of its cards."""
    system = find("own-game").of_table({"definition": LOOKING})
    given = {
        "seats": {"ana": {}, "ben": {}},
        "objects": {f"card-{n}": {"type": "card", "owner": "ana"} for n in range(cards)},
    }
    return rows.create(
        system, system.opening(system, given, {"definition": LOOKING}), title="Cards"
    )


async def own(cards: int) -> Table:
    table = await registry.table((await sync_to_async(looking)(cards)).slug)
    assert isinstance(table, Table)
    return table


async def test_a_command_that_is_much_work_is_done_in_a_thread(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table, threads = await own(60), []
    outcome = table._outcome

    def noted(command: Any, at_once: bool = False) -> Any:
        found = outcome(command, at_once)
        threads.append(threading.current_thread() is threading.main_thread())
        return found

    monkeypatch.setattr(table, "_outcome", noted)
    looked = await table.give(LOOK, "ana")
    tapped = await table.give({**PLACE, "on": "ana", "counter": "points"}, "ana")

    assert [False, True] == threads
    assert isinstance(looked, Applied)
    assert 60 + 1 == tapped.after.count("ana", "points")


async def test_too_much_work_counts_as_a_fault_of_the_phone() -> None:
    table, phone = await own(230), Phone("10.0.0.9")

    Session(table, phone).received(json.dumps(LOOK))
    async with asyncio.timeout(30):
        while not phone.heard:  # noqa: ASYNC110 nothing sets an event
            await asyncio.sleep(0.001)

    assert "Take cards away, or undo." in phone.heard[0]
    assert 1 == phone.faults
