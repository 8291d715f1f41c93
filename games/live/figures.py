"""Metrics of each process for the operator: load, throughput, latency of the loop."""

from __future__ import annotations

import os
import secrets
import time
from typing import Any

from django.conf import settings
from django.core.cache import cache

from games.store import holder

from .outage import DATABASE
from .table_registry import TableRegistry

STARTED = time.time()
ME = secrets.token_hex(4)
"""The name of this process, unique on all machines that share the games."""
KEPT = 90
"""Seconds for which the last metrics of a process are shown."""
LISTED = "countersite.processes"

Figures = dict[str, Any]


def figures(registry: TableRegistry, late: float) -> Figures:
    """This process's figures. Times are in seconds.

    late: the event loop's longest delay within a minute, which is a tap's delay too.
    """
    connections = [each for table in registry.tables.values() for each in table.connections()]
    journal = registry.journal.counted
    return {
        "name": holder.description() or f"process {os.getpid()}",
        "started": STARTED,
        "tables": len(registry.tables),
        "screens": len(connections),
        "lag": late,
        "accepted": journal.accepted,
        "refused": journal.refused,
        "commits": journal.commits,
        "failed": journal.failed,
        "database_away": DATABASE.away,
        **registry.of_peers(),
    }


def publish(mine: Figures) -> None:
    """Publish our metrics to the other processes; of two that publish at the very same time, one is
    read the next time.
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
    return [mine, *(theirs for who, (at, theirs) in known.items() if who != ME and at > since)]
