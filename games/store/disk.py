"""Whether the disk is full, so that everybody can be told why nothing is saved.

SQLite's disk is this computer's, and its free space is known. Of PostgreSQL's we only hear when a
write fails, until one succeeds again.
"""

from __future__ import annotations

import errno
import os
from pathlib import Path

from django.db import connection

LEAST = 1024 * 1024
"""Bytes that must be free besides what SQLite's log holds already: pages, pictures of boards, a new
game."""

_failed = False


def full() -> bool:
    """Whether the last write failed for want of room, or the next may."""
    return _failed or ((free := room()) is not None and free < LEAST)


def room() -> int | None:
    """The bytes free where the games are stored; None if that is another computer."""
    if connection.vendor != "sqlite":
        return None
    try:
        found = os.statvfs(Path(connection.settings_dict["NAME"]).parent)
    except OSError:
        return None
    return found.f_bavail * found.f_frsize


def note(error: Exception | None) -> None:
    """Note that a write failed with *error*, or succeeded (None)."""
    global _failed
    _failed = error is not None and for_want_of_room(error)


def for_want_of_room(error: Exception) -> bool:
    """Whether *error* is SQLite's, PostgreSQL's or the system's word for a full disk."""
    if isinstance(error, OSError):
        return error.errno in (errno.ENOSPC, errno.EDQUOT)
    names = {base.__name__ for base in type(error).__mro__}
    return "DiskFull" in names or "disk is full" in str(error)
