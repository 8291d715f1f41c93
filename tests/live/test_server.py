"""The shipped server in a process of its own: its websockets, and what survives its death."""

from __future__ import annotations

import base64
import json
import os
import re
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from django.conf import settings
from django.db import connections

from games import rows
from games.live.socket import ticket
from games.models import Entry, Game

pytestmark = pytest.mark.django_db(transaction=True)

SERVE = (
    "import sys; from countersite.asgi import application; from games.live.server import serve; "
    "serve(application, '127.0.0.1', int(sys.argv[1]))"
)
SEQUENCE = re.compile(rb'data-seq="(\d+)"')
ACKS = re.compile(rb'data-acks="([^"]*)"')


class Server:
    """A server process on the tests' database, which can be killed and started again."""

    def __init__(self) -> None:
        with closing(socket.socket()) as probe:
            probe.bind(("127.0.0.1", 0))
            self.port: int = probe.getsockname()[1]
        self.start()

    def start(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", SERVE, str(self.port)],
            env={
                **os.environ,
                "DJANGO_SETTINGS_MODULE": "countersite.settings",
                "COUNTERSITE_SECRET_KEY": settings.SECRET_KEY,
                "DATABASE_URL": f"sqlite:///{connections['default'].settings_dict['NAME']}",
                "PYTHONPATH": str(Path(__file__).parents[2]),
            },
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        until = time.monotonic() + 20
        while time.monotonic() < until:
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
                return
            except OSError:
                time.sleep(0.02)
        raise AssertionError(f"no server on {self.port}")

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()


@pytest.fixture(scope="module")
def server(django_db_setup: None) -> Iterator[Server]:
    running = Server()
    yield running
    running.kill()


class Wire:
    """A websocket by hand: what autobahn would never send can be sent too."""

    def __init__(self, server: Server, game: Game, seat: str, since: int, room: int) -> None:
        self.socket = socket.socket()
        self.socket.settimeout(10)
        if room:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, room)
        self.socket.connect(("127.0.0.1", server.port))
        host = f"127.0.0.1:{server.port}"
        path = f"/g/{game.slug}/ws?ticket={ticket(game.slug, seat)}&from={since}"
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall(
            f"GET {path} HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\n"
            "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            f"Sec-WebSocket-Key: {key}\r\n\r\n".encode()
        )
        self.bytes = b""
        while b"\r\n\r\n" not in self.bytes:
            self._more()
        head, self.bytes = self.bytes.split(b"\r\n\r\n", 1)
        assert head.startswith(b"HTTP/1.1 101"), head

    def _more(self) -> None:
        got = self.socket.recv(65536)
        if not got:
            raise ConnectionError("closed")
        self.bytes += got

    def send(self, raw: bytes) -> None:
        self.socket.sendall(raw)

    def receive(self) -> tuple[int, bytes]:
        """The next frame: its opcode and payload."""
        while True:
            size, head = (self.bytes[1] if len(self.bytes) > 1 else 0), 2
            if size == 126 and len(self.bytes) >= 4:
                size, head = struct.unpack("!H", self.bytes[2:4])[0], 4
            elif size == 127 and len(self.bytes) >= 10:
                size, head = struct.unpack("!Q", self.bytes[2:10])[0], 10
            elif size >= 126:
                size = 1 << 62
            if len(self.bytes) >= max(2, head + size):
                frame = self.bytes[: head + size]
                self.bytes = self.bytes[head + size :]
                return frame[0] & 15, frame[head:]
            self._more()

    def until(self, number: int) -> bytes:
        """The frame of the table that leads to entry *number*."""
        while True:
            _opcode, payload = self.receive()
            found = SEQUENCE.search(payload)
            if found and int(found[1]) >= number:
                return payload

    def close(self) -> None:
        self.socket.close()


def frame(payload: bytes, *, first: int = 0x81, mask: bytes = b"\x11\x22\x33\x44") -> bytes:
    """A masked frame; *first* holds FIN and the opcode."""
    size = len(payload)
    if size < 126:
        head = bytes((first, 0x80 | size))
    elif size < 65536:
        head = bytes((first, 0x80 | 126)) + struct.pack("!H", size)
    else:
        head = bytes((first, 0x80 | 127)) + struct.pack("!Q", size)
    return head + mask + bytes(byte ^ mask[i % 4] for i, byte in enumerate(payload))


def tap(**more: object) -> bytes:
    command = {"do": "place", "on": "rocket", "counter": "fuel", "amount": 1, **more}
    return json.dumps(command, ensure_ascii=False).encode()


@pytest.fixture
def call(server, game):
    """Dial in to the game on a seat: `call("ben")`. room: bytes that wait for who does not read."""
    dialled = []

    def dial(seat: str = "ana", since: int = 0, room: int = 0) -> Wire:
        dialled.append(Wire(server, game, seat, since, room))
        return dialled[-1]

    yield dial
    for wire in dialled:
        wire.close()


@pytest.fixture
def wire(call):
    dialled = call()
    dialled.until(0)
    return dialled


