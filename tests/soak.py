"""Evenings without end on one server: `python -m tests.soak --minutes 60`.

Phones come, tap, go and come back, take back, read every page, play again, import, watch, and
delete their evening. What the server holds meanwhile must not grow: memory, files and threads have
a slope, fitted to what is measured after the first third, and every table of the database ends with
the rows that it began with.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import socket
import sqlite3
import struct
import sys
import tempfile
import threading
import time
import traceback
from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from http.cookiejar import CookieJar
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import HTTPCookieProcessor, Request, build_opener

from tests.forms import MULTIPART, multipart
from tests.night import Night

MOST_A_MINUTE = {"memory": 0.5, "files": 0.2, "threads": 0.1}
"""By how much each may grow in a minute of a long soak: megabytes, files, threads."""
MOST_IN_ALL = {"memory": 25.0, "files": 6.0, "threads": 4.0}
"""And in a short one, of minutes, in which caches still fill: from its first third to its end."""
LONG = 20.0
"""Minutes from which a soak is a long one."""
PAGES = (
    "", "log", "log?q=ana", "log.md", "state.json", "scenario.json", "seats/", "mine", "keep",
    "summary", "replay", "tv", "rules", "notes", "tools", "share",
)  # fmt: skip
ON_SEATS = {"any-game": "points", "magic": "experience"}
"""A counter that any seat of a system may have any number of."""
TOKEN = re.compile(r'csrfmiddlewaretoken" value="(\w+)"')
TAPS = 12
AGENT = "Mozilla/5.0 (iPhone) Mobi"


class Phone:
    """A browser without scripts, and the sockets that scripts would open."""

    def __init__(self, site: str) -> None:
        self.site, self.cookies = site, CookieJar()
        self.web = build_opener(HTTPCookieProcessor(self.cookies))

    def opened(self, path: str) -> str:
        """The path that a link leads to."""
        return self._ask(path, None)[0]

    def get(self, path: str) -> str:
        return self._ask(path, None)[1]

    def post(self, path: str, at: str, **fields: str) -> str:
        """Post a form of the page *at*; the path that it leads to."""
        return self.posted(path, at, **fields)[0]

    def posted(self, path: str, at: str, **fields: str) -> tuple[str, str]:
        """The same, with the page there."""
        found = TOKEN.search(self.get(at))
        assert found, f"no form at {at}"
        data = multipart(csrfmiddlewaretoken=found[1], **fields)
        return self._ask(path, data)

    def _ask(self, path: str, data: bytes | None) -> tuple[str, str]:
        headers = {"User-Agent": AGENT} | ({"Content-Type": MULTIPART} if data else {})
        asked = Request(self.site + path, data, headers)
        try:
            with self.web.open(asked, timeout=120) as answer:
                return urlsplit(answer.url).path, answer.read().decode()
        except HTTPError as error:
            if error.code >= 500:
                failure = f"{asked.get_method()} {path}: {error.code} {error.read()[:500]!r}"
                raise AssertionError(failure) from None
            raise

    def call(self, slug: str) -> Any:
        """A socket to its table."""
        from tests.live.wire import Wire

        board = self.get(f"/g/{slug}/")
        seat = re.search(r'id="live".*?data-seat="([\w-]*)"', board, re.S)
        device = next(cookie.value for cookie in self.cookies if cookie.name == "device")
        at = SimpleNamespace(port=urlsplit(self.site).port)
        called = SimpleNamespace(slug=slug)
        wire = Wire(at, called, seat[1] if seat else "", 0, 0, device or "")  # type: ignore[arg-type]
        return wire, seat[1] if seat else ""


def evening(site: str, dice: random.Random, count: Counted) -> None:
    """One evening of a host, two guests and a watcher, from its first page to its deletion."""
    system = dice.choice([*ON_SEATS])
    host, *guests = (Phone(site) for _ in range(3))
    slug = slug_in(host.post("/new", "/new", rules=system, seats="3", name="Ana"))
    shared = host.get(f"/g/{slug}/share")
    code = re.search(r"share-code.*?<b>\s*([^<]+?)\s*</b>", shared, re.S)
    assert code
    for guest in guests:
        guest.post("/code", "/", code=code[1])
    watcher = Phone(site)
    watch = re.search(r"/w/\w+", host.get(f"/g/{slug}/share?watch")) or re.search(r"/w/\w+", shared)
    if watch:
        watcher.get(watch[0])
    else:
        watcher.post("/code", "/", code=code[1])
    for _half in range(2):
        for phone in (host, *guests):
            taps(phone, slug, ON_SEATS[system], dice, count)
        wire, _seat = watcher.call(slug)
        with closing(wire):
            taps(host, slug, ON_SEATS[system], dice, count)
        for page in PAGES:
            with suppress(OSError):  # a page that only some games have
                dice.choice([host, *guests, watcher]).get(f"/g/{slug}/{page}")
            count.pages += 1
        if not _half:
            slug = slug_in(host.post(f"/g/{slug}/again", f"/g/{slug}/keep"))
    host.get("/")
    host.post(f"/g/{slug}/delete", f"/g/{slug}/delete")
    count.evenings += 1


def imported(site: str, files: Sequence[str], dice: random.Random, count: Counted) -> None:
    """A game from a file, looked at, and deleted."""
    phone = Phone(site)
    slug = slug_in(phone.post("/new/file", "/new/file", text=dice.choice(files)))
    wire, _seat = phone.call(slug)
    for page in PAGES:
        with suppress(OSError):
            phone.get(f"/g/{slug}/{page}")
        count.pages += 1
    wire.close()
    phone.post(f"/g/{slug}/delete", f"/g/{slug}/delete")
    count.evenings += 1


def slug_in(path: str) -> str:
    """The game in the path of one of its pages."""
    return path.split("/")[2]


def taps(phone: Phone, slug: str, kind: str, dice: random.Random, count: Counted) -> None:
    """Connect, tap, take one back, and go: with a word, or like a phone whose battery is empty."""
    from tests.live.wire import frame

    wire, seat = phone.call(slug)
    number = _number(wire)
    for n in range(TAPS):
        command = {
            "do": "place",
            "on": seat,
            "counter": kind,
            "amount": 1,
            "id": f"{dice.random()}",
        }
        if n == TAPS - 1:
            command = {"do": "undo"}
        wire.send(frame(json.dumps(command).encode()))
        count.taps += 1
    try:
        wire.until(number + TAPS)
    except TimeoutError:
        raise AssertionError(f"{kind} on {seat}: {number}, then {wire.bytes[-300:]!r}") from None
    if dice.random() < 0.5:
        wire.send(frame(struct.pack("!H", 1000), first=0x88))
        with suppress(OSError):
            wire.receive()
    else:
        cut = struct.pack("ii", 1, 0)
        wire.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, cut)
    wire.close()


def _number(wire: Any) -> int:
    from tests.live.wire import SEQUENCE

    while True:
        found = SEQUENCE.search(wire.receive()[1])
        if found:
            return int(found[1])


@dataclass
class Counted:
    """Counters of the phones' actions."""

    evenings: int = 0
    taps: int = 0
    pages: int = 0
    failed: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Sample:
    """A sample of the server and its helper: megabytes, open files and threads."""

    at: float
    memory: float
    files: int
    threads: int


