"""Limits of the shipped server: strangers cost nothing, and phones get in beside them."""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path

import pytest
from django.conf import settings

from games.live.wire import limits, sockets
from games.seats import buckets
from tests.forms import MULTIPART

from .wire import Server, Wire, frame, tap

URLENCODED = "application/x-www-form-urlencoded"
pytestmark = pytest.mark.django_db(transaction=True)

IMPATIENT = (
    "import sys; from games.live.wire import limits; "
    "limits.HEAD_SECONDS = limits.BODY_SECONDS = 1.0; limits.MOST_OF_ADDRESS = 20; "
)
"""It waits a second for each half of a request, and has few connections."""
SERVER = {"before": IMPATIENT}


@pytest.fixture
def call(server: Server) -> Iterator[Callable[[bytes], socket.socket]]:
    """Connect and send: `call(b"GET /livez …")`."""
    opened = []

    def connect(sent: bytes = b"") -> socket.socket:
        opened.append(socket.create_connection(("127.0.0.1", server.port), timeout=120))
        opened[-1].sendall(sent)
        return opened[-1]

    yield connect
    for each in opened:
        each.close()


def head(line: str, **headers: object) -> bytes:
    named = {"Host": "localhost", "Content_Type": URLENCODED, **headers}
    lines = [f"{name.replace('_', '-')}: {value}" for name, value in named.items()]
    return "\r\n".join([f"{line} HTTP/1.1", *lines, "", ""]).encode()


def everything(connection: socket.socket) -> bytes:
    """All bytes until the server closes."""
    parts = []
    with suppress(ConnectionError):
        while part := connection.recv(65536):
            parts.append(part)
    return b"".join(parts)


def closed(connection: socket.socket) -> bool:
    """True if the server has closed, or does within 0.3 seconds."""
    try:
        return connection.recv(100) == b""
    except TimeoutError:
        return False
    except ConnectionError:
        return True


