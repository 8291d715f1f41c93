"""Measure a running host: how long a tap takes to reach every seat of its table.

    python bench/make_games.py grand-archive 20 4 10 > games.json   # on the host, with its data
    python bench/host_bench.py ws://192.168.1.20:8000 games.json    # from anywhere
    python bench/host_bench.py --local                              # a server just for this

Each table has one tap in flight: the next one starts when every seat has seen the last. Every tap
has an id, as a phone's taps do. A seat that never sees a number fails the run.

--local also reports the memory of the server, and how long all seats need to be back in step after
it was killed and started again. --seconds is how long to tap (5), --chart FILE writes an SVG of the
times. It needs `websockets` (in the "dev" extra), and answers with one line a figure.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from websockets.asyncio.client import ClientConnection, connect

ROOT = Path(__file__).resolve().parent.parent
SEQUENCE = re.compile(r'data-seq="(\d+)"')
PERCENTILES = (50, 90, 99)
PATIENCE = 30.0
"""Seconds after which a server that does not answer, or a tap that does not arrive, is lost."""
WIDTH, HEIGHT, LEFT, TOP = 640, 240, 56, 16


class Seat:
    """One phone's socket, and the last number that it saw."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.seen = -1

    async def reach(self, number: int) -> None:
        """Read until the table's number is *number* or more; 0 is the first answer."""
        while self.seen < number:
            text = await asyncio.wait_for(self.socket.recv(decode=True), PATIENCE)
            if found := SEQUENCE.search(text):
                self.seen = int(found[1])
            elif '"refused"' in text:
                raise RuntimeError(f"The host refused a tap: {text}")


async def connect_seats(host: str, game: dict[str, Any], since: int = 0) -> list[Seat]:
    """Every seat of *game*, having seen its first answer."""
    url = f"{host}/g/{game['slug']}/ws?ticket={{}}&from={since}"
    seats = [
        Seat(await connect(url.format(ticket), compression=None, proxy=None))
        for ticket in game["tickets"]
    ]
    for seat in seats:
        await seat.reach(0)
    return seats


async def connect_all(host: str, games: list[dict[str, Any]]) -> list[list[Seat]]:
    return list(await asyncio.gather(*(connect_seats(host, game) for game in games)))


async def tap(table: int, seats: list[Seat], until: float, run: int) -> list[float]:
    """Tap at one table until *until*; the milliseconds from each tap to the last seat."""
    took: list[float] = []
    while time.perf_counter() < until:
        n = len(took)
        command = {"do": "place", "on": f"o{n % 10}", "counter": "charge", "amount": 1}
        expected = max(seat.seen for seat in seats) + 1
        began = time.perf_counter()
        await seats[n % len(seats)].socket.send(
            json.dumps({**command, "id": f"bench-{run}-{table}-{n}@{expected - 1}"})
        )
        await asyncio.gather(*(seat.reach(expected) for seat in seats))
        took.append((time.perf_counter() - began) * 1000)
    return took


async def measure(host: str, games: list[dict[str, Any]], seconds: float) -> tuple[Any, ...]:
    """Milliseconds of all taps, seconds that connecting took, and the numbers reached."""
    began = time.perf_counter()
    tables = await connect_all(host, games)
    connected = time.perf_counter() - began
    run = time.time_ns()  # ids of an earlier run would be accepted and change nothing
    until = time.perf_counter() + seconds
    taps = await asyncio.gather(
        *(tap(table, seats, until, run) for table, seats in enumerate(tables))
    )
    reached = [seats[0].seen for seats in tables]
    await asyncio.gather(*(seat.socket.close() for seats in tables for seat in seats))
    return sorted(ms for table in taps for ms in table), connected, reached


