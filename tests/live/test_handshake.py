"""A handshake that is read in one go is answered as twisted, daphne and autobahn answer it."""

from __future__ import annotations

import re
import socket
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.live.handshake import LONGEST, Handshake, handshake
from games.live.socket import ticket
from games.models import Game

from .wire import Server

pytestmark = pytest.mark.django_db(transaction=True)

KEY, PROOF = "dGhlIHNhbXBsZSBub25jZQ==", "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="
BROWSER = {
    "Host": "localhost:8000",
    "Connection": "Upgrade",
    "Pragma": "no-cache",
    "User-Agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0)",
    "Upgrade": "websocket",
    "Origin": "http://localhost:8000",
    "Sec-WebSocket-Version": "13",
    "Accept-Encoding": "gzip, deflate, br",
    "Cookie": "device=abc; theme=dark",
    "Sec-WebSocket-Key": KEY,
    "Sec-WebSocket-Extensions": "permessage-deflate; client_max_window_bits",
}


def asked(
    change: dict[str, str | None] | None = None,
    line: str = "GET /g/abc/ws?from=0 HTTP/1.1",
    more: str = "",
) -> bytes:
    """A browser's handshake with some headers changed, or left out (None)."""
    headers = {**BROWSER, **(change or {})}
    lines = [f"{name}: {value}" for name, value in headers.items() if value is not None]
    return "\r\n".join([line, *lines, "", ""]).encode("latin1") + more.encode()


PLAIN = [
    asked(),
    asked({"Connection": "keep-alive, Upgrade", "Upgrade": "WebSocket"}),
    asked({"Origin": None, "Cookie": None, "Sec-WebSocket-Extensions": None}),
    asked({"Host": "[::1]:8000", "Origin": "https://games.example"}),
    asked(line="GET /g/abc/ws?ticket=a:b-c_d&from=12&seat= HTTP/1.1"),
    asked(line="GET /api/v1/changes HTTP/1.1"),
    asked(line="GET /nowhere/ HTTP/1.1"),
]
NOT_PLAIN = {
    "another method": asked(line="POST /g/abc/ws HTTP/1.1"),
    "another version of HTTP": asked(line="GET /g/abc/ws HTTP/1.0"),
    "an address that must be decoded": asked(line="GET /g/%61bc/ws HTTP/1.1"),
    "a host in the address": asked(line="GET //host/g/abc/ws HTTP/1.1"),
    "dots in the address": asked(line="GET /g/../ws HTTP/1.1"),
    "parameters of the address": asked(line="GET /g/abc/ws;a=b HTTP/1.1"),
    "a fragment": asked(line="GET /g/abc/ws#top HTTP/1.1"),
    "no host": asked({"Host": None}),
    "a host that is none": asked({"Host": "local_host:port"}),
    "two hosts": asked({"host": "localhost"}),
    "no key": asked({"Sec-WebSocket-Key": None}),
    "a short key": asked({"Sec-WebSocket-Key": "abc="}),
    "a key that is none": asked({"Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25j!Q=="}),
    "two keys": asked({"sec-websocket-key": KEY}),
    "another version": asked({"Sec-WebSocket-Version": "8"}),
    "no version": asked({"Sec-WebSocket-Version": None}),
    "no upgrade": asked({"Upgrade": None}),
    "another upgrade": asked({"Upgrade": "h2c"}),
    "no connection": asked({"Connection": None}),
    "another connection": asked({"Connection": "close"}),
    "a protocol": asked({"Sec-WebSocket-Protocol": "a"}),
    "another extension": asked({"Sec-WebSocket-Extensions": "permessage-deflate; a=b"}),
    "an origin that is none": asked({"Origin": "null"}),
    "a body": asked({"Content-Length": "4"}, more="body"),
    "chunks": asked({"Transfer-Encoding": "chunked"}, more="0\r\n\r\n"),
    "an expectation": asked({"Expect": "100-continue"}),
    "where the site lies": asked({"Daphne-Root-Path": "/elsewhere"}),
    "a name with an underscore": asked({"X_Forwarded_For": "127.0.0.1"}),
    "a header that nobody knows": asked({"X-Something": "1"}),
    "a header over two lines": asked({"Pragma": "no\r\n cache"}),
    "a space in a name": asked({"Pragma ": "no-cache"}),
    "a cookie with a backslash": asked({"Cookie": "device=a\\b"}),
    "another alphabet": asked({"User-Agent": "Mozill\xe4"}),
    "a control character": asked({"User-Agent": "Mo\x00zilla"}),
    "a frame behind it": asked(more="\x01\x00"),
    "bare line ends": asked().replace(b"\r\n", b"\n"),
    "an empty line before it": b"\r\n" + asked(),
    "half of it": asked()[:-30],
    "all but the last byte": asked()[:-1],
    "too much of it": asked({"User-Agent": "a" * LONGEST}),
}


