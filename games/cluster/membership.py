"""This process as one of several that share the games: it owns some, and follows the others.

It owns a game while its session in PostgreSQL holds the game's lock (`store`). What another process
plays, it follows by the relay.

A game is best played where its phones are. So one whose screens are all in one other process goes
there. And when a process joins, the others hand over the games that are at home there (`home`): the
phones reconnect, and the proxy leads them to it. So after a rolling restart all are spread again.
"""

from __future__ import annotations

import asyncio
import math
import random
import time
from collections.abc import Collection, Coroutine, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

from games.live.closing import RESTART
from games.live.connection import Connection
from games.live.journal import Journal
from games.live.outage import DATABASE, REDIS, RedisAway, until
from games.live.running_game import RunningGame
from games.live.table import Table
from games.live.table_registry import MOVING, NoSuchGame, TableRegistry
from games.seats.arrivals import arrival
from games.store.limits import PROCESS

from .home import home
from .lease import BEAT, LEASE, Others
from .messages import Call, Play
from .relay import Peer, Relay
from .remote_table import RemoteTable
from .store import SharedStore

MOVES = 5
"""Most games handed over in a beat: their phones reconnect."""
SETTLED = 2.5
"""Seconds after a process has joined until games are handed over to it: the proxy must know it."""
STAYED = 3
"""Beats for which all screens of a game are in one other process before it goes there."""
SAVING = 2.0
"""Most seconds until what a game has accepted is saved, when it is handed over."""
PAUSE = 0.2, 0.4
"""Seconds within which a game that was let go is looked for; its heir is asked for it at once."""


