"""The shipped server in its own process: its websockets, and what survives a crash."""

from __future__ import annotations

import json
import os
import signal
import struct
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest

from games.models import Entry, Game
from games.store import rows
from tests.types import Make

from .wire import ACKS, PATIENCE, SEQUENCE, Server, Wire, frame, tap

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def call(server: Any, game: Game) -> Iterator[Any]:
    """Connect to the game as a seat: `call("ben")`. room: the receive buffer in bytes."""
    opened = []

    def connect(seat: str = "ana", since: int = 0, room: int = 0) -> Wire:
        opened.append(Wire(server, game, seat, since, room))
        return opened[-1]

    yield connect
    for wire in opened:
        wire.close()


@pytest.fixture
def wire(call: Any) -> Any:
    opened = call()
    opened.until(0)
    return opened


@pytest.mark.parametrize(
    "gone", ["web.http.HTTPChannel.allHeadersReceived", "web.http.Request.handleContentChunk"]
)
def test_without_a_place_for_its_limits_the_server_does_not_start(gone: str) -> None:
    owner, _dot, name = gone.rpartition(".")
    without = f"import daphne.server, twisted.web.http; del twisted.{owner}.{name}; "

    server = Server(without, wait=False)

    assert 1 == server.process.wait(60)


UNDO = b'{"do": "undo"}'
SLEEPS = (
    "import countersite.asgi, time; from games.rules.history import History; undo = History._undo; "
    "wait = lambda of: of.number == 2 and time.sleep(60); "
    "History._undo = lambda self, *rest: (wait(self), undo(self, *rest))[1]; "
)
"""A server that takes a minute to take back something in a game of two entries."""


@pytest.fixture
def slow() -> Iterator[Server]:
    running = Server(SLEEPS)
    yield running
    running.kill()


def test_a_long_undo_holds_up_neither_other_games_nor_the_end(
    slow: Server, game: Game, make_game: Make
) -> None:
    other = make_game(objects={"rocket": {"counters": {"fuel": 4}}})
    with (
        closing(Wire(slow, game, "ana", 0, 0)) as long,
        closing(Wire(slow, other, "ana", 0, 0)) as short,
    ):
        for wire, taps in ((long, 2), (short, 1)):
            for _ in range(taps):
                wire.send(frame(tap()))
            wire.until(taps)
        long.send(frame(UNDO))
        time.sleep(0.2)
        began = time.monotonic()
        short.send(frame(UNDO))
        short.until(2)
        slow.process.terminate()
        slow.process.wait(30)

    assert time.monotonic() - began < 30
    assert [2, 2] == [Game.objects.get(pk=each.pk).number for each in (game, other)]


LEGAL = {
    "one frame": [frame(tap())],
    "no mask to speak of": [frame(tap(), mask=b"\0\0\0\0")],
    "with a length of 16 bits": [frame(tap(note="x" * 300))],
    "with a length of 16 bits in two parts": [
        frame(tap(note="x" * 300))[:3],
        frame(tap(note="x" * 300))[3:],
    ],
    "with a length of 64 bits": [
        b"\x81\xff" + (12_000).to_bytes(8, "big") + bytes(4) + tap().ljust(12_000)
    ],
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
def test_a_tap_arrives_however_it_is_framed(wire: Any, game: Game, sent: Any) -> None:
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
    "not masked": (1002, b"\x81\x02{}"),
    "a reserved bit": (1002, frame(tap(), first=0xC1)),
    "a reserved opcode": (1002, frame(tap(), first=0x83)),
    "not UTF-8": (1007, frame(b'{"do": "\xff"}')),
    "a surrogate in UTF-8": (1007, frame(b'{"do": "\xed\xa0\x80"}')),
    "half a letter, and no more": (1007, frame(b"\xc3", first=0x01) + frame(b"", first=0x80)),
    "a continuation of nothing": (1002, frame(tap(), first=0x80)),
    "a message in a message": (1002, frame(b"{", first=0x01) + frame(tap())),
    "a ping in fragments": (1002, frame(b"?", first=0x09)),
    "a long ping": (1002, frame(b"?" * 126, first=0x89)),
    "not text": (1003, frame(tap(), first=0x82)),
    "beyond 64 KiB": (1009, frame(b"x" * 70_000)),
    "beyond 64 KiB in fragments": (
        1009, frame(b"x" * 40_000, first=0x01) + frame(b"x" * 40_000, first=0x80),
    ),
    "a length of 63 bits": (1009, b"\x81\xff\x7f" + b"\xff" * 7 + b"1234"),
    "a length of 64 bits": (1009, b"\x81\xff" + b"\xff" * 8 + b"1234"),
}  # fmt: skip


