"""What open tables do by themselves: note who is present, replace a host who left, keep time."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

from django.conf import settings
from django.utils import timezone

from games.models import Game, Seat
from games.rules.state import Turn
from games.seats import hosts, requests

from .table import RELOAD, Table

if TYPE_CHECKING:
    from .table_registry import TableRegistry

SWEEP = 30.0
"""Seconds between two rounds of closing idle tables and noting who is present."""
LOOK = 2.0
"""Seconds between two looks for absent hosts, expired notices and new turns to time."""


class Watch:
    """Looks at the open tables of a registry from time to time."""

    def __init__(self, registry: TableRegistry) -> None:
        self._registry = registry
        self._hostless: dict[str, float] = {}
        self._turns: dict[str, Turn | None] = {}

    def start(self, loop: asyncio.AbstractEventLoop) -> None:
        """Begin to watch in *loop*."""
        self._hostless.clear()
        self._turns.clear()
        loop.call_later(SWEEP, self.sweep)
        loop.call_later(LOOK, self.look)

    def forget(self, slug: str) -> None:
        """Forget a table that was closed."""
        self._hostless.pop(slug, None)
        self._turns.pop(slug, None)

    def sweep(self) -> None:
        """Close idle tables, and note the seats that are present."""
        asyncio.get_running_loop().call_later(SWEEP, self.sweep)
        self._registry.close_idle(time.monotonic())
        tables = self._registry.tables.values()
        present = {table.game_id: here for table in tables if (here := table.present)}
        if present:
            self._registry.spawn(self._note_presence(present))

    async def _note_presence(self, present: dict[int, set[str]]) -> None:
        await self._registry.read(lambda: renew(present))

    def look(self) -> None:
        """Act on everything that time alone changes."""
        asyncio.get_running_loop().call_later(LOOK, self.look)
        now, today = time.monotonic(), time.time()
        spawn, push_sidebar = self._registry.spawn, self._registry.push_sidebar
        for table in list(self._registry.tables.values()):
            context = table.screens.sidebar_context
            until = context.get("until")
            if until is not None and until <= today:
                table.screens.sidebar_context = {**context, "until": None}
                spawn(self._expire(table))
            if self.host_is_away(table, now):
                spawn(self.hand_over(table))
            if context.get("clock") and self._turns.get(table.slug) is not table.state.turn:
                self._turns[table.slug] = table.state.turn
                spawn(push_sidebar(table.slug))

    def host_is_away(self, table: Table, now: float) -> bool:
        """Whether others have been here without the host for so long that one must take over.

        The time counts from when this process first sees it: after a restart everyone was away.
        """
        present = table.present
        if not present or table.screens.sidebar_context.get("host") in present:
            self._hostless.pop(table.slug, None)
            return False
        if now - self._hostless.setdefault(table.slug, now) < settings.HOST_AWAY:
            return False
        self._hostless[table.slug] = now
        return True

    async def hand_over(self, table: Table) -> None:
        """Make the next seat that is present the host, and say so on every screen."""
        present = table.present
        watching = {
            connection.device
            for connection in table.connections()
            if connection.seat is None and connection.device
        }
        read = self._registry.read
        if await read(lambda: hosts.succeed(table.game_id, present, watching)):
            await self._registry.push_sidebar(table.slug)

    async def _expire(self, table: Table) -> None:
        """Take expired notices off the sidebar; reload the phones whose request no one answered."""
        late = await self._registry.read(lambda: requests.late(Game.objects.get(pk=table.game_id)))
        await self._registry.push_sidebar(table.slug)
        for device in late:
            table.disconnect(RELOAD, "late", device)


def renew(present: dict[int, set[str]]) -> None:
    """Note that these seats, by game, are present now."""
    stored = Seat.objects.filter(game__in=present).values_list("pk", "game", "key")
    ids = [pk for pk, game, key in stored if key in present[game]]
    Seat.objects.filter(pk__in=ids).update(seen=timezone.now())
