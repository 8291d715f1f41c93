"""Group commit: one transaction per turn of the loop, and nothing shown before it is on disk."""

from __future__ import annotations

import asyncio
import sqlite3
from typing import Any

import pytest
from django.db import OperationalError
from django.test import Client

from games.live.closing import RESTART
from games.live.connection import AsgiConnection
from games.live.journal import Journal
from games.live.journal_store import Store
from games.live.outage import DATABASE
from games.live.table_registry import registry
from games.live.watch import watch
from games.models import Game
from games.rules.state import Refused
from games.store import changes, disk
from tests.types import Connect, Make

from .conftest import Phone, amounts, check

pytestmark = pytest.mark.django_db(transaction=True)

PLACE = {"do": "place", "on": "rocket", "counter": "fuel", "amount": 1}


class WatchedStore(Store):
    """Counts transactions, and fails when told to."""

    def __init__(self) -> None:
        super().__init__()
        self.writes: list[int] = []
        self.full = self.remote_write = False

    def write(self, batch: Any, waits: Any = True) -> None:
        if self.full:
            raise sqlite3.OperationalError("database or disk is full")
        super().write(batch, waits)
        self.writes.append(sum(map(len, batch.values())))


@pytest.fixture(params=["in the loop", "in a thread"])
def store(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The journal's store, once writing in the loop and once in a thread."""
    watched = WatchedStore()
    watched.remote_write = request.param == "in a thread"
    journal = Journal(watched)
    watched.settle()
    journal._slow = request.param == "in a thread"
    monkeypatch.setattr(registry, "_begin", lambda: None)
    monkeypatch.setattr(registry, "journal", journal)
    return watched


@pytest.fixture
def other(make_game: Make) -> Any:
    return make_game(objects={"rocket": {"counters": {"fuel": 4}}})


async def test_all_tables_of_one_turn_are_one_transaction(
    game: Game, other: Any, store: Any
) -> None:
    one, two = await registry.table(game.slug), await registry.table(other.slug)
    await asyncio.gather(*[table.give(PLACE, "ana") for table in (one, two) for _tap in range(3)])

    assert [6] == store.writes
    await check(game)
    await check(other)


async def test_an_answer_that_cannot_be_given_costs_nobody_else_theirs(
    game: Game, other: Any, store: Any
) -> None:
    one, two = await registry.table(game.slug), await registry.table(other.slug)

    def broken(outcome: Any) -> None:
        raise RecursionError

    one.take(PLACE, "ana", broken)
    beside = asyncio.create_task(two.give(PLACE, "ana"))
    async with asyncio.timeout(30):
        await beside
        await two.give(PLACE, "ana")

    assert 2 == two.number  # type: ignore[attr-defined]


async def test_nothing_is_sent_before_it_is_on_disk(store: Any, hers: Phone) -> None:
    on_disk = []
    write = store.write

    def watched_write(batch: Any, waits: Any) -> None:
        on_disk.append(hers.communicator.output_queue.qsize())
        write(batch, waits)
        on_disk.append(hers.communicator.output_queue.qsize())

    store.write = watched_write
    await hers.place(id="tap")
    await hers.frame()

    assert [0, 0] == on_disk


async def test_a_full_disk_is_told_and_every_screen_shows_what_is_on_disk(
    connect: Connect,
    game: Game,
    ana: Client,
    ben: Client,
    store: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(disk, "room", lambda: 10**9)  # whatever other programs remove meanwhile
    hers, his = await connect(game, ana, since=0), await connect(game, ben, since=0)
    await hers.frame(), await his.frame()
    await hers.place(id="kept")
    await hers.frame(), await his.frame()
    store.full = True
    await his.place(5, id="lost")
    boards = [(await hers.frame()), (await his.frame())]
    refused = await his.refused()

    assert ("lost", "not-saved") == (refused["id"], refused["code"])
    assert "The server’s disk is full" in refused["message"]
    assert [1, 1] == [number for number, _ids, _text in boards]
    assert [5, 5] == [amounts(text)["rocket.fuel"] for *_, text in boards]
    await check(game)

    watch.look()
    assert "The server’s disk is full: until" in await hers.text()

    store.full = False
    await his.place(5, id="lost")
    assert (2, ["lost"]) == (await hers.frame())[:2]
    await check(game)

    watch.look()
    assert "disk is full" not in await hers.text()


async def test_a_refusal_that_depends_on_an_unsaved_command_is_not_sent(
    game: Game, store: Any
) -> None:
    table: Any = await registry.table(game.slug)
    store.full = True
    spend = {**PLACE, "do": "spend", "amount": 4}
    outcomes = await asyncio.gather(
        table.give(spend, "ana"), table.give(spend, "ben"), return_exceptions=True
    )

    assert ["not-saved", "not-saved"] == [outcome.code for outcome in outcomes]
    store.full = False
    assert 1 == (await table.give(spend, "ben")).entry.number
    await check(game)


async def test_commands_on_top_of_an_unsaved_one_fall_with_it(game: Game, store: Any) -> None:
    table: Any = await registry.table(game.slug)
    store.full = True
    first = asyncio.ensure_future(table.give({**PLACE, "id": "first"}, "ana"))
    later = []
    for n in range(20):
        await asyncio.sleep(0)
        later.append(asyncio.ensure_future(table.give({**PLACE, "id": f"later-{n}"}, "ben")))
    await asyncio.wait([first, *later])
    store.full = False
    outcomes = await asyncio.gather(first, *later, return_exceptions=True)

    saved = [each for each in outcomes if not isinstance(each, Refused)]
    assert "not-saved" == outcomes[0].code
    assert len(saved) == await registry.read(game.entries.count)
    await check(game)


async def test_an_undo_after_an_unsaved_command_starts_from_the_disk(
    game: Game, store: Any
) -> None:
    table: Any = await registry.table(game.slug)
    await table.give({**PLACE, "amount": 3}, "ana")
    store.full = True
    lost, undo = await asyncio.gather(
        table.give(PLACE, "ana"), table.give({"do": "undo"}, "ana"), return_exceptions=True
    )
    store.full = False

    assert ("not-saved", "not-saved") == (lost.code, undo.code)  # type: ignore[has-type]
    assert (1,) == (await table.give({"do": "undo"}, "ana")).undone
    assert 4 == table.state.count("rocket", "fuel")
    await check(game)


async def test_a_table_that_another_process_wrote_to_starts_again_from_the_disk(
    game: Game, store: Any
) -> None:
    from games.store import rows

    table: Any = await registry.table(game.slug)
    await registry.read(lambda: rows.give(game, [{**PLACE, "by": "cleo", "amount": 7}]))
    with pytest.raises(Refused, match="not-saved"):
        await table.give(PLACE, "ana")

    assert 2 == (await table.give(PLACE, "ana")).entry.number
    assert 12 == table.state.count("rocket", "fuel")
    await check(game)


async def given_up(game: Game, store: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The table that was, when a command could be neither saved nor the game read back."""
    table: Any = await registry.table(game.slug)
    store.full = True

    def away() -> None:
        raise OperationalError("PostgreSQL has said nothing for 2.5 seconds")

    monkeypatch.setattr(table, "_load", away)
    with pytest.raises(Refused, match="not-saved"):
        await table.give(PLACE, "ana")
    store.full = False
    DATABASE.over()
    return table


async def test_a_table_that_cannot_be_read_back_either_is_closed_without_another_word(
    game: Game, store: Any, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    table = await given_up(game, store, monkeypatch)

    logged = [record for record in caplog.records if record.name == "games.live.outage"]
    assert 2 == len(logged), "one line for the outage, one for its end"
    assert not any(record.exc_info for record in caplog.records)
    assert table is not await registry.table(game.slug)
    assert 1 == (await registry.give(game.slug, PLACE, "ana")).entry.number


async def test_a_table_that_cannot_be_read_back_takes_nothing_more(
    game: Game, store: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Commands that wait there depend on entries that were never saved: the log would have a
    gap.
    """
    table: Any = await registry.table(game.slug)
    store.full = True

    def away() -> None:
        store.full = False  # the database is back a moment after it was asked
        raise OperationalError("the database system is starting up")

    monkeypatch.setattr(table, "_load", away)
    first = asyncio.ensure_future(table.give(PLACE, "ana"))
    waited = []
    while not first.done():
        if len(waited) < 50:  # of more, the table would say that it is busy
            waited.append(asyncio.ensure_future(table.give(PLACE, "ben")))
        await asyncio.sleep(0)
    late = asyncio.ensure_future(table.give({**PLACE, "id": "late@7"}, "cleo"))
    outcomes = await asyncio.gather(first, *waited, late, return_exceptions=True)

    assert {"not-saved"} == {getattr(outcome, "code", outcome) for outcome in outcomes}
    assert [] == await registry.read(lambda: list(game.entries.all()))
    assert 1 == (await registry.give(game.slug, PLACE, "ana")).entry.number
    DATABASE.over()
    await check(game)


async def test_a_phone_that_comes_to_a_table_that_was_given_up_dials_again(
    game: Game, store: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The table may be given up between the handshake and the first frame."""
    table = await given_up(game, store, monkeypatch)
    sent = []

    async def send(message: Any) -> None:
        sent.append(message)

    table.join(AsgiConnection(send), 0)
    await asyncio.sleep(0.01)

    assert [RESTART] == [message.get("code") for message in sent]
    assert [] == table.connections()


async def test_a_command_saved_without_an_answer_is_acknowledged(
    game: Game, store: Any, hers: Phone
) -> None:
    """The connection to a database may break after it has committed."""
    write = store.write

    def cut_off(batch: Any, waits: Any) -> None:
        store.write = write
        write(batch, waits)
        raise OperationalError("server closed the connection unexpectedly")

    store.write = cut_off
    await hers.place(5, id="saved@0")
    shown = await hers.frame()
    assert (1, []) == shown[:2]
    assert (1, ["saved@0"]) == (await hers.frame())[:2]

    await hers.place(5, id="saved@0")
    assert (1, ["saved@0"]) == (await hers.frame())[:2]
    DATABASE.over()
    assert 1 == await registry.read(game.entries.count)
    await check(game)


async def test_a_log_with_a_gap_is_not_written(game: Game, store: Any) -> None:
    table: Any = await registry.table(game.slug)
    await table.give(PLACE, "ana")
    lost = [table.history.give({**PLACE, "by": "ana"}) for _tap in range(2)][1:]

    with pytest.raises(changes.Gap):
        await registry.read(lambda: store.write({game.pk: lost}))

    await check(game)


async def test_a_command_that_the_database_cannot_hold_hurts_its_own_table_only(
    game: Game, other: Any, store: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    bad, good = await registry.table(game.slug), await registry.table(other.slug)
    statements = changes.statements

    def failing(batch: Any, when: Any) -> Any:
        if game.pk in batch:
            raise UnicodeEncodeError("utf-8", "\ud800", 0, 1, "surrogates not allowed")
        return statements(batch, when)

    monkeypatch.setattr(changes, "statements", failing)
    lost, kept = await asyncio.gather(
        bad.give(PLACE, "ana"), good.give(PLACE, "ana"), return_exceptions=True
    )

    assert ("not-saved", 1) == (lost.code, kept.entry.number)
    await check(other)


async def test_a_slow_disk_moves_the_writing_to_a_thread(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = iter(range(1000))
    journal = Journal(idled=lambda: next(clock) / 10)
    monkeypatch.setattr(registry, "_begin", lambda: None)
    monkeypatch.setattr(registry, "journal", journal)
    table: Any = await registry.table(game.slug)
    for _tap in range(5):
        await table.give(PLACE, "ana")

    assert journal._slow
    assert 5 == (await registry.read(game.entries.count))
    await check(game)
