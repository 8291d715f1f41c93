"""Several server processes on one PostgreSQL and one Redis, with cables that can be cut."""

from __future__ import annotations

import selectors
import signal
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from http.client import HTTPConnection, HTTPException
from itertools import pairwise
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.db import connections

from games.cluster.home import home
from games.cluster.lease import BEAT
from games.cluster.membership import SETTLED
from games.cluster.store import LOCKS
from games.models import Entry, Game
from games.store import rows
from tests.conftest import REDIS
from tests.live.wire import ACKS, SEQUENCE, Server, Wire, frame, reserved, tap

PLAYED_BY = """
    SELECT objid::bigint, split_part(application_name, ' ', 4)
    FROM pg_locks JOIN pg_stat_activity USING (pid)
    WHERE locktype = 'advisory' AND granted AND classid = %s AND objid = ANY(%s)
"""


class Cable:
    """A TCP proxy. While it is frozen it takes everything and forwards nothing, as a network does
    that has gone: neither side is notified."""

    def __init__(self, host: str, port: int) -> None:
        self._to = host, port
        self.far_ports: set[int] = set()
        """Its ends there: the ports of its connections, as the server sees them."""
        self._refuses = False
        self._near: list[socket.socket] = []
        self._thawed = threading.Event()
        self._thawed.set()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def freeze(self) -> None:
        self._thawed.clear()

    def refuse(self) -> None:
        """Break every connection, and every new one at once, as a server does that has stopped."""
        self._refuses = True
        for each in self._near:
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)

    def thaw(self) -> None:
        self._refuses = False
        self._thawed.set()

    def close(self) -> None:
        self.thaw()
        self._listener.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                near, _address = self._listener.accept()
                if self._refuses:
                    near.close()
                    continue
                self._near.append(near)
                threading.Thread(target=self._carry, args=[near], daemon=True).start()

    def _carry(self, near: socket.socket) -> None:
        self._thawed.wait()
        with (
            suppress(OSError),
            near,
            socket.create_connection(self._to) as far,
            selectors.DefaultSelector() as ready,
        ):
            self.far_ports.add(far.getsockname()[1])
            ready.register(near, selectors.EVENT_READ, far)
            ready.register(far, selectors.EVENT_READ, near)
            while True:
                for key, _events in ready.select():
                    data = key.fileobj.recv(65536)
                    self._thawed.wait()
                    if not data:
                        return
                    key.data.sendall(data)


def address(host: str = "", port: int = 0) -> str:
    """The address of the tests' PostgreSQL, or of a cable to it."""
    place = settings.DATABASES["postgres"]
    name = connections["postgres"].settings_dict["NAME"]
    who = f"{place['USER']}:{place['PASSWORD']}" if place["PASSWORD"] else place["USER"]
    return f"postgresql://{who}@{host or place['HOST']}:{port or place['PORT'] or 5432}/{name}"


