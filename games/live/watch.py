"""Periodic work of open tables: note who is present, let a seat stand in for an absent host,
keep time, and count the log for the summary.
"""

from __future__ import annotations

import asyncio
import logging
import signal
import time
from collections import deque
from contextlib import suppress
from typing import Any

from django.conf import settings
from django.db import Error
from django.utils import timezone

from games.models import Game, Seat
from games.rules.state import Turn
from games.seats import hosts, requests
from games.store import disk, holder

from . import figures
from .closing import RELOAD
from .helper import logs
from .outage import DATABASE
from .removal import remove_overdue, remove_unused
from .summaries import note_outcomes
from .table import Table
from .table_registry import TableRegistry, registry

logger = logging.getLogger(__name__)

SWEEP = 30.0
"""Seconds between two rounds of closing idle tables and noting who is present."""
COUNT_EVERY = 500
"""Entries after which a game's log is counted on for its summary."""
CLEAR = 3600.0
"""Seconds between two looks for evenings that were kept long enough, and for unused games."""
LOOK = 2.0
"""Seconds between two looks for absent hosts, expired notices and new turns to time."""


class Watch:
    """Looks at the open tables of a registry from time to time."""

    def __init__(self, registry: TableRegistry) -> None:
        self._registry = registry
        self._hostless: dict[str, float] = {}
        self._absent: dict[str, dict[str, float]] = {}
        self._turns: dict[str, Turn | None] = {}
        self._counted: dict[str, tuple[int, str | None]] = {}
        self._full = False
        self._cleared = -CLEAR
        self._due = 0.0
        self.late: deque[float] = deque(maxlen=int(60 / LOOK))
        """By how many seconds the last looks came late, which any tap would have, too."""

    def start(self, loop: asyncio.AbstractEventLoop) -> None:
        """Begin to watch in *loop*, which serves the tables."""
        loop.call_later(SWEEP, self.sweep)
        loop.call_later(LOOK, self.look)
        self._due = time.monotonic() + LOOK

    def sweep(self) -> None:
        """Close idle tables, and note the seats that are present."""
        asyncio.get_running_loop().call_later(SWEEP, self.sweep)
        self._registry.close_idle(time.monotonic())
        self._registry.spawn(self._hold_on())
        self._registry.spawn(self._publish())
        if time.monotonic() - self._cleared > CLEAR:
            self._cleared = time.monotonic()
            self._registry.spawn(remove_overdue(self._registry))
            self._registry.spawn(remove_unused(self._registry))
        tables = self._registry.tables.values()
        present = {table.game_id: here for table in tables if (here := table.present)}
        if present:
            self._registry.spawn(self._note_presence(present))

    async def _hold_on(self) -> None:
        """Renew the lock on the games, or stop: another process may be restoring them."""
        try:
            await self._registry.write(holder.renew)
        except holder.Locked as locked:
            logger.critical("%s This server stops.", locked)
            signal.raise_signal(signal.SIGTERM)
        except Error as error:
            DATABASE.failed(error)

    async def _publish(self) -> None:
        """Publish this process's metrics, for the operator's page."""
        mine = self.figures()
        with suppress(Exception):  # Redis is away: its other users say so
            await self._registry.write(lambda: figures.publish(mine))

    async def _note_presence(self, present: dict[int, set[str]]) -> None:
        await self._registry.write(lambda: renew(present))

    def look(self) -> None:
        """Handle everything that changes by time alone."""
        asyncio.get_running_loop().call_later(LOOK, self.look)
        now, today = time.monotonic(), time.time()
        self.late.append(max(0.0, now - self._due))
        self._due = now + LOOK
        spawn, push_sidebar = self._registry.spawn, self._registry.push_sidebar
        before, self._full = self._full, disk.full()
        self._forget_closed()
        for table in list(self._registry.tables.values()):
            if before is not self._full:
                spawn(push_sidebar(table.slug))
            context = table.drawing.sidebar_context
            until = context.get("until")
            if until is not None and until <= today:
                table.drawing.sidebar_context = {**context, "until": None}
                spawn(self._expire(table))
            if (away := self.away(table, now)) != table.drawing.away:
                table.drawing.leave(away)
                table.show_boards()
            if self.host_is_away(table, now) or host_is_back(table):
                spawn(self.hand_over(table))
            if logs.allowed and self.is_news_for_summary(table):
                logs.submit(note_outcomes, [table.game_id])
            if table.unseated or set(table.state.seats) != set(table.drawing.seats):
                spawn(self._registry.refresh(table.slug))  # a command added or removed a seat
            if context.get("clock") and self._turns.get(table.slug) is not table.state.turn:
                self._turns[table.slug] = table.state.turn
                spawn(push_sidebar(table.slug))

    def _forget_closed(self) -> None:
        noted: tuple[dict[str, Any], ...] = (
            self._absent,
            self._hostless,
            self._turns,
            self._counted,
        )
        for each in noted:
            for slug in each.keys() - self._registry.tables.keys():
                del each[slug]

    def figures(self) -> figures.Figures:
        """The figures of this process; see `figures.figures`."""
        return figures.figures(self._registry, max(self.late, default=0.0))

    def away(self, table: Table, now: float) -> frozenset[str]:
        """The seats to be played on the phone in the middle: their own has been gone for so long.

        The time counts from when this process first sees it, at a table with a phone in the middle.
        """
        in_the_middle = not all(each.docked for each in table.connections())
        taken = [key for key, seat in table.drawing.seats.items() if seat.taken and in_the_middle]
        before, present = self._absent.get(table.slug, {}), table.present
        since = {key: before.get(key, now) for key in taken if key not in present}
        self._absent[table.slug] = since
        return frozenset(key for key in since if now - since[key] >= settings.HOST_AWAY)

    def host_is_away(self, table: Table, now: float) -> bool:
        """True if others have been here without the host for so long that one must stand in.

        The time counts from when this process first sees it: after a restart everyone was away.
        """
        present, context = table.present, table.drawing.sidebar_context
        if not present or not present.isdisjoint({context.get("host"), context.get("stand_in")}):
            self._hostless.pop(table.slug, None)
            return False
        if now - self._hostless.setdefault(table.slug, now) < settings.HOST_AWAY:
            return False
        self._hostless[table.slug] = now
        return True

    def is_news_for_summary(self, table: Table) -> bool:
        """True if a game has a new result, or so many new entries that its summary would wait."""
        now = (table.number // COUNT_EVERY, table.state.result)
        before = self._counted.get(table.slug, (0, None))
        self._counted[table.slug] = now
        return now != before

    async def hand_over(self, table: Table) -> None:
        """Note who stands in for the host, or that nobody need, and say so on every screen."""
        present = table.present
        watching = {
            connection.device
            for connection in table.connections()
            if connection.seat is None and connection.device and not connection.program
        }
        write = self._registry.write
        if await write(lambda: hosts.succeed(table.game_id, present, watching)):
            await self._registry.push_sidebar(table.slug)

    async def _expire(self, table: Table) -> None:
        """Take expired notices off the sidebar; reload the phones whose request nobody answered."""
        late = await self._registry.read(lambda: requests.late(Game.objects.get(pk=table.game_id)))
        await self._registry.push_sidebar(table.slug)
        for device in late:
            table.disconnect(RELOAD, "late", device)


def host_is_back(table: Table) -> bool:
    """True if someone stands in for a host who is here."""
    context = table.drawing.sidebar_context
    return bool(context.get("stand_in")) and context.get("host") in table.present


def renew(present: dict[int, set[str]]) -> None:
    """Note that these seats, by game, are present now."""
    stored = Seat.objects.filter(game__in=present).values_list("pk", "game", "key")
    ids = [pk for pk, game, key in stored if key in present[game]]
    Seat.objects.filter(pk__in=ids).update(seen=timezone.now())


watch = Watch(registry)
"""The one watch of this process."""
