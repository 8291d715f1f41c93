"""Token buckets, the one way in which anything here is limited in rate."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Hashable
from itertools import islice

MOST_NAMES = 8192
"""Buckets that are remembered; beyond that the least recently used are forgotten."""


class Bucket:
    """Tokens of one sender: *at_once* at most, refilled with *a_second* each second."""

    __slots__ = ("_a_second", "_at_once", "_left", "_since")

    def __init__(self, at_once: float, a_second: float) -> None:
        self._at_once, self._a_second = at_once, a_second
        self._left, self._since = at_once, time.monotonic()

    def take(self, tokens: float = 1.0) -> bool:
        """Take *tokens*, or all of a full bucket; False, and none is taken, if there are fewer."""
        now, tokens = time.monotonic(), min(tokens, self._at_once)
        left = min(self._left + (now - self._since) * self._a_second, self._at_once)
        self._left, self._since = left - tokens if left >= tokens else left, now
        return left >= tokens

    def left(self) -> float:
        """The number of tokens left."""
        self.take(0)
        return self._left

    def has(self, tokens: float = 1.0) -> bool:
        """True if there are *tokens*; of more than it can hold, whether it is full."""
        return self.left() >= min(tokens, self._at_once)

    def spend(self, tokens: float = 1.0) -> bool:
        """Take *tokens*, or what there is; False if there were fewer.

        Unlike with `take`, a sender that keeps trying never gets through.
        """
        enough = self.has(tokens)
        self._left = max(self._left - tokens, 0.0)
        return enough


class Buckets:
    """A bucket for each name; one that is full again is forgotten."""

    def __init__(self, at_once: float, a_second: float) -> None:
        self._at_once, self._a_second = at_once, a_second
        self._buckets: OrderedDict[Hashable, Bucket] = OrderedDict()
        self._lock = threading.Lock()

    def __len__(self) -> int:
        """The number of names remembered."""
        return len(self._buckets)

    def of(self, name: Hashable) -> Bucket:
        """The bucket of *name*."""
        with self._lock:
            for oldest, bucket in list(islice(self._buckets.items(), 2)):
                if len(self._buckets) >= MOST_NAMES or bucket.left() >= self._at_once:
                    del self._buckets[oldest]
            if name not in self._buckets:
                self._buckets[name] = Bucket(self._at_once, self._a_second)
            self._buckets.move_to_end(name)
            return self._buckets[name]

    def clear(self) -> None:
        """Fill all buckets."""
        self._buckets.clear()
