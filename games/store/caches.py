"""Caches of values read from games, bounded, and cleared when a game is deleted."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from threading import Lock
from typing import Any, Generic, TypeVar

V = TypeVar("V")

_every: list[Cache[Any]] = []


class Cache(Generic[V]):
    """An LRU of the *most* values of all games. A user takes a value out before changing it."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._values: OrderedDict[tuple[str, Hashable], V] = OrderedDict()
        self._lock = Lock()
        _every.append(self)

    def __contains__(self, key: tuple[str, Hashable]) -> bool:
        return key in self._values

    def take(self, slug: str, key: Hashable = None) -> V | None:
        """Take out the value of a game under *key*."""
        with self._lock:
            return self._values.pop((slug, key), None)

    def keep(self, slug: str, key: Hashable, value: V) -> None:
        """Keep *value* of a game, and forget what was used longest ago if that is too much."""
        with self._lock:
            self._values.pop((slug, key), None)
            self._values[slug, key] = value
            if len(self._values) > self._most:
                self._values.popitem(last=False)

    def forget(self, slug: str) -> None:
        """Forget all about a game."""
        with self._lock:
            for key in [key for key in self._values if key[0] == slug]:
                del self._values[key]


def forget(slug: str) -> None:
    """Keep nothing of a game in this process: it is deleted."""
    for each in _every:
        each.forget(slug)
