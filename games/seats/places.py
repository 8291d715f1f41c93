"""Where on the local network this server may be found, besides the address that a request used."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest

ITSELF = ("127.0.0.1", "::1")


def elsewhere(request: HttpRequest) -> list[str]:
    """The other addresses of this server, likeliest first. None if it has a public name.

    The first is the name that outlives any address, where the network gave the server one.
    """
    if settings.HTTPS or settings.PUBLIC_HOSTS:
        return []
    here, colon, port = request.get_host().partition(":")
    hosts = [*settings.LAN_NAMES, *settings.LAN_ADDRESSES]
    if request.META.get("REMOTE_ADDR") in (*ITSELF, *settings.LAN_ADDRESSES):
        hosts.append("localhost")  # a browser on the server's own machine
    return [f"http://{host}{colon}{port}" for host in hosts if host != here]
