"""What strangers send to the shipped server costs it nothing, and phones get in beside them."""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace

import pytest
from django.conf import settings
from twisted.internet.error import ConnectionDone
from twisted.internet.task import Clock
from twisted.internet.testing import StringTransport
from twisted.python.failure import Failure
from twisted.web.http_headers import Headers

from games.live import dialling, door
from tests.forms import MULTIPART

from .wire import Server, Wire, frame, tap

URLENCODED = "application/x-www-form-urlencoded"
pytestmark = pytest.mark.django_db(transaction=True)

IMPATIENT = (
    "import sys; from games.live import door; door.HEAD_SECONDS = door.BODY_SECONDS = 1.0; "
    "door.MOST_OF_ADDRESS = 20; "
)
"""It waits a second for each half of a request, and has few connections."""
SERVER = {"before": IMPATIENT}


@pytest.fixture
def call(server: Server) -> Iterator[Callable[[bytes], socket.socket]]:
    """Connect and send: `call(b"GET /livez …")`."""
    opened = []

    def dial(sent: bytes = b"") -> socket.socket:
        opened.append(socket.create_connection(("127.0.0.1", server.port), timeout=10))
        opened[-1].sendall(sent)
        return opened[-1]

    yield dial
    for each in opened:
        each.close()


def head(line: str, **headers: object) -> bytes:
    named = {"Host": "localhost", "Content_Type": URLENCODED, **headers}
    lines = [f"{name.replace('_', '-')}: {value}" for name, value in named.items()]
    return "\r\n".join([f"{line} HTTP/1.1", *lines, "", ""]).encode()


def everything(dialled: socket.socket) -> bytes:
    """All bytes until the server closes."""
    parts = []
    with suppress(ConnectionError):
        while part := dialled.recv(65536):
            parts.append(part)
    return b"".join(parts)


def closed(dialled: socket.socket) -> bool:
    """Whether the server has closed, or does within 0.3 seconds."""
    try:
        return dialled.recv(100) == b""
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
        ("/new", MULTIPART, 32 * 1024 + 1, True),
        ("/nowhere", MULTIPART, 500 * 1024 * 1024, True),
        ("/new/file?a", MULTIPART, 3 * 1024 * 1024, False),
        ("/new/file", MULTIPART, 3 * 1024 * 1024 + 1, True),
        ("/new/file", URLENCODED, 32 * 1024, False),
        ("/new/file", URLENCODED, 32 * 1024 + 1, True),
    ],
)
def test_a_body_is_refused_by_its_declared_size_before_it_is_read(
    call: Callable[[bytes], socket.socket], path: str, kind: str, size: int, refused: bool
) -> None:
    asked = head(f"POST {path}", Content_Type=kind, Content_Length=size, Connection="close")
    dialled = call(asked)
    if not refused:
        dialled.sendall(b"a" * size)

    answer = everything(dialled)
    assert answer.startswith(b"HTTP/1.1 ")
    assert refused is answer.startswith(b"HTTP/1.1 413 ")


def test_a_body_in_chunks_is_refused_by_its_read_size(
    server: Server, call: Callable[[bytes], socket.socket]
) -> None:
    before = memory(server)
    dialled = call(head("POST /new", Transfer_Encoding="chunked"))
    chunk = b"100000\r\n" + b"a" * 0x100000 + b"\r\n"

    with pytest.raises(ConnectionError):
        dialled.sendall(chunk * 200)

    assert memory(server) - before < 20 * 1024 * 1024


@pytest.fixture
def channel() -> Iterator[door.Channel]:
    """A connection whose clock stands still until it is put forward."""
    channel = door.Channel(door.Door(None, 10))
    channel.callLater = Clock().callLater
    channel.makeConnection(StringTransport())
    yield channel
    channel.connectionLost(Failure(ConnectionDone()))


def rest(channel: door.Channel) -> float:
    """For how many seconds the connection is not read now."""
    clock, seconds = channel.callLater.__self__, 0.0
    for call in clock.getDelayedCalls():
        if call.func == channel.transport.resumeProducing:
            seconds = call.getTime() - clock.seconds()
            clock.advance(seconds)
    assert "producing" == channel.transport.producerState
    return pytest.approx(seconds)  # type: ignore[no-any-return]


def test_a_body_in_chunks_is_read_in_few_steps(channel: door.Channel) -> None:
    channel.dataReceived(head("POST /new", Transfer_Encoding="chunked"))
    assert 0 == rest(channel)

    for _chunk in range(3):
        channel.dataReceived(b"400\r\n" + 0x400 * b"a" + b"\r\n")
        assert door.BETWEEN_CHUNKS == rest(channel)


def test_a_request_in_small_pieces_is_read_more_and_more_seldom(channel: door.Channel) -> None:
    rests = []
    for letter in b"GET / HTTP/":
        channel.dataReceived(bytes([letter]))
        rests.append(rest(channel))

    assert [0, 0.01, 0.02, 0.04, 0.08] == rests[:5]
    assert [1.28, 2, 2] == rests[-3:]


def test_a_form_in_two_pieces_is_read_at_once(channel: door.Channel) -> None:
    channel.dataReceived(head("POST /new", Content_Length=30))
    assert 0 == rest(channel)
    channel.dataReceived(29 * b"a")
    assert 0.01 == rest(channel)


