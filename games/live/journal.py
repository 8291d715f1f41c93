"""Group commit: everything the tables accept in one turn of the event loop is one transaction.

Nothing leaves a table before it is on disk: no frame, no acknowledgement, and no refusal that might
depend on an unsaved command. If a write fails, every table in that transaction goes back to what is
on disk.

A commit runs in the loop's own thread where that is fastest (SQLite: a quarter of a millisecond a
batch). It runs in a writer thread, while the other tables go on, where each statement waits for a
network (PostgreSQL) or where the disk turns out to be slow. Either way batches follow one another,
and whatever arrives during a commit goes into the next batch.
"""

from __future__ import annotations

import asyncio
import logging
import os
import sqlite3
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from django.db import DatabaseError, OperationalError, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.utils import timezone

from games.rules.history import Applied
from games.rules.state import Refused
from games.store import changes, disk

from . import lease
from .outage import DATABASE
from .table import Table, publish

logger = logging.getLogger(__name__)
S = TypeVar("S")
T = TypeVar("T")

Outcome = Applied | Refused
"""The outcome of a command; an `Applied` without an entry if its id was accepted before."""
Reply = Callable[[Outcome], None]
"""Answers the sender of a command once the outcome is on disk."""
Batch = Mapping[int, Sequence[Applied]]
"""Accepted commands by the primary key of their game."""

SLOW = 0.02
"""When commits wait longer than this for the disk on average (seconds), they move to a thread."""

MOST_WAIT = 20.0
"""Seconds for which a commit waits for another writer of SQLite."""
LOOK_AGAIN = 0.0003
"""Seconds after which it looks whether that has ended."""

LOCKS = 0x6761
"""The class of this project's advisory locks in PostgreSQL; the other half is the game's key."""

LOG_BYTES = 6 * 1024 * 1024
"""A thousand pages of SQLite's log, plus the batch that goes past them."""


@dataclass(slots=True)
class Share:
    """One table's part of a batch, in order."""

    table: Table
    accepted: list[Applied] = field(default_factory=list)
    replies: list[tuple[Reply, Outcome]] = field(default_factory=list)


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

    def holder_fails(self, game: int) -> bool:
        """Whether whoever holds the lock of a game may soon lose it or give it up."""
        with self._cursor() as cursor:
            return lease.holder_fails(cursor, LOCKS, game)

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


def time_idled() -> float:
    """A clock that counts only the seconds in which this thread waited."""
    return time.perf_counter() - time.thread_time()


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


@dataclass(slots=True)
class Counted:
    """What was answered and written since the process began, for its operator."""

    accepted: int = 0
    refused: int = 0
    commits: int = 0
    seconds: float = 0.0
    failed: int = 0


