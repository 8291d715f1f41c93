"""Benchmark: the silence that each fault costs, with 200 phones at three processes behind a proxy.

`python -m tests.fault_bench [nginx|caddy] [tables]`, with PostgreSQL and Redis as the tests find
them: tables of 4, 50 unless given, each phone with a tap a second. For each fault: the longest
silence of a seat while it lasts and `AFTER` seconds, as median and maximum of the seats, the seats
with more than `FELT` seconds, dials, pages that were not 200, and the slowest page.
Up to 1.2 seconds are the pause between two taps. Afterwards each tap must be in the log once.
"""

from __future__ import annotations

import os
import signal
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import django

AFTER, FELT, PAUSE = 10.0, 1.6, 1.0
"""Seconds that a fault is watched after its end; of silence that a seat notices; between taps."""


def faults(cluster: Any) -> list[tuple[str, Callable[[], None], float]]:
    """What each fault is, what makes it, and the seconds until it is mended."""
    redis, postgres = cluster.redis_of_all, cluster.postgres_of_all
    one = cluster.servers[1]
    return [
        ("a process is killed", lambda: one.process.send_signal(signal.SIGKILL), 4),
        ("a process is told to stop", lambda: one.process.send_signal(signal.SIGTERM), 4),
        ("a process hangs for 10 s", lambda: one.process.send_signal(signal.SIGSTOP), 10),
        ("Redis is killed, and back at once", redis.refuse, 0.2),
        ("Redis is refused for 5 s", redis.refuse, 5),
        ("Redis hangs for 6 s", redis.freeze, 6),
        ("PostgreSQL restarts in 1 s", postgres.refuse, 1),
        ("PostgreSQL hangs for 2 s", postgres.freeze, 2),
        ("PostgreSQL hangs for 8 s", postgres.freeze, 8),
    ]


def measured(
    cluster: Any, gate: Any, phones: Sequence[Any], fault: Callable[[], None], lasts: float
) -> list[str]:
    """The cells of a fault's row."""
    from tests.cluster.test_proxies import visiting

    dialled = sum(each.dials for each in phones)
    with visiting(gate, "/livez") as pages:
        since = time.monotonic()
        fault()
        time.sleep(lasts)
        cluster.mend()
        time.sleep(AFTER)
        silent = [each.silence(since) for each in phones]
    failed = sum(status != 200 for status, _seconds in pages)
    return [
        f"{statistics.median(silent):.1f} / {max(silent):.1f}",
        f"{sum(each > FELT for each in silent)}",
        f"{sum(each.dials for each in phones) - dialled}",
        f"{failed} of {len(pages)}",
        f"{max(seconds for _status, seconds in pages):.1f}",
    ]


def main(which: str, tables: int) -> None:
    from django.test.utils import setup_databases, teardown_databases

    from games.store import rows
    from tests.cluster import test_proxies
    from tests.cluster.processes import Cluster, Phone, settled, tapping
    from tests.cluster_bench import SEATS, opened

    made = setup_databases(verbosity=0, interactive=False)
    phones: list[Any] = []
    cluster = None
    try:
        with tempfile.TemporaryDirectory() as temporary:
            folder = Path(temporary)
            cluster = Cluster(folder)
            cluster.mend()
            games = [rows.create(*opened(), using="postgres") for _table in range(tables)]
            ports = [each.port for each in cluster.servers]
            with test_proxies.opened(getattr(test_proxies, which), folder, ports) as gate:
                seats = [(game, seat) for game in games for seat in SEATS]
                with ThreadPoolExecutor(len(seats)) as at_once:
                    phones = list(at_once.map(lambda at: Phone(at[0], at[1], lambda: gate), seats))
                print(
                    f"{which}, {len(phones)} phones\n\n| fault | silence, s, p50 / max "
                    f"| seats > {FELT} s | dials | pages not 200 | slowest page, s |"
                    "\n|---|---|---|---|---|---|"
                )
                with tapping(*phones, pause=0, apart=PAUSE / len(phones)):
                    time.sleep(5)
                    for name, fault, lasts in faults(cluster):
                        cells = measured(cluster, gate, phones, fault, lasts)
                        print("|", " | ".join([name, *cells]), "|", flush=True)
                for n, game in enumerate(games):
                    settled(game, *phones[n * len(SEATS) : (n + 1) * len(SEATS)])
                print(f"\n{sum(len(each.given) for each in phones)} taps, each in the log once")
    finally:
        for each in phones:
            each.close()
        if cluster is not None:
            cluster.close()
        teardown_databases(made, verbosity=0)


if __name__ == "__main__":
    os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
    django.setup()
    main(sys.argv[1] if len(sys.argv) > 1 else "nginx", int((sys.argv[2:] or ["50"])[0]))
