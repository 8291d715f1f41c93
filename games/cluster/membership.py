"""This process as one of several that share the games: it owns some, and follows the others.

It owns a game while its session in PostgreSQL holds the game's lock (`shared_store`). What another
process plays, it follows by the relay.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from functools import partial
from typing import Any

from games.live.journal import Journal
from games.live.outage import DATABASE
from games.live.running_game import RunningGame
from games.live.table import Table
from games.live.table_registry import TableRegistry

from .lease import BEAT, LEASE, Others
from .messages import Call
from .relay import Relay
from .remote_table import RemoteTable
from .store import SharedStore


class Membership:
    """The `Peers` of a registry, while its loop runs."""

    def __init__(self, registry: TableRegistry) -> None:
        self._registry = registry
        self._store = SharedStore()
        self.journal = Journal(self._store, lost=registry.lost)
        self._relay = Relay(registry.tables.get, self._called)
        self._others = Others()
        self._beat_at = 0.0
        self._relay.start()
        self._beating = asyncio.ensure_future(self._beat())

    @property
    def trouble(self) -> str:
        """Why this process cannot serve now; without Redis it can, unless another one hears it."""
        if time.monotonic() - self._beat_at > LEASE:
            return "the database does not answer"
        others_hear = not self._relay.hears and self._others.hear
        return "Redis does not answer" if others_hear else ""

    @property
    def serve(self) -> bool:
        """Whether another process can serve; unknown before the first beat."""
        return bool(self._beat_at) and (self._relay.hears or self._others.hear > 0)

    async def stop(self) -> None:
        """Save what was accepted, and let other processes play all games."""
        self._beating.cancel()
        try:
            await self.journal.stop()
            await self.journal.on_store(self._store.disown_all)
        finally:
            for table in self._registry.tables.values():
                self._relay.dismiss(table)

    async def leave(self) -> None:
        """Send the phones to other processes, and hear nothing more."""
        for remote in list(self._relay.remote.values()):
            remote.hand_over()
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
        send, unfollow = self._relay.bus.send, self._relay.unfollow
        remote = RemoteTable(slug, game.rules, seats, owner, send, unfollow)
        self._relay.follow(remote)
        return remote

    async def let_go(self, table: Table) -> None:
        """Release a game; then notify its phones, which reconnect."""
        try:
            if table.slug not in self._registry.tables:
                await self.journal.on_store(self._store.disown, table.game_id)
        finally:
            self._relay.dismiss(table)

    def close_idle(self, before: float) -> None:
        """Follow no more the games that no one has used since *before* (time.monotonic)."""
        for remote in list(self._relay.remote.values()):
            if remote.idle and remote.used < before:
                self._relay.unfollow(remote)

    async def _beat(self) -> None:
        """Keep this process's lease. While it does not hear Redis, give up what another one wants
        that does; the rest is played on, as if all phones had come here."""
        relay = self._relay
        while True:
            try:
                self._others = await self.journal.on_store(self._store.beat, relay.hears)
                self._beat_at = time.monotonic()
                relay.alive(self._others.alive)
                DATABASE.over()
            except Exception as error:
                DATABASE.failed(error)
            if not relay.hears:
                self._registry.lost(self._others.wanted)
            await asyncio.sleep(BEAT if relay.hears else BEAT / 4)

    async def _owner(self, game: int) -> str | None:
        """The owner of a game; None if this process has just taken its lock.

        Wait for an owner that may be dead, or that does not hear Redis while this process does: it
        lets the game go once this one wants it. Nobody wants anything who may just not know yet
        that Redis is away, so Redis must have brought something meanwhile.
        """
        begun, wants = time.monotonic(), False
        on_store, store = self.journal.on_store, self._store
        try:
            while not await on_store(store.own, game):
                holder = await on_store(store.holder, game)
                if holder is not None and not (holder.fails and self._relay.hears):
                    return holder.process
                if not wants and self._relay.bus.heard_at > begun:
                    await on_store(store.want, game)
                    wants = True
                await asyncio.sleep(BEAT / 5)
            return None
        finally:
            if wants:
                await on_store(store.want_no_more, game)
