"""The cost of strangers and heavy readers for a running game: `python -m tests.strangers`.

A table is started as shipped, in a process of its own. One phone taps and loads its board now and
then, and a newcomer the home page; an attack from another address goes on and off beside them, in
windows that follow one another, so that whatever else the machine does falls on both. For each
attack, quiet and attacked: the time from a tap to its frame (of each window its median and its 99th
percentile, and of these the median), the 95th percentile of the board and of the home page, and
what a turn of the server's loop takes on the processor, which is what holds up the next tap.

Attackers are other computers, and so is the phone. Here they are processes on the same one, so the
server, its helpers and the phone that taps get the first processor for themselves, and the
attackers the others. The phone comes before the server there, if the system lets it: else it would
wait for its turn behind each page that it measures. With one processor, or others at work on the
machine, the figures say more about these than about the server; what a turn of its loop takes on
the processor is true all the same. So do commits on a disk that others use, too: TMPDIR=/dev/shm
leaves them out.
With --redis, and --database with PostgreSQL, there are two processes: the attackers speak to the
second, and their tables live at the first, where the phone is.
With --spread everyone has all processors: then the server's own threads run beside each other, as
they do on most machines, and take Python from each other.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from multiprocessing import get_context
from multiprocessing.synchronize import Event
from pathlib import Path
from statistics import median
from urllib.parse import urlsplit

from tests.attacks import (
    ATTACKS,
    DEAR,
    OWN,
    PHONES,
    Target,
    dear_file,
    large_file,
    long_file,
)
from tests.held import turns
from tests.night import Night
from tests.soak import TOKEN, Phone, slug_in

WINDOW, REST = 4.0, 1.0
"""Seconds of a window, and between two."""
BETWEEN = 0.02
"""Seconds between two taps."""
PAGES = 0.2
"""Seconds between two pages of the phone."""
TAP, TURN, BOARD, HOME = 50.0, 20.0, 500.0, 1000.0
"""Goals during an attack, in milliseconds: taps and turns of the loop, at the 99th percentile, and
pages, at the 95th."""
PROCESSORS = sorted(os.sched_getaffinity(0))
FIRST, OTHERS = PROCESSORS[:1], PROCESSORS[1:] or PROCESSORS
FIRST_IN_LINE = os.SCHED_FIFO | os.SCHED_RESET_ON_FORK
Span = tuple[float, float]
"""From one moment to another (time.monotonic)."""


class Quiet:
    """The game that nobody attacks: one phone taps, and its taps are timed."""

    def __init__(self, site: str, first: bool) -> None:
        self.phone, self._first = Phone(site), first
        self.slug = slug_in(
            self.phone.post("/new", "/new", rules="any-game", seats="2", name="Ana")
        )
        self._wire, self._seat = self.phone.call(self.slug)
        self._number = self._last()
        self._count = 0

    def _last(self) -> int:
        found = re.search(rb'data-seq="(\d+)"', self._wire.receive()[1])
        return int(found[1]) if found else self._last()

    def comes_first(self) -> None:
        """Let this thread run as soon as it can."""
        if self._first:
            with suppress(PermissionError):
                os.sched_setscheduler(0, FIRST_IN_LINE, os.sched_param(1))

    def read(self, paths: Sequence[str], over: threading.Event) -> Iterator[tuple[str, float]]:
        """Load *paths* in turn until it is *over*; the milliseconds that each took."""
        self.comes_first()
        board = f"/g/{self.slug}/"
        while not over.is_set():
            for path in paths:
                phone = self.phone if path == "board" else Phone(self.phone.site)
                began = time.perf_counter()
                phone.get(board if path == "board" else path)
                yield path, (time.perf_counter() - began) * 1000
                over.wait(PAGES)

    def window(self, seconds: float) -> list[float]:
        """Tap for so long; the seconds that each took until it was seen."""
        from tests.live.wire import frame

        took = []
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            self._count += 1
            tap = {
                "do": "place", "on": self._seat, "counter": "points", "amount": 1,
                "id": f"quiet-{self._count}",
            }  # fmt: skip
            began = time.perf_counter()
            self._wire.send(frame(json.dumps(tap).encode()))
            self._number += 1
            self._wire.until(self._number)
            took.append(time.perf_counter() - began)
            time.sleep(BETWEEN)
        return took


def percentile(values: Sequence[float], part: float) -> float:
    return sorted(values)[min(int(len(values) * part), len(values) - 1)] if values else 0.0


def _attackers(name: str, target: Target, on: Event, spread: bool) -> None:
    """A process of attackers, not on the server's processor."""
    if not spread:
        os.sched_setaffinity(0, OTHERS)
    count, attack = ATTACKS[name]

    def run(n: int) -> None:
        dice = random.Random(n)
        while True:
            with suppress(OSError):
                attack(target, dice, on)

    threads = [threading.Thread(target=run, args=(n,), daemon=True) for n in range(count)]
    for thread in threads:
        thread.start()
    threading.Event().wait()


class Side:
    """The windows without an attack, or with it: the milliseconds of taps and pages, and when."""

    def __init__(self) -> None:
        self.windows: list[list[float]] = []
        self.spans: list[Span] = []
        self.pages: dict[str, list[float]] = {"board": [], "/": []}

    def add(self, quiet: Quiet) -> None:
        over, began = threading.Event(), time.monotonic()
        reading = threading.Thread(target=self._read, args=(quiet, over))
        reading.start()
        self.windows.append([seconds * 1000 for seconds in quiet.window(WINDOW)])
        self.spans.append((began, time.monotonic()))
        over.set()
        reading.join()

    def _read(self, quiet: Quiet, over: threading.Event) -> None:
        for path, took in quiet.read([*self.pages], over):
            self.pages[path].append(took)

    def tap(self, part: float) -> float:
        """The median of the windows' own, so that one bad moment of the machine is one window's."""
        return median(percentile(window, part) for window in self.windows)

    def page(self, path: str) -> float:
        return percentile(self.pages[path], 0.95)

    def computed(self, noted: Path) -> list[float]:
        """The milliseconds that each turn of the loop that held up a tap took on the processor."""
        return [on for span in self.spans for _held, on in turns(noted, *span)]