def sample(pid: int) -> Sample:
    """A sample of process *pid* and its children."""
    memory, files, threads = 0.0, 0, 0
    for each in [pid, *_children(pid)]:
        with suppress(OSError):
            failure = Path(f"/proc/{each}/status").read_text()
            memory += int(re.search(r"VmRSS:\s+(\d+)", failure)[1]) / 1024
            threads += len(os.listdir(f"/proc/{each}/task"))
            files += len(os.listdir(f"/proc/{each}/fd"))
    return Sample(time.monotonic(), memory, files, threads)


def _children(pid: int) -> Iterator[int]:
    for task in Path(f"/proc/{pid}/task").iterdir():
        with suppress(OSError):
            yield from map(int, (task / "children").read_text().split())


def rows(file: Path) -> dict[str, int]:
    """The number of rows of each table of a database."""
    with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as database:
        names = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
        return {
            name: database.execute(f'SELECT count(*) FROM "{name}"').fetchone()[0]
            for (name,) in database.execute(names).fetchall()
        }


def slope(points: Sequence[tuple[float, float]]) -> float:
    """By how much the fitted line of (minute, value) rises in a minute."""
    middle = sum(x for x, _y in points) / len(points)
    mean = sum(y for _x, y in points) / len(points)
    spread = sum((x - middle) ** 2 for x, _y in points)
    return sum((x - middle) * (y - mean) for x, y in points) / spread if spread else 0.0


