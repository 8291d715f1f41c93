"""What strangers and heavy readers cost a game that is being played: `python -m tests.strangers`.

A table is started as shipped, in a process of its own. One phone taps; an attack goes on and off
beside it, in windows that follow one another, so that whatever else the machine does falls on both.
For each attack: the time from a tap to its frame, quiet and attacked (of each window its median and
its 99th percentile, and of these the median), their ratio, and what the server itself adds to it:
for how long a turn of its loop holds up the next tap.

Attackers are other computers, and so is the phone. Here they are processes on the same one, so the
server, its helper and the phone that taps get the first processor for themselves, and the attackers
the others. The phone comes before the server there, if the system lets it: else it would wait for
its turn behind each page that it measures. The attackers do not stand back in line: one that is not
let run keeps the locks of its sockets, and the server would wait for them. With one processor, or
others at work on the machine, the ratios say more about these than about the server; what a turn of
its loop takes on the processor is true all the same. So do commits on a disk that others use, too:
TMPDIR=/dev/shm leaves them out. With --spread everyone has all processors: then the server's own
threads run beside each other, as they do on most machines, and take Python from each other.
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
from multiprocessing import get_context
from multiprocessing.synchronize import Event
from pathlib import Path
from statistics import median
from urllib.parse import urlsplit

from tests.attacks import ATTACKS, Target, long_file
from tests.held import turns
from tests.night import Night
from tests.soak import TOKEN, Phone, slug_in

WINDOW, REST = 4.0, 1.0
"""Seconds of a window, and between two."""
BETWEEN = 0.02
"""Seconds between two taps."""
GOAL = 2.0
"""What an attack may multiply the 99th percentile by."""
PROCESSORS = sorted(os.sched_getaffinity(0))
FIRST, OTHERS = PROCESSORS[:1], PROCESSORS[1:] or PROCESSORS
FIRST_IN_LINE = os.SCHED_FIFO | os.SCHED_RESET_ON_FORK
Span = tuple[float, float]
"""From one moment to another (time.monotonic)."""


class Quiet:
    """The game that nobody attacks: one phone taps, and its taps are timed."""

    def __init__(self, site: str) -> None:
        self.phone = Phone(site)
        self.slug = slug_in(
            self.phone.post("/new", "/new", rules="any-game", seats="2", name="Ana")
        )
        self._wire, self._seat = self.phone.call(self.slug)
        self._number = self._last()
        self._count = 0

    def _last(self) -> int:
        found = re.search(rb'data-seq="(\d+)"', self._wire.receive()[1])
        return int(found[1]) if found else self._last()

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


def _attackers(name: str, target: Target, on: Event, over: Event, spread: bool) -> None:
    """A process of attackers, not on the server's processor."""
    if not spread:
        os.sched_setaffinity(0, OTHERS)
    count, attack = ATTACKS[name]

    def run(n: int) -> None:
        dice = random.Random(n)
        while not over.is_set():
            if on.wait(0.1):
                with suppress(OSError):
                    attack(target, dice, on)

    threads = [threading.Thread(target=run, args=(n,), daemon=True) for n in range(count)]
    for thread in threads:
        thread.start()
    over.wait()


class Side:
    """The windows without an attack, or with it: the milliseconds of their taps, and when."""

    def __init__(self) -> None:
        self.windows: list[list[float]] = []
        self.spans: list[Span] = []

    def add(self, quiet: Quiet) -> None:
        began = time.monotonic()
        self.windows.append([seconds * 1000 for seconds in quiet.window(WINDOW)])
        self.spans.append((began, time.monotonic()))

    def percentile(self, part: float) -> float:
        """The median of the windows' own, so that one bad moment of the machine is one window's."""
        return median(percentile(window, part) for window in self.windows)

    def held(self, noted: Path) -> tuple[list[float], list[float], float]:
        """The milliseconds of the turns that held up a tap, on the processor, and its share."""
        found = [turn for span in self.spans for turn in turns(noted, *span)]
        whole = sum(until - since for since, until in self.spans) * 1000
        computed = [on for _held, on in found]
        return [held for held, _on in found], computed, sum(computed) / whole