class Cluster:
    """Three servers. The first reaches PostgreSQL and Redis by cables of its own, and all of them
    by one more each, `postgres_of_all` and `redis_of_all`.

    redis: the address of theirs. environment: variables to change, for all of them.
    """

    def __init__(self, folder: Path, redis: str = REDIS, **environment: str) -> None:
        place = settings.DATABASES["postgres"]
        url = urlsplit(redis)
        self.postgres_of_all = Cable(place["HOST"], int(place["PORT"] or 5432))
        self.postgres = Cable("127.0.0.1", self.postgres_of_all.port)
        self.redis_of_all = Cable(url.hostname or "", url.port or 6379)
        self.redis = Cable("127.0.0.1", self.redis_of_all.port)
        self.servers: list[Server] = []
        for n in range(3):
            database = self.postgres if n == 0 else self.postgres_of_all
            cable = self.redis if n == 0 else self.redis_of_all
            line = f"redis://127.0.0.1:{cable.port}{url.path}"
            log = folder / f"server-{n}.txt"
            changes = {"DATABASE_URL": address("127.0.0.1", database.port), "REDIS_URL": line}
            each = Server(log=log, wait=False, **{**environment, **changes})
            self.servers.append(each)
        self._served_at: float | None = None

    def at_home(self, make: Callable[[], Game], on: int = 0) -> Game:
        """A game of *make* that is at home on one of the servers, by its place in the list.

        One that is played elsewhere is handed over to its home, soon after a server has started:
        in the middle of a test, and it closes the lines of the phones of its first owner.
        """
        addresses = [f"127.0.0.1:{server.port}" for server in self.servers]
        while home((game := make()).slug, frozenset(addresses)) != addresses[on]:
            game.delete()
        return game

    def spread(self) -> None:
        """Wait until no server hands games over because it has met the others at their start."""
        assert self._served_at is not None
        time.sleep(max(0.0, self._served_at + SETTLED + 3 * BEAT - time.monotonic()))

    def mend(self) -> list[Server]:
        """The servers, each of them up and able to serve."""
        self.postgres.thaw()
        self.postgres_of_all.thaw()
        self.redis.thaw()
        self.redis_of_all.thaw()
        for server in self.servers:
            server.process.send_signal(signal.SIGCONT)
            if server.process.poll() is not None:
                server.start(wait=False)
        for server in self.servers:
            server.wait()
            wait_for(lambda server=server: server.ready() == 200, 180)
        self._served_at = self._served_at or time.monotonic()
        return self.servers

    def logged(self, n: int) -> str:
        log = self.servers[n].log
        assert log is not None
        return log.read_text()

    def close(self) -> None:
        for server in self.servers:
            server.process.send_signal(signal.SIGCONT)
            server.kill()
        self.postgres.close()
        self.postgres_of_all.close()
        self.redis.close()
        self.redis_of_all.close()
        with connections["postgres"].cursor() as cursor:  # what a killed server has not closed yet
            cursor.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                "WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
        connections["postgres"].close()


def wait_for(met: Callable[[], object], seconds: float = 30) -> float:
    """Wait until a condition is met; return how long that took."""
    begun = time.monotonic()
    while not met():
        assert time.monotonic() - begun < seconds, "it never came true"
        time.sleep(0.02)
    return time.monotonic() - begun


class Gate:
    """The address of a proxy, which a `Wire` connects to like a server's."""

    def __init__(self) -> None:
        self.port = reserved(self)

    def get(self, path: str) -> int:
        """The status of a page; 0 if there is no answer."""
        with closing(HTTPConnection("127.0.0.1", self.port, timeout=20)) as connection:
            try:
                connection.request("GET", path)
                return connection.getresponse().status
            except (OSError, HTTPException):
                return 0


