"""The shipped server in its own process: its websockets, and what survives a crash."""

from __future__ import annotations

import struct
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing

import pytest

from games.models import Entry, Game
from games.store import rows

from .wire import ACKS, SEQUENCE, Server, Wire, frame, tap

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def call(server, game):
    """Connect to the game as a seat: `call("ben")`. room: the receive buffer in bytes."""
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


WITHOUT = "import countersite.asgi, games.live.server as s; s.PRIVATE = ((object, 'gone'),); "


@pytest.fixture
def plain() -> Iterator[Server]:
    """A server that misses a name of the libraries under it."""
    running = Server(WITHOUT)
    yield running
    running.kill()


def test_without_a_private_name_the_server_is_slower_and_loses_nothing(
    plain: Server, game: Game
) -> None:
    with closing(Wire(plain, game, "ana", 0, 0)) as wire:
        wire.until(0)
        wire.send(frame(tap()))
        wire.until(1)

    assert 1 == Entry.objects.count()


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
    slow: Server, game: Game, make_game: Callable[..., Game]
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
        slow.process.wait(10)

    assert time.monotonic() - began < 10
    assert [2, 2] == [Game.objects.get(pk=each.pk).number for each in (game, other)]


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
    "after a pong no one asked for": [frame(b"", first=0x8A) + frame(tap())],
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
def test_an_invalid_websocket_message_ends_the_connection(wire, game, sent):
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