class Journal:
    """Collects what the tables accept and commits it batch by batch."""

    def __init__(
        self,
        store: Store | None = None,
        idled: Callable[[], float] | None = None,
        lost: Callable[[Collection[int]], None] | None = None,
    ) -> None:
        self._lost = lost
        self.counted = Counted()
        self._store = store or Store()
        self._idled = idled or time_idled
        self._batch: dict[Table, Share] = {}
        self._scheduled = False
        self._writing: asyncio.Future[None] | None = None
        self._writer: ThreadPoolExecutor | None = None
        self._average_wait = 0.0
        self._slow = False
        self._stopped = False

    def add(self, table: Table, outcome: Outcome, reply: Reply) -> None:
        """Answer the sender, and show the table, once this outcome is on disk."""
        if self._stopped:
            return
        share = self._batch.get(table)
        if share is None:
            share = self._batch[table] = Share(table)
        if type(outcome) is Applied and outcome.entry is not None:
            share.accepted.append(outcome)
            self.counted.accepted += 1
        elif type(outcome) is Refused:
            self.counted.refused += 1
        share.replies.append((reply, outcome))
        if not self._scheduled:
            self._scheduled = True
            asyncio.get_running_loop().call_soon(self._commit)

    def holds(self, table: Table) -> bool:
        """Whether anything from *table* waits for the next commit."""
        return table in self._batch

    async def own(self, game: int) -> bool:
        """Whether this process, and no other, plays a game from now on."""
        return await self._on_store(self._store.own, game)

    async def disown(self, game: int) -> None:
        """Let another process play the game."""
        await self._on_store(self._store.disown, game)

    async def readable(self) -> None:
        """Wait until what is on disk is only what was reported as saved. Raises DatabaseError."""
        if not self._store.settled:
            await self._on_store(lambda _all: self._store.settle(), None)

    async def holder_fails(self, game: int) -> bool:
        """Whether the process that plays a game has missed a heartbeat, or does not hear Redis."""
        return await self._on_store(self._store.holder_fails, game)

    async def beat(self, hears: bool) -> lease.Others:
        """Keep the right to play games; say who else lives. hears: whether Redis reaches us."""
        return await self._on_store(self._store.beat, hears)

    async def stop(self) -> None:
        """Save what has been accepted, take nothing more, and let others play all games.

        What is added from then on is not answered: its phone sends it again, to whoever plays then.
        """
        self._stopped = True
        await self.settled()
        if self._store.owned:
            await self._on_store(lambda _all: self._store.disown_all(), None)

    def _give_up_lost(self) -> None:
        gone, self._store.lost = self._store.lost, set()
        if gone and self._lost:
            self._lost(gone)

    async def _on_store(self, work: Callable[[S], T], given: S) -> T:
        """Run *work* on the connection, in the one thread that may use it."""
        try:
            return await asyncio.get_running_loop().run_in_executor(self._thread(), work, given)
        finally:
            self._give_up_lost()

    def _thread(self) -> ThreadPoolExecutor:
        if self._writer is None:
            self._writer = ThreadPoolExecutor(1, "journal")
        return self._writer

    async def settled(self) -> None:
        """Wait until everything that was added is on disk, or refused."""
        while self._scheduled or self._writing is not None:
            if self._writing is not None:
                await asyncio.shield(self._writing)
            else:
                await asyncio.sleep(0)

    def close(self) -> None:
        """Close the database connection."""
        if self._writer is not None:
            self._writer.shutdown()
            self._writer = None
        self._store.close()

    def _commit(self) -> None:
        """Commit the batch. While another is being written, wait: its end commits this one."""
        if self._writing is not None:
            return
        self._scheduled = False
        shares, self._batch = list(self._batch.values()), {}
        batch = {share.table.game_id: share.accepted for share in shares if share.accepted}
        if not batch:
            self._report(shares)
        elif self._in_thread():
            for share in shares:
                share.table.saving = True
            self._writing = asyncio.ensure_future(self._write_in_thread(shares, batch))
        else:
            self._report(shares, self._write(batch))

    def _in_thread(self) -> bool:
        return self._store.remote or self._slow

    async def _write_in_thread(self, shares: Sequence[Share], batch: Batch) -> None:
        loop = asyncio.get_running_loop()
        try:
            lost = await loop.run_in_executor(self._thread(), self._write, batch)
        finally:
            self._writing = None
            for share in shares:
                share.table.saving = False
        self._report(shares, lost)
        self._give_up_lost()
        if self._scheduled:
            self._commit()

    def _write(self, batch: Batch) -> Collection[int]:
        """Store *batch*; return the games that could not be stored."""
        before, began = self._idled(), time.perf_counter()
        try:
            self._store.write(batch)
        except Exception as error:
            disk.note(error)
            self.counted.failed += 1
            what = f"{len(batch)} games could not be saved: {error}"
            if self._store.refuses(error):
                DATABASE.failed(what)
            else:
                logger.error(what)
            if len(batch) == 1 or self._store.refuses(error):
                return batch.keys()
            # One game's data is at fault: store each game by itself, so that the others are saved.
            return {lost for game, part in batch.items() for lost in self._write({game: part})}
        disk.note(None)
        DATABASE.over()
        self.counted.commits += 1
        self.counted.seconds += time.perf_counter() - began
        self._average_wait += (self._idled() - before - self._average_wait) / 16
        if self._average_wait > SLOW and not self._in_thread():
            self._slow = True
            logger.warning("The disk is slow; games are saved in a thread of their own now.")
        return ()

    def _report(self, shares: Iterable[Share], lost: Collection[int] = ()) -> None:
        """Tell each table whether its share is on disk. lost: the games that were not stored."""
        saved = []
        for share in shares:
            if share.table.game_id in lost:
                # What arrived meanwhile builds on what was not saved.
                meanwhile = self._batch.pop(share.table, None)
                replies = [*share.replies, *(meanwhile.replies if meanwhile else ())]
                share.table.not_saved(replies)
            else:
                saved.append(share)
        publish(saved)
