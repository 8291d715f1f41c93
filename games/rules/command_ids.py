"""The ids of accepted commands, each of which is accepted once, however long the log is.

A phone's id ends with the number of the last entry it had heard of when the command was made:
`k3f9x@120`. So the command, if it was accepted, is an entry after that one, and only the ids of
those entries are looked at. They are nearly always in memory; else they are read from the log.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import islice

RECENT = 256
"""Ids of a stored log that stay in memory."""

Fetch = Callable[[int, int], Iterable[tuple[str, int]]]
"""The ids of the stored entries after one number, up to and including another, oldest first."""


class AcceptedIds:
    """The accepted ids of one game.

    fetch: reads those of stored entries. number: the last of these.
    """

    def __init__(self, fetch: Fetch | None = None, number: int = 0) -> None:
        self._fetch = fetch
        self._after = number if fetch else 0
        self._numbers: dict[str, int] = {}  # by id, of all entries after `_after`
        self._whole = False

    def add(self, command_id: str, number: int) -> None:
        """Note the id of the accepted entry *number*, the last one."""
        self._numbers[command_id] = number

    def at_hand(self, command_id: object, number: int) -> bool:
        """True if `known` would answer from memory. number: of the last entry."""
        if not self._after or type(command_id) is not str or command_id in self._numbers:
            return True
        return _heard_of(command_id, number) >= self._after

    def known(self, command_id: str, number: int) -> bool:
        """True if a command with this id was accepted. number: of the last entry."""
        if self._after and command_id not in self._numbers:
            self._reach(_heard_of(command_id, number))
        return command_id in self._numbers

    def saved(self) -> None:
        """Let go of old ids, because all are stored.

        Where someone's ids do not say what they had heard of, all stay: each of these ids must be
        compared with the whole log.
        """
        if self._fetch is None or self._whole or len(self._numbers) < 2 * RECENT:
            return
        old = list(islice(self._numbers, len(self._numbers) - RECENT))
        self._after = self._numbers[old[-1]]
        for command_id in old:
            del self._numbers[command_id]

    def _reach(self, number: int) -> None:
        """Have the ids of all entries after *number* in memory."""
        if number < self._after:
            assert self._fetch is not None
            self._numbers = dict(self._fetch(number, self._after)) | self._numbers
            self._after = number
            self._whole = self._whole or not number


def _heard_of(command_id: str, number: int) -> int:
    """The entry after which a command with this id was made; 0 if it does not say, or not truly."""
    _own, mark, heard = command_id.rpartition("@")
    if mark and heard.isascii() and heard.isdigit() and len(heard) < 10:
        return claimed if (claimed := int(heard)) <= number else 0
    return 0
