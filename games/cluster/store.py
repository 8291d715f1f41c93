"""The journal's connection where processes share the games: it holds the locks of its games."""

from __future__ import annotations

import logging
from typing import Any

from django.db.backends.base.base import BaseDatabaseWrapper

from games.live.journal_store import Batch, Store

from . import lease

logger = logging.getLogger(__name__)

LOCKS = 0x6761
"""The class of this project's advisory locks in PostgreSQL; the other half is the game's key."""


class NotOurs(RuntimeError):
    """A game whose lock this process does not hold: another may be playing it."""


class SharedStore(Store):
    """A store that writes only the games whose lock it holds."""

    def __init__(self, alias: str = "default") -> None:
        super().__init__(alias)
        self.address = ""
        """The address of this process, as others get it."""
        self.owned: set[int] = set()
        """Games whose lock this connection holds. If it dies, so does the ability to commit."""

    def write(self, batch: Batch, waits: bool = True) -> None:
        if not batch.keys() <= self.owned:
            self._open()
            raise NotOurs(f"its lock is gone (game {min(batch.keys() - self.owned)})")
        super().write(batch, waits)

    def _begun(self, cursor: Any) -> Any:
        """The cursor of a transaction that has begun. With a connection that has broken went its
        locks, and the right to write."""
        cursor.execute("BEGIN")
        return cursor

    def own(self, game: int) -> bool:
        """True if this connection now holds the lock of a game. Only one can."""
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

    def beat(self, subscribed: bool) -> lease.Others:
        """Renew the lease (`lease.renew`)."""
        with self._cursor() as cursor:
            others = lease.renew(cursor, subscribed, self.address)
        if others.ended:
            logger.warning("Another process fell silent; its games are free.")
        return others

    def holder(self, game: int) -> lease.Holder | None:
        """The process that holds the lock of a game."""
        with self._cursor() as cursor:
            return lease.holder(cursor, LOCKS, game)

    def want(self, game: int) -> None:
        """Ask the owner of a game to release it, if the owner is cut off from Redis."""
        with self._cursor() as cursor:
            cursor.execute("SELECT pg_advisory_lock_shared(%s, %s)", [lease.WANTED, game])

    def want_no_more(self, game: int) -> None:
        """Withdraw that request."""
        with self._cursor() as cursor:
            cursor.execute("SELECT pg_advisory_unlock_shared(%s, %s)", [lease.WANTED, game])

    def _roll_back(self) -> None:
        """Roll back; keep the connection if it holds locks and still works."""
        if self.owned and self._connection is not None:
            try:
                self._connection.connection.rollback()
                return
            except Exception:
                logger.debug("The connection is broken.", exc_info=True)
        self.close()

    def _opened(self, connection: BaseDatabaseWrapper) -> None:
        """A connection that was given up ends by itself: until then its games' locks are taken."""
        connection.connection.patience = lease.LEASE

    def close(self) -> None:
        if self._connection is not None:
            super().close()
            self.settled = True
            self.lost |= self.owned
            self.owned = set()
