"""Group commit: what all tables accepted in one turn of the event loop is one transaction.

Nothing leaves a table before it is on disk: neither a frame, nor the sender's acknowledgement, nor
a refusal that might rest on a command not yet saved. If the disk refuses, every table of that
transaction goes back to what is on disk.

A commit runs in the loop's own thread where that is fastest (SQLite: a quarter of a millisecond a
batch), or in one writer thread where each statement waits for a network (PostgreSQL) and wherever
the disk turns out to be slow: then the other tables go on meanwhile. Either way one batch follows
another, and what arrives during a commit is the next batch.
"""

from __future__ import annotations

import asyncio
import logging
import os
import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.utils import timezone

from games.rules.history import Applied
from games.rules.state import Refused
from games.store import rows

if TYPE_CHECKING:
    from .table import Broadcast, Table

logger = logging.getLogger(__name__)
T = TypeVar("T")

Outcome = Applied | Refused
"""What became of a command; a `Applied` without entry if its id was accepted before."""
Reply = Callable[[Outcome], None]
"""Tells the sender of a command, once that is on disk."""
Batch = Mapping[int, Sequence[Applied]]
"""By the primary key of the game."""

SLOW = 0.02
"""Commits that wait longer for the disk on average, in seconds, belong in a thread."""

LOCKS = 0x6761
"""The class of this project's advisory locks in PostgreSQL; the other half is the game's key."""

LOG_BYTES = 6 * 1024 * 1024
"""A thousand pages of SQLite's log, and the batch that crosses that line."""


@dataclass(slots=True)
class Share:
    """One table's part of a batch, in order."""

    table: Table
    givens: list[Applied] = field(default_factory=list)
    replies: list[tuple[Reply, Outcome]] = field(default_factory=list)


class Store:
    """The journal's own database connection, used by one thread at a time."""

    def __init__(self, alias: str = "default") -> None:
        self._alias = alias
        self._connection: BaseDatabaseWrapper | None = None
        self.owned: set[int] = set()
        """Games whose lock this connection holds: it and the ability to commit die together."""
        self.lost: set[int] = set()
        """Games whose lock died with a connection, until somebody has seen to it."""
        self.remote = connections[alias].vendor != "sqlite"
        """Whether each statement travels to another process."""

    def write(self, batch: Batch) -> None:
        """Store what games (by primary key) accepted in one transaction; return once on disk."""
        try:
            connection = self._open()
            at = connection.ops.adapt_datetimefield_value(timezone.now())
            statements = rows.statements(batch, at)
            # Below Django's own cursors: they refuse a thread whose event loop runs, rightly, as
            # their queries would stop it. This is the one place that may.
            cursor = connection.connection.cursor()
            cursor.execute("BEGIN" if self.remote else "BEGIN IMMEDIATE")
            for sql, values in statements.items():
                cursor.executemany(sql if self.remote else sql.replace("%s", "?"), values)
            cursor.execute("COMMIT")
            cursor.close()
        except BaseException:
            self._roll_back()
            raise

    def own(self, game: int) -> bool:
        """Whether this connection now holds the lock of a game, which one at a time can."""
        cursor = self._open().connection.cursor()
        cursor.execute("SELECT pg_try_advisory_lock(%s, %s)", [LOCKS, game])
        (got,) = cursor.fetchone()
        if got and game in self.owned:  # locks are counted
            cursor.execute("SELECT pg_advisory_unlock(%s, %s)", [LOCKS, game])
        elif got:
            self.owned.add(game)
        return bool(got)

    def disown(self, game: int) -> None:
        """Let another process have the lock of a game."""
        if game in self.owned:
            self.owned.discard(game)
            cursor = self._open().connection.cursor()
            cursor.execute("SELECT pg_advisory_unlock(%s, %s)", [LOCKS, game])

    def check(self) -> None:
        """Let go of a connection that has died unnoticed, and of its locks."""
        try:
            self._open().connection.cursor().execute("SELECT 1")
        except Exception:
            self.close()

    def _roll_back(self) -> None:
        """Be ready for the next batch: with the same connection if it holds locks and works."""
        if self.owned and self._connection is not None:
            try:
                self._connection.connection.rollback()
                return
            except Exception:
                logger.debug("The connection is broken.", exc_info=True)
        self.close()

    def refuses(self, error: Exception) -> bool:
        """Whether it is the database that does not work, rather than what was to be stored."""
        names = {base.__name__ for base in type(error).__mro__}
        return bool(names & {"OperationalError", "InterfaceError"})

    def close(self) -> None:
        """Drop the connection; the next write makes another."""
        if self._connection is not None:
            connection, self._connection = self._connection, None
            self.lost |= self.owned
            self.owned = set()
            try:
                # First, as SQLite keeps a closed connection's locks while a statement is at hand.
                connection.connection.rollback()
                connection.connection.close()
            except Exception:
                logger.debug("The connection was broken already.", exc_info=True)

    def _open(self) -> BaseDatabaseWrapper:
        if self._connection is None:
            connection = connections.create_connection(self._alias)
            options = {**connection.settings_dict["OPTIONS"]}
            options.pop("pool", None)  # this one is not lent
            connection.settings_dict = {**connection.settings_dict, "OPTIONS": options}
            connection.inc_thread_sharing()
            with ThreadPoolExecutor(1) as elsewhere:  # Django opens none where a loop runs
                elsewhere.submit(connection.connect).result()
            if not self.remote:
                make_room(connection)
            self._connection = connection
        return self._connection


def time_idled() -> float:
    """Seconds in which this thread did nothing, since some moment: the clock of waiting."""
    return time.perf_counter() - time.thread_time()


