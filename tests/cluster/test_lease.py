"""A process that has fallen silent loses its games, and can write no more to them."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from django.conf import settings as site
from django.db import DatabaseError, OperationalError

from games.cluster import lease, relay
from games.cluster.messages import Frames, Gone, Leave, Open, Pong, Present
from games.cluster.remote_table import RemoteTable
from games.cluster.store import NotOurs, SharedStore
from games.live import table_registry
from games.live.connection import AsgiConnection
from games.live.outage import Outage
from games.live.table_registry import registry
from games.models import Game
from games.rules.state import Refused
from games.store import rows
from tests.conftest import REDIS
from tests.types import Make

PLACE = {"do": "place", "on": "rocket", "counter": "fuel", "amount": 1, "by": "ana"}
two_processes = [
    pytest.mark.postgres,
    pytest.mark.django_db(transaction=True, databases="__all__"),
]


@pytest.fixture
def shared(make_game: Make) -> Any:
    return make_game(using="postgres", objects={"rocket": {"counters": {"fuel": 4}}})


@pytest.fixture
def stores(
    shared: Game, monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[SharedStore, SharedStore]]:
    """The stores of two processes; the first plays the game."""
    monkeypatch.setattr(lease, "LEASE", 60)  # at any pace, until a test says otherwise
    monkeypatch.setattr(lease, "LATE", 60)
    hung, other = SharedStore("postgres"), SharedStore("postgres")
    monkeypatch.setattr(lease, "PROCESS", "hung")
    hung.beat(True)
    assert hung.own(shared.pk)
    monkeypatch.setattr(lease, "PROCESS", "other")
    assert {"hung"} == other.beat(True).alive
    yield hung, other
    hung.close()
    other.close()


class TestFence:
    pytestmark = two_processes

    def test_while_it_beats_its_games_are_its_own(self, stores: Any, shared: Game) -> None:
        hung, other = stores
        assert not other.own(shared.pk)
        assert lease.Holder("hung", False) == other.holder(shared.pk)
        assert 0 == other.beat(True).ended
        hung.beat(True)

    def test_once_silent_it_loses_them_and_can_write_nothing(
        self, stores: Any, shared: Game, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        hung, other = stores
        taps = [rows.history(shared).give(PLACE)]
        monkeypatch.setattr(lease, "LEASE", 0.05)
        time.sleep(0.1)
        assert 1 == other.beat(True).ended
        until = time.monotonic() + 10
        while not other.own(shared.pk):
            assert time.monotonic() < until

        with pytest.raises(Exception, match="connection"):
            hung.write({shared.pk: taps})
        assert ({shared.pk}, set()) == (hung.lost, hung.owned)
        with pytest.raises(NotOurs):  # on a new connection, which works
            hung.write({shared.pk: taps})
        assert not hung.own(shared.pk)
        assert 0 == Game.objects.using("postgres").get(pk=shared.pk).entries.count()

        other.write({shared.pk: taps})
        rows.check(Game.objects.using("postgres").get(pk=shared.pk))

    def test_its_open_transactions_end_with_it(
        self, stores: Any, shared: Game, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        hung, other = stores
        cursor = hung._open().connection.cursor()
        cursor.execute("BEGIN")
        cursor.execute("UPDATE games_game SET title = 'late' WHERE id = %s", [shared.pk])
        monkeypatch.setattr(lease, "LEASE", 0.05)
        time.sleep(0.1)
        other.beat(True)
        with pytest.raises(DatabaseError):
            hung.beat(True)

        assert "Friday" == Game.objects.using("postgres").get(pk=shared.pk).title

    def test_a_connection_on_which_nothing_comes_is_given_up(self, stores: Any) -> None:
        hung, other = stores
        hung._open().connection.patience = 0.2
        with pytest.raises(OperationalError, match="said nothing"), hung._cursor() as cursor:
            cursor.execute("SELECT pg_sleep(20)")
        assert hung.lost
        with other._cursor() as cursor:  # the test's database is to be deleted
            cursor.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> "
                "pg_backend_pid() AND datname = current_database() AND query ~ 'pg_sleep'"
            )


def test_an_outage_is_logged_once_at_its_beginning_and_once_at_its_end(
    caplog: pytest.LogCaptureFixture,
) -> None:
    redis = Outage("Redis")
    for _ping in range(5):
        redis.failed(OSError("no\n route"))
    redis.over()
    redis.over()

    begun, ended = [record.getMessage() for record in caplog.records]
    assert "Redis fails: no route" == begun
    assert ended.startswith("Redis works again, after ")


async def test_background_work_without_a_database_is_part_of_the_outage(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def count() -> None:
        raise OperationalError("terminating connection due to administrator command")

    monkeypatch.setattr(table_registry, "DATABASE", Outage("The database"))
    for _ in range(3):
        registry.spawn(count())
    await asyncio.sleep(0.05)

    assert [("ERROR", None)] == [(line.levelname, line.exc_info) for line in caplog.records]
    assert "The database fails: terminating connection" in caplog.text


@pytest.mark.redis
async def test_a_process_that_does_not_play_a_game_says_so_to_whom_asks(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(site, "REDIS", REDIS)
    here = relay.Relay(lambda slug: None, lambda message: None, lambda slug: None)
    said: list[object] = []
    monkeypatch.setattr(here.bus, "send", lambda process, message: said.append(message))

    here.serve("rockets")  # it may be this process's in a moment
    here._received("there", Open("first", "rockets"))
    here._received("there", Leave("first", 1))
    waited = list(said)
    here.not_opened("rockets")  # another one has its lock
    here._received("there", Leave("first", 1))
    here._received("there", Open("second", "rockets"))

    assert [Present("first", [])] == waited
    assert [Gone("first"), Gone("first"), Gone("second")] == said[1:]


class Moving:
    """A table whose game moves at its first command; nobody knows whether that was saved."""

    slug = "moving"

    def __init__(self) -> None:
        self.given: list[str] = []

    async def give(self, raw: Any, seat: Any) -> Any:
        self.given.append(raw["id"])
        if len(self.given) == 1:
            raise Refused("not-saved", "Try again.")
        return "saved"


async def test_a_command_without_a_socket_follows_its_game_under_one_id(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = Moving()

    async def here(slug: str) -> Any:
        return table

    monkeypatch.setattr(registry, "table", here)
    assert "saved" == await registry.give("moving", PLACE, "ana")
    assert table.given[0] == table.given[1]


@pytest.mark.redis
async def test_a_gap_ends_what_was_open_and_nothing_that_is_just_being_opened(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(site, "REDIS", REDIS)
    here = relay.Relay(lambda slug: None, lambda message: None, lambda slug: None)
    monkeypatch.setattr(here.bus, "send", lambda process, message: None)
    before, after, unheard, late = (
        RemoteTable(slug, None, frozenset(), "there", here.bus.send, here.unfollow)
        for slug in ("before", "after", "unheard", "late")
    )
    here.follow(before)
    here._received("there", Present(before.session, []))
    for remote in (after, unheard, late):
        here.follow(remote)
    here._missed("there")  # of yesterday, for all we know
    here._received("there", Present(after.session, []))
    here._received("there", Frames(unheard.session, [], []))  # its first answer was lost
    here._received("there", Present(late.session, ["ana"], first=False))  # frames were lost, too

    assert {"after": after} == here.remote


def test_a_game_that_was_lost_while_nobody_was_there_is_searched_for_whoever_comes() -> None:
    searched: list[RemoteTable] = []
    game = RemoteTable("game", None, frozenset(), "there", None, searched.append)
    game.give_up()
    game.join(AsgiConnection(None), None)
    game.take(PLACE, "ana", print)

    assert [game] * 3 == searched


async def test_a_phone_is_put_out_where_it_comes_in_though_the_owner_does_not_know_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    said: list[object] = []
    phones = [AsgiConnection(None) for _phone in range(2)]
    game = RemoteTable("game", None, frozenset(), "there", lambda *it: said.append(it[1]), print)
    monkeypatch.setattr(AsgiConnection, "close", lambda it, *how: said.append((it.device, *how)))
    for phone, device in zip(phones, ("ana", "ben"), strict=True):
        phone.device = device
        game.join(phone, None)
    calls: list[tuple[object, ...]] = []
    peers = SimpleNamespace(
        find=lambda slug: game, call=lambda *call: calls.append(call), close=lambda: None
    )
    monkeypatch.setattr(registry, "_begin", lambda: None)
    monkeypatch.setattr(registry, "_peers", peers)
    del said[:]

    registry.called("game", "disconnect", [4410, "reload", "ben"])
    await asyncio.sleep(0)
    assert [Leave(game.session, 2), ("ben", 4410, "reload")] == said
    assert phones[:1] == game.connections()

    await registry.disconnect("game", 4410, "reload", "ana")
    assert [("game", "disconnect", (4410, "reload", "ana"))] == calls, "all others are told"
    assert [] == game.connections()


@pytest.mark.redis
async def test_an_owner_that_lives_and_never_heard_of_a_game_is_given_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(site, "REDIS", REDIS)
    here = relay.Relay(lambda slug: None, lambda message: None, lambda slug: None)
    monkeypatch.setattr(here.bus, "send", lambda process, message: None)
    known, lost = (
        RemoteTable(slug, None, frozenset(), "there", here.bus.send, here.unfollow)
        for slug in ("known", "lost")
    )
    here.follow(known)
    here.follow(lost)  # what opens it is lost
    here._received("there", Present(known.session, []))
    for remote in (known, lost):
        remote.begun -= 60
    here._received("there", Pong())
    here._give_up_silent(time.monotonic())

    assert {"known": known} == here.remote
