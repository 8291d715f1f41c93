"""What strangers and heavy readers cost a game that is being played: `python -m tests.strangers`.

A table is started as shipped, in a process of its own. One phone taps; an attack goes on and off
beside it, in windows that follow one another, so that whatever else the machine does falls on both.
For each attack: the time from a tap to its frame, quiet and attacked, and their ratio.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import secrets
import socket
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from multiprocessing import get_context
from multiprocessing.synchronize import Event
from pathlib import Path
from urllib.parse import urlencode, urlsplit

from tests.night import Night
from tests.soak import TOKEN, Phone, slug_in

LONG = 20_000
"""Entries of the long game, of which a file may have no more."""
WINDOW, REST = 4.0, 1.0
"""Seconds of a window, and between two."""
BETWEEN = 0.02
"""Seconds between two taps."""
GOAL = 2.0
"""What an attack may multiply the 99th percentile by."""


@dataclass(frozen=True)
class Target:
    """What an attack knows of the server; the long game and its phone's cookie are the attacker's.

    token: a form's token, with the cookie that goes with it. invitation: a path that lets in.
    """

    port: int
    long: str
    cookie: str
    token: str
    planted: str
    invitation: str

    def request(self, line: str, *headers: str, body: bytes = b"", close: bool = False) -> bytes:
        """A request, with a length if it has a body."""
        named = [f"Host: 127.0.0.1:{self.port}", *headers]
        if body:
            named.append(f"Content-Length: {len(body)}")
        if close:
            named.append("Connection: close")
        return "\r\n".join((f"{line} HTTP/1.1", *named, "", "")).encode("latin1") + body

    def form(self, path: str, **fields: str) -> bytes:
        """A form posted by a stranger."""
        body = urlencode({"csrfmiddlewaretoken": self.token, **fields}).encode()
        kind = "Content-Type: application/x-www-form-urlencoded"
        return self.request(f"POST {path}", kind, f"Cookie: csrftoken={self.planted}", body=body)

    def read(self, path: str) -> bytes:
        """A page of the long game, read by its phone."""
        return self.request(f"GET /g/{self.long}/{path}", f"Cookie: {self.cookie}")


Asking = Callable[[Target, random.Random], bytes]
Attack = tuple[int, Callable[[Target, random.Random, Event], None]]
"""How many do it at once, and what each does until it is told to stop."""


def dial(target: Target) -> socket.socket:
    return socket.create_connection(("127.0.0.1", target.port), timeout=20)


def answer(dialled: socket.socket) -> bytes:
    """One answer with a length, or in chunks."""
    got = b""
    while b"\r\n\r\n" not in got:
        part = dialled.recv(65536)
        if not part:
            raise ConnectionError
        got += part
    head, _blank, body = got.partition(b"\r\n\r\n")
    if found := re.search(rb"content-length: *(\d+)", head, re.I):
        while len(body) < int(found[1]):
            body += dialled.recv(65536) or _gone()
    elif b"chunked" in head.lower():
        while not body.endswith(b"0\r\n\r\n"):
            body += dialled.recv(65536) or _gone()
    return head


def _gone() -> bytes:
    raise ConnectionError


def asking(make: Asking) -> Callable[[Target, random.Random, Event], None]:
    """Ask again and again, on a connection that is kept while the server keeps it."""

    def ask(target: Target, dice: random.Random, on: Event) -> None:
        dialled = dial(target)
        while on.is_set():
            try:
                dialled.sendall(make(target, dice))
                if b"close" in answer(dialled).lower():
                    raise ConnectionError
            except OSError:
                dialled.close()
                time.sleep(0.01)
                dialled = dial(target)
        dialled.close()

    return ask


def holding(
    begin: Asking, drip: bytes | Callable[[random.Random], bytes], every: float, count: int
) -> Callable[[Target, random.Random, Event], None]:
    """Hold connections that never end what they began; dial again what the server closes."""

    def hold(target: Target, dice: random.Random, on: Event) -> None:
        held: list[socket.socket] = []
        while on.is_set():
            for _missing in range(count - len(held)):
                with suppress(OSError):
                    dialled = dial(target)
                    dialled.sendall(begin(target, dice))
                    held.append(dialled)
            for each in list(held):
                try:
                    if drip:
                        each.sendall(drip(dice) if callable(drip) else drip)
                    each.setblocking(False)
                    with suppress(BlockingIOError):
                        if not each.recv(65536):
                            raise ConnectionError
                    each.setblocking(True)
                except OSError:
                    each.close()
                    held.remove(each)
            time.sleep(every)
        for each in held:
            each.close()

    return hold


def upgrade(target: Target, dice: random.Random, path: str = "", **more: str) -> bytes:
    """The handshake of a socket to the long game, by its phone."""
    site = f"http://127.0.0.1:{target.port}"
    return target.request(
        f"GET {path or f'/g/{target.long}/ws?seat=a&from=0'}",
        f"Origin: {site}", "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13",
        f"Cookie: {target.cookie}", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        *(f"{name}: {value}" for name, value in more.items()),
    )  # fmt: skip


def once(text: bytes) -> Asking:
    return lambda _target, _dice: text


def piped(target: Target, dice: random.Random) -> bytes:
    """Requests one after the other before the first is answered."""
    return target.request("GET /livez") * 200


@cache
def _upload(target: Target) -> bytes:
    return target.form("/new/file", text=long_file())


def imported(target: Target, dice: random.Random) -> bytes:
    """A stranger's file of so many commands as a file may have."""
    return _upload(target)


