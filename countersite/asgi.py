"""The ASGI application: Django for pages, our own websocket for running tables."""

import os

import django
from channels.routing import ProtocolTypeRouter, URLRouter
from django.conf import settings
from django.urls import path, re_path

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "countersite.settings")
django.setup(set_prefix=False)

from games.live.programs import follow  # noqa: E402 needs the settings
from games.live.socket import nowhere, socket  # noqa: E402 needs the settings
from games.live.table_registry import registry  # noqa: E402 needs the settings
from games.live.watch import watch  # noqa: E402 needs the settings

from .health import available  # noqa: E402 needs the settings
from .pages import Pages  # noqa: E402
from .proxies import behind  # noqa: E402

registry.begun.append(watch.start)
application = behind(
    settings.PROXIES,
    ProtocolTypeRouter(
        {
            "http": available(Pages()),
            # Channels routes ASGI callables by Django's own paths, which expect views.
            "websocket": URLRouter(
                [
                    path("g/<slug:slug>/ws", socket),  # type: ignore[arg-type]
                    path("api/v1/changes", follow),  # type: ignore[arg-type]
                    re_path("", nowhere),  # type: ignore[arg-type]
                ]
            ),
        }
    ),
)
