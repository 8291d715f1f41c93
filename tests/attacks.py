"""Attacks and heavy reads on a server, for `tests.strangers` to measure."""

from __future__ import annotations

import json
import random
import re
import secrets
import socket
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from multiprocessing.synchronize import Event
from typing import Any

from games.systems import find
from tests.forms import MULTIPART, multipart
from tests.rules.test_cost import charged, doubled, linked

LONG = 20_000
"""Entries of the long game, of which a file may have no more."""


@dataclass(frozen=True)
class Target:
    """The server as an attack knows it; the long game and its phone's cookie are the attacker's.

    token: a form's token, with the cookie that goes with it. invitation: a path that lets in.
    large: a table of `CARDS` cards, also the attacker's. phones: the cookies of those at it.
    dear: each dear command's name, with the attacker's table for it.
    """

    port: int
    long: str
    cookie: str
    token: str
    planted: str
    invitation: str
    large: str
    phones: tuple[str, ...]
    dear: tuple[tuple[str, str], ...]

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
        body = multipart(csrfmiddlewaretoken=self.token, **fields)
        kind = f"Content-Type: {MULTIPART}"
        return self.request(f"POST {path}", kind, f"Cookie: csrftoken={self.planted}", body=body)

    def command(self, slug: str, given: Mapping[str, Any]) -> bytes:
        """A command of the attacker's phone at a table of its own."""
        cookies = f"Cookie: {self.cookie}; csrftoken={self.planted}"
        line, kind = f"POST /g/{slug}/command", "Content-Type: application/json"
        given = {**given, "id": secrets.token_hex(6)}
        body = json.dumps(given).encode()
        return self.request(line, kind, cookies, f"X-CSRFToken: {self.token}", body=body)

    def read(self, path: str) -> bytes:
        """A page of the long game, read by its phone."""
        return self.request(f"GET /g/{self.long}/{path}", f"Cookie: {self.cookie}")


ADDRESS = "127.0.0.9"
CARDS, PHONES = 1_200, 140
Asking = Callable[[Target, random.Random], bytes]
Attack = tuple[int, Callable[[Target, random.Random, Event], None]]
"""The number of attackers, and the attack of each until it is stopped."""


def connect(target: Target) -> socket.socket:
    """All attackers have one address, and it is no other phone's."""
    return socket.create_connection(("127.0.0.1", target.port), 20, (ADDRESS, 0))


def answer(connection: socket.socket) -> bytes:
    """One answer with a length, or in chunks."""
    got = b""
    while b"\r\n\r\n" not in got:
        part = connection.recv(65536)
        if not part:
            raise ConnectionError
        got += part
    head, _blank, body = got.partition(b"\r\n\r\n")
    if found := re.search(rb"content-length: *(\d+)", head, re.I):
        while len(body) < int(found[1]):
            body += connection.recv(65536) or _gone()
    elif b"chunked" in head.lower():
        while not body.endswith(b"0\r\n\r\n"):
            body += connection.recv(65536) or _gone()
    return head


def _gone() -> bytes:
    raise ConnectionError


def asking(make: Asking) -> Callable[[Target, random.Random, Event], None]:
    """Ask again and again, on a connection that is kept while the server keeps it."""

    def ask(target: Target, dice: random.Random, on: Event) -> None:
        connection = connect(target)
        while on.is_set():
            try:
                connection.sendall(make(target, dice))
                if b"close" in answer(connection).lower():
                    raise ConnectionError
            except OSError:
                connection.close()
                time.sleep(0.01)
                connection = connect(target)
        connection.close()

    return ask


def holding(
    begin: Asking, drip: bytes | Callable[[random.Random], bytes], every: float, count: int
) -> Callable[[Target, random.Random, Event], None]:
    """Hold connections that never end what they began; reconnect what the server closes."""

    def hold(target: Target, dice: random.Random, on: Event) -> None:
        held: list[socket.socket] = []
        while on.is_set():
            for _missing in range(count - len(held)):
                with suppress(OSError):
                    connection = connect(target)
                    connection.sendall(begin(target, dice))
                    held.append(connection)
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


def crowd(*paths: str, headers: bool = False) -> Attack:
    """Phones at the attacker's own large table, each with a page under way.

    headers: as one phone, which names another program each time.
    """

    def make(target: Target, dice: random.Random) -> bytes:
        line = f"GET /g/{target.large}/{dice.choice(paths)}"
        if headers:
            made_up = f"Authorization: Bearer csp_{secrets.token_hex(13)}"
            return target.request(line, made_up, f"Cookie: {target.phones[0]}")
        return target.request(line, f"Cookie: {dice.choice(target.phones)}")

    return PHONES, asking(make)


@cache
def large_file() -> str:
    """A game of any game, with so many cards."""
    things = {f"thing-{n}": {"name": f"Thing {n}", "counters": {"charge": 1}} for n in range(CARDS)}
    file = {
        "id": "large", "system": "any-game", "edition": "1", "title": "Large",
        "given": {"seats": {"a": {}, "b": {}}, "objects": things}, "when": [], "then": {},
    }  # fmt: skip
    return json.dumps([file], separators=(",", ":"))


