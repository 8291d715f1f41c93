"""The bus between processes: one packet for each peer and turn, numbered."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.conf import settings as site

from games.cluster import bus as module
from games.cluster.bus import Bus
from games.cluster.messages import Call, Ping, Pong, Said
from games.live.outage import until
from tests.conftest import REDIS
from tests.types import Make

from .distance import Distance
from .processes import Cluster, Phone, settled, wait_for

pytestmark = pytest.mark.redis


class Subscriber:
    """A bus, and what has come over it."""

    def __init__(self, name: str) -> None:
        self.messages: list[tuple[str, Said]] = []
        self.missed: list[str] = []
        self.bus = Bus(name, lambda *received: self.messages.append(received), self.missed.append)


@pytest.fixture
def redis() -> Iterator[Distance]:
    """The tests' Redis, two milliseconds away."""
    place = urlsplit(REDIS)
    between = Distance(place.hostname or "", place.port or 6379, 0.002)
    yield between
    between.close()


@pytest.fixture
async def join(redis: Distance, monkeypatch: Any) -> AsyncIterator[Callable[[str], Any]]:
    """A process that has connected: `await join("ana")`."""
    place = f"redis://127.0.0.1:{redis.port}"
    monkeypatch.setattr(site, "REDIS", place)
    ours = f"test.{secrets.token_hex(6)}"  # channels are those of all databases of a Redis
    monkeypatch.setattr(module, "PREFIX", ours)
    monkeypatch.setattr(module, "ALL", f"{ours}.all")
    joined: list[Subscriber] = []

    async def connected(name: str) -> Subscriber:
        joined.append(Subscriber(name))
        joined[-1].bus.start()
        await asyncio.wait_for(joined[-1].bus.connected.wait(), 10)
        return joined[-1]

    yield connected
    for each in joined:
        await closed(each)


async def closed(each: Subscriber) -> None:
    each.bus.close()
    others = asyncio.all_tasks() - {asyncio.current_task()}
    await asyncio.wait(others, timeout=5)


async def received(other: Subscriber, count: int) -> list[tuple[str, Said]]:
    await until(lambda: len(other.messages) >= count, 10)
    return other.messages


async def test_messages_of_one_turn_are_one_pipeline_with_one_packet_for_each_peer(
    redis: Any, join: Any
) -> None:
    near, far, farther = [await join(name) for name in ("near", "far", "farther")]
    published, turns = redis.published, redis.turns
    for _message in range(50):
        near.bus.send("far", Ping())
        near.bus.send("farther", Pong())
    await received(far, 50)
    await received(farther, 50)

    assert ([("near", Ping())] * 50, [("near", Pong())] * 50) == (far.messages, farther.messages)
    assert (2, 1) == (redis.published - published, redis.turns - turns)
    assert [] == near.missed + far.missed + farther.missed


async def test_messages_wait_for_a_slow_redis_and_go_together(redis: Any, join: Any) -> None:
    near, far = await join("near"), await join("far")
    published = redis.published
    for _turn in range(100):
        near.bus.send("far", Ping())
        await asyncio.sleep(0)
    await received(far, 100)

    assert redis.published - published <= 10


async def test_a_packet_that_is_lost_is_missed(join: Any) -> None:
    near, far = await join("near"), await join("far")
    near.bus.send("far", Ping())
    await received(far, 1)
    near.bus.send("far", Ping())
    near.bus.drop()  # as Redis may
    near.bus.send("far", Pong())
    await received(far, 2)

    assert ["near"] == far.missed
    assert [("near", Ping()), ("near", Pong())] == far.messages


async def test_more_than_may_wait_is_dropped_and_missed(
    join: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    near, far = await join("near"), await join("far")
    monkeypatch.setattr(module, "MOST_WAITING", 10)
    for _message in range(25):
        near.bus.send("far", Ping())
    await received(far, 5)

    assert (["near"], 5) == (far.missed, len(far.messages))


async def test_a_broadcast_reaches_all_and_is_not_counted(join: Any) -> None:
    near, far = await join("near"), await join("far")
    call = Call("rockets", "refresh", [])
    near.bus.send_to_all(call)
    near.bus.drop()
    near.bus.send_to_all(call)

    assert [("near", call)] == await received(far, 1) == await received(near, 1)
    assert [] == near.missed + far.missed


async def test_a_process_that_was_slow_to_start_blames_no_redis(
    join: Any, caplog: pytest.LogCaptureFixture
) -> None:
    starting = Subscriber("slow")
    starting.bus.heard_at -= 60  # as after a minute of importing and opening
    starting.bus.start()
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(starting.bus.connected.wait(), 30)
    subscribed = starting.bus.subscribed
    await closed(starting)

    assert subscribed
    assert [] == caplog.records


TABLES, TAPS = 8, 6


@pytest.fixture(scope="module")
def distant(
    django_db_setup: None, django_db_blocker: Any, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Cluster, Distance]]:
    """Three servers, all of them two milliseconds from Redis."""
    place = urlsplit(REDIS)
    between = Distance(place.hostname or "", place.port or 6379, 0.002)
    with django_db_blocker.unblock():
        folder = tmp_path_factory.mktemp("distant")
        servers = Cluster(folder, redis=f"redis://127.0.0.1:{between.port}{place.path}")
        yield servers, between
        servers.close()
    between.close()


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True, databases="__all__")
def test_taps_at_tables_that_are_spread_cost_fewer_than_one_and_a_half_commands(
    distant: Any, make_game: Make
) -> None:
    cluster, redis = distant
    servers = cluster.mend()
    rocket = {"rocket": {"counters": {"fuel": 4}}}
    games = [make_game(using="postgres", objects=rocket) for _table in range(TABLES)]
    places = [(game, seat) for game in games for seat in ("ana", "ben", "cleo")]

    def connect(number: int) -> Phone:
        game, seat = places[number]
        return Phone(game, seat, lambda: servers[(number + number // 3) % 3])

    with ThreadPoolExecutor(len(places)) as at_once:
        phones = list(at_once.map(connect, range(len(places))))
    published = redis.published
    for _tap in range(TAPS):
        for phone in phones:  # as when a table shares out damage
            phone.tap()
    wait_for(lambda: all(each.acknowledged.keys() >= {*each.given} for each in phones))
    published = redis.published - published
    for number, game in enumerate(games):
        settled(game, *phones[3 * number : 3 * number + 3])
    for phone in phones:
        phone.close()

    assert published < 1.5 * TAPS * len(phones)