@pytest.mark.parametrize(("code", "sent"), ILLEGAL.values(), ids=ILLEGAL)
def test_an_invalid_websocket_message_ends_the_connection(
    wire: Any, game: Game, code: str, sent: Any
) -> None:
    wire.send(frame(tap()))
    wire.until(1)
    wire.send(sent + frame(tap()))

    assert _close_code(wire) == code
    assert 1 == Game.objects.get(pk=game.pk).number


def test_a_message_beyond_16_kib_is_refused_with_its_own_code(wire: Any, game: Game) -> None:
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


def test_a_ping_is_answered_and_a_close_too(wire: Any) -> None:
    wire.send(frame(b"are you there", first=0x89))
    pong = wire.receive()
    wire.send(frame(struct.pack("!H", 1000), first=0x88))

    assert (10, b"are you there") == pong
    assert 1000 == _close_code(wire)


def test_a_phone_that_stops_reading_is_given_one_board_when_it_reads_again(
    call: Any, game: Game
) -> None:
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


def test_killed_under_load_no_acknowledged_tap_is_lost_or_doubled(
    server: Any, call: Any, game: Game
) -> None:
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


TELLS = """
import signal, socket

def undelayed():
    for handle in range(256):
        try:
            found = socket.socket(fileno=handle)
        except OSError:
            continue  # it is free, or a file
        try:
            if found.family == socket.AF_INET and found.getpeername():
                yield found.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
        except OSError:
            pass  # it listens
        found.detach()

def tell(*_):
    with open({into!r}, "w") as out:
        out.write(str([*undelayed()]))

signal.signal(signal.SIGUSR1, tell)
"""
"""What a server executes that tells, on a signal, which of its connections have TCP_NODELAY."""


def test_no_second_frame_waits_for_the_acknowledgement_of_the_first(
    game: Game, tmp_path: Path
) -> None:
    told = tmp_path / "told"
    os.mkfifo(told)
    server = Server(TELLS.format(into=str(told)))
    page = HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)
    with closing(page), closing(Wire(server, game, "ana", 0, 0)):
        page.request("GET", "/livez")
        page.getresponse().read()
        server.process.send_signal(signal.SIGUSR1)
        page_and_socket = json.loads(told.read_text())
    server.kill()

    assert [1, 1] == page_and_socket


def test_a_single_server_loads_nothing_of_what_several_processes_need(
    make_game: Make, tmp_path: Path
) -> None:
    game = make_game(objects={"rocket": {"counters": {"fuel": 4}}})
    loaded = tmp_path / "loaded"
    note = f"open({str(loaded)!r}, 'w').write(' '.join(sys.modules))"
    alone = Server(f"import atexit, sys; atexit.register(lambda: {note}); ")
    with closing(Wire(alone, game, "ana", 0, 0)) as ana:
        ana.send(frame(tap()))
        assert b">5<" in ana.until(1)
    alone.process.terminate()
    alone.process.wait(20)

    modules = loaded.read_text().split()
    assert "games.live.table" in modules
    assert [] == [each for each in modules if each.startswith(("games.cluster", "redis"))]


pytest.importorskip("uvicorn")

UVICORN = (
    "import sys, uvicorn; "
    "uvicorn.run('countersite.asgi:application', port=int(sys.argv[1]), ws='websockets-sansio', "
    "log_level='warning'); sys.exit(); "
)


@pytest.fixture
def uvicorn() -> Iterator[Server]:
    running = Server(UVICORN, COUNTERSITE_DEBUG="on")
    yield running
    running.kill()


def test_a_tap_is_seen_on_two_phones_under_uvicorn(uvicorn: Server, make_game: Make) -> None:
    game = make_game(objects={"rocket": {"counters": {"fuel": 4}}})
    with (
        closing(Wire(uvicorn, game, "ana", 0, 0)) as ana,
        closing(Wire(uvicorn, game, "ben", 0, 0)) as ben,
    ):
        ana.send(frame(tap()))
        seen = [phone.until(1) for phone in (ana, ben)]
    page = HTTPConnection("127.0.0.1", uvicorn.port, timeout=120)
    with closing(page):
        page.request("GET", "/livez")
        status = page.getresponse().status

    assert all(b">5<" in frame for frame in seen), seen
    assert 200 == status