class Membership:
    """The `Peers` of a registry, while its loop runs."""

    def __init__(self, registry: TableRegistry) -> None:
        self._registry = registry
        self._store = SharedStore()
        self._store.address = registry.address or PROCESS
        self.journal = Journal(self._store, lost=registry.lost)
        self._relay = Relay(registry.tables.get, self._called, self._play)
        self._others = Others()
        self._heirs: dict[str, str] = {}
        self._letting_go: dict[str, asyncio.Future[None]] = {}
        self._searching: set[RemoteTable] = set()
        self._elsewhere: dict[str, tuple[str, int]] = {}
        self._met: frozenset[str] | None = None
        self._joined_at = math.inf
        self._not_at_home: list[str] = []
        self._leaving = False
        self._handed_over = self._followed_on = self._ended = 0
        self._beat_at = 0.0
        self._relay.start()
        self._beating = asyncio.ensure_future(self._beat())

    @property
    def trouble(self) -> str:
        """The reason why this process cannot serve now. Without Redis it can, unless another
        process is subscribed to Redis.
        """
        if time.monotonic() - self._beat_at > LEASE:
            return "the database does not answer"
        others_subscribed = not self._relay.subscribed and self._others.subscribed
        return "Redis does not answer" if others_subscribed else ""

    def figures(self) -> dict[str, float]:
        remote, bus = self._relay.remote.values(), self._relay.bus
        return {
            "redis_away": REDIS.away,
            "processes": len(self._others.alive) + 1,
            "locks": len(self._store.owned),
            "remote_tables": len(remote),
            "remote_screens": sum(len(each.connections()) for each in remote),
            "relay_messages": bus.sent_messages,
            "relay_dropped": bus.dropped,
            "relay_gaps": bus.gaps,
            "handed_over": self._handed_over,
            "followed_on": self._followed_on,
            "sessions_ended": self._ended,
        }

    @property
    def serve(self) -> bool:
        """True if another process can serve; unknown before the first beat."""
        return bool(self._beat_at and (self._relay.subscribed or self._others.subscribed))

    async def stop(self) -> None:
        """Save what was accepted, and let other processes play all games."""
        self._beating.cancel()
        self._leaving = True
        try:
            await self.journal.stop()
            await self.journal.on_store(self._store.disown_all)
        finally:
            for table in self._registry.tables.values():
                _dismiss(self._relay.detach(table))

    async def leave(self) -> None:
        """Send the phones to other processes, and unsubscribe."""
        for remote in [*self._relay.remote.values(), *self._searching]:
            remote.close()
        await self._relay.leave()

    def close(self) -> None:
        """Neither send nor receive any more."""
        self._relay.close()
        self._beating.cancel()

    def find(self, slug: str) -> RunningGame | None:
        """A game that another process plays, if this one follows it."""
        return self._relay.remote.get(slug)

    def call(self, slug: str, name: str, arguments: Sequence[Any]) -> None:
        """Ask the process that plays a game to make a call of its registry."""
        self._relay.bus.send_to_all(Call(slug, name, list(arguments)))

    def _called(self, message: Call) -> None:
        self._registry.called(message.slug, message.name, message.arguments)

    async def open(self, slug: str) -> RunningGame:
        """The running table of a game: this process's, if it can own the game."""
        if (letting_go := self._letting_go.get(slug)) is not None:
            await asyncio.shield(letting_go)
        game = await self._registry.game(slug)
        await self._relay.started()
        self._relay.serve(slug)
        try:
            owner = await self._owner(game.pk)
            if owner is None:
                read = partial(self._registry.read_table, slug)
                self._registry.tables[slug] = table = await self._registry.read(read)
                self._relay.opened(table)
                return table
            seats = frozenset(await self._registry.read(lambda: list(game.names)))
        except BaseException:
            self._relay.not_opened(slug)
            await self.journal.on_store(self._store.disown, game.pk)
            raise
        self._relay.not_opened(slug)
        send = self._relay.bus.send
        remote = RemoteTable(slug, game.rules, seats, owner, send, self._lost)
        self._relay.follow(remote)
        return remote

    def let_go(self, table: Table) -> Coroutine[Any, Any, None]:
        """Release a game once what was accepted is saved; then tell those that have screens of it.

        A phone that comes back here waits for that: from now on, not from when it begins.
        """
        done = self._letting_go[table.slug] = asyncio.get_running_loop().create_future()
        return self._let_go(table, self._relay.detach(table), done)

    async def _let_go(
        self, table: Table, peers: Collection[Peer], done: asyncio.Future[None]
    ) -> None:
        try:
            await until(lambda: table.saved_all, SAVING)
            await self.journal.on_store(self._store.disown, table.game_id)
        finally:
            self._letting_go.pop(table.slug, None)
            done.set_result(None)
            _dismiss(peers)
            if heir := self._heirs.pop(table.slug, None):
                self._relay.bus.send(heir, Play(table.slug))

    def _play(self, slug: str) -> None:
        self._registry.spawn(self._take_over(slug))

    async def _take_over(self, slug: str) -> None:
        with suppress(NoSuchGame, RedisAway):
            await self._registry.table(slug)

    def _lost(self, remote: RemoteTable) -> None:
        """Follow a game no more whose owner is gone, and find it again if anyone needs it."""
        self._relay.unfollow(remote)
        if self._leaving:
            remote.close()
        elif not remote.idle and remote not in self._searching:
            self._searching.add(remote)
            self._registry.spawn(self._find_again(remote))

    async def _find_again(self, remote: RemoteTable) -> None:
        """Attach its screens to the game, wherever it is played now, without a new connection.

        Seats are checked again, as when a phone connects. Programs and watchers reconnect.
        """
        try:
            if (
                remote.owner in self._others.alive
            ):  # if it has let the game go, its heir comes first
                await asyncio.sleep(random.uniform(*PAUSE))
            async with asyncio.timeout(MOVING):
                game = await self._registry.table(remote.slug)
        except (NoSuchGame, RedisAway, TimeoutError):
            remote.close()
        except BaseException:
            remote.close()
            raise
        else:
            connections = remote.connections()
            remote.go_on(game)
            self._followed_on += 1
            seated = await self._registry.read(partial(_seated, remote.slug, connections))
            for each in connections:
                if each not in seated:
                    remote.leave(each)
                    each.close(RESTART, "restart")
        finally:
            self._searching.discard(remote)

    def close_idle(self, before: float) -> None:
        """Follow no more the games that nobody has used since *before* (time.monotonic)."""
        for remote in list(self._relay.remote.values()):
            if remote.idle and remote.used < before:
                self._relay.unfollow(remote)

    async def _beat(self) -> None:
        """Renew this process's lease. Without Redis, release the games that a process with Redis
        wants; the others are played on, as if all phones had come here."""
        relay = self._relay
        while True:
            try:
                self._others = await self.journal.on_store(self._store.beat, relay.subscribed)
                self._ended += self._others.ended
                self._meet(self._others.alive)
                self._beat_at = time.monotonic()
                relay.alive(self._others.alive)
                DATABASE.over()
                if relay.subscribed:
                    self._spread()
            except Exception as error:
                DATABASE.failed(error)
            if not relay.subscribed:
                self._registry.lost(self._others.wanted)
            await asyncio.sleep(BEAT if relay.subscribed else BEAT / 4)

    def _meet(self, processes: Collection[str]) -> None:
        """Note when a process has joined, or is back from a hang or without its database."""
        if self._met is not None and not self._met.issuperset(processes):
            self._joined_at = time.monotonic()
        self._met = frozenset(processes)

    def _spread(self) -> None:
        """Hand over some games whose phones are all elsewhere, or that are at home elsewhere."""
        if time.monotonic() - self._joined_at > SETTLED:
            self._joined_at = math.inf
            self._not_at_home = [slug for slug in self._registry.tables if self._home(slug)]
        elsewhere = self._relay.only_elsewhere()
        self._elsewhere = {
            slug: (process, self._beats_there(slug, process) + 1)
            for slug, process in elsewhere.items()
        }
        moves = {
            slug: process for slug, (process, beats) in self._elsewhere.items() if beats > STAYED
        }
        while self._not_at_home and len(moves) < MOVES:
            slug = self._not_at_home.pop()
            if to := self._home(slug):
                moves.setdefault(slug, to)
        for slug, process in list(moves.items())[:MOVES]:
            if table := self._registry.tables.get(slug):
                self._heirs[slug] = process
                self._handed_over += 1
                self._registry.lost({table.game_id})

    def _beats_there(self, slug: str, process: str) -> int:
        there, beats = self._elsewhere.get(slug, ("", 0))
        return beats if there == process else 0

    def _home(self, slug: str) -> str | None:
        """The process where a game is at home; None if that is this one."""
        others, here = self._others.subscribed, self._store.address
        address = home(slug, frozenset({*others, here}))
        return others[address] if address != here else None

    async def _owner(self, game: int) -> str | None:
        """The owner of a game; None if this process has just taken its lock.

        Wait for an owner that may be dead, or that has no Redis while this process has: it releases
        the game once this one wants it. This process may not have noticed yet that Redis is away,
        so it wants a game only after Redis has brought something meanwhile.
        """
        begun, wants = time.monotonic(), False
        on_store, store = self.journal.on_store, self._store
        try:
            while not await on_store(store.own, game):
                holder = await on_store(store.holder, game)
                if holder is not None and not (holder.fails and self._relay.subscribed):
                    return holder.process
                if not wants and self._relay.bus.heard_at > begun:
                    await on_store(store.want, game)
                    wants = True
                await asyncio.sleep(BEAT / 5)
            return None
        finally:
            if wants:
                await on_store(store.want_no_more, game)


def _dismiss(peers: Collection[Peer]) -> None:
    for peer in peers:
        peer.dismiss()


def _seated(slug: str, connections: Collection[Connection]) -> set[Connection]:
    """Those that still speak for their seat. A ticket, which has no device, is for a day."""
    phones = [each for each in connections if each.seat and not each.program]
    return {
        each
        for each in phones
        if each.device is None
        or (
            (here := arrival(slug, each.device)) and (here.admitted, here.seat) == (True, each.seat)
        )
    }
