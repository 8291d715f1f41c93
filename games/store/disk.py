"""Detection of a full disk, so that phones can show why nothing is saved.

SQLite's disk is this computer's, and its free space is known. Of PostgreSQL's we only hear when a
write fails, until one succeeds again or a while has passed: a server that is found full is given
nothing to write, and would stay full for ever.
"""

from __future__ import annotations

import errno
import shutil
import time
from pathlib import Path
from typing import Any

from django.db import connection

LEAST = 1024 * 1024
"""Bytes that must be free besides what SQLite's log holds already: pages, pictures of boards, a new
game."""

SHARE, SPARE = 0.05, 500 * 1024 * 1024
"""A share of the disk and bytes: the smaller of both is left to the taps of the games here."""

BELIEVED = 60.0
"""Seconds for which a failed write says that there is no room."""

_failed: tuple[float, int] | None = None
"""The time of the last write that found no room, and the bytes that seemed free then."""


def full() -> bool:
    """True if the last write failed for want of room, or the next may."""
    free = room()
    if free is not None and free < LEAST:
        return True
    if _failed is None or time.monotonic() - _failed[0] > BELIEVED:
        return False
    return free is None or free < _failed[1] + LEAST


def low() -> bool:
    """True if there is room for taps only: no new games, files and pictures are taken."""
    usage = _usage()
    return full() or (usage is not None and usage.free < min(SHARE * usage.total, SPARE))


def room() -> int | None:
    """The bytes free where the games are stored; None if that is another computer."""
    usage = _usage()
    return None if usage is None else usage.free


def _usage() -> Any:
    """The bytes of that disk: total, used, free."""
    if connection.vendor != "sqlite":
        return None
    try:
        return shutil.disk_usage(Path(connection.settings_dict["NAME"]).parent)
    except OSError:
        return None


def note(error: Exception | None) -> None:
    """Note that a write failed with *error*, or succeeded (None)."""
    global _failed
    if error is not None and for_want_of_room(error):
        _failed = time.monotonic(), room() or 0
    else:
        _failed = None


def for_want_of_room(error: Exception) -> bool:
    """True if *error* is SQLite's, PostgreSQL's or the system's word for a full disk."""
    if isinstance(error, OSError):
        return error.errno in (errno.ENOSPC, errno.EDQUOT)
    names = {parent.__name__ for parent in type(error).__mro__}
    return "DiskFull" in names or "disk is full" in str(error)
