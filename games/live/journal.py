"""Group commit: everything the tables accept in one turn of the event loop is one transaction.

Nothing leaves a table before it is on disk: no frame, no acknowledgement, and no refusal that might
depend on an unsaved command. If a write fails, every table in that transaction goes back to what is
on disk.

A commit runs in the loop's own thread where that is fastest (SQLite: a quarter of a millisecond a
batch). It runs in a writer thread, while the other tables go on, where each statement waits for a
network (PostgreSQL), where the disk turns out to be slow, and while another program holds SQLite's
file. Either way batches follow one another, and whatever arrives during a commit goes into the next
batch.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Collection, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

from games.rules.history import Applied
from games.rules.state import Refused
from games.store import disk, threads

from .journal_store import Batch, Held, Store
from .measured import COMMITS
from .outage import DATABASE
from .outcome import Outcome, Reply
from .shown_game import Broadcast

logger = logging.getLogger(__name__)
T = TypeVar("T")

SLOW = 0.02
"""Average wait of a commit for the disk (seconds) above which commits move to a thread."""


class JournalClient(Protocol):
    """A table, as the journal that writes for it sees it."""

    game_id: int
    slug: str
    saving: bool

    def show(self, share: Share) -> list[Broadcast] | None:
        """Draw what is on disk; None if that follows later."""

    def not_saved(self, replies: Iterable[tuple[Reply, Outcome]]) -> None:
        """Go back to what is on disk."""


@dataclass(slots=True)
class Share:
    """One table's part of a batch, in order."""

    table: JournalClient
    accepted: list[Applied] = field(default_factory=list)
    replies: list[tuple[Reply, Outcome]] = field(default_factory=list)


def time_idled() -> float:
    """A clock of the seconds in which this thread was blocked."""
    return time.perf_counter() - threads.busy()


@dataclass(slots=True)
class Counted:
    """Counters since the process began: answers, batches, entries."""

    accepted: int = 0
    refused: int = 0
    commits: int = 0
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
        self._batch: dict[JournalClient, Share] = {}
        self._scheduled = False
        self._writing: asyncio.Future[None] | None = None
        self._writer: ThreadPoolExecutor | None = None
        self._average_wait = 0.0
        self._slow = False
        self._stopped = False

    def add(self, table: JournalClient, outcome: Outcome, reply: Reply) -> None:
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

    def holds(self, table: JournalClient) -> bool:
        """True if anything from *table* waits for the next commit."""
        return table in self._batch

    async def readable(self) -> None:
        """Wait until no commit with an unknown outcome is left. Raises DatabaseError."""
        if not self._store.settled:
            await self.on_store(self._store.settle)

    async def stop(self) -> None:
        """Save what has been accepted, and take nothing more.

        Later commands get no answer: phones send them again, to the next owner.
        """
        self._stopped = True
        await self.settled()

    def _give_up_lost(self) -> None:
        gone, self._store.lost = self._store.lost, set()
        if gone and self._lost:
            self._lost(gone)

    async def on_store(self, work: Callable[..., T], *given: Any) -> T:
        """Run *work* on the store's connection, in the one thread that may use it."""
        try:
            return await asyncio.get_running_loop().run_in_executor(self._thread(), work, *given)
        finally:
            self._give_up_lost()

    def _thread(self) -> ThreadPoolExecutor:
        if self._writer is None:
            self._writer = threads.pool(1, "journal")
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
        elif self._store.remote or self._slow:
            self._hand_to_thread(shares, batch)
        else:
            try:
                self._report(shares, self._write(batch, waits=False))
            except Held:
                self._hand_to_thread(shares, batch)

    def _hand_to_thread(self, shares: Sequence[Share], batch: Batch) -> None:
        for share in shares:
            share.table.saving = True
        self._writing = asyncio.ensure_future(self._write_in_thread(shares, batch))

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

    def _write(self, batch: Batch, waits: bool = True) -> Collection[int]:
        """Store *batch*; return the games that could not be stored. Raises Held if it is not to
        wait."""
        before, began = self._idled(), time.perf_counter()
        try:
            self._store.write(batch, waits)
        except Held:
            raise
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
        COMMITS.add(time.perf_counter() - began)
        if not waits:  # else it may have waited for another program, which says nothing of the disk
            self._average_wait += (self._idled() - before - self._average_wait) / 16
            if self._average_wait > SLOW and not self._slow:
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


def publish(saved: Sequence[Share]) -> None:
    """Draw the frames of all tables, then send them in one go, then answer the senders.

    Sending a frame between drawing two others would cost the kernel twice as much: the reader falls
    asleep in between and must be woken again. What takes long to draw follows later.
    """
    broadcasts: list[Broadcast] = []
    at_once: list[Share] = []
    for share in saved:
        drawn = share.table.show(share)
        if drawn is not None:
            broadcasts += drawn
            at_once.append(share)
    deliver(broadcasts, at_once)


def deliver(broadcasts: Iterable[Broadcast], shares: Iterable[Share]) -> None:
    """Send what was drawn, then answer the senders."""
    for frame, connections in broadcasts:
        for connection in connections:
            connection.send(frame)
    for share in shares:
        for reply, outcome in share.replies:
            try:
                reply(outcome)
            except Exception:  # the others have nothing to do with it, and wait for their answers
                logger.exception("Table %s could not answer a command.", share.table.slug)