@pytest.mark.parametrize("data", PLAIN)
def test_what_a_browser_sends_is_read_at_once(data: bytes) -> None:
    assert isinstance(handshake(data), Handshake)


@pytest.mark.parametrize("what", NOT_PLAIN)
def test_whatever_else_it_might_be_is_left_to_others(what: str) -> None:
    assert handshake(NOT_PLAIN[what]) is None


@given(st.binary(max_size=3), st.integers(0, len(asked())), st.integers(0, 3))
def test_bytes_anywhere_make_no_error(more: bytes, at: int, gone: int) -> None:
    data = asked()
    handshake(data[:at] + more + data[at + gone :])


def test_it_says_what_it_says() -> None:
    found = handshake(asked({"Pragma": "\t no-cache  "}))
    assert found is not None

    assert ("/g/abc/ws", b"from=0", KEY) == (found.path, found.query, found.key)
    assert {name.lower(): value for name, value in BROWSER.items()} == found.headers
    assert [b"device=abc; theme=dark"] == found.getRawHeaders(b"cookie")
    assert () == found.getRawHeaders(b"authorization", ())


def answer(server: Server, *parts: bytes) -> bytes:
    """What the server says first to a handshake sent in *parts*, up to the first frame."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=10) as dialled:
        dialled.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for n, part in enumerate(parts):
            time.sleep(0.1 if n else 0)
            dialled.sendall(part)
        said = b""
        try:
            while len(said.partition(b"\r\n\r\n")[2]) < 64 and (more := dialled.recv(65536)):
                said += more
        except (TimeoutError, ConnectionError):
            pass
    return re.sub(rb"data-at=\"[^\"]*\"", b"", said)[:400]


def test_read_in_one_go_or_by_three_libraries_the_answer_is_the_same(
    server: Server, game: Game
) -> None:
    here = f"localhost:{server.port}"
    ours: dict[str, str | None] = {"Host": here, "Origin": f"http://{here}", "Cookie": None}
    ana = f"GET /g/{game.slug}/ws?ticket={ticket(game.slug, 'ana')}&from=7 HTTP/1.1"
    calls = [
        asked(ours, ana),
        asked({**ours, "Origin": None}, ana),
        asked({**ours, "Origin": "http://elsewhere.example"}, ana),
        asked({**ours, "Host": "elsewhere.example"}, ana),
        asked(ours, f"GET /g/{game.slug}/ws?seat=ana HTTP/1.1"),
        asked(ours, f"GET /g/{game.slug}/ws?ticket=forged HTTP/1.1"),
        asked(ours, "GET /g/nowhere/ws?seat=ana HTTP/1.1"),
        asked(ours, "GET /no/such/address HTTP/1.1"),
        asked(ours, "GET /api/v1/changes HTTP/1.1"),
    ]
    for call in calls:
        assert handshake(call) is not None
        whole = answer(server, call)

        assert whole.startswith(b"HTTP/1.1 101 ")
        assert f"Sec-WebSocket-Accept: {PROOF}\r\n".encode() in whole
        assert whole == answer(server, call[:40], call[40:])


def test_a_handshake_that_is_none_is_refused_however_it_comes(server: Server) -> None:
    """Whole and in parts; what reads it is the same then."""
    for what in ("no key", "a short key", "a key that is none", "a fragment"):
        call = NOT_PLAIN[what]
        whole = answer(server, call)

        assert whole.startswith(b"HTTP/1.1 4"), what
        assert whole == answer(server, call[:40], call[40:]), what