def make_room(connection: BaseDatabaseWrapper) -> None:
    """Let SQLite's log have its full size from the beginning.

    A commit that makes a file longer waits several times as long for the disk as one that writes
    into it. SQLite writes the log from its beginning again after each thousand pages, and takes
    zeros behind the last commit for what they are: no commit.
    """
    file = Path(f"{connection.settings_dict['NAME']}-wal")
    cursor = connection.connection.cursor()
    cursor.execute("BEGIN IMMEDIATE")  # so that nobody else makes it longer meanwhile
    try:
        if file.exists() and (missing := LOG_BYTES - file.stat().st_size) > 0:
            with file.open("ab") as log:
                log.write(bytes(missing))
                os.fsync(log.fileno())
    finally:
        cursor.execute("ROLLBACK")
        cursor.close()


class Journal:
    """Collects what tables accept, and commits it batch by batch."""

    def __init__(
        self,
        store: Store | None = None,
        idled: Callable[[], float] | None = None,
        lost: Callable[[Collection[int]], None] | None = None,
    ) -> None:
        self._lost = lost
        self._store = store or Store()
        self._idled = idled or time_idled
        self._batch: dict[Table, Share] = {}
        self._scheduled = False
        self._writing: asyncio.Future[None] | None = None
        self._writer: ThreadPoolExecutor | None = None
        self._usual = 0.0
        self._slow = False

    def add(self, table: Table, outcome: Outcome, reply: Reply) -> None:
        """Tell the sender, and the table's seats, as soon as all this is on disk."""
        share = self._batch.get(table)
        if share is None:
            share = self._batch[table] = Share(table)
        if type(outcome) is Applied and outcome.entry is not None:
            share.givens.append(outcome)
        share.replies.append((reply, outcome))
        if not self._scheduled:
            self._scheduled = True
            asyncio.get_running_loop().call_soon(self._commit)

    def holds(self, table: Table) -> bool:
        """Whether something of *table* waits for the next commit."""
        return table in self._batch

    async def own(self, game: int) -> bool:
        """Whether this process plays a game from now on, and no other."""
        return await self._on_store(self._store.own, game)

    async def disown(self, game: int) -> None:
        """Let another process play a game."""
        await self._on_store(self._store.disown, game)

    async def check(self) -> None:
        """Find out whether the connection, and with it the locks, still live."""
        if self._store.owned and self._writing is None:
            await asyncio.get_running_loop().run_in_executor(self._thread(), self._store.check)
            self._give_up_lost()

    def _give_up_lost(self) -> None:
        gone, self._store.lost = self._store.lost, set()
        if gone and self._lost:
            self._lost(gone)

    async def _on_store(self, work: Callable[[int], T], game: int) -> T:
        """Do something with the connection in the one thread that may use it."""
        return await asyncio.get_running_loop().run_in_executor(self._thread(), work, game)

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
        """Let go of the database."""
        if self._writer is not None:
            self._writer.shutdown()
            self._writer = None
        self._store.close()

    def _commit(self) -> None:
        """Commit the batch, unless another is on its way; then that one's end does."""
        if self._writing is not None:
            return
        self._scheduled = False
        shares, self._batch = list(self._batch.values()), {}
        batch = {share.table.game_id: share.givens for share in shares if share.givens}
        if not batch:
            self._tell(shares)
        elif self._in_thread():
            for share in shares:
                share.table.saving = True
            self._writing = asyncio.ensure_future(self._write_aside(shares, batch))
        else:
            self._tell(shares, self._write(batch))

    def _in_thread(self) -> bool:
        return self._store.remote or self._slow

    async def _write_aside(self, shares: Sequence[Share], batch: Batch) -> None:
        loop = asyncio.get_running_loop()
        try:
            lost = await loop.run_in_executor(self._thread(), self._write, batch)
        finally:
            self._writing = None
            for share in shares:
                share.table.saving = False
        self._tell(shares, lost)
        self._give_up_lost()
        if self._scheduled:
            self._commit()

    def _write(self, batch: Batch) -> Collection[int]:
        """Store *batch*; return the games of which nothing was stored."""
        before = self._idled()
        try:
            self._store.write(batch)
        except Exception as error:
            logger.error("%d games could not be saved: %s", len(batch), error)
            if len(batch) == 1 or self._store.refuses(error):
                return batch.keys()
            # One of them cannot be stored; the others shall not suffer for it.
            return {lost for game, givens in batch.items() for lost in self._write({game: givens})}
        self._usual += (self._idled() - before - self._usual) / 16
        if self._usual > SLOW and not self._slow:
            self._slow = True
            logger.warning("The disk is slow; games are saved in a thread of their own now.")
        return ()

    def _tell(self, shares: Iterable[Share], lost: Collection[int] = ()) -> None:
        """Draw all frames, then send them in one go, then answer the senders.

        A frame that leaves while the next is drawn costs the kernel twice as much: whoever reads
        has fallen asleep again.
        """
        news: list[Broadcast] = []
        told: list[Share] = []
        for share in shares:
            if share.table.game_id in lost:
                # What was given meanwhile rests on what was not saved.
                meanwhile = self._batch.pop(share.table, None)
                replies = [*share.replies, *(meanwhile.replies if meanwhile else ())]
                share.table.not_saved(replies)
                continue
            if share.givens:
                news += share.table.saved(share.givens)
            told.append(share)
        for frame, receivers in news:
            for connection in receivers:
                connection.send(frame)
        for share in told:
            for reply, outcome in share.replies:
                reply(outcome)