def compared(
    name: str, target: Target, quiet: Quiet, rounds: int, spread: bool
) -> tuple[Side, Side]:
    """The taps without the attack *name*, and with it."""
    spawned = get_context("fork")
    on = spawned.Event()
    on.set()
    without, attacked = Side(), Side()
    for _round in range(rounds):
        without.add(quiet)
        attackers = spawned.Process(target=_attackers, args=(name, target, on, spread))
        attackers.start()
        time.sleep(REST)
        attacked.add(quiet)
        attackers.kill()  # whatever they wait for, they no longer do
        attackers.join()
        time.sleep(2 * REST)
    return without, attacked


def target_of(site: str) -> Target:
    """A long game and a large table of the attackers' own, with many phones at it."""
    phone = Phone(site)
    slug = slug_in(phone.post("/new/file", "/new/file", text=long_file()))
    large = slug_in(phone.post("/new/file", "/new/file", text=large_file()))
    cookies = {cookie.name: cookie.value or "" for cookie in phone.cookies}
    found = TOKEN.search(phone.get("/new"))
    dear = [
        (n, slug_in(phone.post("/new/file", "/new/file", text=dear_file(n)))) for n in (*DEAR, *OWN)
    ]
    return Target(
        urlsplit(site).port or 0, slug, _device(phone),
        found[1] if found else "", cookies["csrftoken"], _invitation(phone, slug),
        large, tuple(_come(site, _invitation(phone, large)) for _phone in range(PHONES)),
        tuple(dear),
    )  # fmt: skip


def _invitation(phone: Phone, slug: str) -> str:
    found = re.search(r"/j/[\w-]+", phone.get(f"/g/{slug}/share"))
    return found[0] if found else "/"


def _come(site: str, invitation: str) -> str:
    """The cookie of one more phone at a table."""
    phone = Phone(site)
    phone.get(invitation)
    return _device(phone)


def _device(phone: Phone) -> str:
    cookies = {cookie.name: cookie.value or "" for cookie in phone.cookies}
    return f"device={cookies['device']}"


HEADING = (
    f"{'':20} {'tap p50':>13} {'p99':>13} {'board p95':>15} {'home p95':>15}"
    f" {'turn p99':>9} {'max':>6}"
)


def line(name: str, without: Side, attacked: Side, noted: Path) -> str:
    """The cost of an attack in milliseconds: quiet, attacked, and of the loop meanwhile."""
    computed = attacked.computed(noted)
    both = (without, attacked)
    taps = [[side.tap(part) for side in both] for part in (0.5, 0.99)]
    pages = [[side.page(path) for side in both] for path in ("board", "/")]
    turn = percentile(computed, 0.99)
    said = f"{name:20}"
    said += "".join(f" {quiet:6.1f} {now:6.1f}" for quiet, now in taps)
    said += "".join(f" {quiet:7.0f} {now:7.0f}" for quiet, now in pages)
    said += f" {turn:9.1f} {max(computed, default=0):6.1f}"
    reached = (taps[1][1], turn, pages[0][1], pages[1][1])
    over = any(now > goal for now, goal in zip(reached, (TAP, TURN, BOARD, HOME), strict=True))
    return said + "  above the goal" if over else said


def figures(
    rounds: int, names: Sequence[str], crowd: str, database: str, redis: str, spread: bool
) -> Iterator[str]:
    """A line for each attack."""
    from countersite.addresses import free_port

    with tempfile.TemporaryDirectory() as folder:
        noted = Path(folder) / "turns"
        if not spread:
            os.sched_setaffinity(0, FIRST)
        port = free_port("127.0.0.1", 8950)
        run = ("-m", "tests.held", str(noted))
        started = partial(
            Night, COUNTERSITE_CROWD=crowd, DATABASE_URL=database, REDIS_URL=redis,
            COUNTERSITE_SECRET_KEY="of both processes, and long enough to be taken for a key",
        )  # fmt: skip
        night = started(Path(folder) / "night", port, run=run)
        nights = [night]
        try:
            target, quiet = target_of(night.site), Quiet(night.site, not spread)
            if redis:
                (Path(folder) / "second").mkdir()
                second = free_port("127.0.0.1", 9050)
                nights.append(started(Path(folder) / "second" / "night", second))
                target = replace(target, port=urlsplit(nights[1].site).port or 0)
            quiet.comes_first()
            quiet.window(2)
            yield HEADING
            for name in names:
                yield line(name, *compared(name, target, quiet, rounds, spread), noted)
            if "Traceback" in night.printed:
                yield night.printed[night.printed.index("Traceback") :][:4000]
        finally:
            for each in nights:
                each.kill()


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.strangers", description=__doc__)
    parser.add_argument("attacks", nargs="*", default=[*ATTACKS], help=", ".join(ATTACKS))
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--crowd", default="1", help="COUNTERSITE_CROWD; 1000: no limits")
    parser.add_argument("--database", default="", help="DATABASE_URL")
    parser.add_argument("--redis", default="", help="REDIS_URL, for a second process")
    parser.add_argument("--spread", action="store_true", help="on all processors, everyone")
    given = parser.parse_args()
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    django.setup()
    for line in figures(
        given.rounds, given.attacks, given.crowd, given.database, given.redis, given.spread
    ):
        print(line, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
