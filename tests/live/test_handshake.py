"""The handshake of a websocket: what is one, what is none, and however it comes."""

from __future__ import annotations

import asyncio
import re
import socket
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.live.closing import RESTART
from games.live.outage import until
from games.live.socket import ticket
from games.live.wire.limits import Limits
from games.live.wire.sockets import Socket, handshake
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


RIGHT = {
    "a browser's": asked(),
    "through a proxy": asked({"Connection": "keep-alive, Upgrade", "Upgrade": "WebSocket"}),
    "the fewest headers": asked({"Origin": None, "Cookie": None, "Sec-WebSocket-Extensions": None}),
    "a header that nobody knows": asked({"X-Something": "1", "User-Agent": "Mozill\xe4"}),
    "an address in percent signs": asked(line="GET /g/%61bc/ws HTTP/1.1"),
    "subprotocols": asked({"Sec-WebSocket-Protocol": "countersite.v1, csp_abc"}),
}
NONE = {
    "another method": asked(line="POST /g/abc/ws HTTP/1.1"),
    "another version of HTTP": asked(line="GET /g/abc/ws HTTP/1.0"),
    "a host in the address": asked(line="GET http://localhost/g/abc/ws HTTP/1.1"),
    "no address": asked(line="GET * HTTP/1.1"),
    "two hosts": asked({"host": "localhost"}),
    "two origins": asked({"origin": "http://elsewhere.example"}),
    "two cookies": asked({"cookie": "device=another"}),
    "no key": asked({"Sec-WebSocket-Key": None}),
    "a short key": asked({"Sec-WebSocket-Key": "abc="}),
    "a key that is none": asked({"Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25j!Q=="}),
    "two keys": asked({"sec-websocket-key": KEY}),
    "another version": asked({"Sec-WebSocket-Version": "8"}),
    "no version": asked({"Sec-WebSocket-Version": None}),
    "no upgrade": asked({"Upgrade": None}),
    "another upgrade": asked({"Upgrade": "websocket, h2c"}),
    "no connection": asked({"Connection": None}),
    "another connection": asked({"Connection": "close"}),
    "a subprotocol that is no word": asked({"Sec-WebSocket-Protocol": "a b,,"}),
    "chunks": asked({"Transfer-Encoding": "chunked"}, more="0\r\n\r\n"),
    "a header over two lines": asked({"Pragma": "no\r\n cache"}),
    "a space in a name": asked({"Pragma ": "no-cache"}),
    "a control character": asked({"User-Agent": "Mo\x00zilla"}),
}


@pytest.mark.parametrize("head", RIGHT.values(), ids=RIGHT)
def test_a_handshake_is_answered_with_its_proof(head: bytes) -> None:
    answer, scope = handshake(head)

    assert f"Sec-WebSocket-Accept: {PROOF}\r\n".encode() in answer.serialize()
    assert ("websocket", "/g/abc/ws") == (scope["type"], scope["path"])


@pytest.mark.parametrize("head", NONE.values(), ids=NONE)
def test_a_malformed_handshake_is_refused(head: bytes) -> None:
    assert handshake(head)[0].status_code in range(400, 506)


@given(st.binary(max_size=3), st.integers(0, len(asked())), st.integers(0, 3))
def test_bytes_anywhere_make_no_error(more: bytes, at: int, gone: int) -> None:
    head = asked()
    answer, scope = handshake(head[:at] + more + head[at + gone :])

    assert (101 == answer.status_code) is bool(scope)
    assert scope or answer.status_code in range(400, 506)


def test_it_says_what_it_says() -> None:
    head = asked({"Pragma": "\t no-cache  ", "X_Forwarded_For": "127.0.0.1"})
    _answer, scope = handshake(head)

    received = {name.decode(): value.decode() for name, value in scope["headers"]}
    assert {name.lower(): value for name, value in BROWSER.items()} == received
    assert b"from=0" == scope["query_string"]


async def test_a_phone_that_has_just_gone_is_closed_without_an_error() -> None:
    """What closes several phones would stop at it, and leave the others, or save nothing more."""

    async def opens(_scope: Any, _receive: Any, send: Any) -> None:
        await send({"type": "websocket.accept"})

    with socket.create_server(("127.0.0.1", 0)) as listener:
        phone = socket.create_connection(listener.getsockname())
        accepted, _address = listener.accept()
    connection = Socket(Limits(by_address=True, most=10), "10.0.0.1")
    await asyncio.get_running_loop().connect_accepted_socket(lambda: connection, accepted)
    await connection.run(opens, {}, handshake(asked())[0])
    phone.recv(65536)
    phone.close()  # the server has not read that yet, and what it writes is answered with a reset

    connection.close(RESTART, "restart")
    await until(lambda: not connection.keep(lambda: None), 10)

    assert not connection.keep(lambda: None)


def first_answer(server: Server, *parts: bytes) -> bytes:
    """The server's first answer to a handshake sent in *parts*, up to the first frame."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=60) as connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for n, part in enumerate(parts):
            time.sleep(0.02 if n else 0)
            connection.sendall(part)
        said = b""
        try:
            while len(said.partition(b"\r\n\r\n")[2]) < 64 and (more := connection.recv(65536)):
                said += more
        except (TimeoutError, ConnectionError):
            pass
    return re.sub(rb'data-at="[^"]*"|Date: [^\r]*', b"", said)[:400]


def test_a_handshake_may_come_in_parts(server: Server, game: Game) -> None:
    here = f"localhost:{server.port}"
    ours: dict[str, str | None] = {"Host": here, "Origin": f"http://{here}", "Cookie": None}
    ana = f"GET /g/{game.slug}/ws?ticket={ticket(game.slug, 'ana')}&from=7 HTTP/1.1"
    calls = [
        asked(ours, ana),
        asked({**ours, "Origin": "http://elsewhere.example"}, ana),
        asked({**ours, "Host": "elsewhere.example"}, ana),
        asked(ours, f"GET /g/{game.slug}/ws?seat=ana HTTP/1.1"),
        asked(ours, "GET /no/such/address HTTP/1.1"),
        asked(ours, "GET /api/v1/changes HTTP/1.1"),
    ]
    for call in calls:
        whole = first_answer(server, call)

        assert whole.startswith(b"HTTP/1.1 101 ")
        assert whole == first_answer(server, call[:3], call[3:40], call[40:])


def test_a_frame_may_follow_at_once(server: Server, game: Game) -> None:
    from .wire import frame

    here = f"localhost:{server.port}"
    ana = f"GET /g/{game.slug}/ws?ticket={ticket(game.slug, 'ana')}&from=0 HTTP/1.1"
    call = asked({"Host": here, "Origin": f"http://{here}", "Cookie": None}, ana)

    whole = first_answer(server, call + frame(b"no command"))

    assert b'"code": "invalid"' in whole or b"data-seq" in whole


@pytest.mark.parametrize("what", ["no key", "a short key", "a key that is none"])
def test_a_malformed_handshake_is_refused_however_it_comes(server: Server, what: str) -> None:
    whole = first_answer(server, NONE[what])

    assert whole.startswith(b"HTTP/1.1 4")
    assert whole == first_answer(server, NONE[what][:40], NONE[what][40:])
