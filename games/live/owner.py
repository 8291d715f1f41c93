"""Who owns which game.

A game is played in one place: here, in this process, in one table, which is opened from its rows
when somebody needs it and closed when nobody has for a while.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Coroutine, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from asgiref.sync import async_to_sync
from django.conf import settings
from django.db import InterfaceError, OperationalError, connections
from django.utils import timezone

from games import hosts, knocks, rows
from games.beside import beside
from games.boards import screens_for
from games.models import Game, Seat
from games.rules.history import Given

from .journal import Journal
from .table import Table

logger = logging.getLogger(__name__)
T = TypeVar("T")

SWEEP = 30.0
"""Seconds between two looks for tables to close and seats to note as present."""
IDLE = 120.0
"""Seconds after which a table without screens is closed."""
LOOK = 2.0
"""Seconds between two looks for hosts that are away and for news that are over."""
LOOK_AGAIN = 4410
"""Close code after which a page loads itself again: it is another seat's now, or nobody's."""


class NoSuchGame(LookupError):
    """There is no game of that name."""


class Owner:
    """The tables that are open in this process.

    They belong to one event loop. Where another loop asks (scripts and tests, which run one for
    each call), the tables of the last one are gone with it.
    """

    def __init__(self) -> None:
        self.tables: dict[str, Table] = {}
        self.journal = Journal()
        self._opening: dict[str, asyncio.Task[Table]] = {}
        self._used: dict[str, float] = {}
        self._hostless: dict[str, float] = {}
        self._under_way: set[asyncio.Future[None]] = set()
        self._loop: asyncio.AbstractEventLoop | None = None
        # One thread reads what doors and tables need; the other one takes back, which may be long.
        self._reader = ThreadPoolExecutor(1, "reader")
        self._aside = ThreadPoolExecutor(1, "aside")

    async def table(self, slug: str) -> Table:
        """The running table of a game. Raises NoSuchGame."""
        self._begin()
        self._used[slug] = time.monotonic()
        if slug in self.tables:
            return self.tables[slug]
        if slug not in self._opening:
            self._opening[slug] = asyncio.ensure_future(self._open(slug))
        return await asyncio.shield(self._opening[slug])

    async def give(self, slug: str, raw: Mapping[str, Any], seat: str) -> Given:
        """Let a seat give a command, as `Table.give` does."""
        return await (await self.table(slug)).give(raw, seat)

    async def refresh(self, slug: str) -> None:
        """Show every screen of a game what is no command: a seat taken, renamed, left."""
        table = self.tables.get(slug)
        if table is not None:
            called, around = await self.read(lambda: at_table(table.game_id))
            table.screens.rename(called)
            table.screens.around = around
            table.show_boards()

    async def show_beside(self, slug: str) -> None:
        """Show every screen of a game what stands beside its board, where only that changed."""
        table = self.tables.get(slug)
        if table is not None:
            _names, table.screens.around = await self.read(lambda: at_table(table.game_id))
            table.show_beside()

    async def hang_up(self, slug: str, code: int, reason: str, device: str | None = None) -> None:
        """Close the lines that a device (its hash) has to a game; without one, all."""
        table = self.tables.get(slug)
        if table is not None:
            table.hang_up(code, reason, device)

    async def read(self, query: Callable[[], T]) -> T:
        """What *query* finds in the database, which is not asked in the loop's own thread."""
        return await asyncio.get_running_loop().run_in_executor(self._reader, asked, query)

    async def present(self, slug: str) -> set[str]:
        """The seats of a game that have a screen open."""
        table = self.tables.get(slug)
        return {line.seat for line in table.lines() if line.seat} if table else set()

    def close(self) -> None:
        """Forget all tables and let go of the database."""
        self.tables.clear()
        self._opening.clear()
        self._used.clear()
        self.journal.close()
        for executor in (self._reader, self._aside):
            executor.submit(connections.close_all).result()

    def _begin(self) -> None:
        loop = asyncio.get_running_loop()
        if loop is not self._loop:
            if self._loop is not None and self._loop.is_running():
                raise RuntimeError("The tables belong to another event loop, which still runs.")
            self.tables.clear()
            self._opening.clear()
            self.journal.close()
            self.journal = Journal()
            self._loop = loop
            self._hostless.clear()
            loop.call_later(SWEEP, self._sweep)
            loop.call_later(LOOK, self._look)

    async def _open(self, slug: str) -> Table:
        try:
            self.tables[slug] = table = await self.read(lambda: self._read_table(slug))
            return table
        finally:
            del self._opening[slug]

    def _read_table(self, slug: str) -> Table:
        game = Game.objects.filter(slug=slug).first()
        if game is None:
            raise NoSuchGame(slug)
        screens = screens_for(game.rules, game.names)
        screens.around = beside(game)
        return Table(
            game.pk,
            slug,
            rows.history(game),
            screens,
            load=lambda: rows.history(Game.objects.get(slug=slug)),
            gave_up=self._forget,
            journal=self.journal,
            aside=self._aside,
        )

    def _forget(self, table: Table) -> None:
        if self.tables.get(table.slug) is table:
            del self.tables[table.slug]
            self._used.pop(table.slug, None)
            self._hostless.pop(table.slug, None)

    def _sweep(self) -> None:
        asyncio.get_running_loop().call_later(SWEEP, self._sweep)
        now = time.monotonic()
        seated = []
        for table in list(self.tables.values()):
            if table.idle:
                if now - self._used.get(table.slug, 0) > IDLE:
                    self._forget(table)
            else:
                self._used[table.slug] = now
                seated += [(table.game_id, line.seat) for line in table.lines() if line.seat]
        if seated:
            self._aside_of_taps(self._note_presence(seated))

    async def _note_presence(self, seated: list[tuple[int, str]]) -> None:
        """Renew the lease of the seats that are here."""
        await self.read(lambda: renew(seated))

    def _look(self) -> None:
        asyncio.get_running_loop().call_later(LOOK, self._look)
        now, today = time.monotonic(), time.time()
        for table in list(self.tables.values()):
            around = table.screens.around
            until = around.get("until")
            if until is not None and until <= today:
                table.screens.around = {**around, "until": None}
                self._aside_of_taps(self._end_news(table))
            if self._host_is_away(table, now):
                self._aside_of_taps(self._hand_over(table))

    def _host_is_away(self, table: Table, now: float) -> bool:
        """Whether others have been here without the host for so long that somebody must follow.

        The time begins when this process sees them so: after a restart everybody was away.
        """
        here = {line.seat for line in table.lines() if line.seat}
        if not here or table.screens.around.get("host") in here:
            self._hostless.pop(table.slug, None)
            return False
        if now - self._hostless.setdefault(table.slug, now) < settings.HOST_AWAY:
            return False
        self._hostless[table.slug] = now
        return True

    async def _hand_over(self, table: Table) -> None:
        """Let the next seat that is here be the host, and say so on every screen."""
        lines = table.lines()
        here = {line.seat for line in lines if line.seat}
        watching = {line.device for line in lines if line.seat is None and line.device}
        if await self.read(lambda: hosts.succeed(table.game_id, here, watching)):
            await self.show_beside(table.slug)

    async def _end_news(self, table: Table) -> None:
        """Take away what stood beside the board long enough; tell who asked that nobody came."""
        gone = await self.read(lambda: knocks.late(Game.objects.get(pk=table.game_id)))
        await self.show_beside(table.slug)
        for device in gone:
            table.hang_up(LOOK_AGAIN, "late", device)

    def _aside_of_taps(self, work: Coroutine[Any, Any, None]) -> None:
        """Do *work* beside the taps; what goes wrong there is logged and stops nothing."""

        async def done() -> None:
            try:
                await work
            except Exception:
                logger.exception("What a table does by itself went wrong.")

        task = asyncio.ensure_future(done())
        self._under_way.add(task)
        task.add_done_callback(self._under_way.discard)


def at_table(game_id: int) -> tuple[dict[str, str], dict[str, Any]]:
    """How the seats of a game are called, and what stands beside its board."""
    game = Game.objects.get(pk=game_id)
    return game.names, beside(game)


def renew(seated: list[tuple[int, str]]) -> None:
    """Note of seats (game, key) that they are here now."""
    here: dict[int, set[str]] = {}
    for game, key in seated:
        here.setdefault(game, set()).add(key)
    ids = [
        pk
        for pk, game, key in Seat.objects.filter(game__in=here).values_list("pk", "game", "key")
        if key in here[game]
    ]
    Seat.objects.filter(pk__in=ids).update(seen=timezone.now())


def asked(query: Callable[[], T]) -> T:
    """What *query* finds, asked again on a new connection if the old one has broken."""
    try:
        return query()
    except (InterfaceError, OperationalError):
        connections.close_all()
        return query()


owner = Owner()
"""The owner of all games that run in this process."""

# For Django's views, which run in threads: asgiref brings each call to the server's own loop.
give = async_to_sync(owner.give)
refresh = async_to_sync(owner.refresh)
show_beside = async_to_sync(owner.show_beside)
hang_up = async_to_sync(owner.hang_up)
