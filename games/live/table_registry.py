"""The registry of running tables: which process owns which game.

One process plays a game, at one table. It opens the table from its rows when someone needs it, and
closes it when nobody has used it for a while. By default that is this process. Where several share
the games, its `Peers` (`games.cluster`) know which one it is, and pass everything on to it.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import Callable, Collection, Coroutine, Iterable, Mapping, Sequence
from functools import partial
from threading import Barrier
from typing import Any, Protocol, TypeVar

from django.db import InterfaceError, OperationalError, connections
from django.http import Http404

from games.models import Game, Seat
from games.rules.history import Applied
from games.rules.state import Refused
from games.screens import chairs
from games.screens.boards import Drawn
from games.screens.document import about
from games.screens.drawing import Drawing
from games.screens.fragments import Audience
from games.screens.sidebar import sidebar_context
from games.seats import asks
from games.seats.arrivals import game_at, places
from games.store import caches, rows, threads
from games.store.sql import retried

from .closing import RELOAD, RESTART
from .helper import logs
from .journal import Journal
from .outage import DATABASE
from .running_game import RunningGame
from .shown_game import Sent
from .table import Table
from .webhook import Webhook
from .work import Work

logger = logging.getLogger(__name__)
T = TypeVar("T")

AT_ONCE = 4
"""Games of which each can be taken back, reloaded or have long commands while another does."""
MOVING = 5.0
"""Seconds for which a command by HTTP is retried while its game changes owners."""
LONGEST = 60.0
"""Timeout of a handshake, in seconds."""
IDLE = 120.0
"""Seconds after which a table without screens is closed."""


class NoSuchGame(Http404):
    """There is no game with that slug, or not any more."""


class Peers(Protocol):
    """The other processes that share the games, as a registry asks for them."""

    journal: Journal

    @property
    def trouble(self) -> str:
        """The reason why this process cannot serve now, as a clause; "" if it can."""

    @property
    def serve(self) -> bool:
        """True if one of them can serve in place of this process."""

    def find(self, slug: str) -> RunningGame | None:
        """A game that another process plays, if this one follows it."""

    async def open(self, slug: str) -> RunningGame:
        """The running table of a game, wherever it is played."""

    def call(self, slug: str, name: str, arguments: Sequence[Any]) -> None:
        """Ask the process that plays a game for `TableRegistry.called`."""

    def let_go(self, table: Table) -> Coroutine[Any, Any, None]:
        """Let other processes play a game that was played here."""

    def close_idle(self, before: float) -> None:
        """Follow no more the games that nobody has used since *before*."""

    def figures(self) -> Mapping[str, float]:
        """Their figures for the operator, by name."""

    async def stop(self) -> None:
        """Save what was accepted, and let them play all games."""

    async def leave(self) -> None:
        """Send the phones to them, and hear nothing more."""

    def close(self) -> None:
        """Neither send nor receive any more."""


class TableRegistry:
    """The tables that are open in this process.

    They belong to one event loop. When another loop asks (scripts and tests run one per call), the
    tables of the last loop are forgotten.

    joined: makes the `Peers` in a loop, where processes share the games.
    """

    joined: Callable[[TableRegistry], Peers] | None = None

    def __init__(self) -> None:
        self.tables: dict[str, Table] = {}
        self.journal = Journal()
        self.work = Work(AT_ONCE)
        self.address = ""
        """The address of this process, such as "127.0.0.1:8000"; "" if it is unknown."""
        self.begun: list[Callable[[asyncio.AbstractEventLoop], None]] = []
        """Tasks that start with the tables in each loop, such as the watch."""
        self._peers: Peers | None = None
        self._opening: dict[str, asyncio.Task[RunningGame]] = {}
        self._closed: dict[tuple[str, str], float] = {}
        self._under_way: set[asyncio.Future[None]] = set()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._leaving = False
        # One thread answers queries, one makes changes that nobody waits for, some run what may
        # take long: undo and reloading tables.
        self._reader = threads.pool(1, "reader")
        self._writer = threads.pool(1, "writer")
        self._background = threads.pool(AT_ONCE, "background")

    @property
    def trouble(self) -> str:
        """The reason why this process cannot serve now, as a clause; "" if it can. Makes no
        request.
        """
        if self._leaving:
            return "the server stops"
        return self._peers.trouble if self._peers else ""

    @property
    def turns_away(self) -> bool:
        """True if phones should reconnect elsewhere: this process cannot serve, and another can."""
        if self._peers is None:
            return self._leaving
        return bool(self.trouble) and self._peers.serve

    def of_peers(self) -> Mapping[str, float]:
        """The figures of what is shared with other processes; none if nothing is."""
        return self._peers.figures() if self._peers else {}

    def begin(self) -> None:
        """Watch the games, and join the processes that share them, before the first request."""
        self._begin()

    async def hand_over(self) -> None:
        """Shut down: commit what was accepted, release all games, and make phones reconnect.

        Commands that arrive meanwhile get no answer, so phones send them again, to the next owner.
        """
        self._leaving = True
        try:
            await (self._peers or self.journal).stop()
        except Exception as error:
            DATABASE.failed(error)  # with its connection, its locks are gone
        for table in list(self.tables.values()):
            table.disconnect(RESTART, "restart")
        if self._peers is not None:
            await self._peers.leave()

    async def table(self, slug: str) -> RunningGame:
        """The running table of a game, here or in another process. Raises NoSuchGame."""
        self._begin()
        table = self._found(slug)
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
                if refused.code != "not-saved" or self._found(slug) is table or late:
                    raise

    def _found(self, slug: str) -> RunningGame | None:
        """The game where this process finds it now, if it is open."""
        return self.tables.get(slug) or (self._peers.find(slug) if self._peers else None)

    async def refresh(self, slug: str) -> None:
        """Redraw every screen of a game after a change that is not a command, such as a new
        name."""
        table = await self._reached(slug, "refresh")
        if table is not None:
            seats, context = await self.read(lambda: seats_and_sidebar(table.game_id))
            table.reseat(seats)
            table.drawing.sidebar_context = context
            table.unseated = False
            table.dismiss_seatless()
            table.show_boards()
            await table.seat_late()

    async def expect(
        self, slug: str, key: str, after: str, name: str, colour: int, emblem: int
    ) -> None:
        """Set the name of a seat that is about to be added, so that its first frame shows it."""
        table = await self._reached(slug, "expect", key, after, name, colour, emblem)
        if table is not None:
            looks = {"chosen_colour": colour, "chosen_emblem": emblem}
            table.expect(Seat(key=key, given_name=name, **looks), after)

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
        """Close the connections of a device or program (its hash) to a game; without one, all.

        Every process closes its own. The one that plays the game does not yet know of a screen that
        is just coming in elsewhere.
        """
        self._begin()
        if self._peers is not None:
            self._peers.call(slug, "disconnect", (code, reason, device))
        await self._disconnect(slug, code, reason, device)

    async def _disconnect(self, slug: str, code: int, reason: str, device: str | None) -> None:
        if device is not None:
            self._note_closed(slug, device)
        if game := self._found(slug):
            game.disconnect(code, reason, device)

    def closed_since(self, slug: str, device: str | None, since: float) -> bool:
        """True if the connections of a device were closed after *since* (time.monotonic):
        a caller that asked before that who it is must ask again."""
        return device is not None and self._closed.get((slug, device), 0.0) >= since

    def _note_closed(self, slug: str, device: str) -> None:
        now = time.monotonic()
        self._closed = {each: at for each, at in self._closed.items() if now - at < LONGEST}
        self._closed[slug, device] = now

    async def renewed(self, last: str, games: Iterable[Game]) -> None:
        """Close the connections of a device under its last token (its hash); its pages reconnect.

        They must not reload: one of them may just be on its way to another table.
        """
        for game in games:
            await self.disconnect(game.slug, RESTART, "renewed", last)

    async def end(self, slug: str) -> None:
        """Close the game to commands: its rematch has begun, and its screens follow it there."""
        table = await self._reached(slug, "end")
        if table is not None:
            table.over = True
            table.disconnect(RELOAD, "played again")

    async def resume(self, slug: str) -> None:
        """Reopen the game to commands, and redraw its screens."""
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
        if slug not in self.tables and self._peers is not None:
            self._peers.call(slug, call, arguments)
        return self.tables.get(slug)

    def called(self, slug: str, name: str, arguments: Sequence[Any]) -> None:
        """Make a call for another process, if the game is played here, or shown."""
        call: dict[str, Callable[..., Coroutine[Any, Any, None]]] = {
            "refresh": self.refresh,
            "expect": self.expect,
            "push_sidebar": self.push_sidebar,
            "disconnect": self._disconnect,
            "end": self.end,
            "resume": self.resume,
            "forget": self.forget,
        }
        if slug in self.tables or name == "disconnect":
            self.spawn(call[name](slug, *arguments))

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
        table = self._found(slug)
        return table.present if table else set()

    async def sent(self, slug: str) -> Sent | None:
        """What screens were sent since a table's newest act; None if it does not run here."""
        table = self.tables.get(slug) if self._loop is asyncio.get_running_loop() else None
        return table.sent() if table else None

    async def drawn(self, slug: str, audience: Audience, mine: str | None) -> Drawn | None:
        """The rendered board of a table; None if it does not run here, or is too large to be
        rendered during play.
        """
        here = self._loop is asyncio.get_running_loop()
        table = self.tables.get(slug) if here else None
        return table.drawn(audience, mine) if table and not table.large else None

    def close(self) -> None:
        """Forget all tables and close the database connections."""
        self.tables.clear()
        self._opening.clear()
        self._close_peers()
        self.journal.close()
        for executor in (self._reader, self._writer):
            executor.submit(connections.close_all).result()
        all_here = Barrier(AT_ONCE)
        each = [self._background.submit(_closed, all_here) for _thread in range(AT_ONCE)]
        for thread in each:
            thread.result()

    @property
    def busy(self) -> bool:
        """True if a table is being taken back or reloaded in the background."""
        return any(table.busy for table in self.tables.values())

    def _begin(self) -> None:
        loop = asyncio.get_running_loop()
        if loop is not self._loop:
            if self._loop is not None and self._loop.is_running():
                raise RuntimeError("The tables belong to another event loop, which still runs.")
            self.tables.clear()
            self._opening.clear()
            self._close_peers()
            self.journal.close()
            self._loop, self._leaving = loop, False
            self._peers = self.joined(self) if self.joined else None
            self.journal = self._peers.journal if self._peers else Journal()
            self.work = Work(AT_ONCE)
            for begin in self.begun:
                begin(loop)

    def _close_peers(self) -> None:
        if self._peers is not None:
            self._peers.close()
            self._peers = None

    async def _open(self, slug: str) -> RunningGame:
        try:
            if self._peers is not None:
                return await self._peers.open(slug)
            await self.journal.readable()
            self.tables[slug] = table = await self.read(partial(self.read_table, slug))
            await table.seat_late()
            return table
        finally:
            del self._opening[slug]

    async def game(self, slug: str) -> Game:
        """The game with that slug. Raises NoSuchGame."""
        return await self.read(lambda: _game(slug))

    def read_table(self, slug: str) -> Table:
        """The table of a game, from its rows. Raises NoSuchGame."""
        game = _game(slug)
        seats = places(game)
        drawing = Drawing(game.rules, seats, about(game))
        drawing.sidebar_context = sidebar_context(game, seats)
        history = rows.history(game)
        chairs.play_for(drawing.seats, history.state)
        return Table(
            game.pk,
            slug,
            history,
            drawing,
            load=lambda: rows.history(Game.objects.get(slug=slug)),
            gave_up=self._forget,
            journal=self.journal,
            work=self.work,
            background=self._background,
            over=game.followed_by_id is not None,
            ask=partial(self._ask, slug),
            webhook=Webhook(game.webhook, self.spawn) if game.webhook else None,
        )

    def _ask(self, slug: str, ask: dict[str, Any]) -> None:
        """Put to a seat what another seat asks of it."""
        self.spawn(self._asked(slug, {"id": secrets.token_hex(8), **ask}))

    async def _asked(self, slug: str, ask: dict[str, Any]) -> None:
        await self.write(partial(asks.add, slug, ask))
        await self.push_sidebar(slug)

    def _forget(self, table: Table) -> None:
        table.gone = True
        if self.tables.get(table.slug) is table:
            del self.tables[table.slug]
            if self._peers is not None:
                self.spawn(self._peers.let_go(table))

    def lost(self, games: Collection[int]) -> None:
        """Give up *games*, whose database locks are gone: other processes may play them now."""
        for table in [each for each in self.tables.values() if each.game_id in games]:
            self._forget(table)
            table.disconnect(RESTART, "restart")

    def close_idle(self, now: float) -> None:
        """Close the tables that nobody has used for a while."""
        for table in list(self.tables.values()):
            if not table.idle:
                table.used = now
            elif now - table.used > IDLE:
                self._forget(table)
        if self._peers is not None:
            self._peers.close_idle(now - IDLE)

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

# For Django's views, which do not run in the loop.
give = threads.ask(registry.give)
refresh = threads.ask(registry.refresh)
drawn = threads.ask(registry.drawn)
sent = threads.ask(registry.sent)
push_sidebar = threads.ask(registry.push_sidebar)
disconnect = threads.ask(registry.disconnect)
present = threads.ask(registry.present)
end = threads.ask(registry.end)
resume = threads.ask(registry.resume)
expect = threads.ask(registry.expect)
