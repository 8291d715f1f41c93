"""What a server's operator wants to know of each process: what it plays, how fast, how late."""

from __future__ import annotations

import os
import secrets
import time
from typing import Any

from django.conf import settings
from django.core.cache import cache

from games.store import holder

from .table_registry import TableRegistry

STARTED = time.time()
ME = secrets.token_hex(4)
"""This process among those that share the games, which may be on several computers."""
KEPT = 90
"""Seconds for which a process's figures are told after it last gave them."""
LISTED = "countersite.processes"

Figures = dict[str, Any]


def figures(registry: TableRegistry, late: float) -> Figures:
    """This process's figures. Times are in seconds.

    late: the longest that the event loop was late within a minute; a tap waited as long.
    """
    connections = [each for table in registry.tables.values() for each in table.connections()]
    journal = registry.journal.counted
    return {
        "name": holder.told() or f"process {os.getpid()}",
        "started": STARTED,
        "tables": len(registry.tables),
        "screens": len(connections),
        "lag": late,
        "accepted": journal.accepted,
        "refused": journal.refused,
        "commits": journal.commits,
        "commit_seconds": journal.seconds,
        "failed": journal.failed,
    }


def publish(mine: Figures) -> None:
    """Tell the other processes that share the games our figures; of two that tell theirs at the
    very same time, one is heard the next time.
    """
    if settings.SHARED:
        now = time.time()
        known = {**cache.get(LISTED, {}), ME: (now, mine)}
        cache.set(LISTED, {who: each for who, each in known.items() if now - each[0] < KEPT}, KEPT)


def of_all(mine: Figures) -> list[Figures]:
    """The figures of every process that shares the games, this one's first, as of now."""
    if not settings.SHARED:
        return [mine]
    known = cache.get(LISTED, {})
    since = time.time() - KEPT
    return [mine, *(told for who, (at, told) in known.items() if who != ME and at > since)]
