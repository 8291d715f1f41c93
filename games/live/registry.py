"""Who owns which game.

A game is played in one place, in one table, which is opened from its rows when somebody needs it
and closed when nobody has for a while. By default that place is this process. Where several share
the games (`relay`), it is whichever holds the game's lock in the database, and the others pass on.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Collection, Coroutine, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from asgiref.sync import async_to_sync
from django.conf import settings
from django.db import InterfaceError, OperationalError, connections
from django.utils import timezone

from games.models import Game, Seat
from games.rules.history import Applied
from games.rules.state import Turn
from games.screens.boards import screens_for
from games.screens.sidebar import sidebar
from games.seats import hosts, requests
from games.store import rows

from .journal import Journal
from .relay import FarTable, Relay
from .table import RESTART, Running, Table

logger = logging.getLogger(__name__)
T = TypeVar("T")

SWEEP = 30.0
"""Seconds between two looks for tables to close and seats to note as present."""
IDLE = 120.0
"""Seconds after which a table without screens is closed."""
LOOK = 2.0
"""Seconds between two looks for hosts that are away, news that are over and, where a clock counts
turns, for new ones."""
RELOAD = 4410
"""Close code after which a page loads itself again: it is another seat's now, or nobody's."""


class NoSuchGame(LookupError):
    """There is no game of that name."""


class TableRegistry:
    """The tables that are open in this process.

    They belong to one event loop. Where another loop asks (scripts and tests, which run one for
    each call), the tables of the last one are gone with it.
    """

    def __init__(self) -> None:
        self.tables: dict[str, Table] = {}
        self.journal = Journal()
        self.relay: Relay | None = None
        self._opening: dict[str, asyncio.Task[Running]] = {}
        self._used: dict[str, float] = {}
        self._hostless: dict[str, float] = {}
        self._turns: dict[str, Turn | None] = {}
        self._under_way: set[asyncio.Future[None]] = set()
        self._loop: asyncio.AbstractEventLoop | None = None
        # One thread reads what doors and tables need; the other one takes back, which may be long.
        self._reader = ThreadPoolExecutor(1, "reader")
        self._aside = ThreadPoolExecutor(1, "aside")

    async def table(self, slug: str) -> Running:
        """The running table of a game, here or in another process. Raises NoSuchGame."""
        self._begin()
        self._used[slug] = time.monotonic()
        if slug in self.tables:
            return self.tables[slug]
        if self.relay and slug in self.relay.far:
            return self.relay.far[slug]
        if slug not in self._opening:
            self._opening[slug] = asyncio.ensure_future(self._open(slug))
        return await asyncio.shield(self._opening[slug])

    async def give(self, slug: str, raw: Mapping[str, Any], seat: str) -> Applied:
        """Let a seat give a command, as `Running.give` does."""
        return await (await self.table(slug)).give(raw, seat)

    async def refresh(self, slug: str) -> None:
        """Show every screen of a game what is no command: a seat taken, renamed, left."""
        table = await self._reached(slug, "refresh")
        if table is not None:
            called, around = await self.read(lambda: at_table(table.game_id))
            table.screens.rename(called)
            table.screens.around = around
            table.show_boards()

    async def push_sidebar(self, slug: str) -> None:
        """Show every screen of a game what stands beside its board, where only that changed."""
        table = await self._reached(slug, "show_beside")
        if table is not None:
            _names, table.screens.around = await self.read(lambda: at_table(table.game_id))
            table.push_sidebar()

    async def hang_up(self, slug: str, code: int, reason: str, device: str | None = None) -> None:
        """Close the lines that a device (its hash) has to a game; without one, all."""
        table = await self._reached(slug, "hang_up", code, reason, device)
        if table is not None:
            table.hang_up(code, reason, device)

    async def end(self, slug: str) -> None:
        """Take no command of a game any more, which was played again; its screens go along."""
        table = await self._reached(slug, "end")
        if table is not None:
            table.over = True
            table.hang_up(RELOAD, "played again")

    async def _reached(self, slug: str, call: str, *arguments: Any) -> Table | None:
        """The table, if it is played here; if elsewhere, its owner is asked to do the same."""
        self._begin()
        if slug not in self.tables and self.relay is not None:
            await self.relay.started()
            self.relay.ask(slug, {"kind": "call", "call": call, "arguments": list(arguments)})
        return self.tables.get(slug)

    def _called(self, message: Mapping[str, Any]) -> None:
        """Another process asks for what only the owner of a game can do."""
        call: dict[str, Callable[..., Coroutine[Any, Any, None]]] = {
            "refresh": self.refresh,
            "show_beside": self.push_sidebar,
            "hang_up": self.hang_up,
            "end": self.end,
        }
        if message["slug"] in self.tables:
            self._spawn(call[message["call"]](message["slug"], *message["arguments"]))

    async def read(self, query: Callable[[], T]) -> T:
        """What *query* finds in the database, which is not asked in the loop's own thread."""
        return await asyncio.get_running_loop().run_in_executor(self._reader, asked, query)

    async def present(self, slug: str) -> set[str]:
        """The seats of a game that have a screen open."""
        if self.relay and slug in self.relay.far:
            return self.relay.far[slug].present
        table = self.tables.get(slug)
        return (
            {connection.seat for connection in table.connections() if connection.seat}
            if table
            else set()
        )

    def close(self) -> None:
        """Forget all tables and let go of the database."""
        self.tables.clear()
        self._opening.clear()
        self._used.clear()
        self._hang_up_relay()
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
            self._hang_up_relay()
            self.journal.close()
            self.journal = Journal(lost=self._lost)
            if settings.SHARED:
                self.relay = Relay(self.tables.get, self._called, self.journal.check)
            self._loop = loop
            self._hostless.clear()
            loop.call_later(SWEEP, self._sweep)
            loop.call_later(LOOK, self._look)

    def _hang_up_relay(self) -> None:
        if self.relay is not None:
            self.relay.close()
            self.relay = None

    async def _open(self, slug: str) -> Running:
        try:
            game = await self.read(lambda: Game.objects.filter(slug=slug).first())
            if game is None:
                raise NoSuchGame(slug)
            if self.relay is None:
                self.tables[slug] = table = await self.read(lambda: self._read_table(slug))
                return table
            await self.relay.started()
            if not await self.journal.own(game.pk):
                seats = frozenset(await self.read(lambda: list(game.names)))
                far = FarTable(self.relay, slug, game.rules, seats, self._far_lost)
                self.relay.far[slug] = far
                return far
            self.tables[slug] = table = await self.read(lambda: self._read_table(slug))
            await self.relay.serve(slug)
            return table
        finally:
            del self._opening[slug]

    def _read_table(self, slug: str) -> Table:
        game = Game.objects.get(slug=slug)
        screens = screens_for(game.rules, game.names)
        screens.around = sidebar(game)
        return Table(
            game.pk,
            slug,
            rows.history(game),
            screens,
            load=lambda: rows.history(Game.objects.get(slug=slug)),
            gave_up=self._forget,
            journal=self.journal,
            aside=self._aside,
            over=game.followed_by_id is not None,
        )

    def _forget(self, table: Table) -> None:
        if self.tables.get(table.slug) is table:
            del self.tables[table.slug]
            self._used.pop(table.slug, None)
            self._hostless.pop(table.slug, None)
            self._turns.pop(table.slug, None)
            if self.relay is not None:
                self._spawn(self._let_go(self.relay, table))

    async def _let_go(self, relay: Relay, table: Table) -> None:
        await relay.stop_serving(table.slug)
        if table.slug not in self.tables:
            await self.journal.disown(table.game_id)

    def _far_lost(self, far: FarTable) -> None:
        if self.relay is not None and self.relay.far.get(far.slug) is far:
            del self.relay.far[far.slug]

    def _lost(self, games: Collection[int]) -> None:
        """The database let go of the locks of *games*: others may play them now."""
        for table in [each for each in self.tables.values() if each.game_id in games]:
            self._forget(table)
            table.hang_up(RESTART, "restart")

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
                seated += [
                    (table.game_id, connection.seat)
                    for connection in table.connections()
                    if connection.seat
                ]
        for far in list(self.relay.far.values()) if self.relay else ():
            if far.idle and now - self._used.get(far.slug, 0) > IDLE:
                self._far_lost(far)
        if seated:
            self._spawn(self._note_presence(seated))

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
                self._spawn(self._end_news(table))
            if self._host_is_away(table, now):
                self._spawn(self._hand_over(table))
            if around.get("clock") and self._turns.get(table.slug) is not table.state.turn:
                self._turns[table.slug] = table.state.turn
                self._spawn(self.push_sidebar(table.slug))

    def _host_is_away(self, table: Table, now: float) -> bool:
        """Whether others have been here without the host for so long that somebody must follow.

        The time begins when this process sees them so: after a restart everybody was away.
        """
        here = {connection.seat for connection in table.connections() if connection.seat}
        if not here or table.screens.around.get("host") in here:
            self._hostless.pop(table.slug, None)
            return False
        if now - self._hostless.setdefault(table.slug, now) < settings.HOST_AWAY:
            return False
        self._hostless[table.slug] = now
        return True

    async def _hand_over(self, table: Table) -> None:
        """Let the next seat that is here be the host, and say so on every screen."""
        connections = table.connections()
        here = {connection.seat for connection in connections if connection.seat}
        watching = {
            connection.device
            for connection in connections
            if connection.seat is None and connection.device
        }
        if await self.read(lambda: hosts.succeed(table.game_id, here, watching)):
            await self.push_sidebar(table.slug)

    async def _end_news(self, table: Table) -> None:
        """Take away what stood beside the board long enough; tell who asked that nobody came."""
        gone = await self.read(lambda: requests.late(Game.objects.get(pk=table.game_id)))
        await self.push_sidebar(table.slug)
        for device in gone:
            table.hang_up(RELOAD, "late", device)

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
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
    return game.names, sidebar(game)


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


registry = TableRegistry()
"""The owner of all games that run in this process."""

# For Django's views, which run in threads: asgiref brings each call to the server's own loop.
give = async_to_sync(registry.give)
refresh = async_to_sync(registry.refresh)
push_sidebar = async_to_sync(registry.push_sidebar)
hang_up = async_to_sync(registry.hang_up)
