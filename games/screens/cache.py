"""Cache of a table's rendered parts and computed values."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Any

Key = tuple[Hashable, ...]
"""It begins with what is kept: ("panel", "ana")."""


class Cache:
    """The one cache of a table.

    lasting: what checks for itself whether it is still true, until the seats change.
    """

    def __init__(self) -> None:
        self.lasting: dict[Key, Any] = {}
        self._states: tuple[tuple[object, dict[Key, Any]], ...] = ()

    def of(self, state: object) -> dict[Key, Any]:
        """The cache of *state*, one of the last two: an update compares two."""
        for known, found in self._states:
            if known is state:
                return found
        found = dict[Key, Any]()
        self._states = (*self._states[-1:], (state, found))
        return found

    def carry(self, before: object, after: object, keys: Iterable[Key]) -> None:
        """Carry the values of these keys over from *before* to *after*."""
        known, found = self.of(before), self.of(after)
        for key in keys:
            if key in known:
                found.setdefault(key, known[key])

    def clear(self) -> None:
        self.lasting.clear()
        self._states = ()
