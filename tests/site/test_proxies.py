"""Behind a reverse proxy: whose word is believed about who asks."""

from __future__ import annotations

from ipaddress import ip_network
from typing import Any

import pytest

from countersite.proxies import behind

PROXIES = [ip_network("127.0.0.1"), ip_network("10.0.0.0/8")]


def proxied_scope(peer: str, *headers: tuple[bytes, bytes]) -> dict[str, Any]:
    """The scope that reaches the application."""
    scopes: list[dict[str, Any]] = []

    async def application(scope: dict[str, Any], receive: Any, send: Any) -> None:
        scopes.append(scope)

    scope = {"client": (peer, 4711), "headers": [(b"host", b"table"), *headers]}
    with pytest.raises(StopIteration):
        behind(PROXIES, application)(scope, None, None).__await__().__next__()
    return scopes[0]


def chain(*hops: str) -> tuple[bytes, bytes]:
    return b"x-forwarded-for", ", ".join(hops).encode()


def test_a_proxy_says_who_asks() -> None:
    assert ("192.0.2.7", 0) == proxied_scope("127.0.0.1", chain("192.0.2.7"))["client"]


def test_headers_written_before_the_proxy_count_for_nothing() -> None:
    assert ("192.0.2.7", 0) == proxied_scope("127.0.0.1", chain("1.2.3.4", "192.0.2.7"))["client"]


def test_a_chain_of_proxies_is_followed_to_its_beginning() -> None:
    assert ("192.0.2.7", 0) == proxied_scope("127.0.0.1", chain("192.0.2.7", "10.1.2.3"))["client"]
    assert ("127.0.0.1", 0) == proxied_scope("127.0.0.1", chain("10.9.9.9"))["client"]


def test_a_chain_in_several_headers_is_one_chain() -> None:
    assert (
        "10.1.2.3" != proxied_scope("127.0.0.1", chain("192.0.2.7"), chain("10.1.2.3"))["client"][0]
    )
    assert (
        "192.0.2.7"
        == proxied_scope("127.0.0.1", chain("192.0.2.7"), chain("10.1.2.3"))["client"][0]
    )


def test_a_stranger_is_not_believed() -> None:
    scope = proxied_scope("192.0.2.7", chain("1.2.3.4"), (b"x-forwarded-proto", b"https"))

    assert ("192.0.2.7", 4711) == scope["client"]
    assert [(b"host", b"table")] == scope["headers"]


def test_a_proxy_is_known_by_its_ipv4_address_within_ipv6() -> None:
    assert "192.0.2.7" == proxied_scope("::ffff:10.1.2.3", chain("192.0.2.7"))["client"][0]


def test_an_ipv6_asker_with_a_zone_is_read() -> None:
    assert ("fe80::1%eth0", 0) == proxied_scope("127.0.0.1", chain("fe80::1%eth0"))["client"]


def test_without_such_headers_nothing_changes() -> None:
    assert ("127.0.0.1", 4711) == proxied_scope("127.0.0.1")["client"]
