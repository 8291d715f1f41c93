"""The journal's own connection to the database: it writes batches, and holds the locks of games."""

from __future__ import annotations

import logging
import os
import sqlite3
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.db import DatabaseError, OperationalError, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.utils import timezone

from games.rules.history import Applied
from games.store import changes, disk

from . import lease

logger = logging.getLogger(__name__)

Batch = Mapping[int, Sequence[Applied]]
"""Accepted commands by the primary key of their game."""

MOST_WAIT = 20.0
"""Seconds for which a commit waits for another writer of SQLite."""
LOOK_AGAIN = 0.0003
"""Seconds after which it looks whether that has ended."""

LOCKS = 0x6761
"""The class of this project's advisory locks in PostgreSQL; the other half is the game's key."""

LOG_BYTES = 6 * 1024 * 1024
"""A thousand pages of SQLite's log, plus the batch that goes past them."""


class NotOurs(RuntimeError):
    """A game whose lock this process does not hold: another may be playing it."""


class Store:
    """The journal's own database connection, used by one thread at a time.

    shared: other processes write to the same games. It writes only those whose lock it holds then.
    """

    def __init__(self, alias: str = "default", shared: bool = False) -> None:
        self._alias = alias
        self._shared = shared
        self._connection: BaseDatabaseWrapper | None = None
        self.owned: set[int] = set()
        """Games whose lock this connection holds. If it dies, so does the ability to commit."""
        self.lost: set[int] = set()
        """Games whose lock died with a connection, until the journal gives them up."""
        self.remote = connections[alias].vendor != "sqlite"
        """Whether each statement travels to another process."""
        self.settled = True
        """Whether only what was reported as saved can ever be found on disk."""

    def write(self, batch: Batch) -> None:
        """Store a batch in one transaction; return once it is on disk."""
        try:
            connection = self._connection or self._open()
            if self._shared and not batch.keys() <= self.owned:
                raise NotOurs(f"its lock is gone (game {min(batch.keys() - self.owned)})")
            at = connection.ops.adapt_datetimefield_value(timezone.now())
            statements = changes.statements(batch, at)
            # Not through Django's own cursors: they rightly refuse to run in the thread of an event
            # loop, which their queries would block. This is the one place that may block it.
            cursor = connection.connection.cursor()
            if self.remote:
                cursor = self._begun(cursor)
            else:
                begin(cursor)
            changes.execute_on(cursor, statements, "%s" if self.remote else "?")
            cursor.execute("COMMIT")
            cursor.close()
        except BaseException:
            self._roll_back()
            raise

    def _begun(self, cursor: Any) -> Any:
        """The cursor of a transaction that has begun: on a new connection if this one has broken.

        Nothing was asked of it yet, so nothing is done twice. With a connection that is shared with
        other processes went its locks, and the right to write.
        """
        try:
            cursor.execute("BEGIN")
        except Exception as error:
            if self._shared or not self.refuses(error):
                raise
            self.close()
            cursor = self._open().connection.cursor()
            cursor.execute("BEGIN")
        return cursor

    def own(self, game: int) -> bool:
        """Whether this connection now holds the lock of a game. Only one can."""
        with self._cursor() as cursor:
            cursor.execute("SELECT pg_try_advisory_lock(%s, %s)", [LOCKS, game])
            (got,) = cursor.fetchone()
            if got and game in self.owned:  # PostgreSQL counts locks
                cursor.execute("SELECT pg_advisory_unlock(%s, %s)", [LOCKS, game])
            elif got:
                self.owned.add(game)
        return bool(got)

    def disown(self, game: int) -> None:
        """Release the lock of a game for another process."""
        if game in self.owned:
            self.owned.discard(game)
            with self._cursor() as cursor:
                cursor.execute("SELECT pg_advisory_unlock(%s, %s)", [LOCKS, game])

    def disown_all(self) -> None:
        """Release all locks."""
        if self.owned:
            self.owned.clear()
            with self._cursor() as cursor:
                cursor.execute("SELECT pg_advisory_unlock_all()")

    def beat(self, hears: bool) -> lease.Others:
        """Renew the lease (`lease.renew`)."""
        with self._cursor() as cursor:
            others = lease.renew(cursor, hears)
        if others.ended:
            logger.warning("Another process fell silent; its games are free.")
        return others

    def holder(self, game: int) -> lease.Holder | None:
        """The process that holds the lock of a game."""
        with self._cursor() as cursor:
            return lease.holder(cursor, LOCKS, game)

    def want(self, game: int) -> None:
        """Ask whoever plays a game to let it go, if that process does not hear Redis."""
        with self._cursor() as cursor:
            cursor.execute("SELECT pg_advisory_lock_shared(%s, %s)", [lease.WANTED, game])

    def want_no_more(self, game: int) -> None:
        """Take that back."""
        with self._cursor() as cursor:
            cursor.execute("SELECT pg_advisory_unlock_shared(%s, %s)", [lease.WANTED, game])

    @contextmanager
    def _cursor(self) -> Iterator[Any]:
        """A cursor of the connection, which is dropped, with its locks, if it has died."""
        try:
            connection = self._open()
            with connection.wrap_database_errors, connection.connection.cursor() as cursor:
                yield cursor
        except DatabaseError:
            self.close()
            raise

    def _roll_back(self) -> None:
        """Get ready for the next batch; keep the connection if it holds locks and still works."""
        if self.owned and self._connection is not None:
            try:
                self._connection.connection.rollback()
                return
            except Exception:
                logger.debug("The connection is broken.", exc_info=True)
        self.close()

    def _end_given_up(self, connection: BaseDatabaseWrapper) -> None:
        """Let nothing be committed any more on an earlier connection that was given up.

        It may be at it: PostgreSQL fell silent, but was told to. Where processes share the games, a
        game's lock is free only once that session has ended.
        """
        try:
            with connection.wrap_database_errors, connection.connection.cursor() as cursor:
                lease.end_given_up(cursor)
        except BaseException as error:
            connection.connection.close()
            if isinstance(error, TimeoutError):
                raise OperationalError(str(error)) from None
            raise

    def settle(self) -> None:
        """Connect, and so end what has been given up. Raises DatabaseError."""
        self._open()

    def refuses(self, error: Exception) -> bool:
        """Whether the database itself failed, rather than the data it was given."""
        names = {base.__name__ for base in type(error).__mro__}
        return bool(names & {"OperationalError", "InterfaceError"})

    def close(self) -> None:
        """Drop the connection; the next write makes another."""
        if self._connection is not None:
            connection, self._connection = self._connection, None
            self.settled = self._shared or not self.remote
            self.lost |= self.owned
            self.owned = set()
            try:
                # Roll back first: with a statement open, SQLite keeps a closed connection's locks.
                connection.connection.rollback()
                connection.connection.close()
            except Exception:
                logger.debug("The connection was broken already.", exc_info=True)

    def _open(self) -> BaseDatabaseWrapper:
        if self._connection is None:
            connection = connections.create_connection(self._alias)
            options = {**connection.settings_dict["OPTIONS"]}
            options.pop("pool", None)  # this connection is never shared
            if self.remote:
                options["application_name"] = lease.named(True)
            connection.settings_dict = {**connection.settings_dict, "OPTIONS": options}
            connection.inc_thread_sharing()
            with ThreadPoolExecutor(
                1
            ) as elsewhere:  # Django opens no connection beside a running loop
                elsewhere.submit(connection.connect).result()
            if not self.remote:
                make_room(connection)
                connection.connection.execute("PRAGMA busy_timeout = 0")  # see `begin`
            elif self._shared:
                connection.connection.patience = lease.LEASE
            else:
                self._end_given_up(connection)
            self._connection, self.settled = connection, True
        return self._connection


