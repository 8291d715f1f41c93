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

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from games.store.limits import PROCESS

BEAT = 1.0
"""Seconds between two heartbeats."""
LEASE = 2.5
"""Seconds without one after which a process's games are free for others."""
WANTED = 0x6763
"""The class of the advisory locks of processes that would play a game; the other half is its key.

Without Redis, one process asks another by such a lock to release a game."""
LATE = 1.5
"""Seconds without one after which a taker waits for the lease to expire."""

OTHERS = """
WITH others AS MATERIALIZED (
    SELECT pid, state, split_part(application_name, ' ', 2) AS kind,
        split_part(application_name, ' ', 3) AS process,
        split_part(application_name, ' ', 4) AS address,
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
"""The sessions of other processes. A process has one of kind "tables", or "deaf" while it is
not subscribed to Redis, and several of kind "pages"."""
RENEW = f"""{OTHERS}
SELECT set_config('application_name', %(name)s, false),
    ARRAY(SELECT kind || ' ' || process || ' ' || address FROM others
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

    fails: it has missed a heartbeat, or is not subscribed to Redis.
    """

    process: str
    fails: bool


class Others(Struct, frozen=True):
    """The other processes. alive: their names. subscribed: those with Redis, by their addresses.

    ended: the number of silent sessions that have just been ended. wanted: the games that a process
    with Redis would play.
    """

    alive: frozenset[str] = frozenset()
    subscribed: Mapping[str, str] = {}
    ended: int = 0
    wanted: frozenset[int] = frozenset()


def named(subscribed: bool, address: str = "") -> str:
    """The `application_name` of the session whose locks are this process's games.

    PostgreSQL keeps 63 characters of it, which is too few for the longest addresses.
    """
    return f"countersite {'tables' if subscribed else 'deaf'} {PROCESS} {address}"[:63]


def renew(cursor: Any, subscribed: bool, address: str = "") -> Others:
    """Renew this process's lease, and end the sessions of silent processes.

    subscribed: Redis reaches this process. address: where it serves.
    """
    cursor.execute(RENEW, {"lease": LEASE, "name": named(subscribed, address), "wanted": WANTED})
    _name, sessions, ended, wanted = cursor.fetchone()
    others = [session.split(" ") for session in sessions]
    alive = frozenset(process for _kind, process, _address in others)
    listening = {each[2] or each[1]: each[1] for each in others if each[0] == "tables"}
    return Others(alive, listening, ended, frozenset(wanted))


def holder(cursor: Any, lock: int, game: int) -> Holder | None:
    """The holder of a game's lock; None if there is none any more."""
    cursor.execute(HOLDER, [LATE, lock, game])
    found = cursor.fetchone()
    return found and Holder(*found)
