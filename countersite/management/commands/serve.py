"""Run only the server, for systemd and the like: `countersite serve`."""

from __future__ import annotations

import logging
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connection

from countersite.addresses import EVERYWHERE, everywhere_6, in_url, port_number
from games.store import limits, schema
from games.store.holder import Locked, hold

logger = logging.getLogger(__name__)


def _log_change(moved: bool) -> None:
    if moved and not settings.LAN_ADDRESSES:
        logger.warning("This machine has no network now.")
    elif moved:
        logger.info("This machine has a new address: %s", ", ".join(settings.LAN_ADDRESSES))


class Command(BaseCommand):
    help = (
        "Serve on exactly this address until SIGTERM. Run migrate and collectstatic first. "
        "The X-Forwarded headers of the proxies in COUNTERSITE_PROXIES are believed."
    )
    requires_system_checks = ()  # they are about the code, and would take a sixth of the start

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--port", type=port_number, default=8000)
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
                connection.close()
                lock.serving(f"http://{in_url(host)}:{port}")
                work = None
                if host in EVERYWHERE and not settings.HTTPS:
                    from countersite.neighbourhood import Neighbourhood

                    work = Neighbourhood(port, named=False, notify=_log_change).follow
                host, second = ("0.0.0.0", everywhere_6(port)) if host == "::" else (host, None)
                behind_proxy = bool(settings.PROXIES)
                serve(application, host, port, behind_proxy, beside=work, second=second)
        except Locked as locked:
            raise CommandError(f"{locked} Stop it first.") from None
        except schema.Newer as newer:
            raise CommandError(str(newer)) from None