class Phone:
    """A phone that taps and reconnects as static/js/net does: unanswered taps are sent again.

    Signs of life, which no script sees, say nothing to it: only a tap that is not answered does.
    choose: the server for each try, as a proxy chooses one. number: of the last entry it heard of.
    dials: how often it has tried to connect.
    """

    RECONNECT, PATIENCE, PASSED_ON, MOST_PATIENCE, LOOK = 0.4, 2.0, 0.5, 12.0, 0.25

    def __init__(self, game: Game, seat: str, choose: Callable[[], object]) -> None:
        self.game, self.seat = game, seat
        self.acknowledged: dict[str, float] = {}
        self.given: list[str] = []
        self.frame_times: list[float] = []
        self.codes: list[int] = []
        self.number = self.dials = 0
        self._patience = self.PATIENCE
        self._choose = choose
        self._outbox: dict[str, float] = {}
        self._line: Wire | None = None
        self._lock = threading.Lock()
        self._over = self._backwards = False
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()
        wait_for(lambda: self.frame_times)

    def tap(self) -> str:
        """Tap; return the tap's id."""
        name = f"{self.seat}-{len(self.given)}"
        self.given.append(name)
        with self._lock:
            self._send(name)
        return name

    def silence(self, since: float) -> float:
        """The longest time without a frame from *since* until now."""
        later = [each for each in list(self.frame_times) if each > since]
        times = [since, *later, time.monotonic()]
        return max(later - before for before, later in pairwise(times))

    def hears_after(self, moment: float) -> None:
        """Wait for a frame after *moment*."""
        wait_for(lambda: self.frame_times[-1] > moment)

    def close(self) -> None:
        self._over = True
        if self._line is not None:
            with suppress(OSError):
                self._line.socket.shutdown(socket.SHUT_RDWR)
        self._thread.join(20)
        assert not self._backwards, "the game ran backwards"

    def _send(self, name: str) -> None:
        self._outbox[name] = time.monotonic()
        if self._line is not None:
            with suppress(OSError):
                self._line.send(frame(tap(id=name)))

    def _run(self) -> None:
        while not self._over:
            try:
                self._follow()
            except TimeoutError:
                self._patience = min(2 * self._patience, self.MOST_PATIENCE)
                continue
            except (OSError, AssertionError):
                pass
            finally:
                self._line = None
            if not self._over:
                time.sleep(self.RECONNECT)

    def _follow(self) -> None:
        """Connect, and read what is sent. Raises TimeoutError when no answer comes."""
        server: Any = self._choose()
        patience = self._patience + self.PASSED_ON
        self.dials += 1
        line = Wire(server, self.game, self.seat, self.number, 0, patience=patience)
        with line.socket:
            line.socket.settimeout(self.LOOK)
            with self._lock:
                self._line = line
                for name in list(self._outbox):
                    self._send(name)
            while not self._over:
                if self._oldest() > self._patience:
                    raise TimeoutError
                try:
                    opcode, payload = line.receive()
                except TimeoutError:
                    continue
                if opcode == 8:
                    self.codes.append(int.from_bytes(payload[:2], "big"))
                    return
                self._hear(payload)

    def _oldest(self) -> float:
        """The age of the oldest unanswered tap."""
        with self._lock:
            return time.monotonic() - min(self._outbox.values(), default=float("inf"))

    def _hear(self, payload: bytes) -> None:
        now = time.monotonic()
        self.frame_times.append(now)
        if found := SEQUENCE.search(payload):
            number = int(found[1])
            self._backwards |= number < self.number
            self.number = number
        if found := ACKS.search(payload):
            self._patience = min(max(self.PATIENCE, 3 * self._oldest()), self.MOST_PATIENCE)
            for name in found[1].decode().split():
                self.acknowledged.setdefault(name, now)
                with self._lock:
                    self._outbox.pop(name, None)


@contextmanager
def tapping(*phones: Phone, pause: float = 0.05, apart: float = 0) -> Iterator[None]:
    """Tap on all of them all the time, the one so many seconds after the other."""
    over = threading.Event()

    def go() -> None:
        while not over.wait(pause):
            for phone in phones:
                phone.tap()
                over.wait(apart)

    thread = threading.Thread(target=go)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def settled(game: Game, *phones: Phone) -> None:
    """Wait until every tap is answered; each is in the log once, and the rows are the log's."""
    for phone in phones:
        wait_for(lambda phone=phone: set(phone.given) <= phone.acknowledged.keys())
    stored = list(
        Entry.objects.using("postgres").filter(game=game.pk).values_list("command_id", flat=True)
    )
    assert sorted(name for phone in phones for name in phone.given) == sorted(stored)
    stands = Game.objects.using("postgres").get(pk=game.pk)
    assert 4 + len(stored) == rows.state(stands).count("rocket", "fuel")
    rows.check(stands)


def played_by(*games: Game) -> dict[int, str]:
    """The address of the process that plays each game, if one does."""
    with connections["postgres"].cursor() as cursor:
        cursor.execute(PLAYED_BY, [LOCKS, [each.pk for each in games]])
        return dict(cursor.fetchall())