class Soak:
    """A server of its own, with *workers* evenings at once for so many minutes."""

    def __init__(self, folder: Path, minutes: float, workers: int = 3, seed: int = 1) -> None:
        self.minutes, self.workers, self.seed = minutes, workers, seed
        self.count, self.samples = Counted(), list[Sample]()
        self.folder = folder
        self._over = threading.Event()

    def run(self, port: int) -> None:
        """Soak; afterwards `grown` and `left` say what is wrong."""
        from games.store import demos

        files = [json.dumps(each) for each in demos.demos()]
        night = Night(self.folder, port, COUNTERSITE_CROWD="1000")
        try:
            site = night.site
            self._evenings(site, files, 1)  # what is made once only
            before = rows(self.folder / "games.sqlite3")
            until = time.monotonic() + self.minutes * 60
            workers = [
                threading.Thread(target=self._work, args=(site, files, n, until), daemon=True)
                for n in range(self.workers)
            ]
            for worker in workers:
                worker.start()
            every = min(max(self.minutes / 3, 0.5), 15)
            while any(worker.is_alive() for worker in workers):
                self.samples.append(sample(night.process.pid))
                self._over.wait(every)
            self.left = {
                name: now - before.get(name, 0)
                for name, now in rows(self.folder / "games.sqlite3").items()
                if now != before.get(name, 0)
            }
        finally:
            self.printed = night.printed
            night.kill()

    def _work(self, site: str, files: Sequence[str], n: int, until: float) -> None:
        dice = random.Random(self.seed * 1000 + n)
        while time.monotonic() < until:
            self._evenings(site, files, dice.random(), dice)

    def _evenings(
        self, site: str, files: Sequence[str], one: float, dice: random.Random | None = None
    ) -> None:
        dice = dice or random.Random(self.seed)
        try:
            if one >= 1 or one < 0.75:
                evening(site, dice, self.count)
            if one >= 0.75:
                imported(site, files, dice, self.count)
        except Exception as error:
            self.count.failed.append("".join(traceback.format_exception(error, limit=-4)))

    def slopes(self) -> dict[str, float]:
        """By how much memory, files and threads grow in a minute, after the first third."""
        settled = self.samples[len(self.samples) // 3 :]
        return {
            what: slope([(each.at / 60, getattr(each, what)) for each in settled])
            for what in MOST_A_MINUTE
        }

    def grown(self) -> list[str]:
        """The resources that grew beyond their limit."""
        if self.minutes >= LONG:
            most, found = MOST_A_MINUTE, self.slopes()
        else:
            most, found = MOST_IN_ALL, self._differences()
        return [f"{what}: {found[what]:+.2f}" for what in most if found[what] > most[what]]

    def _differences(self) -> dict[str, float]:
        third = len(self.samples) // 3
        first, last = self.samples[third : 2 * third], self.samples[-third:]
        return {
            what: _middle([getattr(each, what) for each in last])
            - _middle([getattr(each, what) for each in first])
            for what in MOST_IN_ALL
        }


def _middle(values: Sequence[float]) -> float:
    return sorted(values)[len(values) // 2]


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description=__doc__)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--workers", type=int, default=3, help="evenings at once")
    given = parser.parse_args()
    import django

    os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
    django.setup()
    from countersite.addresses import free_port

    with tempfile.TemporaryDirectory() as folder:
        soak = Soak(Path(folder) / "night", given.minutes, given.workers)
        soak.run(free_port("127.0.0.1", 8900))
    print(f"{soak.count.evenings} evenings, {soak.count.taps} taps, {soak.count.pages} pages")
    for each in soak.samples[:: max(len(soak.samples) // 12, 1)]:
        minute = (each.at - soak.samples[0].at) / 60
        held = f"{each.memory:7.1f} MiB {each.files:4} files {each.threads:3} threads"
        print(f"  {minute:5.1f} min {held}")
    for what, rises in soak.slopes().items():
        print(f"{what}: {rises:+.3f} a minute (at most {MOST_A_MINUTE[what]})")
    print("rows left behind:", soak.left or "none")
    print(f"failed: {len(soak.count.failed)}", *soak.count.failed[:3], sep="\n")
    wrong = bool(soak.grown() or soak.left or soak.count.failed or "Traceback" in soak.printed)
    if wrong:
        print("The server said at last:", soak.printed[-8_000:], sep="\n")
    return int(wrong)


if __name__ == "__main__":
    sys.exit(main())
