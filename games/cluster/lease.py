"""Leases: which processes are alive, and the termination of silent ones.

A process plays a game as long as its session in PostgreSQL holds the game's lock, and it commits on
that session alone. So the session is its fence: what it writes is written while it holds the lock,
or not at all. The session's last statement is its heartbeat. When none has come for `LEASE` seconds
(the process hangs, its machine or its network is gone) any other process ends the session: an open
transaction is rolled back, the locks are free, and a process that comes back finds a dead
connection and owns nothing.

A session at work, or one that waits for a lock or the disk, is not silent: only one that waits for
its process is. PostgreSQL's clock measures them all. Roles may end sessions of their own.
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from games.store.limits import PROCESS

BEAT = 1.0
"""Seconds between two heartbeats."""
LEASE = 2.5
"""Seconds without one after which a process's games are free for others."""
WANTED = 0x6763
"""The class of the advisory locks of processes that would play a game; the other half is its key.

With Redis gone this is how one process asks another, which does not hear it, to let a game go."""
LATE = 1.5
"""Seconds without one after which a taker waits for the lease to expire."""

OTHERS = """
WITH others AS MATERIALIZED (
    SELECT pid, state, split_part(application_name, ' ', 2) AS kind,
        split_part(application_name, ' ', 3) AS process,
        coalesce(state <> 'active' OR wait_event_type = 'Client', false) AS waits,
        extract(epoch FROM clock_timestamp() - state_change) AS seconds
    FROM pg_stat_activity
    WHERE datname = current_database() AND usename = current_user
        AND application_name LIKE 'countersite %%' AND pid <> pg_backend_pid()
), silent AS (
    SELECT pid, process FROM others
    WHERE kind IN ('tables', 'deaf') AND waits AND seconds > %(lease)s
)
"""
"""The sessions of other processes. A process has one of kind "tables", or "deaf" while it does not
hear Redis, and several of kind "pages"."""
RENEW = f"""{OTHERS}
SELECT set_config('application_name', %(name)s, false),
    ARRAY(SELECT kind || ' ' || process FROM others
          WHERE kind IN ('tables', 'deaf') AND pid NOT IN (SELECT pid FROM silent)),
    (SELECT count(pg_terminate_backend(pid)) FROM others
     WHERE pid IN (SELECT pid FROM silent)
        OR process IN (SELECT process FROM silent) AND state LIKE 'idle in transaction%%'),
    ARRAY(SELECT objid::bigint FROM pg_locks
          WHERE locktype = 'advisory' AND granted AND classid = %(wanted)s
              AND pid <> pg_backend_pid() AND database =
                  (SELECT oid FROM pg_database WHERE datname = current_database()))
"""
HOLDER = """
SELECT split_part(application_name, ' ', 3),
    application_name LIKE 'countersite deaf %%'
    OR extract(epoch FROM clock_timestamp() - state_change) > %s
    AND (state <> 'active' OR coalesce(wait_event_type = 'Client', false))
FROM pg_locks JOIN pg_stat_activity USING (pid)
WHERE locktype = 'advisory' AND granted AND (classid, objid) = (%s, %s)
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
"""


class Holder(Struct, frozen=True):
    """The process that holds a game's lock.

    fails: whether it has missed a heartbeat, or does not hear Redis.
    """

    process: str
    fails: bool


class Others(Struct, frozen=True):
    """The other processes. alive: their names. hear: how many of them hear Redis.

    ended: how many sessions of silent ones have just been ended. wanted: the games that one of them
    would play, which hears Redis.
    """

    alive: frozenset[str] = frozenset()
    hear: int = 0
    ended: int = 0
    wanted: frozenset[int] = frozenset()


def named(hears: bool) -> str:
    """The `application_name` of the session whose locks are this process's games."""
    return f"countersite {'tables' if hears else 'deaf'} {PROCESS}"


def renew(cursor: Any, hears: bool) -> Others:
    """Renew this process's lease, and end the sessions of silent processes.

    hears: whether Redis reaches this process.
    """
    cursor.execute(RENEW, {"lease": LEASE, "name": named(hears), "wanted": WANTED})
    _name, sessions, ended, wanted = cursor.fetchone()
    others = [session.split(" ") for session in sessions]
    alive = frozenset(process for _kind, process in others)
    hear = sum(kind == "tables" for kind, _process in others)
    return Others(alive, hear, ended, frozenset(wanted))


def holder(cursor: Any, lock: int, game: int) -> Holder | None:
    """The holder of a game's lock; None if there is none any more."""
    cursor.execute(HOLDER, [LATE, lock, game])
    found = cursor.fetchone()
    return found and Holder(*found)
