"""The journal's own connection to the database: it writes batches, and holds the locks of games."""

from __future__ import annotations

import logging
import os
import sqlite3
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.db import DatabaseError, OperationalError, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.utils import timezone

from games.rules.history import Applied
from games.store import changes, disk, threads
from games.store.limits import PROCESS

logger = logging.getLogger(__name__)

Batch = Mapping[int, Sequence[Applied]]
"""Accepted commands by the primary key of their game."""

MOST_WAIT, MOMENT = 20.0, 0.05
"""Seconds for which a commit waits for another writer of SQLite: in a thread, and in the loop."""
LOOK_AGAIN = 0.0003
"""Seconds after which it looks whether that has ended."""

NAME = f"countersite tables {PROCESS}"
"""The `application_name` of the journal's session in PostgreSQL."""
ENDING = 2_000
"""Milliseconds that the end of a session of our own may take."""
GIVEN_UP = """
WITH given_up AS MATERIALIZED (
    SELECT pid FROM pg_stat_activity
    WHERE datname = current_database() AND usename = current_user
        AND application_name = %s AND pid <> pg_backend_pid()
)
SELECT count(*) FROM given_up WHERE NOT pg_terminate_backend(pid, %s)
"""
"""The number of sessions of a name that do not end within so many milliseconds."""

LOG_BYTES = 6 * 1024 * 1024
"""A thousand pages of SQLite's log, plus the batch that goes past them."""


class Held(Exception):
    """The caller cannot wait while another program holds SQLite's file. Nothing was begun."""


class Store:
    """The journal's own database connection, used by one thread at a time."""

    def __init__(self, alias: str = "default") -> None:
        self._alias = alias
        self._connection: BaseDatabaseWrapper | None = None
        self.lost: set[int] = set()
        """Games that it may not write any more, until the journal gives them up."""
        self.remote = connections[alias].vendor != "sqlite"
        """True if each statement travels to another process."""
        self.settled = True
        """True if only what was reported as saved can ever be found on disk."""

    def write(self, batch: Batch, waits: bool = True) -> None:
        """Store a batch in one transaction; return once it is on disk.

        waits: as long as it takes for another writer of SQLite; else this raises Held, also if it
        has no connection yet, which takes long to make while another program writes.
        """
        if self._connection is None and not waits:
            raise Held
        try:
            connection = self._connection or self._open()
            at = connection.ops.adapt_datetimefield_value(timezone.now())
            statements = changes.statements(batch, at)
            # Not through Django's own cursors: they rightly refuse to run in the thread of an event
            # loop, which their queries would block. This is the one place that may block it.
            cursor = connection.connection.cursor()
            if self.remote:
                cursor = self._begun(cursor)
            else:
                begin(cursor, waits)
            changes.execute_on(cursor, statements, "%s" if self.remote else "?")
            cursor.execute("COMMIT")
            cursor.close()
        except Held:
            raise
        except BaseException:
            self._roll_back()
            raise

    def _begun(self, cursor: Any) -> Any:
        """The cursor of a transaction that has begun: on a new connection if this one has broken.

        Nothing was asked of it yet, so nothing is done twice.
        """
        try:
            cursor.execute("BEGIN")
        except Exception as error:
            if not self.refuses(error):
                raise
            self.close()
            cursor = self._open().connection.cursor()
            cursor.execute("BEGIN")
        return cursor

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
        """Get ready for the next batch."""
        self.close()

    def _opened(self, connection: BaseDatabaseWrapper) -> None:
        """Terminate the sessions of abandoned connections, so that none commits later.

        It may be at it: PostgreSQL fell silent, but was told to.
        """
        try:
            with connection.wrap_database_errors, connection.connection.cursor() as cursor:
                end_given_up(cursor)
        except BaseException as error:
            connection.connection.close()
            if isinstance(error, TimeoutError):
                raise OperationalError(str(error)) from None
            raise

    def settle(self) -> None:
        """Reconnect, which terminates abandoned sessions. Raises DatabaseError."""
        self._open()

    def refuses(self, error: Exception) -> bool:
        """True if the database itself failed, rather than the data it was given."""
        names = {parent.__name__ for parent in type(error).__mro__}
        return bool(names & {"OperationalError", "InterfaceError"})

    def close(self) -> None:
        """Drop the connection; the next write makes another."""
        if self._connection is not None:
            connection, self._connection = self._connection, None
            self.settled = not self.remote
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
                options["application_name"] = NAME
            connection.settings_dict = {**connection.settings_dict, "OPTIONS": options}
            connection.inc_thread_sharing()
            # Django opens no connection beside a running loop.
            with threads.pool(1, "connection") as elsewhere:
                elsewhere.submit(connection.connect).result()
            if not self.remote:
                make_room(connection)
                connection.connection.execute("PRAGMA busy_timeout = 0")  # see `begin`
            else:
                self._opened(connection)
            self._connection, self.settled = connection, True
        return self._connection


def begin(cursor: Any, waits: bool = True) -> None:
    """Begin a transaction of SQLite as soon as nobody else writes.

    SQLite itself would look again only after 1, 2, 5, 10, 15 milliseconds and so on, so that a tap
    waited for a new game twice as long as that takes. Raises sqlite3.OperationalError, or Held if
    it does not wait.
    """
    until = time.monotonic() + (MOST_WAIT if waits else MOMENT)
    while True:
        try:
            cursor.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY:
                raise
            if time.monotonic() > until:
                if waits:
                    raise
                raise Held from None
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
    cursor.execute("BEGIN IMMEDIATE")  # nobody else may extend it meanwhile
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


def end_given_up(cursor: Any) -> None:
    """End the sessions that this process has given up, which may have something left to commit.

    Raises TimeoutError if that takes too long.
    """
    cursor.execute(GIVEN_UP, [NAME, ENDING])
    (left,) = cursor.fetchone()
    if left:
        raise TimeoutError("PostgreSQL does not end a session that was given up")
