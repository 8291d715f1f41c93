"""Https on any port, and what a wrong origin is told."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from ipaddress import ip_network
from typing import Any

import pytest
from django.test import Client

from countersite.proxies import behind
from games.live.socket import from_our_site
from games.models import Game
from tests.pages.test_permissions import all_addresses

SAYS = (
    "from countersite import settings as s; "
    "print('table.example.org' in s.ALLOWED_HOSTS, *s.CSRF_TRUSTED_ORIGINS)"
)


@pytest.fixture
def browser(db: None) -> Client:
    return Client(enforce_csrf_checks=True)


def test_a_host_may_be_named_with_its_port() -> None:
    environment = {**os.environ, "COUNTERSITE_HTTPS": "on"}
    environment["COUNTERSITE_HOSTS"] = "table.example.org:8443"

    said = subprocess.run(
        [sys.executable, "-c", SAYS], env=environment, capture_output=True, text=True, check=True
    )

    assert "True https://table.example.org:8443\n" == said.stdout


@pytest.mark.parametrize(
    ("origin", "says"),
    [
        ("https://testserver", "COUNTERSITE_HTTPS=on"),
        ("http://testserver:8443", "proxy_set_header Host $http_host"),
        ("https://table.example.org", "proxy_set_header Host $http_host"),  # passes its own on
        ("http://evil.example", "reached the server as"),
    ],
)
def test_a_wrong_origin_is_told_what_is_wrong(
    browser: Client, settings: Any, origin: str, says: str
) -> None:
    settings.ALLOWED_HOSTS = ["testserver", "table.example.org"]
    answer = browser.post("/code", {"code": "x"}, headers={"origin": origin})

    page = " ".join(answer.content.decode().split())
    assert 403 == answer.status_code
    assert f"from <b>{origin}</b>" in page
    assert "<b>http://testserver</b>" in page
    assert says in page
    assert ("If you run the server" in page) is ("evil" not in origin)


def test_a_form_without_a_token_was_open_for_too_long(browser: Client) -> None:
    page = browser.post("/code", {"code": "x"}).content.decode()

    assert "open for too long" in page
    assert "doesn’t know" not in page


def test_the_proxy_passes_the_port_on(browser: Client) -> None:
    """With it, forms and sockets of any port are ours."""
    headers = {"host": "testserver:8443", "origin": "http://testserver:8443"}
    browser.get("/new", headers=headers)
    token = browser.cookies["csrftoken"].value

    form = {"code": "00000000", "csrfmiddlewaretoken": token}
    assert 403 != browser.post("/code", form, headers=headers).status_code
    raw = {name.encode(): value.encode() for name, value in headers.items()}
    assert from_our_site(raw, script=False)


def test_a_socket_from_a_named_origin_is_ours(settings: object) -> None:
    hides = {b"host": b"testserver", b"origin": b"https://testserver:8443"}
    assert not from_our_site(hides, script=False)

    settings.CSRF_TRUSTED_ORIGINS = ["https://testserver:8443"]  # type: ignore[attr-defined]

    assert from_our_site(hides, script=False)


ODD = (
    "http://[", "http://a]b", "x://[v.1]", "http://[::1", "null", "", "\x1b[2J", "é", "//", ":",
    "%00", "http://" + "a" * 9000,
)  # fmt: skip
HEADERS = (
    "origin", "referer", "host", "accept", "accept-language", "accept-encoding", "if-none-match",
    "user-agent", "authorization", "cookie", "content-type", "content-length", "hx-request",
    "hx-current-url", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto",
    "x-forwarded-port", "x-csrftoken", "x-request-id", "range",
)  # fmt: skip


@pytest.fixture
def anyone(db: None) -> Client:
    return Client(enforce_csrf_checks=True, raise_request_exception=False)


def test_no_origin_makes_an_address_fail(game: Game, anyone: Client) -> None:
    """Every address, by POST, as a stranger can send it."""
    here = [address.replace("<slug:slug>", game.slug) for _name, address in all_addresses()]
    paths = ["/" + re.sub(r"<\w+:\w+>", "1", address) for address in here]

    failed = [
        (path, origin)
        for path in paths
        for origin in ODD[:3]
        if anyone.post(path, {"a": "b"}, headers={"origin": origin}).status_code >= 500
    ]

    assert [] == failed


@pytest.mark.parametrize("header", HEADERS)
def test_no_header_makes_a_form_fail(game: Game, anyone: Client, header: str) -> None:
    """All that reads headers before a view does reads them for every address."""
    paths = ("/code", f"/g/{game.slug}/command", "/api/v1/commands")

    failed = [
        (path, value[:20])
        for path in paths
        for value in ODD
        if anyone.post(path, {"a": "b"}, headers={header: value}).status_code >= 500
    ]

    assert [] == failed


@pytest.mark.parametrize(
    ("public", "says"),
    [
        ([], "only at its addresses in the local network"),
        (["table.example.org"], "only as <b>table.example.org</b>"),
    ],
)
def test_an_unknown_host_is_told_what_to_set(
    browser: Client, settings: Any, public: list[str], says: str
) -> None:
    settings.PUBLIC_HOSTS = public
    settings.LAN_ADDRESSES = ["192.168.7.7"]
    answer = browser.get("/", headers={"host": "foo-bar.trycloudflare.com"})

    page = " ".join(answer.content.decode().split())
    hosts = ",".join([*public, "foo-bar.trycloudflare.com"])
    assert 400 == answer.status_code
    assert "You opened it as <b>foo-bar.trycloudflare.com</b>" in page
    assert says in page
    assert f"COUNTERSITE_HOSTS={hosts}," in page
    assert "192.168" not in page


@pytest.mark.parametrize("host", ["a b", "<script>", "[::1"])
def test_a_host_that_is_none_is_not_repeated(browser: Client, host: str) -> None:
    answer = browser.get("/", headers={"host": host})

    assert 400 == answer.status_code
    assert host.encode() not in answer.content


@pytest.mark.parametrize(
    ("host", "asker", "path", "status"),
    [
        ("testserver", "203.0.113.7", "/about", 301),
        ("testserver", "127.0.0.1", "/about", 301),
        ("localhost:7353", "127.0.0.1", "/about", 200),
        ("[::1]:7353", "::1", "/about", 200),
        ("localhost", "203.0.113.7", "/about", 301),
        ("testserver", "203.0.113.7", "/livez", 200),
    ],
)
def test_only_this_computer_itself_is_not_led_to_https(
    browser: Client, settings: Any, host: str, asker: str, path: str, status: int
) -> None:
    settings.HTTPS = True
    answer = browser.get(path, headers={"host": host}, REMOTE_ADDR=asker)

    assert status == answer.status_code
    if status == 301:
        assert f"https://{host}{path}" == answer.headers["Location"]


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
