"""Counters and timers of this process for Prometheus; a tap costs an addition or two.

`countersite.operating` tells it.
"""

from __future__ import annotations

import time
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
MESSAGES = (1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1000.0, 10_000.0)


class Histogram:
    """Histogram: the number of values up to each bound, and the sum of all."""

    def __init__(self, described: str, bounds: Sequence[float] = SECONDS) -> None:
        self.described, self.bounds = described, bounds
        self.sum = 0.0
        self._counts = [0] * (len(bounds) + 1)

    def add(self, value: float) -> None:
        """Count a value."""
        self._counts[bisect_left(self.bounds, value)] += 1
        self.sum += value

    @contextmanager
    def timed(self) -> Iterator[None]:
        """Count the seconds that something takes, even if it fails."""
        begun = time.perf_counter()
        try:
            yield
        finally:
            self.add(time.perf_counter() - begun)

    def buckets(self) -> list[tuple[str, float]]:
        """The bounds, each with how often a value was at most that, as Prometheus has them."""
        so_far, found = 0, []
        for bound, count in zip([*map(str, self.bounds), "+Inf"], self._counts, strict=True):
            so_far += count
            found.append((bound, float(so_far)))
        return found


COMMITS = Histogram("Seconds that saving a batch of commands took.")
PAGES = Histogram("Seconds from a request to its answer, waiting included.")
ROUND_TRIP = Histogram("Seconds until this process's own echo came back through Redis.")
QUEUE = Histogram("Messages for other processes that went to Redis together.", MESSAGES)
HISTOGRAMS = {
    "commit_seconds": COMMITS,
    "page_seconds": PAGES,
    "redis_round_trip_seconds": ROUND_TRIP,
    "relay_queue_messages": QUEUE,
}
"""By their names in Prometheus; the last two only count where processes share the games."""

closes: Counter[int] = Counter()
"""The number of websockets that this process closed, by code (`closing`)."""
statuses: Counter[int] = Counter()
"""The number of answered pages, by the first digit of their status."""
