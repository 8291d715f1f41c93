"""The local network around a running server: its addresses may change while people play.

A laptop wakes up on another network, a router starts again, a hotspot takes over: the server
answers at its new address at once, tells everyone who can still hear it, and keeps its name.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable, Sequence

from django.conf import settings
from django.db import connection

from games.live.table_registry import registry

from . import addresses
from .local_name import LocalName

logger = logging.getLogger(__name__)

EVERY = 3.0
"""Seconds between two looks at the addresses."""
SETTLED = 1.0
"""Seconds for which new addresses must stay before they count: networks come up in steps."""


class Neighbourhood:
    """Follows the server's addresses.

    port: where it listens. named: whether it has a name on the network, too.
    notify: called in a thread when there is a name or a new address, and so a new invitation.
    """

    def __init__(self, port: int, *, named: bool, notify: Callable[[bool], None]) -> None:
        self._port, self._notify = port, notify
        self._name = LocalName() if named else None

    async def follow(self) -> None:
        """Follow the addresses until cancelled; then withdraw the name."""
        if self._name:
            # To get it takes seconds, and a page may only look where it could when it was opened.
            settings.LAN_NAMES[:] = [self._name.wanted]
        try:
            if await self._announce(settings.LAN_ADDRESSES):
                await self._notify_in_thread(moved=False)
            while True:
                await asyncio.sleep(EVERY)
                try:
                    await self.look()
                except Exception:
                    logger.exception("The server's addresses could not be followed.")
        finally:
            if self._name:
                with contextlib.suppress(Exception):
                    await self._name.withdraw()

    async def look(self) -> bool:
        """Poll the addresses once; return whether they changed."""
        found = await asyncio.to_thread(addresses.lan_addresses)
        if found == settings.LAN_ADDRESSES:
            return False
        await asyncio.sleep(SETTLED)
        if found != await asyncio.to_thread(addresses.lan_addresses):
            return False
        first = found[:1] != settings.LAN_ADDRESSES[:1]
        settings.LAN_ADDRESSES[:] = found
        allow(found)
        await self._announce(found)
        if first:
            await self._notify_in_thread(moved=True)
            for slug in list(registry.tables):
                await registry.refresh(slug)  # screens that show the address draw it again
        return True

    async def _announce(self, found: Sequence[str]) -> str:
        if self._name is None:
            return ""
        name = await self._name.announce([addresses.bare(each) for each in found], self._port)
        settings.LAN_NAMES[:] = [name] if name else []
        allow(settings.LAN_NAMES)
        return name

    async def _notify_in_thread(self, *, moved: bool) -> None:
        def notify() -> None:
            self._notify(moved)
            connection.close()

        await asyncio.to_thread(notify)


def allow(hosts: Sequence[str]) -> None:
    """Add *hosts* to the allowed hosts."""
    settings.ALLOWED_HOSTS += [host for host in hosts if host not in settings.ALLOWED_HOSTS]
