"""Malformed traffic that no browser sends: refused or ignored, and never at others' cost."""

from __future__ import annotations

import gzip
import re
import socket
from contextlib import suppress

import pytest

from games.live.socket import MOST_MALFORMED
from games.models import Game
from games.models.tokens import hashed, new_device
from tests.forms import MULTIPART

from .test_limits import IMPATIENT, everything, head, memory
from .wire import Server, Wire, frame, tap

pytestmark = pytest.mark.django_db(transaction=True)

MIB = 1024 * 1024
NO_FORMS_IN_THE_LOOP = (
    "from twisted.web import http; read = http.parse_qs; "
    "http.parse_qs = lambda text, *rest: sys.exit() if text == b'a=form' else read(text, *rest); "
)
"""If the loop reads the fields of a form, and not a view in its thread, the server ends."""
SERVER = {"before": IMPATIENT + NO_FORMS_IN_THE_LOOP, "COUNTERSITE_DEBUG": "on"}
"""With the static files as they are: no test here needs them collected."""


def asked(server: Server, sent: bytes) -> bytes:
    """The answer to raw bytes, until the server closes."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=120) as connection:
        with suppress(ConnectionError):  # it may close before all of that was sent
            connection.sendall(sent)
        return everything(connection)


def status(answer: bytes) -> int:
    """The status of an answer; 0 if the server closed without one."""
    found = re.match(rb"HTTP/1\.1 (\d+) ", answer)
    return int(found[1]) if found else 0


def until_closed(wire: Wire) -> None:
    """Read until the server closes, with a frame that says so or without."""
    with suppress(ConnectionError):
        while wire.receive()[0] != 8:
            pass


def test_the_loop_reads_no_form(server: Server) -> None:
    sent = head("POST /new", Content_Length=6, Connection="close")

    assert 403 == status(asked(server, sent + b"a=form")), "for want of a token, by the view"


@pytest.mark.parametrize(
    "sent",
    [
        b"GET / HTTP/1.1\r\nHost: localhost\r\n" + b"X-A: b\r\n" * 10_000 + b"\r\n",
        b"GET / HTTP/1.1\r\nHost: localhost\r\nX-A: " + b"b" * MIB + b"\r\n\r\n",
        b"GET /?" + b"a" * MIB + b" HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"G" * MIB,
        b"\r\n" * MIB,
        b"\x16\x03\x01\x02\x00\x01" + bytes(600),
    ],
    ids=["many headers", "a long header", "a long query", "a long verb", "empty lines", "TLS"],
)
def test_a_head_of_any_length_is_cut_off(server: Server, sent: bytes) -> None:
    before = memory(server)

    assert status(asked(server, sent)) in (0, 400, 414, 431)

    assert memory(server) - before < 8 * MIB


@pytest.mark.parametrize(
    "lengths",
    [
        "Content-Length: 5\r\nContent-Length: 6\r\n",
        "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n",
        "Content-Length: -1\r\n",
        "Content-Length: 0x5\r\n",
        "Transfer-Encoding: chunked, gzip\r\n",
        "Transfer-Encoding: \x0bchunked\r\n",
    ],
)
def test_a_second_request_cannot_be_smuggled_in_the_first(server: Server, lengths: str) -> None:
    smuggled = "0\r\n\r\nGET /livez HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"

    answer = asked(
        server, f"POST /nowhere HTTP/1.1\r\nHost: localhost\r\n{lengths}\r\n{smuggled}".encode()
    )

    assert b"alive" not in answer
    assert status(answer) in (0, 400, 501)


def test_nothing_is_unpacked(server: Server) -> None:
    before, bomb = memory(server), gzip.compress(b"text=" + b"a" * 200 * MIB, 9)

    sent = head(
        "POST /new/file",
        Content_Type=MULTIPART,
        Content_Length=len(bomb),
        Content_Encoding="gzip",
        Connection="close",
    )

    assert status(asked(server, sent + bomb)) in (400, 403)
    assert memory(server) - before < 8 * MIB


@pytest.mark.parametrize(
    "path",
    [
        "/static/../games/__init__.py",
        "/static/%2e%2e/%2e%2e/manage.py",
        "/static/..%2f..%2fmanage.py",
        "/static/\\..\\..\\manage.py",
        "/g/../admin/",
        "/g/%00/",
        "/g/%ff%fe/",
        "/g/\u202e/".encode().decode("latin1"),
        "//evil.example/%2f..",
        "http://evil.example/",
        "*",
        "/g/aaaaaaaaaaaa/replay/" + "9" * 4000,
        "/g/aaaaaaaaaaaa/visitors/" + "9" * 4000 + "/bar",
        "/?" + "&".join(f"a{n}=" for n in range(3000)),
        "/new?seats=%F0%9F%98%80&rules=%00&name=%ff",
    ],
)
def test_no_path_leads_out_or_breaks_a_view(server: Server, path: str) -> None:
    sent = f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"

    answer = asked(server, sent.encode("latin1"))

    assert status(answer) < 500, answer[:300]
    assert b"DJANGO_SETTINGS_MODULE" not in answer
    assert b"evil.example" not in answer.partition(b"\r\n\r\n")[0]


@pytest.mark.parametrize(
    "origin",
    ["null", "http://evil.example", "http://localhost.evil.example", "https://localhost", "x", ""],
)
def test_a_planted_token_and_a_foreign_origin_make_no_game(server: Server, origin: str) -> None:
    planted, body = "a" * 32, b"rules=any-game/1&seats=2&csrfmiddlewaretoken=" + b"a" * 32

    sent = head(
        "POST /new",
        Origin=origin,
        Cookie=f"csrftoken={planted}",
        Content_Length=len(body),
        Connection="close",
    )

    assert status(asked(server, sent + body)) in (400, 403)
    assert not Game.objects.exists()


def test_pages_and_sockets_believe_the_same_of_two_cookies(server: Server, game: Game) -> None:
    mine, tossed = new_device(), new_device()
    for device, seat in ((mine, "ana"), (tossed, "ben")):
        game.admit(hashed(device), "guest")
        game.seats.get(key=seat).claim(hashed(device))
    both = f"{tossed}; device={mine}"
    page = asked(server, head(f"GET /g/{game.slug}/", Cookie=f"device={both}", Connection="close"))

    wire = Wire(server, game, "ana", 0, 0, both)
    wire.until(0)

    assert b'data-seat="ana"' in page
    wire.close()


def test_a_socket_unpacks_nothing_either(server: Server, game: Game) -> None:
    wire = Wire(server, game, "ana", 0, 0)

    wire.send(frame(tap(), first=0xC1))  # RSV1: this is compressed

    until_closed(wire)
    game.refresh_from_db()
    assert 0 == game.number
    wire.close()


def test_a_message_without_an_end_is_cut_off(server: Server, game: Game) -> None:
    wire, before = Wire(server, game, "ana", 0, 0), memory(server)

    part = frame(b"a" * MIB, first=0x00)
    with suppress(ConnectionError):
        wire.send(frame(b"a" * 1000, first=0x01))
        for _part in range(50):
            wire.send(part)
    until_closed(wire)

    assert memory(server) - before < 8 * MIB
    wire.close()


def test_one_id_counts_once_whoever_sends_it(server: Server, game: Game) -> None:
    ana, ben = (Wire(server, game, seat, 0, 0) for seat in ("ana", "ben"))

    ana.send(frame(tap(id="the-same")))
    ana.until(1)
    ben.send(frame(tap(id="the-same")))
    ben.send(frame(tap(id="another")))
    ben.until(2)

    game.refresh_from_db()
    assert 2 == game.number
    for wire in (ana, ben):
        wire.close()


def test_a_flood_of_pings_is_cut_off(server: Server, game: Game) -> None:
    wire = Wire(server, game, "ana", 0, 0)
    wire.until(0)
    wire.send(frame(b"alive?", first=0x89))
    assert (10, b"alive?") == wire.receive(), "one is answered"

    with suppress(ConnectionError):
        wire.send(frame(b"a" * 100, first=0x89) * 5_000)
    answered = 0
    with suppress(ConnectionError):
        while wire.receive()[0] != 8:
            answered += 1

    assert answered < 100
    wire.close()


@pytest.mark.parametrize("key", ["id", "do", "mark", "amount"])
def test_a_command_that_is_nested_without_end_is_no_command(
    server: Server, game: Game, key: str
) -> None:
    wire = Wire(server, game, "ana", 0, 0)
    wire.until(0)

    nested = tap(**{key: "?"}).replace(b'"?"', b"[" * 1000 + b"]" * 1000)
    wire.send(frame(nested))

    assert b'"code": "invalid"' in wire.receive()[1]
    wire.send(frame(tap()))
    wire.until(1)
    wire.close()


def test_malformed_commands_are_answered_a_few_times_and_then_cut_off(
    server: Server, game: Game
) -> None:
    ana, ben = (Wire(server, game, seat, 0, 0) for seat in ("ana", "ben"))
    ana.until(0)

    with suppress(ConnectionError):
        ana.send(frame(b"no command") * 200)
    answered = 0
    with suppress(ConnectionError):
        while ana.receive()[0] != 8:
            answered += 1

    assert MOST_MALFORMED == answered
    ben.send(frame(tap()))
    ben.until(1)
    for wire in (ana, ben):
        wire.close()