def percentile(sorted_ms: list[float], per_cent: int) -> float:
    return sorted_ms[min(len(sorted_ms) - 1, len(sorted_ms) * per_cent // 100)]


def chart(sorted_ms: list[float], title: str) -> str:
    """An SVG: which share of the taps took at most so many milliseconds."""
    longest = percentile(sorted_ms, 99) or 1.0
    points = []
    for per_cent in range(100):
        x = LEFT + percentile(sorted_ms, per_cent) / longest * (WIDTH - LEFT - TOP)
        y = TOP + (99 - per_cent) / 99 * (HEIGHT - 3 * TOP)
        points.append(f"{x:.1f},{y:.1f}")
    axis = HEIGHT - 2 * TOP
    marks = "".join(
        f'<text x="{LEFT + share * (WIDTH - LEFT - TOP):.0f}" y="{axis + 18}" '
        f'text-anchor="middle">{longest * share:.1f} ms</text>'
        for share in (0.25, 0.5, 0.75, 0.97)
    )
    shares = "".join(
        f'<text x="{LEFT - 8}" y="{TOP + (99 - share) / 99 * (HEIGHT - 3 * TOP) + 4:.0f}" '
        f'text-anchor="end">{share} %</text>'
        for share in (0, *PERCENTILES)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'font-family="sans-serif" font-size="12" fill="#444"><title>{title}</title>'
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>'
        f'<path d="M{LEFT} {TOP}V{axis}H{WIDTH - TOP}" fill="none" stroke="#999"/>'
        f'<polyline points="{" ".join(points)}" fill="none" stroke="#2463b4" stroke-width="2"/>'
        f"{marks}{shares}</svg>\n"
    )


class LocalServer:
    """A server on a data folder of its own, which ends with it."""

    def __init__(self, data: str) -> None:
        self._environment = {
            **os.environ,
            "COUNTERSITE_DATA": data,
            "PYTHONPATH": str(ROOT),
            "DJANGO_SETTINGS_MODULE": "countersite.settings",
        }
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self._port = free.getsockname()[1]
        self.host = f"ws://127.0.0.1:{self._port}"
        self._process: subprocess.Popen[bytes] | None = None

    def run(self, *arguments: str) -> str:
        """The output of a script of the project, run on the server's data."""
        return subprocess.run(
            [sys.executable, *arguments],
            env=self._environment,
            cwd=ROOT,
            check=True,
            stdout=subprocess.PIPE,
            text=True,
        ).stdout

    def start(self) -> float:
        """Start, and wait for the first answer; the seconds that took."""
        began = time.perf_counter()
        command = [sys.executable, "manage.py", "serve", "--port", str(self._port)]
        self._process = subprocess.Popen(
            command, env=self._environment, cwd=ROOT, stderr=subprocess.DEVNULL
        )
        while time.perf_counter() - began < PATIENCE:
            try:
                with socket.create_connection(("127.0.0.1", self._port), timeout=PATIENCE) as probe:
                    probe.sendall(b"GET /livez HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
                    if probe.recv(1):
                        return time.perf_counter() - began
            except ConnectionError:
                time.sleep(0.005)
        raise TimeoutError("The server did not start.")

    def stop(self) -> None:
        """Kill it, as a power cut does."""
        if self._process is not None:
            self._process.send_signal(signal.SIGKILL)
            self._process.wait()
            self._process = None

    def megabytes(self) -> float | None:
        """Resident memory; None where the system does not tell (only Linux does)."""
        assert self._process is not None
        try:
            status = Path(f"/proc/{self._process.pid}/status").read_text()
        except OSError:
            return None
        found = re.search(r"VmRSS:\s+(\d+)", status)
        return int(found[1]) / 1024 if found else None


@contextmanager
def local(tables: int, seats: int) -> Iterator[tuple[LocalServer, list[dict[str, Any]]]]:
    """A server with games; both are gone afterwards."""
    with tempfile.TemporaryDirectory() as data:
        server = LocalServer(data)
        server.run("bench/make_games.py", "empty")
        made = server.run("bench/make_games.py", "grand-archive", str(tables), str(seats), "10")
        print(f"start to first byte    {server.start():.2f} s")
        try:
            yield server, json.loads(made)
        finally:
            server.stop()


async def returned(host: str, games: list[dict[str, Any]], reached: list[int]) -> None:
    """Reconnect to every table, and check that no acknowledged tap was lost."""
    tables = await connect_all(host, games)
    for seats, number in zip(tables, reached, strict=True):
        for seat in seats:
            assert seat.seen >= number, f"at {seat.seen}, was told {number}"
            await seat.socket.close()


def report(host: str, games: list[dict[str, Any]], options: argparse.Namespace) -> list[int]:
    """Measure and print; the numbers that the tables reached."""
    times, connected, reached = asyncio.run(measure(host, games, options.seconds))
    seats = sum(len(game["tickets"]) for game in games)
    print(f"tables, seats          {len(games)}, {seats}")
    print(f"all seats connected    {connected:.2f} s")
    print(f"taps to every seat     {len(times) / options.seconds:,.0f} a second")
    for per_cent in PERCENTILES:
        print(f"tap to last seat, p{per_cent}  {percentile(times, per_cent):.2f} ms")
    if options.chart:
        title = f"{len(times)} taps at {len(games)} tables"
        Path(options.chart).write_text(chart(times, title))
    return list(reached)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("host", nargs="?", help="ws://address:port, or wss://")
    parser.add_argument("games", nargs="?", help="what make_games.py printed on that host")
    parser.add_argument("--local", action="store_true", help="start a server for this")
    parser.add_argument("--tables", type=int, default=20, help="with --local (20)")
    parser.add_argument("--seats", type=int, default=4, help="with --local (4)")
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--chart", help="write an SVG here")
    options = parser.parse_args()
    if not options.local:
        if not (options.host and options.games):
            parser.error("name a host and its games, or use --local")
        report(options.host, json.loads(Path(options.games).read_text()), options)
        return
    with local(options.tables, options.seats) as (server, games):
        reached = report(server.host, games, options)
        if (memory := server.megabytes()) is not None:
            print(f"memory of the server   {memory:.0f} MiB")
        began = time.perf_counter()
        server.stop()
        server.start()
        asyncio.run(returned(server.host, games, reached))
        print(f"killed, all seats back {time.perf_counter() - began:.2f} s, every tap kept")


if __name__ == "__main__":
    main()
