"""Run only the server, for systemd and the like: `manage.py serve`."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser

BEHIND_PROXY = {
    "proxy_forwarded_address_header": "X-Forwarded-For",
    "proxy_forwarded_port_header": "X-Forwarded-Port",
    "proxy_forwarded_proto_header": "X-Forwarded-Proto",
}


class Command(BaseCommand):
    help = (
        "Serve on exactly this address until SIGTERM. Run migrate and collectstatic first. "
        "With COUNTERSITE_HTTPS on, the proxy's X-Forwarded headers are trusted."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--port", type=int, default=8000)
        parser.add_argument("--host", default="127.0.0.1")

    def handle(self, *args: Any, **options: Any) -> None:
        from countersite.asgi import application
        from games.live.server import serve

        serve(
            application,
            options["host"],
            options["port"],
            **(BEHIND_PROXY if settings.HTTPS else {}),
        )
