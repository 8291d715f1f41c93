"""Addresses of this server on the local network, besides the one that a request used."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest
from django.http.request import split_domain_port

ITSELF = ("127.0.0.1", "::1")


def elsewhere(request: HttpRequest) -> list[str]:
    """The other addresses of this server, likeliest first. None if it has a public name.

    The first is the name that outlives any address, where the network gave the server one. No IPv6
    address is among them: it cannot stand in a policy, so no page may ask for it.
    """
    if settings.HTTPS or settings.PUBLIC_HOSTS:
        return []
    here, port = split_domain_port(request.get_host())
    hosts = [*settings.LAN_NAMES, *settings.LAN_ADDRESSES]
    asking = request.META.get("REMOTE_ADDR", "")
    if asking in ITSELF or {asking, f"[{asking}]"} & set(settings.LAN_ADDRESSES):
        hosts.append("localhost")  # a browser on the server's own machine
    end = f":{port}" if port else ""
    return [f"http://{host}{end}" for host in hosts if host != here and "[" not in host]
