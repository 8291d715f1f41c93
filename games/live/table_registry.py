"""Which process plays which game.

One process plays a game, at one table. It opens the table from its rows when someone needs it, and
closes it when no one has used it for a while. By default that is this process. Where several share
the games (`relay`), it is the one that holds the game's lock in the database; the others pass
everything on to it.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import Callable, Collection, Coroutine, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any, TypeVar

from asgiref.sync import async_to_sync
from django.conf import settings
from django.db import InterfaceError, OperationalError, connections
from django.http import Http404

from games.models import Game, Seat
from games.rules.history import Applied
from games.rules.state import Refused
from games.screens.document import Feed, about
from games.screens.drawing import Drawing
from games.screens.sidebar import sidebar_context
from games.seats.arrivals import game_at, places
from games.store import caches, rows
from games.store.sql import retried

from .closing import RELOAD, RESTART
from .helper import logs
from .journal import Journal
from .journal_store import Store
from .lease import BEAT, LEASE, Others
from .messages import Call
from .outage import DATABASE
from .relay import Relay
from .remote_table import RemoteTable
from .running_game import RunningGame
from .table import Table

logger = logging.getLogger(__name__)
T = TypeVar("T")

AT_ONCE = 4
"""Games of which each can be taken back or reloaded while another is."""
MOVING = 5.0
"""Seconds for which a command without a socket follows its game from one process to the next."""
LONGEST = 60.0
"""Seconds that a handshake may take, at the very most."""
IDLE = 120.0
"""Seconds after which a table without screens is closed."""


class NoSuchGame(Http404):
    """There is no game with that slug, or not any more."""


class TableRegistry:
    """The tables that are open in this process.

    They belong to one event loop. When another loop asks (scripts and tests run one per call), the
    tables of the last loop are forgotten.
    """

    def __init__(self) -> None:
        self.tables: dict[str, Table] = {}
        self.journal = Journal()
        self.relay: Relay | None = None
        self._opening: dict[str, asyncio.Task[RunningGame]] = {}
        self._closed: dict[tuple[str, str], float] = {}
        self._under_way: set[asyncio.Future[None]] = set()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._leaving = False
        self._beat_at = 0.0
        self._others = Others()
        self._beating: asyncio.Task[None] | None = None
        # One thread answers queries, one makes changes that nobody waits for, some run what may
        # take long: undo and reloading tables.
        self._reader = ThreadPoolExecutor(1, "reader")
        self._writer = ThreadPoolExecutor(1, "writer")
        self._background = ThreadPoolExecutor(AT_ONCE, "background")

    @property
    def trouble(self) -> str:
        """Why this process cannot serve now, as a clause; "" if it can. Asks nobody.

        Without Redis it serves as well as any, unless another one hears it.
        """
        if self._leaving:
            return "the server stops"
        if self.relay is None:
            return ""
        if time.monotonic() - self._beat_at > LEASE:
            return "the database does not answer"
        others_hear = not self.relay.hears and self._others.hear
        return "Redis does not answer" if others_hear else ""

    @property
    def turns_away(self) -> bool:
        """Whether phones had better go to another process: this one cannot serve, and one can."""
        if self.relay is None or not self._beat_at:  # it has not begun
            return self._leaving
        return bool(self.trouble) and (self.relay.hears or self._others.hear > 0)

    def begin(self) -> None:
        """Be one of the processes that share the games, before anyone asks for one."""
        self._begin()

    async def hand_over(self) -> None:
        """Stop: save what was accepted, let others play every game, and send all phones to them.

        What a phone sends meanwhile is not answered, so it sends that again, to whoever plays then.
        """
        self._leaving = True
        if self._beating is not None:
            self._beating.cancel()
        try:
            await self.journal.stop()
        except Exception as error:
            DATABASE.failed(error)  # with its connection, its locks are gone
        for table in list(self.tables.values()):
            if self.relay is not None:
                self.relay.dismiss(table)
            table.disconnect(RESTART, "restart")
        if self.relay is not None:
            for remote in list(self.relay.remote.values()):
                remote.hand_over()
            await self.relay.leave()

    async def table(self, slug: str) -> RunningGame:
        """The running table of a game, here or in another process. Raises NoSuchGame."""
        self._begin()
        table: RunningGame | None = self.tables.get(slug)
        if table is None and self.relay is not None:
            table = self.relay.remote.get(slug)
        if table is None:
            if slug not in self._opening:
                self._opening[slug] = asyncio.ensure_future(self._open(slug))
            table = await asyncio.shield(self._opening[slug])
        table.used = time.monotonic()
        return table

    async def give(self, slug: str, raw: Mapping[str, Any], seat: str) -> Applied:
        """Give a command for a seat, as `RunningGame.give` does; again if the game moves meanwhile.

        Its id sees to it that it happens once, even if the old owner had saved it.
        """
        raw = {"id": secrets.token_hex(8), **raw}
        until = time.monotonic() + MOVING
        while True:
            table = await self.table(slug)
            try:
                return await table.give(raw, seat)
            except Refused as refused:
                late = time.monotonic() > until
                if refused.code != "not-saved" or self._is_at(table) or late:
                    raise

    def _is_at(self, table: RunningGame) -> bool:
        """Whether *table* is still where this process finds its game."""
        here: RunningGame | None = self.tables.get(table.slug)
        return table is (here or (self.relay and self.relay.remote.get(table.slug)))

    async def refresh(self, slug: str) -> None:
        """Redraw every screen of a game after a change that is not a command, such as a new
        name."""
        table = await self._reached(slug, "refresh")
        if table is not None:
            seats, context = await self.read(lambda: seats_and_sidebar(table.game_id))
            table.drawing.reseat(seats)
            table.drawing.sidebar_context = context
            table.dismiss_seatless(RELOAD, "no seat")
            table.show_boards()

    async def expect(
        self, slug: str, key: str, after: str, name: str, colour: int, emblem: int
    ) -> None:
        """Know who is about to sit down, so that everyone reads the name as soon as the seat is
        there."""
        table = await self._reached(slug, "expect", key, after, name, colour, emblem)
        if table is not None:
            looks = {"chosen_colour": colour, "chosen_emblem": emblem}
            seats: dict[str, Seat] = {}
            for order, (each, seat) in enumerate(table.drawing.seats.items(), 1):
                seats[each] = seat
                if each == after:
                    seats[key] = Seat(key=key, given_name=name, order=order, **looks)
            table.drawing.reseat(seats)

    async def push_sidebar(self, slug: str) -> None:
        """Redraw the sidebar on every screen of a game, where nothing else changed."""
        table = await self._reached(slug, "push_sidebar")
        if table is not None:
            _seats, context = await self.read(lambda: seats_and_sidebar(table.game_id))
            table.drawing.sidebar_context = context
            table.push_sidebar()

    async def disconnect(
        self, slug: str, code: int, reason: str, device: str | None = None
    ) -> None:
        """Close the connections of a device or program (its hash) to a game; without one, all."""
        if device is not None:
            self._note_closed(slug, device)
        table = await self._reached(slug, "disconnect", code, reason, device)
        if table is not None:
            table.disconnect(code, reason, device)

    def closed_since(self, slug: str, device: str | None, since: float) -> bool:
        """Whether the connections of a device were closed after *since* (time.monotonic): whoever
        asked before that who it is must ask again."""
        return device is not None and self._closed.get((slug, device), 0.0) >= since

    def _note_closed(self, slug: str, device: str) -> None:
        now = time.monotonic()
        self._closed = {each: at for each, at in self._closed.items() if now - at < LONGEST}
        self._closed[slug, device] = now

    async def renewed(self, last: str, games: Iterable[Game]) -> None:
        """Close the connections of a device under its last token (its hash); its pages redial.

        They must not reload: one of them may just be on its way to another table.
        """
        for game in games:
            await self.disconnect(game.slug, RESTART, "renewed", last)

    async def end(self, slug: str) -> None:
        """Take no more commands: the game's rematch has begun, and its screens follow it there."""
        table = await self._reached(slug, "end")
        if table is not None:
            table.over = True
            table.disconnect(RELOAD, "played again")

    async def resume(self, slug: str) -> None:
        """Take commands again: the game is played on, and its screens see who plays it now."""
        table = await self._reached(slug, "resume")
        if table is not None:
            table.over = False
            await self.refresh(slug)
            table.disconnect(RELOAD, "played on")

    async def forget(self, slug: str) -> None:
        """Keep nothing of a game in memory: it is deleted. Its pieces in other processes, which
        only read it, make way for those of others."""
        table = await self._reached(slug, "forget")
        if table is not None:
            self._forget(table)
        caches.forget(slug)
        if logs.started:
            logs.submit(caches.forget, slug)

    async def _reached(self, slug: str, call: str, *arguments: Any) -> Table | None:
        """The table if it is played here; if elsewhere, ask its process to make the same call."""
        self._begin()
        if slug not in self.tables and self.relay is not None:
            self.relay.bus.send_to_all(Call(slug, call, list(arguments)))
        return self.tables.get(slug)

    def _called(self, message: Call) -> None:
        """Make a call for another process, if the game is played here."""
        call: dict[str, Callable[..., Coroutine[Any, Any, None]]] = {
            "refresh": self.refresh,
            "expect": self.expect,
            "push_sidebar": self.push_sidebar,
            "disconnect": self.disconnect,
            "end": self.end,
            "resume": self.resume,
            "forget": self.forget,
        }
        if message.slug in self.tables:
            self.spawn(call[message.name](message.slug, *message.arguments))

    async def read(self, query: Callable[[], T]) -> T:
        """Run *query* on the database in a thread of its own, never in the loop's."""
        return await asyncio.get_running_loop().run_in_executor(self._reader, retried, query)

    async def write(self, change: Callable[[], T]) -> T:
        """Make a *change* to the database that nobody waits for.

        It has a thread of its own: on a slow disk it may take seconds, and no phone that comes in
        waits behind it.
        """
        return await asyncio.get_running_loop().run_in_executor(self._writer, retried, change)

    async def present(self, slug: str) -> set[str]:
        """The seats of a game with a screen open."""
        if self.relay and slug in self.relay.remote:
            return self.relay.remote[slug].present
        table = self.tables.get(slug)
        return table.present if table else set()

    def close(self) -> None:
        """Forget all tables and close the database connections."""
        self.tables.clear()
        self._opening.clear()
        self._close_relay()
        self.journal.close()
        for executor in (self._reader, self._writer):
            executor.submit(connections.close_all).result()
        all_here = Barrier(AT_ONCE)
        each = [self._background.submit(_closed, all_here) for _thread in range(AT_ONCE)]
        for thread in each:
            thread.result()

    @property
    def busy(self) -> bool:
        """Whether a table is being taken back or reloaded in the background."""
        return any(table.busy for table in self.tables.values())

    def _begin(self) -> None:
        loop = asyncio.get_running_loop()
        if loop is not self._loop:
            if self._loop is not None and self._loop.is_running():
                raise RuntimeError("The tables belong to another event loop, which still runs.")
            self.tables.clear()
            self._opening.clear()
            self._close_relay()
            self.journal.close()
            self.journal = Journal(Store(shared=settings.SHARED), lost=self._lost)
            self._loop, self._leaving = loop, False
            if settings.SHARED:
                self.relay = Relay(self.tables.get, self._called)
                self.relay.start()
                self._beating = asyncio.ensure_future(self._beat(self.relay))

    def _close_relay(self) -> None:
        if self.relay is not None:
            self.relay.close()
            self.relay = None
        if self._beating is not None:
            self._beating.cancel()
            self._beating = None

    async def _beat(self, relay: Relay) -> None:
        """Keep this process's lease. While it does not hear Redis, give up what another one wants
        that does; the rest is played on, as if all phones had come here."""
        while True:
            try:
                self._others = await self.journal.beat(relay.hears)
                self._beat_at = time.monotonic()
                relay.alive(self._others.alive)
                DATABASE.over()
            except Exception as error:
                DATABASE.failed(error)
            if not relay.hears:
                self._lost(self._others.wanted)
            await asyncio.sleep(BEAT if relay.hears else BEAT / 4)

    async def _open(self, slug: str) -> RunningGame:
        try:
            if self.relay is None:
                await self.journal.readable()
                self.tables[slug] = table = await self.read(lambda: self._read_table(slug))
                return table
            game = await self.read(lambda: _game(slug))
            return await self._open_shared(self.relay, game)
        finally:
            del self._opening[slug]

    async def _open_shared(self, relay: Relay, game: Game) -> RunningGame:
        slug = game.slug
        await relay.started()
        relay.serve(slug)
        try:
            owner = await self._owner(game.pk, relay)
            if owner is None:
                self.tables[slug] = table = await self.read(lambda: self._read_table(slug))
                relay.opened(table)
                return table
            seats = frozenset(await self.read(lambda: list(game.names)))
        except BaseException:
            relay.not_opened(slug)
            await self.journal.disown(game.pk)
            raise
        relay.not_opened(slug)
        remote = RemoteTable(slug, game.rules, seats, owner, relay.bus.send, relay.unfollow)
        relay.follow(remote)
        return remote

    async def _owner(self, game: int, relay: Relay) -> str | None:
        """The process that plays a game; None if this one does from now on.

        Wait for an owner that may be dead, or that does not hear Redis while this process does: it
        lets the game go once this one wants it. Nobody wants anything who may just not know yet
        that Redis is away, so Redis must have brought something meanwhile.
        """
        begun, wants = time.monotonic(), False
        try:
            while not await self.journal.own(game):
                holder = await self.journal.holder(game)
                if holder is not None and not (holder.fails and relay.hears):
                    return holder.process
                if not wants and relay.bus.heard_at > begun:
                    await self.journal.want(game)
                    wants = True
                await asyncio.sleep(BEAT / 5)
            return None
        finally:
            if wants:
                await self.journal.want_no_more(game)

    def _read_table(self, slug: str) -> Table:
        game = _game(slug)
        seats = places(game)
        drawing = Drawing(game.rules, seats)
        drawing.sidebar_context = sidebar_context(game, seats)
        return Table(
            game.pk,
            slug,
            rows.history(game),
            drawing,
            Feed(about(game), drawing),
            load=lambda: rows.history(Game.objects.get(slug=slug)),
            gave_up=self._forget,
            journal=self.journal,
            background=self._background,
            over=game.followed_by_id is not None,
        )

    def _forget(self, table: Table) -> None:
        table.gone = True
        if self.tables.get(table.slug) is table:
            del self.tables[table.slug]
            if self.relay is not None:
                self.spawn(self._let_go(self.relay, table))

    async def _let_go(self, relay: Relay, table: Table) -> None:
        """Let other processes play a game; then tell those with screens of it, which dial."""
        try:
            if table.slug not in self.tables:
                await self.journal.disown(table.game_id)
        finally:
            relay.dismiss(table)

    def _lost(self, games: Collection[int]) -> None:
        """Give up *games*, whose database locks are gone: other processes may play them now."""
        for table in [each for each in self.tables.values() if each.game_id in games]:
            self._forget(table)
            table.disconnect(RESTART, "restart")

    def close_idle(self, now: float) -> None:
        """Close the tables that no one has used for a while."""
        for table in list(self.tables.values()):
            if not table.idle:
                table.used = now
            elif now - table.used > IDLE:
                self._forget(table)
        if self.relay is not None:
            for remote in list(self.relay.remote.values()):
                if remote.idle and now - remote.used > IDLE:
                    self.relay.unfollow(remote)

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Run *work* in the background; log its errors."""

        async def done() -> None:
            try:
                await work
            except (InterfaceError, OperationalError) as error:
                DATABASE.failed(error)
            except Exception:
                logger.exception("A table's background work failed.")

        task = asyncio.ensure_future(done())
        self._under_way.add(task)
        task.add_done_callback(self._under_way.discard)


def _game(slug: str) -> Game:
    game = game_at(slug)
    if game is None:
        raise NoSuchGame(slug)
    return game


def _closed(all_here: Barrier) -> None:
    all_here.wait()  # so that each thread gets one
    connections.close_all()


def seats_and_sidebar(game_id: int) -> tuple[dict[str, Seat], dict[str, Any]]:
    """The seats of a game, and the context of its sidebar."""
    game = Game.objects.get(pk=game_id)
    seats = places(game)
    return seats, sidebar_context(game, seats)


registry = TableRegistry()
"""The one registry of this process."""

# For Django's views, which run in threads: asgiref makes each call in the server's own loop.
give = async_to_sync(registry.give)
refresh = async_to_sync(registry.refresh)
push_sidebar = async_to_sync(registry.push_sidebar)
disconnect = async_to_sync(registry.disconnect)