@cache
def long_file() -> str:
    """A game of any game, with so many entries."""
    place = {"do": "place", "on": "a", "counter": "points", "amount": 1}
    file = {
        "id": "long", "system": "any-game", "edition": "1", "title": "Long",
        "given": {"seats": {"a": {}, "b": {}}}, "when": [place] * LONG, "then": {},
    }  # fmt: skip
    return json.dumps([file], separators=(",", ":"))


def page(*paths: str) -> Attack:
    """Four phones that read pages of the long game; "%" stands for any of its lines."""
    return 4, asking(
        lambda target, dice: target.read(
            dice.choice(paths).replace("%", str(dice.randrange(1, LONG)))
        )
    )


def get(path: str, *headers: str, count: int = 8) -> Attack:
    """Strangers who ask for a path; "%" stands for anything."""
    return count, asking(
        lambda target, dice: target.request(
            f"GET {path.replace('%', secrets.token_hex(6))}", *headers
        )
    )


def masked(opcode: int, size: int = 0) -> bytes:
    """A frame of a socket."""
    return bytes((opcode, 0x80 | min(size, 125))) + bytes(4) + bytes(min(size, 125))


ATTACKS: dict[str, Attack] = {
    "nobody": (0, lambda _target, _dice, _on: None),
    "making": (
        8, asking(lambda target, dice: target.form("/new", rules="any-game", seats="4")),
    ),
    "importing": (4, asking(imported)),
    "idle": (4, holding(once(b""), b"", 0.5, 250)),
    "slow heads": (4, holding(once(b"GET / HTTP/1.1\r\nHost: localhost\r\n"), b"X", 0.2, 250)),
    "slow bodies": (
        4,
        holding(
            lambda target, _dice: target.request("POST /new", "Content-Length: 30000"),
            b"x", 0.2, 60,
        ),
    ),
    "slow upgrades": (
        4, holding(lambda target, dice: upgrade(target, dice)[:-2], b"X-A: b\r\n", 0.2, 60),
    ),
    "half uploads": (
        4,
        holding(
            lambda target, _dice: target.request("POST /new/file", "Content-Length: 3000000")
            + b"x" * 1_000_000,
            b"x", 0.2, 15,
        ),
    ),
    "chunks without end": (
        4,
        holding(
            lambda target, _dice: target.request("POST /new/file", "Transfer-Encoding: chunked"),
            b"400\r\n" + b"x" * 1024 + b"\r\n", 0.01, 10,
        ),
    ),
    "huge heads": get("/", "X-A: " + "b" * 12_000),
    "cookie bombs": get("/", "Cookie: " + "; ".join(f"a{n}=b" for n in range(1500))),
    "query bombs": get("/new?" + "&".join(f"a{n}=" for n in range(900))),
    "deep paths": get("/" + "a/" * 2000),
    "hosts": get("/", "X-Forwarded-Host: evil.example", "Host: %.example"),
    "methods": (8, asking(lambda target, _dice: target.request("PROPFIND /"))),
    "pipelining": (4, asking(piped)),
    "HTTP/1.0": (8, asking(lambda target, _dice: b"GET /livez HTTP/1.0\r\n\r\n")),
    "games guessed": get("/g/%/"),
    "invitations guessed": get("/j/%%%"),
    "codes guessed": (
        8,
        asking(lambda target, _dice: target.form("/code", code=secrets.token_hex(4))),
    ),
    "visits": (
        8,
        asking(lambda target, _dice: target.request(f"GET {target.invitation}", "User-Agent: x")),
    ),
    "home": get("/"),
    "static": get("/static/none-%.js"),
    "sockets refused": (
        8,
        asking(lambda target, dice: upgrade(target, dice, f"/g/{target.long}/ws?seat=b")),
    ),
    "sockets reconnecting": (4, holding(upgrade, masked(0x88), 0.05, 10)),
    "pings": (4, holding(upgrade, masked(0x89, 100) * 200, 0.01, 4)),
    "junk on sockets": (
        4, holding(upgrade, lambda dice: masked(dice.choice((0x81, 0x82, 0x01)), 60) * 20, 0.01, 4),
    ),
    "summary": page("summary"),
    "log": page("log", "log?before=%", "log?line=%"),
    "log to": page("log?to=%"),
    "log searched": page("log?q=points", "log?q=zebra"),
    "scrubbing": page("replay/%"),
    "replays": page("replay", "replay?line=%", "replay/film"),
    "exports": page("log.md", "scenario.json", "state.json"),
    "own pages": page("", "mine", "tv", "seats/", "log/latest"),
}  # fmt: skip


