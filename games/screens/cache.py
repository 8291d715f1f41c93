"""What was worked out for the last two states of a table: an update compares them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class Lately(Generic[K, V]):
    """By state and key, for the last two states that were asked about."""

    def __init__(self) -> None:
        self._kept: tuple[tuple[object, dict[K, V]], ...] = ()

    def of(self, state: object) -> dict[K, V]:
        """What is known for this very *state*; whoever works more out puts it there."""
        for known, found in self._kept:
            if known is state:
                return found
        found = dict[K, V]()
        self._kept = (*self._kept[-1:], (state, found))
        return found

    def carry(self, before: object, after: object, stays: Callable[[K], bool]) -> None:
        """What is known for *before* holds for *after* too where *stays* says so of its key."""
        known, found = self.of(before), self.of(after)
        for key, value in known.items():
            if key not in found and stays(key):
                found[key] = value