LEGAL = {
    "one frame": [frame(tap())],
    "no mask to speak of": [frame(tap(), mask=b"\0\0\0\0")],
    "a long frame": [frame(tap(note="x" * 300))],
    "beyond ASCII": [frame(tap(note="Füße · 足"))],
    "byte by byte": [bytes((byte,)) for byte in frame(tap())],
    "in two halves": [frame(tap())[:20], frame(tap())[20:]],
    "in two fragments": [frame(tap()[:9], first=0x01), frame(tap()[9:], first=0x80)],
    "a ping between fragments": [
        frame(tap()[:9], first=0x01) + frame(b"?", first=0x89) + frame(tap()[9:], first=0x80)
    ],
    "after a pong nobody asked for": [frame(b"", first=0x8A) + frame(tap())],
}


@pytest.mark.parametrize("sent", LEGAL.values(), ids=LEGAL)
def test_a_tap_arrives_however_it_is_framed(wire, game, sent):
    for part in sent:
        wire.send(part)
        time.sleep(0.002)
    wire.until(1)
    wire.send(frame(tap()) + frame(tap()) + frame(tap())[:-1])
    wire.until(3)
    wire.send(frame(tap())[-1:])
    wire.until(4)

    rows.check(game)


ILLEGAL = {
    "not masked": b"\x81\x02{}",
    "a reserved bit": frame(tap(), first=0xC1),
    "a reserved opcode": frame(tap(), first=0x83),
    "not UTF-8": frame(b'{"do": "\xff"}'),
    "a surrogate in UTF-8": frame(b'{"do": "\xed\xa0\x80"}'),
    "a continuation of nothing": frame(tap(), first=0x80),
    "beyond 64 KiB": frame(b"x" * 70_000),
}


@pytest.mark.parametrize("sent", ILLEGAL.values(), ids=ILLEGAL)
def test_what_is_no_websocket_message_ends_the_connection(wire, game, sent):
    wire.send(frame(tap()))
    wire.until(1)
    wire.send(sent + frame(tap()))

    assert _close_code(wire) is None
    assert 1 == Game.objects.get(pk=game.pk).number


def test_a_message_beyond_16_kib_is_refused_with_its_own_code(wire, game):
    wire.send(frame(b"x" * 20_000) + frame(tap()))

    assert 4413 == _close_code(wire)
    assert 0 == Game.objects.get(pk=game.pk).number


def _close_code(wire: Wire) -> int | None:
    """The code of the close frame; None if the connection was dropped without one."""
    try:
        while True:
            opcode, payload = wire.receive()
            if opcode == 8:
                return int(struct.unpack("!H", payload[:2])[0])
    except ConnectionError:
        return None


def test_a_ping_is_answered_and_a_close_too(wire):
    wire.send(frame(b"are you there", first=0x89))
    pong = wire.receive()
    wire.send(frame(struct.pack("!H", 1000), first=0x88))

    assert (10, b"are you there") == pong
    assert 1000 == _close_code(wire)


def test_a_phone_that_stops_reading_is_given_one_board_when_it_reads_again(call, game):
    asleep, awake = call("ben", room=4096), [call("ana"), call("cleo"), call("ana")]
    for phone in awake:
        phone.until(0)
    taps = 0
    for _round in range(18):
        for phone in awake:
            names = [f"{taps + n}".ljust(80, "-") for n in range(100)]
            phone.send(b"".join(frame(tap(id=name)) for name in names))
            taps += 100
            phone.until(taps)
    seen, frames = 0, 0
    while seen < taps:
        text = asleep.receive()[1]
        missed, seen = int(SEQUENCE.search(text)[1]) - seen, int(SEQUENCE.search(text)[1])
        frames += 1

    assert missed > 100, f"{frames} frames, the last from {seen - missed} to {seen}"
    assert b'id="board"' in text
    awake[0].send(frame(tap()))
    assert b"rocket.fuel" in asleep.until(taps + 1)
    rows.check(game)


def test_killed_under_load_no_acknowledged_tap_is_lost_or_doubled(server, call, game):
    acknowledged: set[str] = set()
    sent: list[str] = []
    phones = [call(seat) for seat in ("ana", "ben", "cleo")]

    def listen(phone: Wire) -> None:
        try:
            while True:
                found = ACKS.search(phone.receive()[1])
                acknowledged.update(found[1].decode().split() if found else ())
        except OSError:
            pass

    listening = [threading.Thread(target=listen, args=[phone]) for phone in phones]
    for thread in listening:
        thread.start()
    try:
        for n in range(100_000):
            if len(acknowledged) > 300:
                break
            name = f"tap-{n}"
            phones[n % 3].send(frame(tap(id=name)))
            sent.append(name)
            time.sleep(0.0005)
    finally:
        server.kill()
    for thread in listening:
        thread.join()
    stored = set(Entry.objects.filter(game=game).values_list("command_id", flat=True))

    assert acknowledged <= stored
    rows.check(game)

    server.start()
    again = call(since=len(stored))
    for name in sent:
        again.send(frame(tap(id=name)))
    again.until(len(sent))
    rows.check(game)
    assert 4 + len(sent) == rows.state(Game.objects.get(pk=game.pk)).count("rocket", "fuel")