def test_a_dial_that_is_not_answered_is_read_no_further(
    channel: door.Channel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(channel._door.dialling, "answers", lambda _address, _asked: False)

    channel.dataReceived(head("GET /g/x/ws", Upgrade="websocket", Connection="upgrade, x"))

    assert channel.transport.disconnecting
    channel.dataReceived(head("GET /"))
    assert b"" == channel.transport.value()


@pytest.mark.parametrize(
    "sent",
    [b"", b"G", b"GET / HTTP/1.1\r\nHo", head("POST /new", Content_Length=9) + b"a"],
    ids=["nothing", "a letter", "half a head", "half a body"],
)
def test_who_drips_is_not_waited_for(call: Callable[[bytes], socket.socket], sent: bytes) -> None:
    dialled, start = call(sent), time.monotonic()
    dialled.settimeout(0.3)

    while not closed(dialled) and time.monotonic() - start < 5:
        with suppress(ConnectionError):
            dialled.sendall(b"a")

    assert time.monotonic() - start < 5


def test_a_connection_may_rest_between_requests(
    call: Callable[[bytes], socket.socket],
) -> None:
    dialled = call()
    for _request in range(2):
        dialled.sendall(head("GET /livez"))
        assert b"alive" in dialled.recv(65536)
        time.sleep(1.5)


def test_idle_connections_make_way_for_a_phone_and_leave_its_socket_alone(
    server: Server, game: object, call: Callable[[bytes], socket.socket]
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
        assert door.raise_handles() == min(hard, door.MOST_HANDLES) - door.SPARE_HANDLES
        assert min(hard, door.MOST_HANDLES) == resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_who_dials_again_and_again_where_there_is_no_place_has_to_wait(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = [100.0]
    monkeypatch.setattr(dialling.time, "monotonic", lambda: now[0])
    entrance = door.Door(1, 1000)
    let_in = door.let_in(entrance, lambda address: address)
    crowded, quiet = SimpleNamespace(host="10.0.0.1"), SimpleNamespace(host="10.0.0.2")
    entrance._open[crowded.host] = {object(): None}  # type: ignore[dict-item]

    came = [let_in(crowded) for _dialled in range(1000)]

    assert door.NEWCOMERS == len(came) - came.count(None)
    assert let_in(quiet) is quiet
    now[0] += 1
    came = [let_in(crowded) for _dialled in range(1000)]
    assert door.NEWCOMERS_A_SECOND == len(came) - came.count(None), "a phone gets in after a while"


def test_a_network_of_ipv6_is_one_address_at_the_door(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(dialling.time, "monotonic", lambda: 100.0)
    entrance = door.Door(1, 1000)
    let_in = door.let_in(entrance, lambda address: address)
    entrance._open["2001:db8::/64"] = {object(): None}  # type: ignore[dict-item]

    came = [let_in(SimpleNamespace(host=f"2001:db8::{n:x}")) for n in range(1000)]

    assert door.NEWCOMERS == len(came) - came.count(None)
    assert let_in(SimpleNamespace(host="2001:db8:0:1::1"))


def test_who_dials_without_a_pause_is_told_nothing_and_others_are_let_in(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = [100.0]
    monkeypatch.setattr(dialling.time, "monotonic", lambda: now[0])
    ours = dialling.Dialling(by_address=True)
    lan, wan = "10.0.0.1", "10.0.0.2"

    answered = [ours.answers(lan, cookie("mine")) for _dialled in range(400)]

    assert dialling.DIALS == sum(answered)
    assert ours.answers(lan, cookie("another")), "another phone of the same address"
    assert [True] * dialling.LET_IN + [False] * 5 == [
        ours.reads(lan) for _dialled in range(dialling.LET_IN + 5)
    ], "its connections are closed unread"
    assert all(ours.reads(wan) for _dialled in range(400))
    now[0] += 1
    assert dialling.DIALS_A_SECOND == sum(ours.answers(lan, cookie("mine")) for _n in range(40))


def test_who_may_dial_as_often_as_a_stranger_is_not_remembered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = [100.0]
    monkeypatch.setattr(dialling.time, "monotonic", lambda: now[0])
    tokens = dialling.Tokens(at_once=40, a_second=4)

    for phone in range(1000):
        tokens.take(f"phone-{phone}", 4)
        now[0] += 0.01

    assert 100 <= len(tokens) <= 102, "those of the last second, in which four tokens come back"
    assert tokens.left("phone-999") < 37
    assert 40 == tokens.left("phone-1")


def test_behind_a_proxy_no_address_is_at_fault() -> None:
    ours = dialling.Dialling(by_address=False)

    ours.fault("10.0.0.1", 1000)

    assert ours.reads("10.0.0.1")


def cookie(device: str) -> Headers:
    return Headers({"Cookie": [f"zone=UTC; {settings.DEVICE_COOKIE_NAME}={device}"]})


def test_cookies_that_take_long_to_read_are_not_read() -> None:
    slow = "a=" + '"' + "\\" * 15_000 + '"'
    headers = Headers({"Cookie": [f"zone=UTC; {slow}; {settings.DEVICE_COOKIE_NAME}=mine", slow]})

    door.without_backslashes(headers)

    assert "mine" == dialling.caller(headers)
    assert 1 == len(headers.getRawHeaders("cookie", ()))
    assert "\\" not in str(headers.getRawHeaders("cookie"))


def test_a_stranger_with_such_a_cookie_costs_little(server: Server) -> None:
    slow = 'a="' + "\\" * 15_000 + '"'
    before = cpu(server)

    for _time in range(4):
        with socket.create_connection(("127.0.0.1", server.port), timeout=10) as dialled:
            dialled.sendall(head("GET /code", Cookie=slow, Connection="close"))
            assert everything(dialled).startswith(b"HTTP/1.1 ")

    assert cpu(server) - before < 0.8, "half a second for each without the door"


def cpu(server: Server) -> float:
    """The seconds of processor time that it has taken."""
    fields = Path(f"/proc/{server.process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
