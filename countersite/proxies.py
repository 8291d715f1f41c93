"""The client's address behind a reverse proxy.

X-Forwarded headers are believed only from the addresses in COUNTERSITE_PROXIES. Of a chain, the
last address that is not itself such a proxy counts: the client may have forged the others.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection
from ipaddress import IPv4Network, IPv6Network, ip_address
from typing import Any

FORWARDED = b"x-forwarded-"
Networks = Collection[IPv4Network | IPv6Network]
Application = Callable[[dict[str, Any], Any, Any], Awaitable[None]]


def behind(proxies: Networks, application: Application) -> Application:
    """*application* with the client's address; other X-Forwarded headers are removed."""

    async def ask(scope: dict[str, Any], receive: Any, send: Any) -> None:
        await application(_believed(scope, proxies), receive, send)

    return ask


def _believed(scope: dict[str, Any], proxies: Networks) -> dict[str, Any]:
    headers = scope.get("headers", ())
    if not any(name.startswith(FORWARDED) for name, _value in headers):
        return scope
    peer = str((scope.get("client") or ("",))[0])
    if not _is_in(peer, proxies):
        own = [each for each in headers if not each[0].startswith(FORWARDED)]
        return {**scope, "headers": own}
    chain = [
        hop.strip()
        for name, value in headers
        if name == b"x-forwarded-for"
        for hop in value.decode("latin1").split(",")
    ]
    asker = next((hop for hop in reversed(chain) if not _is_in(hop, proxies)), peer)
    return {**scope, "client": (asker, 0)}


def _is_in(address: str, networks: Networks) -> bool:
    try:
        known = ip_address(address.partition("%")[0])
    except ValueError:
        return False
    known = getattr(known, "ipv4_mapped", None) or known
    return any(known in network for network in networks)
