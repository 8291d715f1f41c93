"""Benchmark: taps of three processes that share their games.

`python -m tests.cluster_bench club [tables [milliseconds]]`, with PostgreSQL and Redis as the tests
find them, measures so many tables of 4, of which each phone gives a tap a second, and with a Redis
at that distance: the time to the acknowledgement, after a second of warming, and Redis commands for
each tap. The phones of a game are spread over all processes, as a proxy would spread them. The
driver shares the machine with the servers and both databases: read the figures as ratios.

`gate` is that with 50 tables and 2 milliseconds, and fails unless one of three runs keeps to
`LIMIT` and answers every tap.
"""

from __future__ import annotations

import asyncio
import base64
import os
import random
import re
import statistics
import sys
import time
from collections.abc import Sequence
from typing import Any

import django

SEATS = ("ana", "ben", "cleo", "dan")
SECONDS = 5.0
LIMIT, RUNS = 100.0, 3
"""The gate's: milliseconds to 95 of 100 acknowledgements, and tries: another program on the machine
only makes it slower."""
ACKS = re.compile(rb'data-acks="([^"]*)"')


class Line:
    """One phone's websocket."""

    def __init__(self) -> None:
        self.waiting: dict[bytes, float] = {}
        self.took: list[float] = []
        self.given = 0

    async def connect(self, port: int, path: str) -> None:
        self._reader, self._writer = await asyncio.open_connection("127.0.0.1", port)
        key = base64.b64encode(os.urandom(16)).decode()
        self._writer.write(
            f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\n"
            "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            f"Sec-WebSocket-Key: {key}\r\n\r\n".encode()
        )
        head = await self._reader.readuntil(b"\r\n\r\n")
        assert b" 101 " in head, head
        await self._frame()
        self._listening = asyncio.ensure_future(self._listen())

    async def _frame(self) -> bytes:
        first, size = await self._reader.readexactly(2)
        if size == 126:
            size = int.from_bytes(await self._reader.readexactly(2), "big")
        elif size == 127:
            size = int.from_bytes(await self._reader.readexactly(8), "big")
        payload = await self._reader.readexactly(size)
        assert first & 15 != 8, f"closed: {payload!r}"
        return payload

    async def _listen(self) -> None:
        while True:
            payload = await self._frame()
            now = time.perf_counter()
            for name in ((found := ACKS.search(payload)) and found[1].split()) or ():
                sent = self.waiting.pop(name, None)
                if sent is not None:
                    self.took.append(now - sent)

    def tap(self) -> None:
        from tests.live.wire import frame, tap

        name = f"{id(self):x}-{self.given}"
        self.given += 1
        self.waiting[name.encode()] = time.perf_counter()
        self._writer.write(frame(tap(id=name)))

    async def steady(self) -> None:
        """A tap a second, answered or not; the first one is not counted."""
        await asyncio.sleep(random.random())
        for second in range(round(SECONDS) + 1):
            self.tap()
            await asyncio.sleep(1)
            if second == 0:
                self.took.clear()

    def hang_up(self) -> None:
        self._listening.cancel()
        self._writer.close()


def seconds_of(processes: Sequence[Any]) -> float:
    """The CPU time of processes so far."""
    spent = 0
    for each in processes:
        with open(f"/proc/{each.process.pid}/stat") as stat:
            spent += sum(map(int, stat.read().rpartition(")")[2].split()[11:13]))
    return spent / os.sysconf("SC_CLK_TCK")


async def connect_all(servers: Sequence[Any], games: Sequence[Any]) -> list[Line]:
    """The phones of all games, spread over the servers. The first of each dials its game's home:
    a game that was played elsewhere would go there, and its phones have to dial again.
    """
    from games.cluster.home import home
    from games.live.socket import ticket

    phones: list[Line] = []
    ports = {f"127.0.0.1:{each.port}": number for number, each in enumerate(servers)}
    for game in games:
        at_home = ports[home(game.slug, frozenset(ports))]
        for place, seat in enumerate(SEATS):
            line = Line()
            server = servers[(at_home + place) % len(servers)]
            await line.connect(server.port, f"/g/{game.slug}/ws?ticket={ticket(game.slug, seat)}")
            phones.append(line)
    return phones


async def club(servers: Sequence[Any], games: Sequence[Any], redis: Any) -> dict[str, float]:
    phones = await connect_all(servers, games)
    published, spent = redis.published, seconds_of(servers)
    await asyncio.gather(*(each.steady() for each in phones))
    published = redis.published - published
    await asyncio.sleep(5)
    took = sorted(took for each in phones for took in each.took)
    given = sum(each.given for each in phones)
    unanswered = sum(len(each.waiting) for each in phones)
    spent = seconds_of(servers) - spent
    for each in phones:
        each.hang_up()
    return {
        "taps": given,
        "unanswered": unanswered,
        "taps per CPU second": given / max(spent, 0.01),
        "p50 ms": statistics.median(took) * 1000,
        "p95 ms": took[len(took) * 95 // 100] * 1000,
        "commands per tap": published / given,
    }


def club_main(tables: int, milliseconds: float) -> dict[str, float]:
    """Measure three processes with so many tables, and Redis at that distance."""
    from urllib.parse import urlsplit

    from django.test.utils import setup_databases, teardown_databases

    from games.store import rows
    from tests.cluster.distance import Distance
    from tests.cluster.processes import address, wait_for
    from tests.conftest import REDIS
    from tests.live.wire import Server

    made = setup_databases(verbosity=0, interactive=False)
    place = urlsplit(REDIS)
    redis = Distance(place.hostname or "", place.port or 6379, milliseconds / 1000)
    line = f"redis://127.0.0.1:{redis.port}{place.path}"
    servers: list[Any] = []
    try:
        games = [rows.create(*opened(), using="postgres") for _table in range(tables)]
        for _n in range(3):
            servers.append(Server(wait=False, DATABASE_URL=address(), REDIS_URL=line))
        for each in servers:
            each.wait()
            wait_for(lambda each=each: each.ready() == 200, 180)
        found = asyncio.run(club(servers, games, redis))
        print({name: round(value, 2) for name, value in found.items()})
        return found
    finally:
        for each in servers:
            each.kill()
        redis.close()
        teardown_databases(made, verbosity=0)


def gate() -> int:
    """The status of the gate: 0 if it holds."""
    for _run in range(RUNS):
        found = club_main(50, 2.0)
        if found["p95 ms"] <= LIMIT and not found["unanswered"]:
            return 0
    return 1


def opened() -> tuple[Any, Any]:
    """A rule system, and the beginning of a game of it."""
    from games.rules import scenario
    from games.systems import find

    rules = find("any-game")
    given = {
        "seats": {seat: {} for seat in SEATS},
        "objects": {"rocket": {"counters": {"fuel": 4}}},
    }
    return rules, scenario.opening(rules, {"given": given, "settings": {}})


if __name__ == "__main__":
    os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
    django.setup()
    if sys.argv[1:] == ["gate"]:
        sys.exit(gate())
    given = [float(each) for each in sys.argv[2:]]
    club_main(int(given[0]) if given else 250, given[1] if len(given) > 1 else 2.0)