@cache
def long_file() -> str:
    """A game of any game, with so many entries."""
    place = {"do": "place", "on": "a", "counter": "points", "amount": 1}
    file = {
        "id": "long", "system": "any-game", "edition": "1", "title": "Long",
        "given": {"seats": {"a": {}, "b": {}}}, "when": [place] * LONG, "then": {},
    }  # fmt: skip
    return json.dumps([file], separators=(",", ":"))


DEAR = {"linked": linked(100), "doubled": doubled(300), "charged": charged(300)}
"""The dearest commands anyone has found, each with its game and opening."""


ANY = {"things": "any"}
HIGHEST = {"highest": "charge", "on": ANY}


def own(things: int, *rules: Mapping[str, Any]) -> dict[str, Any]:
    """A game that somebody has written, with so many cards; the rest of its file."""
    return {
        "definition": {
            "title": "Own", "things": [{"type": "card"}], "rules": rules,
            "numbers": [{"kind": "points", "on": "player"}, {"kind": "charge", "on": "card"}],
        },
        "given": {
            "seats": {"a": {}, "b": {}},
            "objects": {f"card-{n}": {"type": "card", "owner": "a"} for n in range(things)},
        },
    }  # fmt: skip


def look(counted: Any) -> dict[str, Any]:
    """A rule that counts, of all cards, those of which *counted* is less than 1."""
    chosen = {"count": {"each": ANY, "if": [{"number": "charge", "on": counted}, "<", 1]}}
    pressed = {"pressed": "Look", "on": "player", "who": "anyone"}
    return {"rule": "Look", "when": pressed, "do": [{"add": chosen, "of": "points"}]}


OWN = {
    "looking": own(1_960, look({**ANY, "of": "holder"})),
    "ruled": own(
        48,
        *(
            {
                "rule": f"Rule {n}", "when": {"always": "card"},
                "if": [{"+": [HIGHEST] * 6}, "<", -n], "do": [{"add": 1, "of": "charge"}],
            }
            for n in range(5, 41)
        ),
    ),
}  # fmt: skip
"""Games that somebody has written, which ask for as much as they can at each command."""
PRESS = {"do": "press", "rule": "Look", "on": "a"}
TAP = {"do": "place", "on": "a", "counter": "points", "amount": 1}


def dear_file(name: str) -> str:
    """A game in which the dear command *name* can be given."""
    if name in OWN:
        system, more = find("own-game"), OWN[name]
    else:
        system, given, _command = DEAR[name]
        more = {"given": given}
    file = {
        "id": name, "system": system.name, "edition": system.edition, "title": name,
        "when": [], "then": {}, **more,
    }  # fmt: skip
    return json.dumps([file], separators=(",", ":"))


def at_once(name: str, command: Mapping[str, Any], count: int, every: float) -> Attack:
    """One phone that sends *command* so often in one write, again and again."""

    @cache
    def sent(_dice: random.Random) -> bytes:
        from tests.live.wire import frame  # which needs the settings

        return frame(json.dumps(command).encode()) * count

    def begin(target: Target, dice: random.Random) -> bytes:
        return upgrade(target, dice, f"/g/{dict(target.dear)[name]}/ws?seat=a&from=0")

    return 1, holding(begin, sent, every, 1)


def dear(name: str) -> Attack:
    """One phone that gives a dear command again and again, and takes it back."""
    _system, _given, command = DEAR[name]
    named = {key: value for key, value in command.items() if key != "by"}

    def either(target: Target, dice: random.Random) -> bytes:
        given = named if dice.random() < 0.5 else {"do": "undo"}
        return target.command(dict(target.dear)[name], given)

    return 1, asking(either)


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
            lambda target, _dice: target.request(
                "POST /new/file", "Content-Length: 3000000", f"Content-Type: {MULTIPART}"
            )
            + b"x" * 1_000_000,
            b"x", 0.2, 15,
        ),
    ),
    "chunks without end": (
        4,
        holding(
            lambda target, _dice: target.request(
                "POST /new/file", "Transfer-Encoding: chunked", f"Content-Type: {MULTIPART}"
            ),
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
    "phones made up": (
        8,
        asking(
            lambda target, _dice: target.request("GET /", f"Cookie: device={secrets.token_hex(11)}")
        ),
    ),
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
    "scrubbing": page("replay/%", "replay/0-23"),
    "replays": page("replay", "replay?line=%", "replay/film"),
    "exports": page("log.md", "scenario.json", "state.json"),
    "own pages": page("", "mine", "tv", "seats/", "log/latest"),
    "own phones": crowd("", "tv", "several", "objects/thing-7"),
    "programs made up": crowd("", headers=True),
    **{name: dear(name) for name in DEAR},
    "looking": at_once("looking", PRESS, 90, 0.2),
    "ruled": at_once("ruled", TAP, 20, 0.1),
}  # fmt: skip