def memory(server: Server) -> int:
    """The resident memory of the server in bytes."""
    pages = int(Path(f"/proc/{server.process.pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.parametrize(
    ("path", "kind", "size", "refused"),
    [
        ("/livez", URLENCODED, 32 * 1024, False),
        ("/new/demo", MULTIPART, 32 * 1024 + 1, True),
        ("/new/write", URLENCODED, 256 * 1024, False),
        ("/new", MULTIPART, 256 * 1024 + 1, True),
        ("/game", MULTIPART, 256 * 1024, False),
        ("/game/share", URLENCODED, 256 * 1024 + 1, True),
        ("/g/abc/change?a", URLENCODED, 256 * 1024, False),
        ("/g/abc/change/x", URLENCODED, 32 * 1024 + 1, True),
        ("/nowhere", MULTIPART, 500 * 1024 * 1024, True),
        ("/new/file?a", MULTIPART, 3 * 1024 * 1024, False),
        ("/new/file", MULTIPART, 3 * 1024 * 1024 + 1, True),
        ("/g/abc/handouts", MULTIPART, 3 * 1024 * 1024, False),
        ("/g/abc/handouts", MULTIPART, 3 * 1024 * 1024 + 1, True),
        ("/g/abc/handouts", URLENCODED, 32 * 1024 + 1, True),
        ("/g/abc/handouts/x", MULTIPART, 32 * 1024 + 1, True),
        ("/new/file", URLENCODED, 32 * 1024, False),
        ("/new/file", URLENCODED, 32 * 1024 + 1, True),
    ],
)
def test_a_body_is_refused_by_its_declared_size_before_it_is_read(
    call: Callable[..., socket.socket], path: str, kind: str, size: int, refused: bool
) -> None:
    asked = head(f"POST {path}", Content_Type=kind, Content_Length=size, Connection="close")
    connection = call(asked)
    if not refused:
        connection.sendall(b"a" * size)

    answer = everything(connection)
    assert answer.startswith(b"HTTP/1.1 ")
    assert refused is answer.startswith(b"HTTP/1.1 413 ")


def test_a_body_in_chunks_is_refused_by_its_read_size(
    server: Server, call: Callable[..., socket.socket]
) -> None:
    before = memory(server)
    connection = call(head("POST /new", Transfer_Encoding="chunked"))
    chunk = b"100000\r\n" + b"a" * 0x100000 + b"\r\n"

    with pytest.raises(ConnectionError):
        connection.sendall(chunk * 200)

    assert memory(server) - before < 20 * 1024 * 1024


def test_a_body_in_small_pieces_is_read_more_and_more_seldom(
    call: Callable[..., socket.socket],
) -> None:
    connection, start = (
        call(head("POST /code", Content_Length=40, Connection="close")),
        time.monotonic(),
    )
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    for _piece in range(40):
        connection.sendall(b"a")
        time.sleep(0.002)

    assert everything(connection).startswith(b"HTTP/1.1 ")
    assert 0.1 < time.monotonic() - start < 12


def test_a_connection_that_stays_open_is_no_way_around_a_websockets_limits(
    server: Server, call: Callable[..., socket.socket]
) -> None:
    handshake = head(
        "GET /g/x/ws",
        Upgrade="websocket",
        Connection="upgrade",
        Sec_WebSocket_Version=13,
        Sec_WebSocket_Key="dGhlIHNhbXBsZSBub25jZQ==",
    )
    connection = call(head("GET /livez"))
    assert b"alive" in connection.recv(65536)

    connection.sendall(handshake)

    assert not connection.recv(65536).startswith(b"HTTP/1.1 101 ")


@pytest.mark.parametrize(
    "sent",
    [b"", b"G", b"GET / HTTP/1.1\r\nHo", head("POST /new", Content_Length=9) + b"a"],
    ids=["nothing", "a letter", "half a head", "half a body"],
)
def test_a_dripping_client_is_not_waited_for(
    call: Callable[..., socket.socket], sent: bytes
) -> None:
    connection, start = call(sent), time.monotonic()
    connection.settimeout(0.3)

    while not closed(connection) and time.monotonic() - start < 12:
        with suppress(ConnectionError):
            connection.sendall(b"a")

    assert time.monotonic() - start < 12


def test_a_connection_may_rest_between_requests(
    call: Callable[..., socket.socket],
) -> None:
    connection = call()
    for _request in range(2):
        connection.sendall(head("GET /livez"))
        assert b"alive" in connection.recv(65536)
        time.sleep(1.5)


def test_idle_connections_make_way_for_a_phone_and_leave_its_socket_alone(
    server: Server, game: object, call: Callable[..., socket.socket]
) -> None:
    seated = Wire(server, game, "ana", 0, 0)  # type: ignore[arg-type]
    seated.until(0)
    idle = [call() for _n in range(60)]

    again = Wire(server, game, "ben", 0, 0)  # type: ignore[arg-type]
    again.until(0)
    seated.send(frame(tap()))
    again.until(1)

    assert b"" == everything(idle[0]), "the one that waited longest is gone"
    assert b"alive" in everything(call(head("GET /livez", Connection="close")))
    for wire in (seated, again):
        wire.close()


def test_handles_are_raised_to_what_the_process_may_open() -> None:
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    low = min(soft, 512)
    resource.setrlimit(resource.RLIMIT_NOFILE, (low, hard))
    try:
        assert limits.most_connections() == min(hard, limits.MOST_HANDLES) - limits.SPARE_HANDLES
        assert min(hard, limits.MOST_HANDLES) == resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


class Clock:
    """The time of the buckets."""

    now = 100.0


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(buckets.time, "monotonic", lambda: clock.now)  # type: ignore[attr-defined]
    return clock


def crowded(counted: limits.Limits, address: str) -> None:
    """Let *address* have as many connections as it may."""
    for _n in range(limits.MOST_OF_ADDRESS):
        counted.enter(limits.Waiting(address, lambda: None))


def test_repeated_handshakes_without_a_free_place_have_to_wait(clock: Clock) -> None:
    counted = limits.Limits(by_address=True, most=1000)
    crowded(counted, "10.0.0.1")

    assert limits.STRANGE == sum(counted.admits("10.0.0.1") for _dialled in range(1000))
    assert counted.admits("10.0.0.2")
    clock.now += 1
    again = sum(counted.admits("10.0.0.1") for _dialled in range(1000))
    assert limits.STRANGE_A_SECOND == again, "a phone gets in after a while"


def test_handshakes_without_a_pause_get_no_answer_and_others_are_let_in(clock: Clock) -> None:
    counted, lan, wan = limits.Limits(by_address=True, most=1000), "10.0.0.1", "10.0.0.2"

    answered = [counted.answers(lan, "mine") for _dialled in range(400)]

    assert limits.HANDSHAKES == sum(answered)
    assert counted.answers(lan, "another"), "another phone of the same address"
    assert not counted.admits(lan), "its connections are closed unread"
    assert counted.admits(wan)
    clock.now += 1
    assert counted.admits(lan)
    assert limits.HANDSHAKES_A_SECOND == sum(counted.answers(lan, "mine") for _n in range(40))


def test_behind_a_proxy_no_address_is_at_fault() -> None:
    counted = limits.Limits(by_address=False, most=1000)
    crowded(counted, "10.0.0.1")

    counted.fault("10.0.0.1", 1000)

    assert counted.admits("10.0.0.1")


def test_where_there_are_too_many_the_one_idle_longest_goes() -> None:
    counted, gone = limits.Limits(by_address=True, most=3), list[str]()
    for name, address, busy in (
        ("busy", "10.0.0.1", True), ("first", "10.0.0.1", False), ("second", "10.0.0.1", False),
        ("other", "10.0.0.2", False), ("last", "10.0.0.2", False),
    ):  # fmt: skip
        counted.enter(limits.Waiting(address, partial(gone.append, name), busy))

    assert ["first", "second"] == gone


COOKIE, TICKET = f"{settings.DEVICE_COOKIE_NAME}=mine", "a:b"


@pytest.mark.parametrize(
    ("target", "more", "by"),
    [
        ("/g/x/ws", f"Cookie: zone=UTC; {COOKIE}", "mine"),
        ("/g/x/ws", f"Cookie: {COOKIE}\r\nAuthorization: Bearer anything", "mine"),
        ("/g/x/ws?ticket=a:b", f"Cookie: {COOKIE}", TICKET),
        ("/api/v1/changes", f"Authorization: Bearer token\r\nCookie: {COOKIE}", "token"),
        (
            "/api/v1/changes",
            f"Sec-WebSocket-Protocol: countersite.v1, csp_x\r\nCookie: {COOKIE}",
            "csp_x",
        ),
        ("/api/v1/changes", f"Cookie: {COOKIE}", ""),
        ("/g/x/ws", "X-Nothing: at all", ""),
    ],
)
def test_handshakes_are_counted_by_what_lets_them_in(target: str, more: str, by: str) -> None:
    asked = (
        f"GET {target} HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n"
        f"Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n{more}\r\n"
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    )

    answer, scope = sockets.handshake(asked.encode())

    assert 101 == answer.status_code
    assert by == sockets.entered_with(scope)


def test_a_stranger_with_such_a_cookie_costs_little(server: Server) -> None:
    slow = 'a="' + "\\" * 15_000 + '"'
    before = cpu(server)

    for _time in range(4):
        with socket.create_connection(("127.0.0.1", server.port), timeout=120) as connection:
            connection.sendall(head("GET /livez", Cookie=slow, Connection="close"))
            assert everything(connection).startswith(b"HTTP/1.1 200 ")

    assert cpu(server) - before < 0.8, "half a second for each without a limit"


def cpu(server: Server) -> float:
    """The seconds of processor time that it has taken."""
    fields = Path(f"/proc/{server.process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