class Quiet:
    """The game that nobody attacks: one phone taps, and its taps are timed."""

    def __init__(self, site: str) -> None:
        self.phone = Phone(site)
        self.slug = slug_in(
            self.phone.post("/new", "/new", rules="any-game", seats="2", name="Ana")
        )
        self._wire, self._seat = self.phone.call(self.slug)
        self._number = self._last()
        self._count = 0

    def _last(self) -> int:
        found = re.search(rb'data-seq="(\d+)"', self._wire.receive()[1])
        return int(found[1]) if found else self._last()

    def _seen(self) -> None:
        """Wait for the last tap's frame, and answer pings meanwhile."""
        from tests.live.wire import frame

        while True:
            opcode, payload = self._wire.receive()
            if opcode == 9:
                self._wire.send(frame(payload, first=0x8A))
            found = re.search(rb'data-seq="(\d+)"', payload)
            if found and int(found[1]) >= self._number:
                return

    def window(self, seconds: float) -> list[float]:
        """Tap for so long; the seconds that each took until it was seen."""
        from tests.live.wire import frame

        took = []
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            self._count += 1
            tap = {
                "do": "place", "on": self._seat, "counter": "points", "amount": 1,
                "id": f"quiet-{self._count}",
            }  # fmt: skip
            began = time.perf_counter()
            self._wire.send(frame(json.dumps(tap).encode()))
            self._number += 1
            self._seen()
            took.append(time.perf_counter() - began)
            time.sleep(BETWEEN)
        return took


def percentile(values: Sequence[float], part: float) -> float:
    """In milliseconds."""
    return sorted(values)[min(int(len(values) * part), len(values) - 1)] * 1000


def _attackers(name: str, target: Target, on: Event, over: Event) -> None:
    """A process of attackers, behind everyone else on the processor."""
    os.nice(10)
    count, attack = ATTACKS[name]

    def run(n: int) -> None:
        dice = random.Random(n)
        while not over.is_set():
            if on.wait(0.1):
                with suppress(OSError):
                    attack(target, dice, on)

    threads = [threading.Thread(target=run, args=(n,), daemon=True) for n in range(count)]
    for thread in threads:
        thread.start()
    over.wait()


def compared(name: str, target: Target, quiet: Quiet, rounds: int) -> tuple[list[float], ...]:
    """The taps without the attack *name*, and with it."""
    spawned = get_context("fork")
    on, over = spawned.Event(), spawned.Event()
    attackers = spawned.Process(target=_attackers, args=(name, target, on, over), daemon=True)
    attackers.start()
    without: list[float] = []
    attacked: list[float] = []
    for _round in range(rounds):
        without += quiet.window(WINDOW)
        on.set()
        time.sleep(REST)
        attacked += quiet.window(WINDOW)
        on.clear()
        time.sleep(2 * REST)
    over.set()
    attackers.join(5)
    attackers.kill()
    return without, attacked


def target_of(site: str) -> Target:
    """A long game of the attackers' own."""
    phone = Phone(site)
    slug = slug_in(phone.post("/new/file", "/new/file", text=long_file()))
    share = phone.get(f"/g/{slug}/share")
    cookies = {cookie.name: cookie.value or "" for cookie in phone.cookies}
    found = TOKEN.search(phone.get("/new"))
    invitation = re.search(r"/j/[\w-]+", share)
    return Target(
        urlsplit(site).port or 0, slug, f"device={cookies['device']}",
        found[1] if found else "", cookies["csrftoken"], invitation[0] if invitation else "/",
    )  # fmt: skip


def figures(rounds: int, names: Sequence[str], **variables: str) -> Iterator[str]:
    """A line for each attack."""
    from countersite.addresses import free_port

    with tempfile.TemporaryDirectory() as folder:
        night = Night(Path(folder) / "night", free_port("127.0.0.1", 8950), **variables)
        try:
            target, quiet = target_of(night.site), Quiet(night.site)
            quiet.window(2)
            yield f"{'':20} {'quiet p50':>9} {'p99':>6} {'attacked':>8} {'p99':>6} {'times':>5}"
            for name in names:
                without, attacked = compared(name, target, quiet, rounds)
                p50, p99, a50, a99 = (
                    percentile(taps, part) for taps in (without, attacked) for part in (0.5, 0.99)
                )
                line = f"{name:20} {p50:9.1f} {p99:6.1f} {a50:8.1f} {a99:6.1f} {a99 / p99:5.1f}"
                yield line + ("" if a99 / p99 <= GOAL else "  above the goal")
            if "Traceback" in night.printed:
                yield night.printed[night.printed.index("Traceback") :][:4000]
        finally:
            night.kill()


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.strangers", description=__doc__)
    parser.add_argument("attacks", nargs="*", default=[*ATTACKS], help=", ".join(ATTACKS))
    parser.add_argument("--rounds", type=int, default=4)
    parser.add_argument("--crowd", default="1000", help="COUNTERSITE_CROWD: so that limits are far")
    parser.add_argument("--database", default="", help="DATABASE_URL")
    given = parser.parse_args()
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    django.setup()
    variables = {"COUNTERSITE_CROWD": given.crowd}
    if given.database:
        variables["DATABASE_URL"] = given.database
    for line in figures(given.rounds, given.attacks, **variables):
        print(line, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
