"""The lock on the games: one server, one restore or one migration at a time.

Two servers on the same games would split each table between them, and a restore under a running
server would be written over from the server's memory. So each of them holds a lock as long as it
runs: for SQLite on a file beside the database, for PostgreSQL in the database, where the processes
that share the games (`games.cluster`) hold it together. The lock ends with its process, however
that ends.
"""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import filelock
from django.db import Error, connections
from django.db.backends.base.base import BaseDatabaseWrapper

LOCK = 0x6762, 0
"""The advisory lock in PostgreSQL, beside the class of games' own locks (`cluster.store`)."""
HOLDER = (
    "SELECT application_name FROM pg_locks JOIN pg_stat_activity USING (pid) "
    "WHERE locktype = 'advisory' AND (classid, objid) = (%s, %s) AND granted AND database = "
    "(SELECT oid FROM pg_database WHERE datname = current_database()) LIMIT 1"
)
SESSION = (
    "SELECT pg_backend_pid(), (SELECT count(*) FROM pg_locks "
    "WHERE locktype = 'advisory' AND pid = pg_backend_pid())"
)


class Locked(RuntimeError):
    """Another process holds the games; the message names it and the address it serves."""


class Pooled(Locked):
    """The database is reached through a pooler that changes sessions under us."""

    def __init__(self) -> None:
        super().__init__(
            "PostgreSQL is behind a pooler that gives each transaction another session, but a "
            "game's lock belongs to one: connect directly, or let the pooler work in session mode "
            "(PgBouncer: pool_mode = session)."
        )


class Lock(ABC):
    """A lock on all games of one database."""

    def __init__(self, holder: str) -> None:
        self.holder = self.description = holder

    def serving(self, address: str) -> None:
        """Publish the address of this server for processes that are refused the lock."""
        self.description = f"{self.holder} at {address}"
        self.publish(self.description)

    @abstractmethod
    def publish(self, text: str) -> None:
        """Publish *text* for processes that are refused the lock."""

    @abstractmethod
    def renew(self) -> None:
        """Take the lock again if it was lost. Raises Locked, if someone else took it meanwhile."""

    @abstractmethod
    def release(self) -> None:
        """Let someone else hold the games."""


_held: dict[tuple[str, str], Lock] = {}
"""The locks of this process, by the kind of database and its name."""


@contextmanager
def hold(command: str, using: str = "default", *, shared: bool = False) -> Iterator[Lock]:
    """Hold the games for *command*, such as "countersite migrate". Raises Locked.

    What this process holds already, it may hold again: `table` migrates. shared: together with
    others that share them, in PostgreSQL.
    """
    vendor, name = connections[using].vendor, str(connections[using].settings_dict["NAME"])
    if held := _held.get((vendor, name)):
        yield held
        return
    holder = f"{command} (process {os.getpid()})"
    lock: Lock
    if vendor == "sqlite":
        lock = FileLock(holder, Path(f"{name}.lock"))
    else:
        lock = DatabaseLock(holder, using, shared)
    _held[vendor, name] = lock
    try:
        yield lock
    finally:
        del _held[vendor, name]
        lock.release()


def description() -> str:
    """The text that a refused process shows about this one; "" if it holds nothing."""
    return next((lock.description for lock in _held.values()), "")


def renew() -> None:
    """Take the locks of this process again that died with their connection. Raises Locked."""
    for lock in list(_held.values()):
        lock.renew()


class FileLock(Lock):
    """A locked file, and another that says who holds it, for Windows lets nobody read the first."""

    def __init__(self, holder: str, path: Path) -> None:
        super().__init__(holder)
        self._lock = filelock.FileLock(path, mode=0o600, thread_local=False)
        self._named = path.with_name(f"{path.name}.holder")
        self._named.touch(0o600)  # or fail: the lock would make a folder that is not there
        try:
            self._lock.acquire(blocking=False)
        except filelock.Timeout:
            other = self._named.read_text("utf-8")
            raise Locked(
                f"The games in {path.parent} are held by {other or 'another process'}."
            ) from None
        self.publish(holder)

    def publish(self, text: str) -> None:
        self._named.write_text(text, "utf-8")

    def renew(self) -> None:
        """Nothing: as long as the process lives, so does its lock."""

    def release(self) -> None:
        self._named.unlink(missing_ok=True)
        self._lock.release()


class DatabaseLock(Lock):
    """An advisory lock on a connection of its own, whose name says who holds it.

    PostgreSQL keeps 63 characters of that name.
    """

    def __init__(self, holder: str, using: str, shared: bool) -> None:
        super().__init__(holder)
        self._kind = "_shared" if shared else ""
        self._connection = connections.create_connection(using)
        options = {**self._connection.settings_dict["OPTIONS"]}
        options.pop("pool", None)  # it is never shared
        self._connection.settings_dict = {**self._connection.settings_dict, "OPTIONS": options}
        self._connection.inc_thread_sharing()
        self._take()

    def _take(self) -> None:
        with self._connection.cursor() as cursor:
            cursor.execute(f"SELECT pg_try_advisory_lock{self._kind}(%s, %s)", LOCK)
            if not cursor.fetchone()[0]:
                self._prove()
                cursor.execute(HOLDER, LOCK)
                other = next(iter(cursor.fetchone() or ()), "") or "another process"
                self._connection.close()
                raise Locked(f"The games in this database are held by {other}.")
        self._prove()
        self.publish(self.description)

    def _prove(self) -> None:
        """Raise Pooled unless the connection is one session, which no other connection has."""
        beside = connections.create_connection(self._connection.alias)
        beside.settings_dict = self._connection.settings_dict
        try:
            ours = _session(self._connection)
            with beside.cursor() as cursor:
                cursor.execute("BEGIN")  # so that a pooler must keep its session for it
                if _session(beside) == ours or _session(self._connection) != ours:
                    raise Pooled
        except Pooled:
            self._connection.close()
            raise
        finally:
            beside.close()

    def publish(self, text: str) -> None:
        with self._connection.cursor() as cursor:
            cursor.execute("SELECT set_config('application_name', %s, false)", [text])

    def renew(self) -> None:
        try:
            with self._connection.cursor() as cursor:
                cursor.execute("SELECT 1")
        except Error:
            self._connection.close()
            self._take()

    def release(self) -> None:
        """Let go of the lock before the session ends, which PostgreSQL notices only later."""
        if self._connection.connection is not None:
            with suppress(Error), self._connection.cursor() as cursor:
                cursor.execute(f"SELECT pg_advisory_unlock{self._kind}(%s, %s)", LOCK)
        self._connection.close()


def _session(connection: BaseDatabaseWrapper) -> tuple[int, int]:
    """The number of a connection's session, and how many advisory locks it holds."""
    with connection.cursor() as cursor:
        cursor.execute(SESSION)
        pid, locks = cursor.fetchone()
    return pid, locks
