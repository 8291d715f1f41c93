"""A server process, and hand-made websockets to it."""

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
import time
import weakref
from http.client import HTTPConnection
from pathlib import Path

from django.conf import settings
from django.db import connections

from games.live.socket import ticket
from games.models import Game

SERVE = (
    "import sys; from countersite.asgi import application; "
    "from games.live.wire.serving import serve; serve(application, '127.0.0.1', int(sys.argv[1]))"
)
SEQUENCE = re.compile(rb'data-seq="(\d+)"')
ALIVE = b"\x8a\x00"
PING, PONG = 9, 0x8A
"""The opcode of what the server asks every phone now and then (RFC 6455, 5.5.2)."""
ACKS = re.compile(rb'data-acks="([^"]*)"')
PATIENCE = 30.0
"""Seconds after which a test gives up, on the slowest machine."""


class Server:
    """A server process on the tests' database, which can be killed and started again.

    environment: variables to change. before: what it executes first. log: where it logs to.
    """

    def __init__(
        self, before: str = "", log: Path | None = None, wait: bool = True, **environment: str
    ) -> None:
        self.environment, self.before, self.log = environment, before, log
        self.port = reserved(self)
        self.start(wait)

    def start(self, wait: bool = True) -> None:
        out = self.log.open("a") if self.log else subprocess.DEVNULL
        self.process = subprocess.Popen(
            [sys.executable, "-c", self.before + SERVE, str(self.port)],
            env={
                **os.environ,
                "DJANGO_SETTINGS_MODULE": "countersite.settings",
                "COUNTERSITE_SECRET_KEY": settings.SECRET_KEY,
                "DATABASE_URL": f"sqlite:///{connections['default'].settings_dict['NAME']}",
                "PYTHONPATH": str(Path(__file__).parents[2]),
                **self.environment,
            },
            stdout=out,
            stderr=out,
        )
        if not isinstance(out, int):
            out.close()
        if wait:
            self.wait()

    def wait(self) -> None:
        """Wait until it listens."""
        until = time.monotonic() + 180
        while time.monotonic() < until:
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
                return
            except OSError:
                time.sleep(0.02)
        raise AssertionError(f"no server on {self.port}")

    def ready(self) -> int:
        """The status of its health check; 0 if there is no answer."""
        connection = HTTPConnection("127.0.0.1", self.port, timeout=5)
        try:
            connection.request("GET", "/readyz")
            return connection.getresponse().status
        except OSError:
            return 0
        finally:
            connection.close()

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()


def reserved(owner: object) -> int:
    """A port that nobody else gets while *owner* is there, however often its server is started.

    It is bound without being listened on; the server shares it by SO_REUSEADDR.
    """
    place = socket.socket()
    place.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    place.bind(("127.0.0.1", 0))
    weakref.finalize(owner, place.close)
    port: int = place.getsockname()[1]
    return port


class Wire:
    """A hand-made websocket, which can also send what no library would.

    device: the token of a phone, if it connects by its cookie and not by a ticket. patience: the
    seconds that it waits for the server to say something.
    """

    MOST = 60
    """The seconds that it waits for an entry."""

    def __init__(
        self,
        server: Server,
        game: Game,
        seat: str,
        since: int,
        room: int,
        device: str = "",
        patience: float = PATIENCE,
    ) -> None:
        self.socket = socket.socket()
        self.socket.settimeout(patience)
        if room:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, room)
        try:
            self._shake_hands(server, game, seat, since, device)
        except BaseException:
            self.socket.close()
            raise

    def _shake_hands(self, server: Server, game: Game, seat: str, since: int, device: str) -> None:
        self.socket.connect(("127.0.0.1", server.port))
        host = f"127.0.0.1:{server.port}"
        who = f"seat={seat}" if device else f"ticket={ticket(game.slug, seat)}"
        path = f"/g/{game.slug}/ws?{who}&from={since}"
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall(
            f"GET {path} HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\n"
            "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            f"Cookie: device={device}\r\nSec-WebSocket-Key: {key}\r\n\r\n".encode()
        )
        self.bytes = self.first = b""
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
        """The next frame but a sign of life: its opcode and payload. Pings are answered."""
        while True:
            size, head = (self.bytes[1] if len(self.bytes) > 1 else 0), 2
            if size == 126 and len(self.bytes) >= 4:
                size, head = struct.unpack("!H", self.bytes[2:4])[0], 4
            elif size == 127 and len(self.bytes) >= 10:
                size, head = struct.unpack("!Q", self.bytes[2:10])[0], 10
            elif size >= 126:
                size = 1 << 62
            if len(self.bytes) >= max(2, head + size):
                got, self.bytes = self.bytes[: head + size], self.bytes[head + size :]
                opcode, payload = got[0] & 15, got[head:]
                if opcode == PING:
                    self.send(frame(payload, first=PONG))
                elif got != ALIVE:
                    return opcode, payload
            else:
                self._more()

    def until(self, number: int) -> bytes:
        """The table's frame that leads to entry *number*.

        The server's pings go on, so the socket's patience never ends.
        """
        end = time.monotonic() + self.MOST
        while time.monotonic() < end:
            payload = self._table()
            found = SEQUENCE.search(payload)
            if found and int(found[1]) >= number:
                return payload
        raise TimeoutError(f"entry {number} was never heard of")

    def hears(self, words: bytes) -> bytes:
        """The next frame that has *words* in it."""
        end = time.monotonic() + self.MOST
        while time.monotonic() < end:
            if words in (payload := self._table()):
                return payload
        raise TimeoutError(f"{words!r} was never heard of")

    def _table(self) -> bytes:
        """The next frame of the table. Raises ConnectionError with the code of one that closes."""
        opcode, payload = self.receive()
        if opcode == 8:
            raise ConnectionError(f"closed: {int.from_bytes(payload[:2], 'big')} {payload[2:]!r}")
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