def compared(
    name: str, target: Target, quiet: Quiet, rounds: int, spread: bool
) -> tuple[Side, Side]:
    """The taps without the attack *name*, and with it."""
    spawned = get_context("fork")
    on, over = spawned.Event(), spawned.Event()
    attackers = spawned.Process(
        target=_attackers, args=(name, target, on, over, spread), daemon=True
    )
    attackers.start()
    without, attacked = Side(), Side()
    for _round in range(rounds):
        without.add(quiet)
        on.set()
        time.sleep(REST)
        attacked.add(quiet)
        on.clear()
        time.sleep(2 * REST)
    over.set()
    attackers.join(5)
    attackers.kill()
    return without, attacked


def target_of(site: str) -> Target:
    """A long game of the attackers' own."""
    phone = Phone(site)
    slug = slug_in(phone.post("/new/file", "/new/file", text=long_file()))
    share = phone.get(f"/g/{slug}/share")
    cookies = {cookie.name: cookie.value or "" for cookie in phone.cookies}
    found = TOKEN.search(phone.get("/new"))
    invitation = re.search(r"/j/[\w-]+", share)
    return Target(
        urlsplit(site).port or 0, slug, f"device={cookies['device']}",
        found[1] if found else "", cookies["csrftoken"], invitation[0] if invitation else "/",
    )  # fmt: skip


HEADING = (
    f"{'':20} {'quiet p50':>9} {'p99':>6} {'attacked':>8} {'p99':>6} {'times':>5}"
    f" | {'turns p99':>9} {'max':>6} {'on CPU':>6} {'max':>6} {'share':>5}"
)


def line(name: str, without: Side, attacked: Side, noted: Path) -> str:
    """What an attack cost, in milliseconds; of the loop, its turns during the attack."""
    p50, p99, a50, a99 = (
        side.percentile(part) for side in (without, attacked) for part in (0.5, 0.99)
    )
    held, computed, share = attacked.held(noted)
    said = f"{name:20} {p50:9.1f} {p99:6.1f} {a50:8.1f} {a99:6.1f} {a99 / p99:5.1f}"
    said += f" | {percentile(held, 0.99):9.1f} {max(held, default=0):6.1f}"
    said += f" {percentile(computed, 0.99):6.1f} {max(computed, default=0):6.1f} {share:5.0%}"
    return said if a99 / p99 <= GOAL else said + "  above the goal"


def figures(
    rounds: int, names: Sequence[str], crowd: str, database: str, spread: bool
) -> Iterator[str]:
    """A line for each attack."""
    from countersite.addresses import free_port

    with tempfile.TemporaryDirectory() as folder:
        noted = Path(folder) / "turns"
        if not spread:
            os.sched_setaffinity(0, FIRST)
        port = free_port("127.0.0.1", 8950)
        run = ("-m", "tests.held", str(noted))
        night = Night(
            Path(folder) / "night", port, run=run,
            COUNTERSITE_CROWD=crowd, DATABASE_URL=database,
        )  # fmt: skip
        try:
            target, quiet = target_of(night.site), Quiet(night.site)
            if not spread:
                with suppress(PermissionError):
                    os.sched_setscheduler(0, FIRST_IN_LINE, os.sched_param(1))
            quiet.window(2)
            yield HEADING
            for name in names:
                yield line(name, *compared(name, target, quiet, rounds, spread), noted)
            if "Traceback" in night.printed:
                yield night.printed[night.printed.index("Traceback") :][:4000]
        finally:
            night.kill()


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.strangers", description=__doc__)
    parser.add_argument("attacks", nargs="*", default=[*ATTACKS], help=", ".join(ATTACKS))
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--crowd", default="1", help="COUNTERSITE_CROWD; 1000: no limits")
    parser.add_argument("--database", default="", help="DATABASE_URL")
    parser.add_argument("--spread", action="store_true", help="on all processors, everyone")
    given = parser.parse_args()
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    django.setup()
    for line in figures(given.rounds, given.attacks, given.crowd, given.database, given.spread):
        print(line, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
