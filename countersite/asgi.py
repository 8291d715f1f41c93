"""The ASGI application: Django for pages, our own websocket for running tables."""

import os

from channels.routing import ProtocolTypeRouter, URLRouter
from django.core.asgi import get_asgi_application
from django.urls import path

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "countersite.settings")
pages = get_asgi_application()

from games.live.socket import socket  # noqa: E402 needs the settings

application = ProtocolTypeRouter(
    {
        "http": pages,
        # Channels routes ASGI callables by Django's own paths, which expect views.
        "websocket": URLRouter([path("g/<slug:slug>/ws", socket)]),  # type: ignore[arg-type]
    }
)