def begin(cursor: Any) -> None:
    """Begin a transaction of SQLite as soon as no one else writes.

    SQLite itself would look again only after 1, 2, 5, 10, 15 milliseconds and so on, so that a tap
    waited for a new game twice as long as that takes. Raises sqlite3.OperationalError.
    """
    until = time.monotonic() + MOST_WAIT
    while True:
        try:
            cursor.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > until:
                raise
            time.sleep(LOOK_AGAIN)
        else:
            return


def make_room(connection: BaseDatabaseWrapper) -> None:
    """Give SQLite's log its full size from the start.

    A commit that extends a file waits several times as long for the disk as one that overwrites it.
    SQLite starts the log from its beginning again after each thousand pages, and reads zeros after
    the last commit as the end of the log. On a disk that is nearly full, the room is left to it.
    """
    file = Path(f"{connection.settings_dict['NAME']}-wal")
    cursor = connection.connection.cursor()
    cursor.execute("BEGIN IMMEDIATE")  # no one else may extend it meanwhile
    try:
        missing = LOG_BYTES - (had := file.stat().st_size) if file.exists() else 0
        if missing > 0 and ((room := disk.room()) is None or room > 2 * LOG_BYTES):
            with file.open("ab") as log:
                try:
                    log.write(bytes(missing))
                    os.fsync(log.fileno())
                except OSError:
                    os.ftruncate(log.fileno(), had)
    finally:
        cursor.execute("ROLLBACK")
        cursor.close()
