"""Run only the server, for systemd and the like: `countersite serve`."""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Callable, Coroutine
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connection

from countersite import __version__
from countersite.addresses import EVERYWHERE, everywhere_6, in_url, port_number
from games.models import Game
from games.store import backup, limits, schema
from games.store.holder import Locked, hold

logger = logging.getLogger(__name__)


def _log_change(moved: bool) -> None:
    if moved and not settings.LAN_ADDRESSES:
        logger.warning("This machine has no network now.")
    elif moved:
        logger.info("This machine has a new address: %s", ", ".join(settings.LAN_ADDRESSES))


def _described(address: str) -> str:
    """What this server is and holds, for the line in the log with which it begins."""
    facts = [
        f"Serving Countersite {__version__} at {address}",
        str(connection.display_name),
        "Redis" if settings.SHARED else "no Redis",
        f"{backup.counted(Game.objects.count())} here",
    ]
    return ", ".join(facts) + "."


def _logged(
    began: str, beside: Callable[[], Coroutine[Any, Any, None]] | None
) -> Callable[[], Coroutine[Any, Any, None]]:
    """*beside*, with a line in the log once the server answers, and when it is told to stop."""

    async def run() -> None:
        logger.info(began)
        try:
            await (beside() if beside else asyncio.Event().wait())
        finally:
            logger.info("Stopping. Everything acknowledged is saved; phones reconnect.")

    return run


class Command(BaseCommand):
    help = (
        "Serve on exactly this address until SIGTERM. Run migrate and collectstatic first. "
        "The X-Forwarded headers of the proxies in COUNTERSITE_PROXIES are believed."
    )
    requires_system_checks = ()  # they are about the code, and would take a sixth of the start

    def add_arguments(self, parser: CommandParser) -> None:
        port = os.environ.get("PORT") or "8000"  # as those who run containers for others name it
        parser.add_argument("--port", type=port_number, default=port, help="$PORT, or 8000")
        parser.add_argument("--host", default="127.0.0.1")

    def handle(self, *args: Any, **options: Any) -> None:
        from countersite.asgi import application
        from games.live.wire.serving import serve

        limits.limit()
        host, port = options["host"], options["port"]
        try:
            with hold("countersite serve", shared=settings.SHARED) as lock:
                if missing := schema.pending():
                    raise CommandError(schema.advice(missing))
                address = f"http://{in_url(host)}:{port}"
                began = _described(address)
                connection.close()
                lock.serving(address)
                work = None
                if host in EVERYWHERE and not settings.HTTPS:
                    from countersite.neighbourhood import Neighbourhood

                    work = Neighbourhood(port, named=False, notify=_log_change).follow
                host, second = ("0.0.0.0", everywhere_6(port)) if host == "::" else (host, None)
                beside = _logged(began, work)
                serve(application, host, port, beside=beside, second=second)
        except Locked as locked:
            raise CommandError(f"{locked} Stop it first.") from None
        except schema.OtherVersion as other:
            raise CommandError(str(other)) from None
